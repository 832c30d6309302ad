#include "devices/emulator/tensor/steps.h"

#include "devices/faults/fault.h"

namespace assay::emulator {

const TensorSteps& tensor_steps_for(const Settings& settings) {
  if (settings.fault.empty()) return honest_tensor_steps;
  const faults::Fault* fault = faults::find(settings.fault);
  return fault == nullptr ? honest_tensor_steps : fault->tensor_steps();
}

}  // namespace assay::emulator
