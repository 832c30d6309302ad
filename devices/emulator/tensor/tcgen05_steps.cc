// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/tcgen05_steps.h"

#include "devices/emulator/tensor/fragment.h"
#include "devices/emulator/tensor/tcgen05_scales.h"

namespace assay::emulator {
namespace {

void smem(SmemDescriptor&) {}
void instruction(InstructionDescriptor&) {}
void mask(ColumnMask&) {}
void decoded(Mma&) {}
void copy(TmemCopy&) {}
void shift(TmemShift&) {}

uint32_t copied_word(const TmemCopy&, uint32_t column) {
  return column;
}
uint32_t copied(const TmemCopy&, uint32_t, uint32_t, uint32_t word) {
  return word;
}
uint32_t copy_source(uint32_t rank, const TmemCopy&) {
  return rank;
}
bool shifts_partition(uint32_t, const TmemShift&, bool shifts) {
  return shifts;
}

uint32_t lane_group(const AccumulatorLayout&, uint32_t group) {
  return group;
}

/// The even CTA has the lower columns (cutlass, layout of B of the 2x1SM traits).
uint32_t half_of_b(uint32_t rank) {
  return rank;
}

/// (ptx, tcgen05.mma: disable-output-lane)
uint32_t lane_word(uint32_t word, uint32_t) {
  return word;
}

/// (ptx, tcgen05.ld: .pack::16b; cutlass, copy traits of tensor memory)
uint32_t pack(uint32_t first, uint32_t second) {
  return (first & 0xffff) | second << 16;
}
uint32_t unpack(uint32_t word, uint32_t half) {
  return half == 0 ? word & 0xffff : word >> 16;
}

/// (ptx, tcgen05.ld: access restrictions; sf-tensor, programs with lane 0 in all warps on a B200)
uint32_t warp_window(const TmemForm&, uint32_t warp, uint32_t) {
  return warp % 4 * 32;
}

uint8_t scale_code(const InstructionDescriptor&, uint8_t code) {
  return code;
}

bool keeps_lane(bool is_disabled) {
  return is_disabled;
}

bool reads_d(bool enable_input_d) {
  return enable_input_d;
}

bool commit_tracks(size_t, size_t, bool) {
  return true;
}
uint32_t committed_to(uint32_t barrier, uint32_t, bool, bool) {
  return barrier;
}
bool commit_arrives(const Mbarrier&) {
  return true;
}
size_t awaited(bool, size_t count, size_t) {
  return count;
}
uint32_t reused_shift(uint32_t shift, uint32_t) {
  return shift;
}
bool is_pipelined(const IssuedWork& first, const IssuedWork& second, size_t) {
  return first.is_pipelined_with(second);
}

bool shifts_a(uint32_t) {
  return true;
}

uint32_t same_columns(uint32_t first, uint32_t) {
  return first;
}

}  // namespace

constinit const Tcgen05Steps honest_tcgen05_steps{
    .smem = smem,
    .instruction = instruction,
    .mask = mask,
    .decoded = decoded,
    .lane_group = lane_group,
    .half_of_b = half_of_b,
    .lane_word = lane_word,
    .window = warp_window,
    .cell = tmem_cell,
    .scale = scale_cell,
    .scale_code = scale_code,
    .metadata = metadata_cell,
    .metadata_code = scale_code,
    .met = met_element,
    .pack = pack,
    .unpack = unpack,
    .reduced = reduce,
    .copy = copy,
    .shift = shift,
    .copied_row = copied_row,
    .copied_word = copied_word,
    .copied = copied,
    .copy_source = copy_source,
    .decompressed = decompressed,
    .shifted_lane = shifted_lane,
    .shifts_partition = shifts_partition,
    .keeps_lane = keeps_lane,
    .reads_d = reads_d,
    .shifts_a = shifts_a,
    .is_pipelined = is_pipelined,
    .commit_waits = true,
    .commit_tracks = commit_tracks,
    .committed_to = committed_to,
    .commit_arrives = commit_arrives,
    .awaited = awaited,
    .reused_shift = reused_shift,
    .alloc_waits = true,
    .allocated = [](uint32_t first, uint32_t, bool) { return first; },
    .alloc_writes = [](bool) { return true; },
    .released = same_columns,
};

FragmentNibble fragment_nibble(const FragmentCode& w) {
  const uint32_t first = w.row % 8 * 4, is_lower = w.row / 8;
  if (w.a->storage_bits >= 16)  // four codes of both rows that a lane has
    return {first + (w.groups == 4 ? w.selector : 2 * w.selector + w.group / 4), is_lower * 4 + w.group % 4};
  return {first + 2 * w.selector + is_lower + w.group / 8 * 2, w.group % 8};
}

uint32_t kept_of_code(const spec::Format& a) {
  return a.storage_bits == 4 ? 4 : a.storage_bits == 32 ? 1 : 2;
}

void meet_row(const spec::Format& a, uint32_t k, const uint32_t* codes, const uint32_t* b, uint32_t columns,
              uint32_t* met) {
  const uint32_t kept = kept_of_code(a);
  for (uint32_t column = 0; column < columns; ++column)
    for (uint32_t at = 0; at < k; ++at) {
      const uint32_t code = codes[at / kept], inside = at % kept;
      const uint32_t* of_group = b + column * 2 * k + at / kept * kept * 2;
      const auto half = [&](uint32_t h) { return of_group[h / 2] >> h % 2 * 16 & 0xffff; };
      uint32_t& to = met[column * k + at];
      if (a.storage_bits == 32)
        to = half(code >> 2) << 16 | half(code & 3);
      else if (a.storage_bits == 4)
        to = of_group[(code >> inside / 2 * 2 & 3) * 2 + inside % 2];
      else
        to = of_group[code >> inside * 2 & 3];
    }
}

}  // namespace assay::emulator
