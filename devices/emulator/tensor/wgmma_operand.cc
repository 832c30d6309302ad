// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/smem_operand.h"

#include <algorithm>
#include <cstring>
#include <sstream>

#include "devices/emulator/machine/program.h"
#include "devices/emulator/tensor/fragment.h"

// (H200) wgmma descriptor: sections 2 to 5.
namespace assay::emulator {
namespace {

/// Memory is there in lines: an allocation that ends at 0x9090 can be read up to 0x9100.
constexpr uint32_t window_line = 128;

}  // namespace

WgmmaDescriptor decode_wgmma_descriptor(uint64_t word) {
  constexpr uint32_t widths[] = {16, 128, 64, 32};
  const auto field = [&](int from) { return static_cast<uint32_t>(word >> from & 0x3fff) * 16; };
  return {field(0), field(16), field(32), static_cast<uint32_t>(word >> 49 & 7), widths[word >> 62]};
}

/// Bits 4 and up of the address are exchanged by the number of its 128-byte line less the base offset; none,
/// 1, 2 or 3 bits.
uint32_t WgmmaOperand::swizzled(uint32_t linear) const {
  const uint32_t phases = descriptor.width / 16;
  return linear ^ ((linear / 128 - descriptor.base_offset) % phases) * 16;
}

WgmmaChunk WgmmaOperand::k_major(uint32_t mn, uint32_t x) const {
  const WgmmaDescriptor& d = descriptor;
  const uint32_t group = d.start + mn / 8 * d.stride;
  if (!d.is_swizzled()) {
    const uint32_t run = group + x / 16 * d.leading;
    return {run, run + mn % 8 * 16};
  }
  const uint32_t run = group + mn % 8 * d.width;
  return {run, swizzled(d.width == 32 ? run + x / 32 * d.leading + x % 32 : run + x)};
}

WgmmaChunk WgmmaOperand::mn_major(uint32_t mn, uint32_t k) const {
  const WgmmaDescriptor& d = descriptor;
  const uint32_t y = mn * 2;
  if (!d.is_swizzled()) {
    const uint32_t run = d.start + y / 16 * d.stride + k / 8 * d.leading;
    return {run, run + k % 8 * 16};
  }
  const uint32_t run = d.start + y / d.width * d.leading + k / 8 * d.stride + k % 8 * d.width;
  return {run, swizzled(run + y % d.width)};
}

/// f(chunk, first row, rows, first k): a chunk's elements go along k where it has one row, else along the
/// rows.
template <typename F>
void WgmmaOperand::for_chunks(F f) const {
  const uint32_t elements = 128 / static_cast<uint32_t>(format->storage_bits);
  if (is_mn_major) {
    for (uint32_t mn = 0; mn < rows; mn += 8)
      for (uint32_t at = 0; at < k; ++at) f(mn_major(mn, at), mn, 8u, at);
  } else {
    for (uint32_t mn = 0; mn < rows; ++mn)
      for (uint32_t x = 0; x < k * 16 / elements; x += 16) f(k_major(mn, x), mn, 1u, x / 16 * elements);
  }
}

void WgmmaOperand::read(const Cta& cta, char side, std::vector<uint32_t>& codes,
                        std::vector<uint8_t>& is_unwritten) const {
  const auto end = static_cast<uint32_t>(cta.shared.size());
  const uint32_t window = (end + window_line - 1) / window_line * window_line;
  const auto bits = static_cast<uint32_t>(format->storage_bits), elements = 128 / bits;
  codes.resize(static_cast<size_t>(rows) * k);
  is_unwritten.assign(rows, 0);
  for_chunks([&](const WgmmaChunk& chunk, uint32_t row, uint32_t chunk_rows, uint32_t first_k) {
    if (chunk.run >= window) {
      std::ostringstream text;
      text << "wgmma reads " << side << (side == 'A' ? " (m = " : " (n = ") << row << ", k = " << first_k
           << ") at shared address 0x" << std::hex << chunk.address << ", past the end 0x" << end
           << " of the CTA's shared memory";
      trap(Diagnostic::Kind::illegal_address, text.str());
    }
    uint8_t bytes[16] = {};
    bool is_defined = chunk.address + 16 <= end;
    if (is_defined) {
      std::memcpy(bytes, cta.shared.data() + chunk.address, 16);
      is_defined = std::memchr(cta.written.data() + chunk.address, 0, 16) == nullptr;
    }
    for (uint32_t i = 0; i < elements; ++i) {
      const uint32_t mn = chunk_rows == 1 ? row : row + i, at = chunk_rows == 1 ? first_k + i : first_k;
      codes[static_cast<size_t>(mn) * k + at] = row_element(bytes, bits, i);
      is_unwritten[mn] |= !is_defined;
    }
  });
}

std::vector<SharedRange> WgmmaOperand::ranges(const Cta& cta, uint32_t first, uint32_t end,
                                              uint8_t warps) const {
  const SwizzleKind kind = descriptor.width == 128  ? SwizzleKind::span_128
                           : descriptor.width == 64 ? SwizzleKind::span_64
                           : descriptor.width == 32 ? SwizzleKind::span_32
                                                    : SwizzleKind::none;
  std::vector<uint32_t> chunks;
  for_chunks([&](const WgmmaChunk& chunk, uint32_t row, uint32_t, uint32_t) {
    if (row >= first && row < end && chunk.address + 16 <= cta.shared.size()) chunks.push_back(chunk.address);
  });
  std::sort(chunks.begin(), chunks.end());
  std::vector<SharedRange> made;
  for (const uint32_t address : chunks) {
    if (!made.empty() && (made.back().address & shared_offset_mask) + made.back().bytes >= address) {
      made.back().bytes = address + 16 - (made.back().address & shared_offset_mask);
      continue;
    }
    made.push_back({address | cta.rank << shared_rank_shift, 16, kind, warps});
  }
  return made;
}

}  // namespace assay::emulator
