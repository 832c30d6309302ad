#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "devices/emulator/tensor/steps.h"
#include "devices/emulator/tensor/tcgen05_steps.h"
#include "devices/emulator/tma/steps.h"

namespace assay::faults {

using emulator::Steps;
using emulator::Tcgen05Steps;
using emulator::TensorSteps;

/// What a fault replaces a step of.
enum class Seam { tma, matrix, tcgen05, program };

/// What the measurement of the suites (`assay faults`) has to know beside the replaced step.
struct Notes {
  /// Settings of the emulated device on which it shows, "sm_100a,schedule=lazy"; empty: the default of the
  /// seam, sm_90a for tensor copies and warp-level matrix instructions, sm_100a for the rest.
  std::string_view device = {};
  bool rare = false;  ///< needs many cases by design: ten times the budget
  /// Why nothing that a program can observe changes; empty: it must be caught.
  std::string_view unobservable = {};
};

/// One known way for a device to be wrong: a row that replaces one step of the engine or of the encoder,
/// below the seam, so that the suites meet it as they would meet wrong silicon. One file each; being linked
/// registers it.
class Fault {
 public:
  /// `wrong`: a sentence on what such a device does. `clause`: rule or measurement that it breaks.
  Fault(std::string_view name, std::string_view wrong, std::string_view clause, void (*replace)(Steps&),
        const Notes& notes = {});
  /// One of the matrix instructions.
  Fault(std::string_view name, std::string_view wrong, std::string_view clause, void (*replace)(TensorSteps&),
        const Notes& notes = {});
  /// One of tensor memory and tcgen05.
  Fault(std::string_view name, std::string_view wrong, std::string_view clause,
        void (*replace)(Tcgen05Steps&), const Notes& notes = {});
  /// One of a kernel: `spoil` makes its PTX text wrong when it is loaded (kernel_edit.h).
  Fault(std::string_view name, std::string_view wrong, std::string_view clause,
        std::string (*spoil)(std::string_view ptx), const Notes& notes = {});
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;

  std::string_view name, wrong, clause;
  Notes notes;
  Seam seam = Seam::program;
  /// Settings of the emulated device on which it is measured, the fault not among them.
  std::string_view device() const;
  const Steps& steps() const { return steps_; }
  const TensorSteps& tensor_steps() const { return tensor_steps_; }
  const Tcgen05Steps& tcgen05_steps() const { return tcgen05_steps_; }
  /// PTX text as this fault has it.
  std::string program(std::string_view ptx) const { return spoil_ ? spoil_(ptx) : std::string(ptx); }

 private:
  void join();
  Steps steps_;
  TensorSteps tensor_steps_;
  Tcgen05Steps tcgen05_steps_ = emulator::honest_tcgen05_steps;
  std::string (*spoil_)(std::string_view ptx) = nullptr;
};

/// All faults, by name in order.
std::vector<const Fault*> all();
/// Null when there is no fault of that name.
const Fault* find(std::string_view name);
/// All of them for the program that measures the suites: one JSON object a line (driver/extra.h).
std::string described();
/// "no fault named X; there are: ...".
std::string unknown(std::string_view name);

}  // namespace assay::faults
