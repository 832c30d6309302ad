// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "fuzz/target.h"

namespace assay::fuzz {

/// Runs one input in a child process. Nothing when it ends well; else its signature: the claim that it
/// breaks, what a sanitizer says in short, the exception that nothing catches, the signal, or "timeout".
std::optional<std::string> signature_of(std::span<const uint8_t> input, std::chrono::seconds limit);

/// The signature in what a process wrote before it died.
std::string signature_in(const std::string& text, int wait_status);

/// The simplest input with the same signature that is found in the time, by the target's own steps or by
/// removing and zeroing bytes.
Bytes minimise(Bytes input, const std::string& signature, std::chrono::seconds time);

}  // namespace assay::fuzz
