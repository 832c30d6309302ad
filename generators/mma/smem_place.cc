// SPDX-License-Identifier: Apache-2.0
#include "generators/mma/make.h"

#include <algorithm>

#include "generators/borders.h"
#include "reference/model/rig.h"
#include "reference/spec/smem_desc.h"

namespace assay::gen {
namespace {

constexpr uint32_t cell = 16, most_stride = 0x3fff * 16;

uint32_t width_of(uint32_t swizzle) {
  return spec::find_smem_swizzle(uint64_t{swizzle})->width;
}

/// Bytes that are read from the start of a block on.
uint32_t block_bytes(uint32_t swizzle, const SmemReads& reads) {
  const uint32_t width = width_of(swizzle);
  if (!reads.mn_major) return 7 * width + std::min(width, reads.row_bytes);
  return 7 * width + std::min(width, reads.lines * reads.element_bytes);
}

uint32_t steps_bytes(const MatrixInShared& m, const StrideCounts& counts) {
  return (counts.leading - 1) * m.leading_offset + (counts.stride - 1) * m.stride_offset;
}

uint32_t any_stride(Random& random) {
  return random.one_in(4) ? static_cast<uint32_t>(beside_power_of_two(random, most_stride))
                          : random.below(0x4000) * cell;
}

/// A live stride that may take `room` bytes over `steps` steps.
uint32_t live_stride(uint32_t steps, uint32_t room, Random& random) {
  const uint32_t most = std::min(room / steps, most_stride) / cell;
  switch (random.below(5)) {
    case 0:
      return random.below(std::min(most, 8u) + 1) * cell;  // overlapping
    case 4:
      return most == 0 ? 0 : static_cast<uint32_t>(beside_power_of_two(random, most * cell));
    case 1:
      return most == 0 ? 0 : static_cast<uint32_t>(random.log_uniform(1, most)) * cell;
    default:
      return random.below(most + 1) * cell;
  }
}

}  // namespace

StrideCounts stride_counts(uint32_t swizzle, const SmemReads& reads) {
  const bool plain = swizzle == 0;
  const uint32_t width = width_of(swizzle);
  if (!reads.mn_major)
    return {plain ? reads.row_bytes / cell : std::max(1u, reads.row_bytes / width), reads.lines / 8};
  const uint32_t along = (reads.lines * reads.element_bytes + width - 1) / width;
  const uint32_t k_blocks = reads.row_bytes / reads.element_bytes / 8;
  return plain ? StrideCounts{k_blocks, along} : StrideCounts{along, k_blocks};
}

uint32_t linear_end(const MatrixInShared& m, const SmemReads& reads) {
  return m.start + steps_bytes(m, stride_counts(m.swizzle, reads)) + block_bytes(m.swizzle, reads);
}

void make_canonical(MatrixInShared& m, const SmemReads& reads) {
  const StrideCounts counts = stride_counts(m.swizzle, reads);
  const uint32_t block = 8 * width_of(m.swizzle);
  // Blocks along the contiguous dimension first, where there are any.
  const bool leading_is_along = !reads.mn_major || m.swizzle != 0;
  const uint32_t along = leading_is_along ? counts.leading : counts.stride;
  uint32_t& inner = leading_is_along ? m.leading_offset : m.stride_offset;
  uint32_t& outer = leading_is_along ? m.stride_offset : m.leading_offset;
  inner = along > 1 ? block : 0;
  outer = (leading_is_along ? counts.stride : counts.leading) > 1 ? block * along : 0;
}

uint32_t canonical_bytes(uint32_t swizzle, const SmemReads& reads) {
  MatrixInShared m;
  m.swizzle = swizzle;
  make_canonical(m, reads);
  return linear_end(m, reads);
}

void place_anywhere(MatrixInShared& m, const SmemReads& reads, uint32_t first, uint32_t end, Random& random) {
  const StrideCounts counts = stride_counts(m.swizzle, reads);
  uint32_t room = end - first - block_bytes(m.swizzle, reads);
  const bool leading_first = random.one_in(2);
  const auto draw = [&](uint32_t& stride, uint32_t count) {
    stride = count > 1 ? live_stride(count - 1, room, random) : any_stride(random);
    if (count > 1) room -= stride * (count - 1);
  };
  if (leading_first) draw(m.leading_offset, counts.leading);
  draw(m.stride_offset, counts.stride);
  if (!leading_first) draw(m.leading_offset, counts.leading);
  m.start = first + random.below(room / cell + 1) * cell;
  if (random.one_in(16)) {
    const uint64_t at = place_at_border(
        random, end - first - room,
        {.first = first, .end = end, .before = rig::usual_window_address, .low = 15, .high = 17});
    if (at != 0) m.start = static_cast<uint32_t>(at);
  }
  m.base_offset = random.below(8);
}

uint32_t place_apart(MatrixInShared& m, const SmemReads& reads, uint32_t first, Random& random) {
  const StrideCounts counts = stride_counts(m.swizzle, reads);
  make_canonical(m, reads);
  if (random.one_in(4)) {
    // Longer strides, the outer one by as much as the inner ones need.
    const uint32_t extra = random.between(1, 8) * cell;
    const bool leading_is_along = !reads.mn_major || m.swizzle != 0;
    const uint32_t along = leading_is_along ? counts.leading : counts.stride;
    (leading_is_along ? m.leading_offset : m.stride_offset) += along > 1 ? extra : 0;
    (leading_is_along ? m.stride_offset : m.leading_offset) += extra * along;
  }
  if (counts.leading == 1) m.leading_offset = random.one_in(2) ? any_stride(random) : 0;
  if (counts.stride == 1) m.stride_offset = random.one_in(2) ? any_stride(random) : 0;
  m.start = first + (random.one_in(2) ? 0 : random.below(1024 / cell) * cell);
  m.base_offset = random.one_in(2) ? 0 : random.below(8);
  return (linear_end(m, reads) + 1023) / 1024 * 1024;
}

uint64_t ignored_bits(Random& random) {
  uint64_t mask = 0;
  for (const spec::Field& field : spec::smem::wgmma_fields)
    if (field.hardware == spec::HardwareUse::ignores)
      mask |= spec::low_bits(field.parts[0].width) << field.parts[0].lsb;
  return random.next() & mask;
}

}  // namespace assay::gen
