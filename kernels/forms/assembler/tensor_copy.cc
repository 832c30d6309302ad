// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/assembler/tables.h"
#include "kernels/forms/families.h"

/// Tensor copies (PTX ISA, cp.async.bulk.tensor, cp.reduce.async.bulk.tensor, cp.async.bulk.prefetch.tensor;
/// ptxas 13.0 for each target).
namespace assay::forms {
namespace {

enum Mode : uint32_t { tile, im2col, im2col_no_offs, im2col_w, im2col_w_128, gather4, scatter4 };
constexpr Choice ranks[] = {{".1d", 1}, {".2d", 2}, {".3d", 3}, {".4d", 4}, {".5d", 5}};
constexpr Choice modes[] = {{"", tile},
                            {".tile", tile},
                            {".im2col", im2col},
                            {".im2col_no_offs", im2col_no_offs},
                            {".im2col::w", im2col_w},
                            {".im2col::w::128", im2col_w_128},
                            {".tile::gather4", gather4},
                            {".tile::scatter4", scatter4}};
enum Place : uint32_t { cta, cluster };
constexpr Choice places[] = {{".shared::cta", cta}, {".shared::cluster", cluster}};
constexpr Choice groups[] = {{"", 0}, {".cta_group::1", 1}, {".cta_group::2", 2}};
/// Bit 0: the qualifier is there; bit 1: the operand.
constexpr Choice multicasts[] = {{"", 0}, {"multicast", 3}, {"qualifier alone", 1}, {"operand alone", 2}};
constexpr Choice hints[] = {{"", 0}, {"hint", 3}, {"qualifier alone", 1}, {"operand alone", 2}};
constexpr Choice completions[] = {{".mbarrier::complete_tx::bytes", 1}, {".bulk_group", 2}, {"", 0}};
/// Entries of the im2col information beside the right number.
constexpr Choice entries[] = {{"right", 1}, {"one fewer", 0}, {"one more", 2}};

bool has_rank(uint32_t mode, uint32_t rank) {
  return mode == tile || (mode == gather4 || mode == scatter4 ? rank == 2 : rank >= 3);
}
uint32_t entries_of(uint32_t mode, uint32_t rank) {
  return mode == im2col_w || mode == im2col_w_128 ? 2 : mode == im2col ? rank < 3 ? 1 : rank - 2 : 0;
}
std::string map_operand(uint32_t mode, uint32_t rank) {
  return "[l0, {" + register_list("r", mode == gather4 || mode == scatter4 ? 5 : rank, 10) + "}]";
}
std::string info_operand(uint32_t count) {
  return count == 0 ? "" : ", {" + register_list("h", count, 1) + "}";
}
std::string hint_of(std::string_view name, uint32_t hint) {
  if (name == "hint_qualifier") return hint & 1 ? ".L2::cache_hint" : "";
  return hint & 2 ? ", l1" : "";
}

// ---- loads
constexpr Axis load_axes[] = {
    {"rank", ranks},           {"place", places}, {"mode", modes}, {"completion", completions},
    {"multicast", multicasts}, {"group", groups}, {"hint", hints}, {"entries", entries}};

bool load_exists(Picks picks) {
  return picks[7]->value != 0 || entries_of(picks[2]->value, picks[0]->value) != 0;
}
std::string load_slot(std::string_view name, Picks picks) {
  const uint32_t rank = picks[0]->value, mode = picks[2]->value;
  if (name == "map") return map_operand(mode, rank);
  if (name == "info") return info_operand(entries_of(mode, rank) + picks[7]->value - 1);
  if (name == "barrier") return picks[3]->value == 1 ? ", [r1]" : "";
  if (name == "multicast_qualifier") return picks[4]->value & 1 ? ".multicast::cluster" : "";
  if (name == "mask") return picks[4]->value & 2 ? ", h0" : "";
  return hint_of(name, picks[6]->value);
}
Legality load_legality(Picks picks, Targets target) {
  const uint32_t rank = picks[0]->value, mode = picks[2]->value, multicast = picks[4]->value;
  const bool to_cluster = picks[1]->value == cluster;
  if (picks[3]->value != 1 || mode == scatter4 || mode == im2col_no_offs || !has_rank(mode, rank))
    return Legality::illegal;
  if (multicast == 1 || multicast == 2 || (multicast != 0 && !to_cluster)) return Legality::illegal;
  if (picks[6]->value == 1 || picks[6]->value == 2 || picks[7]->value != 1) return Legality::illegal;
  if (mode == tile && picks[7]->value != 1) return Legality::illegal;
  const bool is_of_sm_100 = mode == im2col_w || mode == im2col_w_128 || mode == gather4;
  if (has_tcgen05(target)) return Legality::legal;
  // sm_120a has two of the later modes, into shared::cta.
  const bool is_to_one_cta = is_from_sm_100a(target) && !to_cluster && mode != im2col_w_128;
  return legal_if((!is_of_sm_100 || is_to_one_cta) && picks[5]->value == 0);
}
constexpr Family load{
    .name = "asked.cp.async.bulk.tensor.load",
    .text =
        "cp.async.bulk.tensor<rank><place>.global<mode><completion><multicast_qualifier><group>"
        "<hint_qualifier> [r0], <map><barrier><info><mask><hint_operand>;",
    .axes = load_axes,
    .exists = load_exists,
    .slot = load_slot};

// ---- stores
constexpr Choice store_groups[] = {{"", 0}, {".cta_group::1", 1}};
constexpr Axis store_axes[] = {{"rank", ranks},         {"place", places},
                               {"mode", modes},         {"completion", completions},
                               {"group", store_groups}, {"hint", hints}};

std::string store_slot(std::string_view name, Picks picks) {
  if (name == "map") return map_operand(picks[2]->value, picks[0]->value);
  return hint_of(name, picks[5]->value);
}
Legality store_legality(Picks picks, Targets target) {
  const uint32_t rank = picks[0]->value, mode = picks[2]->value;
  if (picks[1]->value != cta || picks[3]->value != 2 || picks[4]->value != 0) return Legality::illegal;
  if (picks[5]->value == 1 || picks[5]->value == 2 || !has_rank(mode, rank)) return Legality::illegal;
  if (mode == scatter4) return legal_if(has_tcgen05(target));
  return legal_if(mode == tile || mode == im2col_no_offs);
}
constexpr Family store{
    .name = "asked.cp.async.bulk.tensor.store",
    .text =
        "cp.async.bulk.tensor<rank>.global<place><mode><completion><group><hint_qualifier> <map>, "
        "[r0]<hint_operand>;",
    .axes = store_axes,
    .slot = store_slot};

// ---- reductions
constexpr Choice operations[] = {{".add", 1}, {".min", 1}, {".max", 1}, {".inc", 1}, {".dec", 1},
                                 {".and", 1}, {".or", 1},  {".xor", 1}, {"", 0}};
constexpr Choice flushes[] = {{"", 0}, {".noftz", 1}};
constexpr Axis reduce_axes[] = {{"rank", ranks}, {"place", places},           {"operation", operations},
                                {"mode", modes}, {"completion", completions}, {"flush", flushes},
                                {"hint", hints}};

std::string reduce_slot(std::string_view name, Picks picks) {
  if (name == "map") return map_operand(picks[3]->value, picks[0]->value);
  return hint_of(name, picks[6]->value);
}
Legality reduce_legality(Picks picks, Targets target) {
  const uint32_t rank = picks[0]->value, mode = picks[3]->value;
  if (picks[1]->value != cta || picks[2]->value == 0 || picks[4]->value != 2 || picks[5]->value != 0)
    return Legality::illegal;
  if (picks[6]->value == 1 || picks[6]->value == 2 || !has_rank(mode, rank)) return Legality::illegal;
  // No document has reductions of scattered rows; ptxas takes them.
  if (mode == scatter4) return has_tcgen05(target) ? Legality::open : Legality::illegal;
  return legal_if(mode == tile || mode == im2col_no_offs);
}
constexpr Family reduce{
    .name = "asked.cp.reduce.async.bulk.tensor",
    .text =
        "cp.reduce.async.bulk.tensor<rank>.global<place><operation><flush><mode><completion>"
        "<hint_qualifier> <map>, [r0]<hint_operand>;",
    .axes = reduce_axes,
    .slot = reduce_slot};

// ---- prefetches
constexpr Choice levels[] = {{".L2", 1}, {"", 0}};
constexpr Axis prefetch_axes[] = {
    {"rank", ranks}, {"level", levels}, {"mode", modes}, {"hint", hints}, {"entries", entries}};

bool prefetch_exists(Picks picks) {
  return picks[4]->value != 0 || entries_of(picks[2]->value, picks[0]->value) != 0;
}
std::string prefetch_slot(std::string_view name, Picks picks) {
  const uint32_t rank = picks[0]->value, mode = picks[2]->value;
  if (name == "map") return map_operand(mode, rank);
  if (name == "info") return info_operand(entries_of(mode, rank) + picks[4]->value - 1);
  return hint_of(name, picks[3]->value);
}
Legality prefetch_legality(Picks picks, Targets target) {
  const uint32_t rank = picks[0]->value, mode = picks[2]->value;
  if (picks[1]->value == 0 || mode == scatter4 || mode == im2col_no_offs || !has_rank(mode, rank))
    return Legality::illegal;
  if (picks[3]->value == 1 || picks[3]->value == 2 || picks[4]->value != 1) return Legality::illegal;
  return legal_if(mode == tile || mode == im2col || has_tcgen05(target));
}
constexpr Family prefetch{
    .name = "asked.cp.async.bulk.prefetch.tensor",
    .text =
        "cp.async.bulk.prefetch.tensor<rank><level>.global<mode><hint_qualifier> <map><info><hint_operand>;",
    .axes = prefetch_axes,
    .exists = prefetch_exists,
    .slot = prefetch_slot};

}  // namespace

constexpr SpellingTable asked_tensor_load{"tensor_copy", &load, load_legality,
                                          "PTX ISA, cp.async.bulk.tensor; ptxas 13.0"};
constexpr SpellingTable asked_tensor_store{"tensor_copy", &store, store_legality,
                                           "PTX ISA, cp.async.bulk.tensor; ptxas 13.0"};
constexpr SpellingTable asked_tensor_reduce{"tensor_copy", &reduce, reduce_legality,
                                            "PTX ISA, cp.reduce.async.bulk.tensor; ptxas 13.0"};
constexpr SpellingTable asked_tensor_prefetch{"tensor_copy", &prefetch, prefetch_legality,
                                              "PTX ISA, cp.async.bulk.prefetch.tensor; ptxas 13.0"};

}  // namespace assay::forms
