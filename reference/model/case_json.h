#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "reference/model/tiled_case.h"

namespace assay::model {

/// Every member of a case under its own name, numbers as numbers; nothing is lost.
nlohmann::json to_json(const TiledCase&);
nlohmann::json to_json(const EncodeTiledCase&);

/// Throws std::runtime_error with one sentence that names the field: missing, unknown, of a wrong type or out
/// of range.
TiledCase tiled_case_from_json(const nlohmann::json&);
EncodeTiledCase encode_tiled_case_from_json(const nlohmann::json&);

/// Sorted keys, no white space.
std::string canonical_text(const nlohmann::json&);

/// XXH3-128 of the canonical text, 32 hex digits.
std::string case_id(const nlohmann::json&);

}  // namespace assay::model
