// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/command.h"

namespace assay::cli {

/// A script by which a shell ("bash", "zsh" or "fish") completes commands, options, their values, properties
/// and file names; nothing for another shell.
std::optional<std::string> completion_script(std::string_view shell, std::span<const CommandWords>);

/// A manual page in the man macros.
std::string manual(std::span<const CommandWords>, std::string_view version);

}  // namespace assay::cli
