// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace assay::emulator {

/// Decodes one LZ4 block of at most `limit` bytes of text; nothing where it is malformed or longer.
/// Format: lz4_Block_format.md of the LZ4 project.
std::optional<std::string> decode_lz4_block(std::span<const std::byte> block, size_t limit);

}  // namespace assay::emulator
