// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/bulk_copy.h"

#include <array>
#include <vector>

#include "kernels/forms/families.h"
#include "kernels/forms/records.h"
#include "kernels/forms/ways.h"

/// Copies and reductions that are not of tensors (PTX ISA, cp.async.bulk, cp.reduce.async.bulk,
/// cp.async.bulk.prefetch).
namespace assay::forms {
namespace {

using params::BulkOp;
using Op = params::BulkReduceOp;
using Type = params::BulkReduceType;
using enum params::BulkReduceOp;

/// Without the semicolon, and as in_way() takes them.
constexpr Choice instructions[] = {
    {"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes<hint> [<tile>], [<global>], <size>, "
     "[<barrier>]<policy>",
     static_cast<uint32_t>(BulkOp::load_cta), every_target, 86},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes<hint> [<tile>], [<global>], <size>, "
     "[<barrier>]<policy>",
     static_cast<uint32_t>(BulkOp::load_cluster)},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster<hint> [<tile>], "
     "[<global>], <size>, [<barrier>], $mask<policy>",
     static_cast<uint32_t>(BulkOp::multicast)},
    {"cp.async.bulk.global.shared::cta.bulk_group<hint><masked> [<global>], [<tile>], "
     "<size><policy><mask>",
     static_cast<uint32_t>(BulkOp::store)},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [<tile>], [$from], <size>, "
     "[<barrier>]",
     static_cast<uint32_t>(BulkOp::peer)},
    {"cp.async.bulk.prefetch.L2.global<hint> [<global>], <size><policy>",
     static_cast<uint32_t>(BulkOp::prefetch)},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group<hint><reduction> [<global>], [<tile>], "
     "<size><policy>",
     static_cast<uint32_t>(BulkOp::reduce_global)},
    {"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes<reduction> [<tile>], "
     "[$from], <size>, [<barrier>]",
     static_cast<uint32_t>(BulkOp::reduce_cluster)},
};

struct Reduction {
  std::string_view text;
  Op op;
  Type type;
  bool is_of_clusters = false;  ///< exists in shared memory of the cluster too
};
constexpr Reduction rows[] = {
    {".and.b32", bit_and, Type::b32, true}, {".and.b64", bit_and, Type::b64},
    {".or.b32", bit_or, Type::b32, true},   {".or.b64", bit_or, Type::b64},
    {".xor.b32", bit_xor, Type::b32, true}, {".xor.b64", bit_xor, Type::b64},
    {".add.u32", add, Type::u32, true},     {".add.s32", add, Type::s32, true},
    {".add.u64", add, Type::u64, true},     {".add.f32", add, Type::f32},
    {".add.f64", add, Type::f64},           {".add.noftz.f16", add, Type::f16},
    {".add.noftz.bf16", add, Type::bf16},   {".inc.u32", inc, Type::u32, true},
    {".dec.u32", dec, Type::u32, true},     {".min.u32", min, Type::u32, true},
    {".min.s32", min, Type::s32, true},     {".min.u64", min, Type::u64},
    {".min.s64", min, Type::s64},           {".min.f16", min, Type::f16},
    {".min.bf16", min, Type::bf16},         {".max.u32", max, Type::u32, true},
    {".max.s32", max, Type::s32, true},     {".max.u64", max, Type::u64},
    {".max.s64", max, Type::s64},           {".max.f16", max, Type::f16},
    {".max.bf16", max, Type::bf16},
};
constexpr uint32_t no_reduction = ~uint32_t{0};
/// By params::bulk_form; the last one is none.
constexpr auto reductions = [] {
  std::array<Choice, std::size(rows) + 1> made{};
  for (size_t i = 0; i < std::size(rows); ++i)
    made[i] = {rows[i].text, params::bulk_form(rows[i].op, rows[i].type)};
  made.back() = {"", no_reduction};
  return made;
}();
/// Of the mask of bytes.
constexpr Choice masks[] = {{"", 0}, {".cp_mask", 1, from_sm_100a, 86}};
constexpr Axis axes[] = {
    {"instruction", instructions}, {"reduction", reductions}, {"masked", masks}, {"way", ways}};

BulkOp op_of(Picks picks) {
  return static_cast<BulkOp>(picks[0]->value);
}

Way way_of(Picks picks) {
  return static_cast<Way>(picks[3]->value);
}

/// Hints are those of instructions that name global memory; the operand's policy the probes give to copies
/// without a mask of bytes alone.
bool exists(Picks picks) {
  const BulkOp op = op_of(picks);
  const Way way = way_of(picks);
  const bool reduces = op == BulkOp::reduce_global || op == BulkOp::reduce_cluster,
             is_masked = picks[2]->value != 0;
  if (reduces == (picks[1]->value == no_reduction) || (is_masked && op != BulkOp::store) ||
      way == Way::unnamed_mode)
    return false;
  if (way == Way::evict_first && (reduces || is_masked)) return false;
  if (has_hint(way) && (op == BulkOp::peer || op == BulkOp::reduce_cluster)) return false;
  if (way == Way::predicated && op == BulkOp::prefetch) return false;  // nobody would see it
  return op != BulkOp::reduce_cluster || rows[picks[1] - reductions.data()].is_of_clusters;
}

std::string slot(std::string_view name, Picks picks) {
  const Way way = way_of(picks);
  if (name == "hint") return std::string(hint_of(way));
  if (name == "policy") return std::string(policy_of(way));
  if (name == "size") return way == Way::immediate ? "16" : "$size";
  if (name == "mask") return picks[2]->value != 0 ? ", $mask" : "";
  const BulkOp op = op_of(picks);
  return in_way(way, picks[0]->text, op == BulkOp::store || op == BulkOp::reduce_global ? "$from" : "$to",
                "$global");
}

}  // namespace

/// `mask`: of the CTAs of a multicast, or of bytes.
constexpr Family bulk_copy{.name = "cp.async.bulk",
                           .operands = "global:l to from size bar mask:h policy:l",
                           .before = registers_of_ways,
                           .text = "<copy>",
                           .axes = axes,
                           .exists = exists,
                           .slot = slot};

const Forms& forms_of(const params::BulkCopyRecord&) {
  static const Forms& all = forms("cp.async.bulk");
  return all;
}
uint32_t opcode_of(const params::BulkCopyRecord& r) {
  const bool reduces = r.op == BulkOp::reduce_global || r.op == BulkOp::reduce_cluster;
  const bool masks = r.op == BulkOp::store && (r.flags & params::bulk_masks_bytes);
  const bool is_of_global = r.op != BulkOp::peer && r.op != BulkOp::reduce_cluster;
  const bool hints = !reduces && is_of_global && (r.flags & params::bulk_cache_hint);
  std::vector<Way> same{Way::plain, Way::below, Way::above};
  if (r.op != BulkOp::prefetch) same.push_back(Way::predicated);
  if (is_of_global) same.insert(same.end(), {Way::evict_last, Way::half_of_accesses});
  if (r.size == 16u * r.pieces) same.push_back(Way::immediate);
  const Way way = hints && !masks ? Way::evict_first : same[r.spelling % same.size()];
  return forms_of(r).opcode({static_cast<uint32_t>(r.op), reduces ? r.form : no_reduction, masks ? 1u : 0u,
                             static_cast<uint32_t>(way)});
}
Needed needed_forms(const params::BulkCopyRecord& r) {
  return {{forms_of(r).family().name, {r.opcode}},
          {"cp.async.bulk.wait_group", {params::bulk_wait_opcode(r.pending, r.waits_for_reads != 0)}}};
}

}  // namespace assay::forms
