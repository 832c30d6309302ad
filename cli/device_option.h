#pragma once

#include <string>
#include <vector>

namespace assay::cli {

/// The devices that --device means: those of resolve_devices() for each of its words, each device once.
/// Throws DeviceSpecError, also for a fault, an open question or a reading that does not exist, with those
/// that are near.
std::vector<std::string> devices_named(const std::vector<std::string>& selections);

}  // namespace assay::cli
