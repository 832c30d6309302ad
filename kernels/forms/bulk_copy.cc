#include "kernels/params/bulk_copy.h"

#include <array>

#include "kernels/forms/families.h"
#include "kernels/forms/records.h"

/// Copies and reductions that are not of tensors (PTX ISA, cp.async.bulk, cp.reduce.async.bulk,
/// cp.async.bulk.prefetch).
namespace assay::forms {
namespace {

using params::BulkOp;
using Op = params::BulkReduceOp;
using Type = params::BulkReduceType;
using enum params::BulkReduceOp;

constexpr Choice instructions[] = {
    {"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes<qualifier> [$to], [$global], $size, "
     "[$bar]<operand>;",
     static_cast<uint32_t>(BulkOp::load_cta)},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes<qualifier> [$to], [$global], $size, "
     "[$bar]<operand>;",
     static_cast<uint32_t>(BulkOp::load_cluster)},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster<qualifier> [$to], "
     "[$global], $size, [$bar], $mask<operand>;",
     static_cast<uint32_t>(BulkOp::multicast)},
    {"cp.async.bulk.global.shared::cta.bulk_group<qualifier> [$global], [$from], $size<operand>;",
     static_cast<uint32_t>(BulkOp::store)},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [$to], [$from], $size, [$bar];",
     static_cast<uint32_t>(BulkOp::peer)},
    {"cp.async.bulk.prefetch.L2.global<qualifier> [$global], $size<operand>;",
     static_cast<uint32_t>(BulkOp::prefetch)},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group<reduction> [$global], [$from], $size;",
     static_cast<uint32_t>(BulkOp::reduce_global)},
    {"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes<reduction> [$to], "
     "[$from], $size, [$bar];",
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
constexpr Choice qualifiers[] = {{"", 0}, {".L2::cache_hint", 1}, {".cp_mask", 2, from_sm_100a}};
constexpr Axis axes[] = {{"instruction", instructions}, {"reduction", reductions}, {"qualifier", qualifiers}};

BulkOp op_of(Picks picks) {
  return static_cast<BulkOp>(picks[0]->value);
}

/// Hints are those of copies between global and shared memory; the probes have none with a mask of bytes,
/// which is one of stores.
bool exists(Picks picks) {
  const BulkOp op = op_of(picks);
  const uint32_t qualifier = picks[2]->value;
  if (op == BulkOp::reduce_global || op == BulkOp::reduce_cluster) {
    if (qualifier != 0 || picks[1]->value == no_reduction) return false;
    const Reduction& row = rows[picks[1] - reductions.data()];
    return op == BulkOp::reduce_global || row.is_of_clusters;
  }
  if (picks[1]->value != no_reduction) return false;
  if (qualifier == 2) return op == BulkOp::store;
  return qualifier == 0 || op != BulkOp::peer;
}

std::string slot(std::string_view, Picks picks) {
  const uint32_t qualifier = picks[2]->value;
  return qualifier == 0 ? "" : qualifier == 1 ? ", $policy" : ", $mask";
}

}  // namespace

/// `mask`: of the CTAs of a multicast, or of bytes.
constexpr Family bulk_copy{.name = "cp.async.bulk",
                           .operands = "global:l to from size bar mask:h policy:l",
                           .text = "<instruction>",
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
  const bool hints = !reduces && r.op != BulkOp::peer && (r.flags & params::bulk_cache_hint);
  const uint32_t qualifier = masks ? 2 : hints ? 1 : 0;
  return forms_of(r).opcode({static_cast<uint32_t>(r.op), reduces ? r.form : no_reduction, qualifier});
}

}  // namespace assay::forms
