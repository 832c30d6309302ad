// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "devices/device.h"

namespace assay::cli {

/// A script by which a shell ("bash", "zsh" or "fish") completes commands, options, their values, properties
/// and file names; nothing for another shell.
std::optional<std::string> completion_script(std::string_view shell, std::span<const CommandWords>);

/// A manual page in the man macros.
std::string manual(std::span<const CommandWords>, std::string_view version);

/// CTest's resource spec (JSON, version 1.0): each available GPU as a resource of type "gpus" with one slot,
/// so that no two tests share one; its id is the number in cuda:N. Throws std::runtime_error with one
/// sentence when there is no GPU: CTest would then fail every test that asks for one.
std::string ctest_resources(std::span<const DeviceProbe>);

}  // namespace assay::cli
