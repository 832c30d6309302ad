// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/assembler/tables.h"
#include "kernels/forms/families.h"

/// mma.sync and mma.sp with a kind (PTX ISA, mma, mma.sp, block scaling; ptxas 13.0 on sm_120a): kinds, scale
/// vectors, types of elements and scales, metadata, and selectors that are numbers.
namespace assay::forms {
namespace {

enum Element : uint32_t { e4m3, e5m2, e3m2, e2m3, e2m1 };
constexpr Choice elements[] = {
    {".e4m3", e4m3}, {".e5m2", e5m2}, {".e3m2", e3m2}, {".e2m3", e2m3}, {".e2m1", e2m1}};
constexpr Choice shapes[] = {{".m16n8k16", 16}, {".m16n8k32", 32}, {".m16n8k64", 64}};

constexpr Choice d_types[] = {{".f32", 0}, {".f16", 1}};
constexpr Choice kinds_or_none[] = {{".kind::f8f6f4", 1}, {"", 0}};
constexpr Axis plain_axes[] = {
    {"shape", shapes}, {"kind", kinds_or_none}, {"d", d_types}, {"at", elements}, {"bt", elements}};

std::string plain_slot(std::string_view name, Picks picks) {
  const bool is_short = picks[0]->value == 16;
  if (name == "d_list") return register_list("r", picks[2]->value != 0 ? 2 : 4, 10);
  if (name == "a_list") return register_list("r", is_short ? 2 : 4, 20);
  return register_list("r", is_short ? 1 : 2, 30);
}

/// Without a kind the 8-bit floats of every target; with it m16n8k32 of sm_120a.
Legality plain_legality(Picks picks, Targets target) {
  const uint32_t k = picks[0]->value;
  const bool is_fp8 = picks[3]->value <= e5m2 && picks[4]->value <= e5m2;
  if (picks[1]->value == 0) return legal_if(k <= 32 && is_fp8);
  if (has_mma_kinds(target) && k == 32) return Legality::legal;
  // The documents have .kind for m16n8k32 of sm_120a; with 8-bit floats ptxas takes it everywhere.
  return is_fp8 && k <= 32 ? Legality::open : Legality::illegal;
}

constexpr Family plain{
    .name = "asked.mma.sync.kind",
    .text =
        "mma.sync.aligned<shape>.row.col<kind><d><at><bt><d> {<d_list>}, {<a_list>}, {<b_list>}, {<d_list>};",
    .axes = plain_axes,
    .slot = plain_slot};

enum Kind : uint32_t { none, f8f6f4, mxf8f6f4, mxf4, mxf4nvf4 };
constexpr Choice kinds[] = {
    {".kind::mxf8f6f4", mxf8f6f4}, {".kind::mxf4", mxf4}, {".kind::mxf4nvf4", mxf4nvf4}};
constexpr Choice vectors[] = {
    {"", 0},          {".scale_vec::1X", 1}, {".scale_vec::2X", 2}, {".scale_vec::4X", 4},
    {".block16", 16}, {".block32", 32}};
enum ScaleType : uint32_t { ue8m0, ue4m3 };
constexpr Choice scale_types[] = {{".ue8m0", ue8m0}, {".ue4m3", ue4m3}};
constexpr Axis scaled_axes[] = {
    {"shape", shapes}, {"kind", kinds},  {"vector", vectors},        {"d", d_types},
    {"at", elements},  {"bt", elements}, {"scale_type", scale_types}};

std::string scaled_slot(std::string_view, Picks picks) {
  return register_list("r", picks[3]->value != 0 ? 2 : 4, 10);
}

/// How many scales a row has, or 0 where kind, vector and type do not go together.
uint32_t scales_of(uint32_t kind, uint32_t vector, uint32_t type) {
  if (kind == mxf8f6f4) return type == ue8m0 && vector <= 1 ? 1 : 0;
  if (kind == mxf4) return type == ue8m0 && (vector == 0 || vector == 2) ? 2 : 0;
  return type == ue8m0 ? vector == 2 ? 2 : 0 : vector == 4 ? 4 : 0;
}

Legality scaled_legality(Picks picks, Targets target) {
  const uint32_t kind = picks[1]->value;
  if (!has_mma_kinds(target) || picks[3]->value != 0 || picks[0]->value != (kind == mxf8f6f4 ? 32u : 64u))
    return Legality::illegal;
  if (kind != mxf8f6f4 && (picks[4]->value != e2m1 || picks[5]->value != e2m1)) return Legality::illegal;
  return legal_if(scales_of(kind, picks[2]->value, picks[6]->value) != 0);
}

constexpr Family scaled{
    .name = "asked.mma.sync.block_scale",
    .text =
        "mma.sync.aligned<shape>.row.col<kind>.block_scale<vector><d><at><bt><d><scale_type> {<d_list>}, "
        "{r20, r21, r22, r23}, {r30, r31}, {<d_list>}, r1, {h0, h1}, r2, {h2, h3};",
    .axes = scaled_axes,
    .slot = scaled_slot};

/// Number of scales; the byte-id is a multiple of it.
constexpr Choice whole_kinds[] = {
    {".m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e3m2.e2m1.f32.ue8m0", 1},
    {".m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0", 2},
    {".m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3", 4}};
constexpr Choice ids[] = {{"0", 0}, {"1", 1}, {"2", 2}, {"3", 3}, {"4", 4}, {"h0", 10}, {"r5", 11}};
constexpr Choice words[] = {{"r1", 1}, {"{r1}", 1}, {"l1", 0}};
constexpr Axis selector_axes[] = {{"kind", whole_kinds}, {"word", words}, {"byte_a", ids},
                                  {"thread_a", ids},     {"byte_b", ids}, {"thread_b", ids}};

/// A pair of threads of A, a thread of B; registers of 16 bits are not looked into.
Legality selector_legality(Picks picks, Targets target) {
  if (!has_mma_kinds(target) || picks[1]->value == 0) return Legality::illegal;
  const auto is_in = [](uint32_t id, uint32_t most, uint32_t step) {
    return id == 10 || (id <= most && id % step == 0);
  };
  const uint32_t scales = picks[0]->value;
  // Thread-ids may be of 32 bits for ptxas; the documents have 16 for all four.
  constexpr uint32_t wide = 11;
  const uint32_t thread_a = picks[3]->value, thread_b = picks[5]->value;
  if (!is_in(picks[2]->value, 3, scales) || !is_in(picks[4]->value, 3, scales) ||
      !(is_in(thread_a, 1, 1) || thread_a == wide) || !(is_in(thread_b, 3, 1) || thread_b == wide))
    return Legality::illegal;
  return thread_a == wide || thread_b == wide ? Legality::open : Legality::legal;
}

constexpr Family selectors{
    .name = "asked.mma.sync.selectors",
    .text =
        "mma.sync.aligned<kind> {r10, r11, r12, r13}, {r20, r21, r22, r23}, {r30, r31}, {r10, r11, r12, "
        "r13}, <word>, {<byte_a>, <thread_a>}, r2, {<byte_b>, <thread_b>};",
    .axes = selector_axes};

// Sparse.

/// Kinds have ordered metadata alone; without one both spellings are there.
enum Sparsity : uint32_t { dense, plain_sparse, ordered };
constexpr Choice sparsities[] = {{".sp::ordered_metadata", ordered},
                                 {".sp", plain_sparse},
                                 {"", dense},
                                 {".sp::unordered_metadata", dense}};
constexpr Choice sparse_shapes[] = {{".m16n8k32", 32}, {".m16n8k64", 64}, {".m16n8k128", 128}};
constexpr Choice layouts[] = {{".row.col", 1}, {".row.row", 0}, {".col.col", 0}};
constexpr Choice saturations[] = {{"", 0}, {".satfinite", 1}};
constexpr Choice unscaled_kinds[] = {
    {".kind::f8f6f4", f8f6f4}, {"", none}, {".kind::mxf8f6f4", mxf8f6f4}, {".kind::mxf4", mxf4}};
constexpr Axis sparse_axes[] = {
    {"sparsity", sparsities},   {"shape", sparse_shapes}, {"layout", layouts}, {"kind", unscaled_kinds},
    {"saturated", saturations}, {"d", d_types},           {"at", elements},    {"bt", elements}};

std::string d_list(bool is_half) {
  return register_list("r", is_half ? 2 : 4, 10);
}
std::string sparse_slot(std::string_view, Picks picks) {
  return d_list(picks[5]->value != 0);
}

/// The documents have f8f6f4 for sm_120a, and the other kinds with block scaling alone. Of 8-bit floats into
/// f32 ptxas takes any of them for sm_100a and sm_103a too, and for sm_120a also into f16 and without a kind.
Legality sparse_legality(Picks picks, Targets target) {
  const uint32_t sparsity = picks[0]->value, kind = picks[3]->value;
  const bool is_fp8 = picks[6]->value <= e5m2 && picks[7]->value <= e5m2, is_half = picks[5]->value != 0;
  if (sparsity == dense || picks[1]->value != 64 || picks[2]->value == 0 || picks[4]->value != 0)
    return Legality::illegal;
  if (kind == none && is_fp8 && !is_half) return Legality::legal;
  if (kind != none && sparsity != ordered) return Legality::illegal;
  if (kind == f8f6f4 && has_mma_kinds(target)) return Legality::legal;
  const bool is_taken = has_mma_kinds(target) || (has_tcgen05(target) && !is_half);
  return is_fp8 && is_taken ? Legality::open : Legality::illegal;
}

constexpr Family sparse{
    .name = "asked.mma.sp.kind",
    .text =
        "mma<sparsity>.sync.aligned<shape><layout><kind><saturated><d><at><bt><d> {<d_list>}, {r20, r21, "
        "r22, r23}, {r30, r31, r32, r33}, {<d_list>}, r40, 0;",
    .axes = sparse_axes,
    .slot = sparse_slot};

constexpr Axis sparse_scaled_axes[] = {
    {"sparsity", sparsities}, {"shape", sparse_shapes}, {"kind", kinds},  {"vector", vectors},
    {"d", d_types},           {"at", elements},         {"bt", elements}, {"scale_type", scale_types}};

std::string sparse_scaled_slot(std::string_view, Picks picks) {
  return d_list(picks[4]->value != 0);
}

Legality sparse_scaled_legality(Picks picks, Targets target) {
  const uint32_t kind = picks[2]->value;
  if (!has_mma_kinds(target) || picks[0]->value != ordered || picks[4]->value != 0 ||
      picks[1]->value != (kind == mxf8f6f4 ? 64u : 128u))
    return Legality::illegal;
  if (kind != mxf8f6f4 && (picks[5]->value != e2m1 || picks[6]->value != e2m1)) return Legality::illegal;
  return legal_if(scales_of(kind, picks[3]->value, picks[7]->value) != 0);
}

constexpr Family sparse_scaled{
    .name = "asked.mma.sp.block_scale",
    .text =
        "mma<sparsity>.sync.aligned<shape>.row.col<kind>.block_scale<vector><d><at><bt><d><scale_type> "
        "{<d_list>}, {r20, r21, r22, r23}, {r30, r31, r32, r33}, {<d_list>}, r40, 0, r1, {h0, h1}, r2, {h2, "
        "h3};",
    .axes = sparse_scaled_axes,
    .slot = sparse_scaled_slot};

/// Value: number of scales of a row; 0 without, 10 without and with D of f16, 20 with 8-bit floats into f32.
constexpr uint32_t with_half = 10, with_fp8 = 20;
constexpr Choice sparse_whole_kinds[] = {
    {".m16n8k64.row.col.kind::f8f6f4.f32.e3m2.e2m1.f32", 0},
    {".m16n8k64.row.col.kind::f8f6f4.f32.e4m3.e5m2.f32", with_fp8},
    {".m16n8k64.row.col.kind::f8f6f4.f16.e2m3.e5m2.f16", with_half},
    {".m16n8k64.row.col.kind::mxf8f6f4.block_scale.f32.e3m2.e2m1.f32.ue8m0", 1},
    {".m16n8k128.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0", 2},
    {".m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3", 4}};
constexpr Choice metadata[] = {{"r40", 1}, {"{r40}", 2}, {"l5", 0}, {"0", 0}};
constexpr Choice metadata_selectors[] = {{", 0", 1}, {", 1", 0},  {", 2", 0},   {", 3", 0},
                                         {", 4", 0}, {", -1", 0}, {", r41", 0}, {"", 0}};
constexpr Axis metadata_axes[] = {
    {"kind", sparse_whole_kinds}, {"metadata", metadata}, {"selector", metadata_selectors}};

std::string metadata_slot(std::string_view name, Picks picks) {
  const uint32_t kind = picks[0]->value;
  if (name == "d_list") return d_list(kind == with_half);
  return kind == 0 || kind >= with_half ? "" : ", r1, {h0, h1}, r2, {h2, h3}";
}
/// All four lanes of a quad have metadata: one selector. The documents have a register for the metadata;
/// ptxas takes it in braces too.
Legality metadata_legality(Picks picks, Targets target) {
  if (picks[1]->value == 0 || picks[2]->value == 0) return Legality::illegal;
  if (has_mma_kinds(target)) return picks[1]->value == 2 ? Legality::open : Legality::legal;
  return has_tcgen05(target) && picks[0]->value == with_fp8 ? Legality::open : Legality::illegal;
}
constexpr Family metadata_and_selectors{
    .name = "asked.mma.sp.kind.selectors",
    .text =
        "mma.sp::ordered_metadata.sync.aligned<kind> {<d_list>}, {r20, r21, r22, r23}, {r30, r31, r32, r33}, "
        "{<d_list>}, <metadata><selector><scales>;",
    .axes = metadata_axes,
    .slot = metadata_slot};

constexpr Choice sparse_with_scales[] = {sparse_whole_kinds[3], sparse_whole_kinds[4], sparse_whole_kinds[5]};
constexpr Axis sparse_selector_axes[] = {{"kind", sparse_with_scales},
                                         {"word", words},
                                         {"byte_a", ids},
                                         {"thread_a", ids},
                                         {"byte_b", ids},
                                         {"thread_b", ids}};

constexpr Family sparse_selectors{
    .name = "asked.mma.sp.kind.scales",
    .text =
        "mma.sp::ordered_metadata.sync.aligned<kind> {r10, r11, r12, r13}, {r20, r21, r22, r23}, {r30, r31, "
        "r32, r33}, {r10, r11, r12, r13}, r40, 0, <word>, {<byte_a>, <thread_a>}, r2, {<byte_b>, "
        "<thread_b>};",
    .axes = sparse_selector_axes};

constexpr std::string_view sparse_citation = "PTX ISA, mma.sp, .kind, block scaling; ptxas 13.0";

}  // namespace

/// With 8-bit floats ptxas takes the kind on every target.
Legality legality_of_probed_kinds(Picks picks, Targets target) {
  if (has_mma_kinds(target)) return Legality::legal;
  return picks[1]->value <= e5m2 && picks[2]->value <= e5m2 ? Legality::open : Legality::illegal;
}

constexpr SpellingTable asked_mma_sync_kind{"mma_sync_kind", &plain, plain_legality,
                                            "PTX ISA, mma, .kind; ptxas 13.0"};
constexpr SpellingTable asked_mma_sync_block_scale{"mma_sync_kind", &scaled, scaled_legality,
                                                   "PTX ISA, mma, block scaling; ptxas 13.0"};
constexpr SpellingTable asked_mma_sync_selectors{"mma_sync_kind", &selectors, selector_legality,
                                                 "PTX ISA, mma, block scaling; ptxas 13.0"};

constexpr SpellingTable asked_mma_sp_kind{"mma_sync_sp_kind", &sparse, sparse_legality, sparse_citation};
constexpr SpellingTable asked_mma_sp_block_scale{"mma_sync_sp_kind", &sparse_scaled, sparse_scaled_legality,
                                                 sparse_citation};
constexpr SpellingTable asked_mma_sp_kind_selectors{"mma_sync_sp_kind", &metadata_and_selectors,
                                                    metadata_legality, sparse_citation};
constexpr SpellingTable asked_mma_sp_kind_scales{"mma_sync_sp_kind", &sparse_selectors, selector_legality,
                                                 sparse_citation};

}  // namespace assay::forms
