// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "reference/model/case_fields.h"
#include "reference/model/case_json.h"

/// For files that hold a visit_fields and instantiate what case_json.h declares beside it. Whoever writes and
/// reads cases includes case_json.h alone, where a visit_fields may be out of sight.
namespace assay::model {

template <typename Case>
nlohmann::json to_json(const Case& c) {
  return fields::written(c);
}
template <typename Case>
Case case_from_json(const nlohmann::json& from) {
  const Case c = fields::read_case<Case>(from);
  if constexpr (requires { what_is_wrong(c); })
    if (const std::string wrong = what_is_wrong(c); !wrong.empty()) throw std::runtime_error(wrong);
  return c;
}
template <typename Case>
nlohmann::json case_schema() {
  return fields::schema_of(Case());
}

}  // namespace assay::model

#define ASSAY_CASE_JSON(CASE)                                \
  template nlohmann::json to_json<CASE>(const CASE&);        \
  template CASE case_from_json<CASE>(const nlohmann::json&); \
  template nlohmann::json case_schema<CASE>()
