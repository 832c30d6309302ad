#include <array>
#include <string_view>

#include "reference/model/case_fields.h"
#include "reference/model/case_schema_instance.h"
#include "reference/model/operand_fields.h"
#include "reference/model/sparse_fields.h"
#include "reference/spec/smem_desc.h"

namespace assay {
namespace {

constexpr std::array<std::string_view, 9> element_names{"f16", "bf16", "tf32", "e4m3", "e5m2",
                                                        "s8",  "u8",   "s4",   "u4"};
constexpr std::array<std::string_view, 3> accumulator_names{"f32", "f16", "s32"};

/// Refuses bits that a descriptor of wgmma does use: the case would not be the one that its fields tell.
void check_ignored(const std::string& name, uint64_t word) {
  for (const spec::Field& field : spec::smem::wgmma_fields)
    if (field.kind != spec::FieldKind::reserved && spec::get_raw(word, field) != 0)
      model::fields::refuse(name, "sets bits of the descriptor's field '" + std::string(field.name) + "'");
}

}  // namespace

// Beside the types, where the templates of case_fields.h find them.
static const auto& spellings_of(MmaElement) {
  return element_names;
}
static const auto& spellings_of(MmaAccumulator) {
  return accumulator_names;
}

template <typename Types, typename Visit>
requires std::same_as<std::remove_const_t<Types>, MmaTypes>
void visit_fields(Types& t, const Visit& visit) {
  visit("a", t.a);
  visit("b", t.b);
  visit("d", t.d);
  visit("saturates", t.saturates);
}

template <typename Registers, typename Visit>
requires std::same_as<std::remove_const_t<Registers>, WarpRegisters>
void visit_fields(Registers& r, const Visit& visit) {
  visit("a", r.a);
  visit("b", r.b);
  visit("c", r.c);
  visit("metadata", r.metadata);
  visit("present", r.present);
}

template <typename Wgmma, typename Visit>
requires std::same_as<std::remove_const_t<Wgmma>, WgmmaCase>
void visit_fields(Wgmma& c, const Visit& visit) {
  visit("a", c.a);
  visit("a_fill", c.a_fill);
  visit("a_ignored", c.a_ignored);
  visit("a_in_registers", c.a_in_registers);
  visit("b", c.b);
  visit("b_fill", c.b_fill);
  visit("b_ignored", c.b_ignored);
  visit("c_fill", c.c_fill);
  visit("in_groups", c.in_groups);
  visit("known", c.known);
  visit("n", c.n);
  visit("negate_a", c.negate_a);
  visit("negate_b", c.negate_b);
  visit("pending", c.pending);
  visit("scale_d", c.scale_d);
  visit("sparse", c.sparse);
  visit("split", c.split);
  visit("transpose_a", c.transpose_a);
  visit("transpose_b", c.transpose_b);
  visit("types", c.types);
  visit("warpgroup", c.warpgroup);
  visit("window_bytes", c.window_bytes);
}

template <typename Mma, typename Visit>
requires std::same_as<std::remove_const_t<Mma>, MmaSyncCase>
void visit_fields(Mma& c, const Visit& visit) {
  visit("a_fill", c.a_fill);
  visit("b_fill", c.b_fill);
  visit("c_fill", c.c_fill);
  visit("k", c.k);
  visit("known", c.known);
  visit("m", c.m);
  visit("registers", c.registers);
  visit("sparse", c.sparse);
  visit("tiles", c.tiles);
  visit("types", c.types);
}

}  // namespace assay

namespace assay::model {

nlohmann::json to_json(const WgmmaCase& c) {
  return fields::written(c);
}
nlohmann::json to_json(const MmaSyncCase& c) {
  return fields::written(c);
}
WgmmaCase wgmma_case_from_json(const nlohmann::json& from) {
  const auto c = fields::read_case<WgmmaCase>(from);
  check_ignored("a_ignored", c.a_ignored);
  check_ignored("b_ignored", c.b_ignored);
  WgmmaCase placed = c;
  place_known(placed);
  if (c.known.present && c != placed)
    fields::refuse("known", "is present, but the matrices do not lie where known operands do");
  return c;
}
MmaSyncCase mma_sync_case_from_json(const nlohmann::json& from) {
  const auto c = fields::read_case<MmaSyncCase>(from);
  if (c.registers.present && (c.known.present || c.sparse.is_known))
    fields::refuse("registers", "is present, and so are known operands or metadata");
  return c;
}

template nlohmann::json case_schema<WgmmaCase>();
template nlohmann::json case_schema<MmaSyncCase>();

}  // namespace assay::model
