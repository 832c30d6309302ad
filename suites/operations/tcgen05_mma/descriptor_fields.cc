#include "suites/operations/tcgen05_mma/descriptor_fields.h"

#include <bit>

#include "reference/model/tcgen05_mma_case.h"
#include "reference/spec/instr_desc.h"
#include "suites/operations/tcgen05_mma/matrix_fields.h"
#include "suites/run/covered_field.h"

namespace assay::suites {
namespace {

bool read_a(const Case& c, FieldValues& values) {
  const auto* mma = c.get_if<Tcgen05MmaCase>();
  if (mma == nullptr || mma->a_in_tmem) return false;
  read_matrix_fields(mma->a, values);
  return true;
}
bool read_b(const Case& c, FieldValues& values) {
  const auto* mma = c.get_if<Tcgen05MmaCase>();
  if (mma == nullptr) return false;
  read_matrix_fields(mma->b, values);
  return true;
}

std::vector<CoveredField> instruction_fields() {
  std::vector<std::string> kinds;
  for (uint32_t kind = 0; kind < spec::mma_kind_count; ++kind)
    kinds.emplace_back(spec::row_of(static_cast<spec::MmaKind>(kind)).name);
  return {covered_codes("kind", std::move(kinds)),
          covered_codes("cta_group", {"1", "2"}),
          covered_flag("ws"),
          covered_codes("a_type", covered_range(0, 7)),
          covered_codes("b_type", covered_range(0, 7)),
          covered_codes("d_type", covered_range(0, 3)),
          covered_codes("m", {"32", "64", "128", "256"}),
          covered_number("n", 8, 256, 8),
          covered_flag("transpose_a"),
          covered_flag("transpose_b"),
          covered_flag("negate_a"),
          covered_flag("negate_b"),
          covered_flag("saturate"),
          covered_codes("max_shift", {"0", "8", "16", "32"})};
}

bool read_instruction(const Case& any, FieldValues& values) {
  const auto* c = any.get_if<Tcgen05MmaCase>();
  if (c == nullptr) return false;
  const auto power = [](uint32_t value, uint32_t lowest) -> uint64_t {
    return std::has_single_bit(value) && value >= lowest
               ? static_cast<uint64_t>(std::countr_zero(value) - std::countr_zero(lowest))
               : 4;
  };
  values = {number_of(c->kind),
            uint64_t{c->cta_group} - 1,
            c->ws,
            c->a_type,
            c->b_type,
            c->d_type,
            power(c->m, 32),
            c->n,
            c->transpose_a,
            c->transpose_b,
            c->negate_a,
            c->negate_b,
            c->saturate,
            c->max_shift == 0 ? 0 : power(c->max_shift, 8) + 1};
  return true;
}

std::vector<CoveredField> scale_fields() {
  return {covered_codes("qualifier", {"none", "1X", "2X", "4X", "block16", "block32"}),
          covered_codes("scale_type", {"ue4m3", "ue8m0"}),
          covered_codes("a_scale_id", covered_range(0, 3)),
          covered_codes("b_scale_id", covered_range(0, 3)),
          covered_flag("k96"),
          covered_flag("halves")};
}

bool read_scales(const Case& any, FieldValues& values) {
  const auto* c = any.get_if<Tcgen05MmaCase>();
  if (c == nullptr || c->a_scales.columns == 0) return false;
  const uint32_t vector = c->scale_vector;
  values[0] = vector == 4 ? 3 : vector == 16 ? 4 : vector == 32 ? 5 : vector;
  values[1] = c->scale_type;
  values[2] = c->a_scales.id;
  values[3] = c->b_scales.id;
  values[4] = c->k96;
  values[5] = c->scale_halves;
  return true;
}

std::vector<CoveredField> mask_fields() {
  std::vector<CoveredField> fields;
  for (size_t i = 0; i < 4; ++i) fields.push_back(covered_number(indexed_name("start_count", i), 0, 255));
  for (size_t i = 0; i < 4; ++i) fields.push_back(covered_flag(indexed_name("first_is_zeroed", i)));
  fields.push_back(covered_flag("generate"));
  fields.push_back(covered_number("skip_span", 1, 256));
  fields.push_back(covered_number("use_span", 1, 256));
  fields.push_back(covered_number("column_shift", 0, 32));
  return fields;
}

bool read_mask(const Case& any, FieldValues& values) {
  const auto* c = any.get_if<Tcgen05MmaCase>();
  if (c == nullptr || !c->has_mask) return false;
  for (size_t i = 0; i < 4; ++i) values[i] = c->mask.start_count[i];
  for (size_t i = 0; i < 4; ++i) values[4 + i] = c->mask.first_is_zeroed[i];
  values[8] = c->mask.generate;
  values[9] = c->mask.skip_span;
  values[10] = c->mask.use_span;
  values[11] = c->mask.column_shift;
  return true;
}

}  // namespace

std::span<const Descriptor> tcgen05_descriptors() {
  static const std::vector<Descriptor> made = [] {
    std::vector<Descriptor> list;
    list.emplace_back("descriptor of A", matrix_fields(), read_a);
    list.emplace_back("descriptor of B", matrix_fields(), read_b);
    list.emplace_back("instruction descriptor", instruction_fields(), read_instruction);
    list.emplace_back("zero-column mask", mask_fields(), read_mask);
    list.emplace_back("scale factors", scale_fields(), read_scales);
    return list;
  }();
  return made;
}

}  // namespace assay::suites
