#include <array>

#include "reference/model/case_fields.h"
#include "reference/model/mma_sync_kind.h"
#include "reference/model/operand_fields.h"

namespace assay {
namespace {

template <typename Value>
void read_one_of(const std::string& field, const nlohmann::json& from, int count, Value& value) {
  std::string wanted;
  for (int i = 0; i < count; ++i) {
    const std::string_view name = model::name_of(static_cast<Value>(i));
    if (from.is_string() && from.get<std::string>() == name) {
      value = static_cast<Value>(i);
      return;
    }
    wanted += (wanted.empty() ? "" : ", ") + std::string(name);
  }
  model::fields::refuse(field, "is " + from.dump() + " where one of " + wanted + " is wanted");
}

}  // namespace

// Beside the types, where the templates of case_fields.h find them.
void write_field(nlohmann::json& to, SyncKind value) {
  to = model::name_of(value);
}
void write_field(nlohmann::json& to, NarrowElement value) {
  to = model::name_of(value);
}
void read_field(const std::string& name, const nlohmann::json& from, SyncKind& value) {
  read_one_of(name, from, 4, value);
}
void read_field(const std::string& name, const nlohmann::json& from, NarrowElement& value) {
  read_one_of(name, from, 5, value);
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
  visit("scale_vector", c.scale_vector);
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

}  // namespace model
}  // namespace assay
