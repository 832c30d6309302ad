// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace assay::cuda {

/// A device as the user names it: `cuda:N`, or `emulator[:word,word=value,...]` (architecture page, "Device
/// syntax").
struct DeviceSpec {
  bool emulator = false;
  int ordinal = 0;           ///< cuda: index among the GPUs that the driver shows
  std::string architecture;  ///< emulator: "sm_90", "sm_100", ...
  std::string settings;      ///< emulator: the words for ASSAY_EMULATOR, target first
  std::string text;          ///< canonical: what parses to the same device
};

/// Throws DeviceSpecError with one sentence saying what would be right. The names of faults and
/// readings are not looked up.
DeviceSpec parse_device_spec(std::string_view text);

}  // namespace assay::cuda
