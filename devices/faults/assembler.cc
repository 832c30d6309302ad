#include "devices/emulator/fault.h"

/// The compiler of the driver: spellings that it takes or refuses, whatever the documents say. Such a row
/// rewrites the text of a module that holds one spelling and nothing else, so that no other kernel changes.
namespace assay::faults::assembler {
namespace {

using namespace emulator;

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

const Fault rows[] = {
    {"compiler_refuses_ashift_lastuse",
     "The driver's compiler refuses .ashift with a::lastuse.",
     "ASM-R01",
     [](std::string_view text) {
       return reworded(text, "tcgen05.mma", ".ashift.collector::a::lastuse", unknown);
     },
     {.rare = true}},
    {"compiler_refuses_block16", "The driver's compiler refuses .block16.", "ASM-R01",
     [](std::string_view text) { return reworded(text, "tcgen05.mma", ".block16", unknown); }},
    {"compiler_refuses_cp_01_23_6_bit",
     "The driver's compiler refuses tcgen05.cp of 64x128b.warpx2::01_23 that decompresses 6 bits.",
     "ASM-R01",
     [](std::string_view text) {
       return reworded(text, "tcgen05.cp", ".warpx2::01_23.b8x16.b6x16_p32", unknown);
     },
     {.rare = true}},
    {"compiler_refuses_i8_extent_240",
     "The driver's compiler refuses wgmma of s8 with N of 240.",
     "ASM-R01",
     [](std::string_view text) { return reworded(text, "wgmma.mma_async", ".m64n240k32.s32", unknown); },
     {.device = "sm_90a", .rare = true, .alone = true}},
    {"compiler_refuses_multicast_5d",
     "The driver's compiler refuses multicast im2col loads of five dimensions.",
     "ASM-R01",
     [](std::string_view text) {
       return reworded(text, "cp.async.bulk.tensor.5d",
                       ".im2col.mbarrier::complete_tx::bytes.multicast::cluster", unknown);
     },
     {.rare = true}},
    {"compiler_refuses_last_selector_of_bf16",
     "The driver's compiler refuses the last selector of mma.sp m16n8k16 of bf16.",
     "ASM-R01",
     [](std::string_view text) {
       return reworded(text, ".m16n8k16.row.col.f32.bf16.bf16.f32", "r40, 3", "r40, 9");
     },
     {.rare = true}},
    {"compiler_takes_ashift_of_smem", "The driver's compiler takes .ashift with A in shared memory.",
     "ASM-R02",
     [](std::string_view text) {
       return text.find("[r0], l0") != text.npos ? reworded(text, "tcgen05.mma", ".ashift", "")
                                                 : std::string(text);
     }},
    {"compiler_takes_b_collector", "The driver's compiler takes a collector of buffer b2 without .ws.",
     "ASM-R02",
     [](std::string_view text) {
       return reworded(text, "tcgen05.mma.cta", ".collector::b2::", ".collector::a::");
     }},
    {"compiler_takes_cta_group_on_stores",
     "The driver's compiler takes .cta_group::1 on tensor stores.",
     "ASM-R02",
     [](std::string_view text) {
       return reworded(text, "cp.async.bulk.tensor", ".bulk_group.cta_group::1", ".bulk_group");
     },
     {.rare = true}},
    {"compiler_takes_elemtype_13",
     "The driver's compiler takes element type 13 for sm_90a.",
     "ASM-R02",
     [](std::string_view text) { return reworded(text, "tensormap.replace.tile.elemtype", ", 13", ", 12"); },
     {.device = "sm_90a", .rare = true, .alone = true}},
    {"compiler_takes_noftz", "The driver's compiler takes .noftz on tensor reductions.", "ASM-R02",
     [](std::string_view text) { return reworded(text, "cp.reduce.async.bulk.tensor", ".noftz", ""); }},
    {"compiler_takes_one_x_of_mxf4",
     "The driver's compiler takes .scale_vec::1X with kind::mxf4.",
     "ASM-R02",
     [](std::string_view text) {
       return reworded(text, ".kind::mxf4.block", "scale_vec::1X", "scale_vec::2X");
     },
     {.rare = true}},
    {"compiler_takes_satfinite_of_floats",
     "The driver's compiler takes .satfinite on mma.sync of floats into f32.",
     "ASM-R02",
     [](std::string_view text) { return reworded(text, "mma.sync.aligned", ".satfinite.f32", ".f32"); },
     {.rare = true}},
    {"compiler_takes_scale_16",
     "The driver's compiler takes a scale-input-d of 16.",
     "ASM-R02",
     [](std::string_view text) { return reworded(text, "tcgen05.mma.cta", "p0, 16", "p0, 15"); },
     {.rare = true}},
    {"compiler_takes_selector_of_sparse_bytes",
     "The driver's compiler takes selector 1 of wgmma with sparse A of 8 bits.",
     "ASM-R02",
     [](std::string_view text) { return reworded(text, "wgmma.mma_async.sp", ", r5, 1, p0", ", r5, 0, p0"); },
     {.device = "sm_90a", .rare = true, .alone = true}},
};

}  // namespace
}  // namespace assay::faults::assembler
