#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

TmemCell exchange(const TmemForm& form, uint32_t thread, uint32_t number) {
  return tmem_cell(form, thread, form.shape == TmemShape::s16x256b ? number ^ 2 : number);
}

const Fault fault("tcgen05_16x256b_register_order",
                  "The two rows of a 16x256b fragment are in the wrong registers.", "TMEM-R10",
                  [](Tcgen05Steps& steps) { steps.cell = exchange; });

}  // namespace
}  // namespace assay::faults
