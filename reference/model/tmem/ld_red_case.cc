// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tmem/ld_red_case.h"

#include <bit>

#include "reference/model/case_fields.h"
#include "reference/model/case_schema.h"
#include "reference/model/mma/operand_fields.h"
#include "reference/model/tmem/ld_red_fields.h"

namespace assay {

uint32_t columns_of(const TmemLdRedCase& c) {
  return c.is_split ? 2 * c.count : c.count;
}

std::string instruction_words(const TmemLdRedCase& c) {
  return std::string("tcgen05.ld.red") + (c.is_split ? ".16x32bx2" : ".32x32b") + ".x" +
         std::to_string(c.count) + std::string(register_reductions[c.operation].name);
}

std::string what_is_wrong(const TmemLdRedCase& c) {
  const auto field = [](const char* name, uint32_t value, const char* why) {
    return "field '" + std::string(name) + "' of the case is " + std::to_string(value) + "; " + why + ".";
  };
  if (std::string wrong = model::fields::wrong_field(c); !wrong.empty()) return wrong;
  if (c.lane != 0 && !c.is_split) return field("lane", c.lane, "it is 0, or 16 of the split shape");
  if (c.column >= c.alloc_columns || c.column + columns_of(c) > c.alloc_columns)
    return field("column", c.column, "the allocation ends before the last column");
  return {};
}

nlohmann::json to_json(const TmemLdRedCase& c) {
  return model::fields::written(c);
}

TmemLdRedCase tmem_ld_red_case_from_json(const nlohmann::json& from) {
  const auto c = model::fields::read_case<TmemLdRedCase>(from);
  if (const std::string wrong = what_is_wrong(c); !wrong.empty()) throw std::runtime_error(wrong);
  return c;
}

nlohmann::json tmem_ld_red_case_schema() {
  return model::fields::schema_of(TmemLdRedCase());
}

}  // namespace assay
