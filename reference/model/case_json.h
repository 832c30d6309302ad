// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "reference/model/mma/case.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/model/warp_mma/case.h"

namespace assay {

/// For the fields of every case that may reduce.
constexpr const auto& spellings_of(TensorReduction) {
  return tensor_reduction_names;
}

}  // namespace assay

namespace assay::model {

// Instantiated beside the visit_fields of each type of cases (case_json_instance.h).

/// Every member of a case that has not its default under its own name, numbers as numbers; nothing is lost.
template <typename Case>
nlohmann::json to_json(const Case&);
/// An absent member has its default. Throws std::runtime_error with one sentence that names the field:
/// unknown, of a wrong type or out of range; or says why no probe can run the case.
template <typename Case>
Case case_from_json(const nlohmann::json&);
/// The JSON Schema of the cases of a type.
template <typename Case>
nlohmann::json case_schema();

/// Sorted keys, no white space.
std::string canonical_text(const nlohmann::json&);

/// XXH3-128 of the canonical text, 32 hex digits.
std::string case_id(const nlohmann::json&);

}  // namespace assay::model
