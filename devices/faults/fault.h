#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "devices/emulator/tma/steps.h"

namespace assay::faults {

using emulator::Steps;

/// One known way for a device to be wrong: a row that replaces one step of the engine or of the encoder,
/// below the seam, so that the suites meet it as they would meet wrong silicon. One file each; being linked
/// registers it.
class Fault {
 public:
  /// `wrong`: a sentence on what such a device does. `clause`: rule or measurement that it breaks.
  Fault(std::string_view name, std::string_view wrong, std::string_view clause, void (*replace)(Steps&));
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;

  std::string_view name, wrong, clause;
  const Steps& steps() const { return steps_; }

 private:
  Steps steps_;
};

/// All faults, by name in order.
std::vector<const Fault*> all();
/// Null when there is no fault of that name.
const Fault* find(std::string_view name);
/// "no fault named X; there are: ...".
std::string unknown(std::string_view name);

}  // namespace assay::faults
