// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "devices/emulator/gpu.h"
#include "devices/emulator/tensor/steps.h"
#include "devices/emulator/tensor/tcgen05_steps.h"
#include "devices/emulator/tma/steps.h"

namespace assay::emulator {

/// What the measurement of the suites (`assay faults`) has to know beside the replaced step.
struct FaultNotes {
  /// Settings of the emulated device on which it shows, "sm_100a,schedule=lazy"; empty: the default of the
  /// engine, sm_90a for tensor copies and warp-level matrix instructions, sm_100a for the rest.
  std::string_view device = {};
  bool rare = false;  ///< needs many cases by design: ten times the budget
  /// Later architectures lack the mechanism, or nothing is known of it there, where the step does not say so.
  bool alone = false;
  /// What only some architectures have and the fault spoils; it shows on each of them. Null: that of the
  /// engine.
  bool TargetFacts::*mechanism = nullptr;
  /// Why nothing that a program can observe changes; empty: it must be caught.
  std::string_view unobservable = {};
};

/// One known way for a device to be wrong: a row that replaces one step of an engine or of the encoder, below
/// the seam, so that the suites meet it as they would meet wrong silicon. The emulator knows of none by
/// itself: rows stand in devices/faults, and being linked or loaded (driver/settings.h) registers them.
class Fault {
 public:
  /// What a fault replaces a step of.
  enum class Seam { tma, matrix, tcgen05, program };

  /// `wrong`: a sentence on what such a device does. `clause`: rule or measurement that it breaks.
  /// `caught_by`: properties that must fail on it, each with the cases of seed 1 that it takes at most, "A 12
  /// on sm_90, B 16 as AMB-01:B". On an architecture the first of them counts that names it or none; one with
  /// "as" finds that the device takes that reading. Empty: of what is unobservable. `step`: a member of
  /// Steps, TensorSteps or Tcgen05Steps, which becomes `with`.
  template <typename Table, typename Step>
  Fault(std::string_view name, std::string_view wrong, std::string_view clause, std::string_view caught_by,
        Step Table::*step, std::type_identity_t<Step> with, const FaultNotes& notes = {})
      : Fault(name, wrong, clause, caught_by, seam_of(static_cast<const Table*>(nullptr)), notes) {
    table(static_cast<const Table*>(nullptr)).*step = with;
  }
  /// One of a kernel: `spoil` makes its PTX text wrong when it is loaded (devices/faults/kernels.cc).
  Fault(std::string_view name, std::string_view wrong, std::string_view clause, std::string_view caught_by,
        std::string (*spoil)(std::string_view ptx), const FaultNotes& notes = {})
      : Fault(name, wrong, clause, caught_by, Seam::program, notes) {
    spoil_ = spoil;
  }
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;

  std::string_view name, wrong, clause, caught_by;
  FaultNotes notes;
  Seam seam;
  /// Settings of the emulated device on which it is measured, the fault not among them.
  std::string_view device() const;
  /// The same, one for each architecture that has the mechanism which the fault spoils, device() first.
  std::vector<std::string> devices() const;
  const Steps& steps() const { return steps_; }
  const TensorSteps& tensor_steps() const { return tensor_steps_; }
  const Tcgen05Steps& tcgen05_steps() const { return tcgen05_steps_; }
  /// PTX text as this fault has it.
  std::string program(std::string_view ptx) const { return spoil_ ? spoil_(ptx) : std::string(ptx); }

 private:
  Fault(std::string_view name, std::string_view wrong, std::string_view clause, std::string_view caught_by,
        Seam seam, const FaultNotes& notes);
  static constexpr Seam seam_of(const Steps*) { return Seam::tma; }
  static constexpr Seam seam_of(const TensorSteps*) { return Seam::matrix; }
  static constexpr Seam seam_of(const Tcgen05Steps*) { return Seam::tcgen05; }
  Steps& table(const Steps*) { return steps_; }
  TensorSteps& table(const TensorSteps*) { return tensor_steps_; }
  Tcgen05Steps& table(const Tcgen05Steps*) { return tcgen05_steps_; }

  // The honest tables are constant initialised, so these are right in any order of start-up.
  Steps steps_ = honest_steps;
  TensorSteps tensor_steps_;
  Tcgen05Steps tcgen05_steps_ = honest_tcgen05_steps;
  std::string (*spoil_)(std::string_view ptx) = nullptr;
};

/// All that are registered, by name in order.
const std::vector<const Fault*>& all_faults();
/// Null when there is no fault of that name.
const Fault* find_fault(std::string_view name);
/// Takes in a row that registered itself elsewhere, in a library.
void add_fault(const Fault&);

}  // namespace assay::emulator
