// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "devices/emulator/fault.h"
#include "devices/faults/rows.h"

/// Kernels made wrong: PTX text in, PTX text with as many lines out, so that what is reported still names the
/// line.
namespace assay::faults {
namespace {

using namespace emulator;

constexpr std::string_view wait = "mbarrier.try_wait", entry = ".visible .entry", function = ".func";
/// What stands where a wait stood: the predicate that the kernels' waits set is true.
constexpr std::string_view waited = "setp.eq.u32 done, 0, 0;";

struct Line {
  size_t begin, end;  ///< of the text without blanks before it and without the line's end
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const size_t begin = std::min(text.find_first_not_of(" \t", at), end);
    lines.push_back({begin, end});
    at = end + 1;
  }
  return lines;
}

bool begins(std::string_view text, const Line& line, std::string_view word) {
  return text.substr(line.begin, line.end - line.begin).starts_with(word);
}
/// The same of what stands behind a label, as each of several forms of an instruction does.
bool is_labelled(std::string_view text, const Line& line, std::string_view word) {
  const std::string_view whole = text.substr(line.begin, line.end - line.begin);
  const size_t end = whole.find_first_of(": \t");
  return end != whole.npos && whole.substr(end).starts_with(": ") && whole.substr(end + 2).starts_with(word);
}

/// Every instruction whose text begins so is left out.
std::string without(std::string_view ptx, std::string_view instruction) {
  std::string text(ptx);
  for (const Line& line : lines_of(ptx))
    if (begins(ptx, line, instruction))
      text.replace(line.begin, line.end - line.begin, line.end - line.begin, ' ');
  return text;
}

/// In each entry and function, the last wait on an mbarrier before the first instruction that begins with
/// `use` succeeds at once. `nth` 1: the wait before that one. A label may stand before the instruction.
std::string without_wait_before(std::string_view ptx, std::string_view use, int nth = 0) {
  std::string text(ptx);
  std::vector<Line> waits;
  bool done = false;
  std::vector<Line> spoiled;
  for (const Line& line : lines_of(ptx)) {
    if (begins(ptx, line, entry) || begins(ptx, line, function)) waits.clear(), done = false;
    if (begins(ptx, line, wait)) waits.push_back(line);
    if (done || (!begins(ptx, line, use) && !is_labelled(ptx, line, use))) continue;
    done = true;
    if (waits.size() > static_cast<size_t>(nth)) spoiled.push_back(waits[waits.size() - 1 - nth]);
  }
  // Backwards: a line that is replaced changes its length.
  for (size_t i = spoiled.size(); i-- > 0;)
    text.replace(spoiled[i].begin, spoiled[i].end - spoiled[i].begin, waited);
  return text;
}

/// `to` stands wherever `from` did.
std::string replaced(std::string_view ptx, std::string_view from, std::string_view to) {
  std::string text(ptx);
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// In every line that has `word`, `from` is written as `to`.
std::string altered(std::string_view ptx, std::string_view word, std::string_view from, std::string_view to) {
  std::string text(ptx);
  const std::vector<Line> lines = lines_of(ptx);
  // Backwards: a line that is altered changes its length.
  for (size_t i = lines.size(); i-- > 0;) {
    const size_t length = lines[i].end - lines[i].begin;
    const std::string_view line = ptx.substr(lines[i].begin, length);
    if (line.find(word) != line.npos) text.replace(lines[i].begin, length, replaced(line, from, to));
  }
  return text;
}

/// A wait, a fence or a commit left out.
const Fault kernels[] = {
    {"kernel_keeps_map_address", "a kernel leaves the address of the map that it copied.",
     "(ptx, tensormap.replace)", "pipeline.grouped 1",
     [](std::string_view ptx) { return without(ptx, "tensormap.replace.tile.global_address.shared"); }},
    {"kernel_keeps_map_extents", "a kernel leaves the extents of the map that it copied.",
     "(ptx, tensormap.replace)", "pipeline.grouped 1",
     [](std::string_view ptx) { return without(ptx, "tensormap.replace.tile.global_dim.shared"); }},
    {"kernel_keeps_map_stride", "a kernel leaves the stride of the map that it copied.",
     "(ptx, tensormap.replace)", "pipeline.grouped 1",
     [](std::string_view ptx) { return without(ptx, "tensormap.replace.tile.global_stride.shared"); }},
    {"kernel_skips_accumulated_wait", "a kernel reads an accumulator before the accumulation has completed.",
     "SYNC-R01", "pipeline.gemm 1",
     [](std::string_view ptx) { return without_wait_before(ptx, "tcgen05.ld"); }, on_lazy_sm_100},
    {"kernel_skips_commit", "a kernel does not commit its matrix instructions.", "SYNC-R01",
     "mma.dense.f16 1", [](std::string_view ptx) { return without(ptx, "tcgen05.commit"); }},
    {"kernel_skips_drained_wait", "a pipeline accumulates into tensor memory that is still being read.",
     "SYNC-R02", "pipeline.gemm 22",
     [](std::string_view ptx) { return without_wait_before(ptx, "tcgen05.mma", 1); }, on_lazy_sm_100},
    {"kernel_skips_empty_wait", "a pipeline loads over operands that are still being multiplied.", "MBAR-R11",
     "pipeline.gemm 1",
     [](std::string_view ptx) { return without_wait_before(ptx, "cp.async.bulk.tensor.2d.shared"); }},
    {"kernel_skips_full_wait", "a pipeline multiplies before its operands have arrived.", "MBAR-R11",
     "pipeline.gemm 1", [](std::string_view ptx) { return without_wait_before(ptx, "tcgen05.mma"); },
     on_lazy_sm_100},
    {"kernel_skips_map_acquire", "a kernel uses a map without having acquired what was published.",
     "(ptx, fence.proxy.tensormap)", "pipeline.grouped 11",
     [](std::string_view ptx) { return without(ptx, "fence.proxy.tensormap::generic.acquire"); }},
    {"kernel_skips_map_publication",
     "a kernel keeps the map of the product before: what it rewrites stays in shared memory.",
     "(ptx, tensormap.cp_fenceproxy)", "pipeline.grouped 1",
     [](std::string_view ptx) { return without(ptx, "tensormap.cp_fenceproxy"); }},
    {"kernel_skips_metadata_copy", "a kernel does not copy metadata to tensor memory.", "(ptx, tcgen05.cp)",
     "pipeline.sparse 1",
     [](std::string_view ptx) { return without(ptx, "tcgen05.cp.cta_group::1.128x128b"); }},
    {"kernel_skips_proxy_fence", "a kernel does not make ordinary stores visible to the async proxy.",
     "(ptx, Async Proxy)", "bulk.copy.global_to_shared 1",
     [](std::string_view ptx) { return without(ptx, "fence.proxy.async"); }, on_strict_sm_100},
    {"kernel_skips_read_wait", "a pipeline overwrites a box that is still being stored.", "SYNC-R03",
     "pipeline.grouped 2", [](std::string_view ptx) { return without(ptx, "cp.async.bulk.wait_group.read"); },
     on_lazy_sm_100},
    {"kernel_skips_scale_copy", "a kernel does not copy scales to tensor memory.", "(ptx, tcgen05.cp)",
     "pipeline.scaled 1",
     [](std::string_view ptx) { return without(ptx, "tcgen05.cp.cta_group::1.32x128b"); }},
    {"kernel_skips_tcgen05_fence",
     "a kernel does not order tcgen05 instructions after a synchronisation of threads.",
     "(ptx, tcgen05.fence)", "bulk.copy.odd_sizes 1",
     [](std::string_view ptx) { return without(ptx, "tcgen05.fence::after_thread_sync"); }, on_strict_sm_100},
    {"kernel_skips_wait_ld", "a kernel uses registers before its loads from tensor memory have completed.",
     "(ptx, tcgen05.wait)", "bulk.copy.odd_sizes 1",
     [](std::string_view ptx) { return without(ptx, "tcgen05.wait::ld"); }, on_strict_sm_100},
    {"kernel_skips_wait_st", "a kernel goes on before its stores to tensor memory have completed.",
     "(ptx, tcgen05.wait)", "bulk.copy.odd_sizes 1",
     [](std::string_view ptx) { return without(ptx, "tcgen05.wait::st"); }, on_strict_sm_100},
};

/// The instructions that begin so are executed though their predicate is false.
std::string without_predicate(std::string_view ptx, std::initializer_list<std::string_view> instructions) {
  std::string text(ptx);
  for (const std::string_view instruction : instructions)
    text = replaced(text, "@!p1 " + std::string(instruction), instruction);
  return text;
}

/// Asked for one number of the first CTA alone, a device gives another one.
template <char asked, char given>
std::string gives_another(std::string_view ptx) {
  const std::string instruction = "get_first_ctaid::";
  return replaced(ptx, instruction + asked, instruction + given);
}

/// Instructions that a device executes rightly but in one spelling: as if a kernel had another in its place.
const Fault spellings[] = {
    {"barrier_false_predicate_ignored",
     "An mbarrier instruction under a predicate that is false is executed.", "(ptx, Predicated Execution)",
     "barrier.sequence 4",
     [](std::string_view ptx) {
       return without_predicate(ptx, {"mbarrier.", "cp.async.mbarrier."});
     }},
    {"barrier_immediate_bytes_of_12_bits", "expect_tx whose bytes are written out takes their low 12 bits.",
     "(ptx, mbarrier.expect_tx)", "barrier.sequence 49",
     [](std::string_view ptx) { return altered(ptx, "expect_tx", "], 4096;", "], 0;"); }},
    {"barrier_immediate_parity_inverted",
     "mbarrier.test_wait and try_wait of a parity 0 that is written out look for the other one.",
     "(ptx, mbarrier.test_wait)", "barrier.sequence 21",
     [](std::string_view ptx) {
       return altered(altered(ptx, "test_wait.parity", "], 0;", "], 1;"), "try_wait.parity", "], 0,",
                      "], 1,");
     }},
    {"barrier_negative_offset_ignored",
     "A negative offset in the address of an mbarrier instruction counts as none.",
     "(ptx, Addresses as Operands)", "barrier.sequence 2",
     [](std::string_view ptx) { return altered(ptx, "mbarrier.", "+-24]", "]"); }},
    {"barrier_relaxed_arrival_drops", "mbarrier.arrive with .relaxed leaves the phases to come.",
     "(ptx, mbarrier.arrive)", "barrier.sequence 13",
     [](std::string_view ptx) {
       return altered(ptx, "mbarrier.arrive.relaxed", "mbarrier.arrive.", "mbarrier.arrive_drop.");
     }},
    {"bulk_false_predicate_ignored", "A bulk copy or reduction under a predicate that is false is executed.",
     "(ptx, Predicated Execution)", "bulk.copy.global_to_shared 21",
     [](std::string_view ptx) {
       return without_predicate(ptx, {"cp.async.bulk.shared", "cp.async.bulk.global",
                                      "cp.reduce.async.bulk.shared", "cp.reduce.async.bulk.global"});
     }},
    {"bulk_immediate_size_doubles", "A bulk copy whose size is written out moves twice as much.",
     "(ptx, cp.async.bulk)", "bulk.copy.global_to_shared 41",
     [](std::string_view ptx) { return altered(ptx, "async.bulk.", "], 16", "], 32"); }},
    {"bulk_negative_offset_of_global_ignored",
     "A negative offset in the global address of a bulk copy or reduction counts as none.",
     "(ptx, Addresses as Operands)", "bulk.copy.global_to_shared 27",
     [](std::string_view ptx) { return altered(ptx, "async.bulk.", "w1+-128]", "w1]"); }},
    {"bulk_store_with_hint_from_above",
     "cp.async.bulk from shared to global memory with a policy of two priorities reads 16 bytes further on.",
     "(ptx, cp.async.bulk)", "bulk.copy.shared_to_global 9",
     [](std::string_view ptx) { return altered(ptx, "w0, 0.5; cp.async.bulk.global", "], %r", "+16], %r"); }},
    {"multicast_immediate_mask_of_1_bit",
     "A multicast of a tensor whose mask is written out goes to the first CTA alone.",
     "(ptx, cp.async.bulk.tensor)", "tma.im2col.load.cta_group 61",
     [](std::string_view ptx) { return altered(ptx, ".multicast::cluster", ", 3;", ", 1;"); }},
    {"tcgen05_cp_false_predicate_ignored", "tcgen05.cp under a predicate that is false is executed.",
     "(ptx, Predicated Execution)", "tmem.cp 9",
     [](std::string_view ptx) { return without_predicate(ptx, {"tcgen05.cp"}); }},
    {"tcgen05_cp_negative_offset_ignored", "A negative offset in the address of tcgen05.cp counts as none.",
     "(ptx, Addresses as Operands)", "tmem.cp.decompress 4",
     [](std::string_view ptx) { return altered(ptx, "tcgen05.cp", "r0+-16]", "r0]"); }},
    {"tcgen05_mma_false_predicate_ignored", "tcgen05.mma under a predicate that is false is executed.",
     "(ptx, Predicated Execution)", "mma.dense.ashift 1",
     [](std::string_view ptx) { return without_predicate(ptx, {"tcgen05.mma"}); }},
    {"tcgen05_mma_offset_of_scales_ignored",
     "A negative offset in the address of the scales of B counts as none.", "(ptx, Addresses as Operands)",
     "mma.scaled.layout 12 on sm_100, mma.scaled.k96 1",
     [](std::string_view ptx) { return altered(ptx, "block_scale", "+-16], accumulate", "], accumulate"); }},
    {"tcgen05_mma_sparse_offset_ignored",
     "A negative offset in the address of A in tensor memory, or else of the metadata, of a sparse product "
     "counts as none.",
     "(ptx, Addresses as Operands)", "mma.sparse.f8f6f4 1",
     [](std::string_view ptx) { return altered(ptx, "tcgen05.mma.sp", "[r1+-16], %r", "[r1], %r"); }},
    {"tcgen05_mma_pair_offset_of_d_ignored",
     "A negative offset in the address of D of tcgen05.mma.cta_group::2 counts as none.",
     "(ptx, Addresses as Operands)", "mma.dense.pair 11",
     [](std::string_view ptx) { return altered(ptx, "cta_group::2", "[r0+-16], ", "[r0], "); }},
    {"tcgen05_ws_offset_of_d_ignored",
     "A positive offset in the address of D of tcgen05.mma.ws counts as none.",
     "(ptx, Addresses as Operands)", "mma.ws.column_shift 10 on sm_100, mma.sparse.illegal_codes 2",
     [](std::string_view ptx) { return altered(ptx, "tcgen05.mma.ws", "[r0+16], ", "[r0], "); }},
    {"tensor_false_predicate_ignored",
     "A copy or reduction of a tensor under a predicate that is false is executed.",
     "(ptx, Predicated Execution)", "tma.gather4.load 2",
     [](std::string_view ptx) {
       return without_predicate(ptx, {"cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor"});
     }},
    {"tensor_immediate_coordinate_is_one", "A first coordinate that is written out counts one more.",
     "(ptx, cp.async.bulk.tensor)", "tma.gather4.load 92",
     [](std::string_view ptx) { return altered(ptx, "async.bulk.tensor", "{0", "{1"); }},
    {"tensor_load_without_mode_goes_on",
     "A load of a tensor that does not say .tile goes 128 bytes further on.", "(ptx, cp.async.bulk.tensor)",
     "tma.tiled.load 6",
     [](std::string_view ptx) {
       // Of copies that are not of tensors no number of dimensions stands before the state space.
       return altered(ptx, "d.shared::cluster.global.mbarrier::complete_tx", "], [%rd", "+128], [%rd");
     }},
    {"tensor_negative_offset_ignored",
     "A negative offset in the shared address of a copy or reduction of a tensor counts as none.",
     "(ptx, Addresses as Operands)", "tma.gather4.load 31",
     [](std::string_view ptx) { return altered(ptx, "async.bulk.tensor", "r0+-128]", "r0]"); }},
    {"tensor_negative_offset_of_barrier_ignored",
     "A negative offset in the address of the mbarrier of a load of a tensor counts as none.",
     "(ptx, Addresses as Operands)", "tma.gather4.load 31",
     [](std::string_view ptx) { return altered(ptx, "async.bulk.tensor", "r1+-8]", "r1]"); }},
    {"tensor_reduction_with_hint_is_minimum",
     "cp.reduce.async.bulk.tensor with .L2::cache_hint takes the minimum for the sum.",
     "(ptx, cp.reduce.async.bulk.tensor)", "tma.im2col.reduce 5",
     [](std::string_view ptx) {
       return altered(ptx, "L2::cache_hint", "shared::cta.add.", "shared::cta.min.");
     }},
    {"red_async_signed_as_unsigned",
     "red.async takes the lesser or greater of signed words as of unsigned ones.", "(ptx, red.async)",
     "barrier.sequence 183",
     [](std::string_view ptx) {
       return altered(altered(ptx, "red.async", ".min.s32", ".min.u32"), "red.async", ".max.s32", ".max.u32");
     }},
    {"st_async_v4_repeats_first_word", "st.async.v4 writes its first word in place of the third.",
     "(ptx, st.async)", "barrier.sequence 119",
     [](std::string_view ptx) { return altered(ptx, "st.async", "r1, r2, r2, r1}", "r1, r2, r1, r1}"); }},
    {"launch_control_x_alone_is_y", "query_cancel.get_first_ctaid::x gives the row of the first CTA.",
     "CLC-R03", "pipeline.gemm 10", gives_another<'x', 'y'>, on_sm_100},
    {"launch_control_y_alone_is_x", "query_cancel.get_first_ctaid::y gives the column of the first CTA.",
     "CLC-R03", "pipeline.gemm 9", gives_another<'y', 'x'>, on_sm_100},
    {"launch_control_z_alone_is_y", "query_cancel.get_first_ctaid::z gives the row of the first CTA.",
     "CLC-R03", "pipeline.gemm 10", gives_another<'z', 'y'>, on_sm_100},
    {"wgmma_behind_another_overwrites",
     "A wgmma whose D another one is still writing does not add to it.",
     "(ptx, wgmma.mma_async)",
     "wgmma.f16 566",
     [](std::string_view ptx) { return replaced(ptx, "setp.ge.u32 always,", "setp.lt.u32 always,"); },
     {.device = "sm_90a", .alone = true}},
};

/// `text` of a module of one spelling, with what is illegal made legal or the reverse: the first `from` that
/// stands behind `within` becomes `to`.
std::string reworded(std::string_view text, std::string_view within, std::string_view from,
                     std::string_view to) {
  std::string made(text);
  if (text.find(".entry assembled_form()") == text.npos) return made;
  const size_t instruction = made.find(within);
  if (instruction == made.npos) return made;
  const size_t end = made.find(';', instruction), at = made.find(from, instruction + within.size());
  if (at < end) made.replace(at, from.size(), to);
  return made;
}

constexpr std::string_view unknown = ".no_such_qualifier";

/// The compiler of the driver: spellings that it takes or refuses, whatever the documents say. Such a row
/// rewrites the text of a module that holds one spelling and nothing else, so that no other kernel changes.
const Fault compiler[] = {
    {"driver_refuses_kernels_of_ld_red_max",
     "The driver refuses kernels with tcgen05.ld.red of .max, and takes the spelling alone.", "ASM-R01",
     "tmem.ld.red 1",
     [](std::string_view text) {
       return text.find(".entry assembled_form()") == text.npos
                  ? altered(text, "tcgen05.ld.red", ".max", unknown)
                  : std::string(text);
     },
     with_reducing_loads},
    {"compiler_refuses_ashift_lastuse", "The driver's compiler refuses .ashift with a::lastuse.", "ASM-R01",
     "assembler.driver.tcgen05_mma 153",
     [](std::string_view text) {
       return reworded(text, "tcgen05.mma", ".ashift.collector::a::lastuse", unknown);
     },
     rarely},
    {"compiler_refuses_block16", "The driver's compiler refuses .block16.", "ASM-R01",
     "assembler.driver.kernels 67 on sm_100, assembler.driver.tcgen05_mma 41",
     [](std::string_view text) { return reworded(text, "tcgen05.mma", ".block16", unknown); }},
    {"compiler_refuses_cp_01_23_6_bit",
     "The driver's compiler refuses tcgen05.cp of 64x128b.warpx2::01_23 that decompresses 6 bits.", "ASM-R01",
     "assembler.driver.tcgen05_copy 15",
     [](std::string_view text) {
       return reworded(text, "tcgen05.cp", ".warpx2::01_23.b8x16.b6x16_p32", unknown);
     },
     rarely},
    {"compiler_refuses_i8_extent_240", "The driver's compiler refuses wgmma of s8 with N of 240.", "ASM-R01",
     "assembler.driver.wgmma 211",
     [](std::string_view text) { return reworded(text, "wgmma.mma_async", ".m64n240k32.s32", unknown); },
     rare_on_sm_90_alone},
    {"compiler_refuses_multicast_5d",
     "The driver's compiler refuses multicast im2col loads of five dimensions.", "ASM-R01",
     "assembler.driver.tensor_copy 35",
     [](std::string_view text) {
       return reworded(text, "cp.async.bulk.tensor.5d",
                       ".im2col.mbarrier::complete_tx::bytes.multicast::cluster", unknown);
     },
     rarely},
    {"compiler_refuses_last_selector_of_bf16",
     "The driver's compiler refuses the last selector of mma.sp m16n8k16 of bf16.", "ASM-R01",
     "assembler.driver.mma_sync_sp 193",
     [](std::string_view text) {
       return reworded(text, ".m16n8k16.row.col.f32.bf16.bf16.f32", "r40, 3", "r40, 9");
     },
     rarely},
    {"compiler_takes_ashift_of_smem", "The driver's compiler takes .ashift with A in shared memory.",
     "ASM-R02", "assembler.driver.tcgen05_mma 2",
     [](std::string_view text) {
       return text.find("[r0], l0") != text.npos ? reworded(text, "tcgen05.mma", ".ashift", "")
                                                 : std::string(text);
     }},
    {"compiler_takes_b_collector", "The driver's compiler takes a collector of buffer b2 without .ws.",
     "ASM-R02", "assembler.driver.tcgen05_mma 42",
     [](std::string_view text) {
       return reworded(text, "tcgen05.mma.cta", ".collector::b2::", ".collector::a::");
     }},
    {"compiler_takes_cta_group_on_stores", "The driver's compiler takes .cta_group::1 on tensor stores.",
     "ASM-R02", "assembler.driver.tensor_copy 732",
     [](std::string_view text) {
       return reworded(text, "cp.async.bulk.tensor", ".bulk_group.cta_group::1", ".bulk_group");
     },
     rarely},
    {"compiler_takes_elemtype_13", "The driver's compiler takes element type 13 for sm_90a.", "ASM-R02",
     "assembler.driver.tensormap_replace 334",
     [](std::string_view text) { return reworded(text, "tensormap.replace.tile.elemtype", ", 13", ", 12"); },
     rare_on_sm_90_alone},
    {"compiler_takes_noftz", "The driver's compiler takes .noftz on tensor reductions.", "ASM-R02",
     "assembler.driver.tensor_copy 72",
     [](std::string_view text) { return reworded(text, "cp.reduce.async.bulk.tensor", ".noftz", ""); }},
    {"compiler_takes_one_x_of_mxf4", "The driver's compiler takes .scale_vec::1X with kind::mxf4.", "ASM-R02",
     "assembler.driver.tcgen05_mma 236",
     [](std::string_view text) {
       return reworded(text, ".kind::mxf4.block", "scale_vec::1X", "scale_vec::2X");
     },
     rarely},
    {"compiler_takes_satfinite_of_floats",
     "The driver's compiler takes .satfinite on mma.sync of floats into f32.", "ASM-R02",
     "assembler.driver.mma_sync 58",
     [](std::string_view text) { return reworded(text, "mma.sync.aligned", ".satfinite.f32", ".f32"); },
     rarely},
    {"compiler_takes_scale_16", "The driver's compiler takes a scale-input-d of 16.", "ASM-R02",
     "assembler.driver.tcgen05_mma 260",
     [](std::string_view text) { return reworded(text, "tcgen05.mma.cta", "p0, 16", "p0, 15"); }, rarely},
    {"compiler_takes_selector_of_sparse_bytes",
     "The driver's compiler takes selector 1 of wgmma with sparse A of 8 bits.", "ASM-R02",
     "assembler.driver.wgmma_sp 1534",
     [](std::string_view text) { return reworded(text, "wgmma.mma_async.sp", ", r5, 1, p0", ", r5, 0, p0"); },
     rare_on_sm_90_alone},
};

}  // namespace
}  // namespace assay::faults
