// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/lz4_block.h"

#include <cstdint>

namespace assay::emulator {
namespace {

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  size_t left() const { return bytes_.size() - at_; }
  /// 0 at the end, and then the reader has failed.
  uint8_t byte() {
    if (left() == 0) {
      has_failed = true;
      return 0;
    }
    return static_cast<uint8_t>(bytes_[at_++]);
  }
  /// A length whose four bits are 15 goes on in bytes, the last of which is not 255.
  size_t length(size_t four_bits) {
    if (four_bits != 15) return four_bits;
    uint8_t next;
    do four_bits += next = byte();
    while (next == 255);
    return four_bits;
  }
  std::string_view take(size_t count) {
    const char* begin = reinterpret_cast<const char*>(bytes_.data() + at_);
    at_ += count;
    return {begin, count};
  }
  bool has_failed = false;

 private:
  std::span<const std::byte> bytes_;
  size_t at_ = 0;
};

}  // namespace

std::optional<std::string> decode_lz4_block(std::span<const std::byte> block, size_t limit) {
  Reader reader(block);
  std::string text;
  constexpr size_t least_match = 4;
  while (reader.left() != 0) {
    const uint8_t token = reader.byte();
    const size_t literals = reader.length(token >> 4);
    if (reader.has_failed || literals > reader.left() || literals > limit - text.size()) return std::nullopt;
    text += reader.take(literals);
    if (reader.left() == 0) return text;  // the last sequence has literals alone
    const size_t low = reader.byte();
    const size_t distance = low | static_cast<size_t>(reader.byte()) << 8;
    const size_t match = reader.length(token & 15) + least_match;
    if (reader.has_failed || distance == 0 || distance > text.size() || match > limit - text.size())
      return std::nullopt;
    for (size_t i = 0; i < match; ++i) text += text[text.size() - distance];  // may overlap itself
  }
  return std::nullopt;
}

}  // namespace assay::emulator
