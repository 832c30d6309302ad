#include <array>

#include "reference/model/case_fields.h"
#include "reference/model/case_schema_instance.h"
#include "reference/model/mma_sync_kind.h"
#include "reference/model/operand_fields.h"
#include "reference/model/sparse_fields.h"

namespace assay {
// Beside the types, where the templates of case_fields.h find them.
static const auto& spellings_of(SyncKind) {
  return sync_kind_names;
}
static const auto& spellings_of(NarrowElement) {
  return narrow_element_names;
}

template <typename Mma, typename Visit>
requires std::same_as<std::remove_const_t<Mma>, MmaSyncKindCase>
void visit_fields(Mma& c, const Visit& visit) {
  visit("a", c.a);
  visit("a_fill", c.a_fill);
  visit("a_scale_fill", c.a_scale_fill);
  visit("b", c.b);
  visit("b_fill", c.b_fill);
  visit("b_scale_fill", c.b_scale_fill);
  visit("byte_a", c.byte_a);
  visit("byte_b", c.byte_b);
  visit("c_fill", c.c_fill);
  visit("d_is_f16", c.d_is_f16);
  visit("kind", c.kind);
  visit("known", c.known);
  visit("scale_vector", c.scale_vector);
  visit("sparse", c.sparse);
  visit("thread_a", c.thread_a);
  visit("thread_b", c.thread_b);
  visit("tiles", c.tiles);
}

namespace model {

nlohmann::json to_json(const MmaSyncKindCase& c) {
  return fields::written(c);
}
MmaSyncKindCase mma_sync_kind_case_from_json(const nlohmann::json& from) {
  const auto c = fields::read_case<MmaSyncKindCase>(from);
  if (const std::string wrong = wrong_with(c); !wrong.empty()) throw std::runtime_error(wrong);
  return c;
}

template nlohmann::json case_schema<MmaSyncKindCase>();

}  // namespace model
}  // namespace assay
