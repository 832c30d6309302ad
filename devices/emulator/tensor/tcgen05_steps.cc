// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/tcgen05_steps.h"

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

}  // namespace assay::emulator
