#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "reference/model/tcgen05_mma_case.h"
#include "reference/model/tiled_case.h"
#include "reference/model/warp_mma_case.h"

namespace assay {

/// "load" or "store"; for the fields of every case that has a direction.
void write_field(nlohmann::json& to, TiledDirection value);
void read_field(const std::string& name, const nlohmann::json& from, TiledDirection& value);
/// "none", "add", ...; for the fields of every case that may reduce.
void write_field(nlohmann::json& to, TensorReduction value);
void read_field(const std::string& name, const nlohmann::json& from, TensorReduction& value);

}  // namespace assay

namespace assay::model {

/// Every member of a case that has not its default under its own name, numbers as numbers; nothing is lost.
nlohmann::json to_json(const TiledCase&);
nlohmann::json to_json(const EncodeTiledCase&);
nlohmann::json to_json(const Tcgen05MmaCase&);
nlohmann::json to_json(const TmemAccessCase&);
nlohmann::json to_json(const WgmmaCase&);
nlohmann::json to_json(const MmaSyncCase&);

/// An absent member has its default. Throws std::runtime_error with one sentence that names the field:
/// unknown, of a wrong type or out of range.
TiledCase tiled_case_from_json(const nlohmann::json&);
EncodeTiledCase encode_tiled_case_from_json(const nlohmann::json&);
Tcgen05MmaCase tcgen05_mma_case_from_json(const nlohmann::json&);
TmemAccessCase tmem_access_case_from_json(const nlohmann::json&);
WgmmaCase wgmma_case_from_json(const nlohmann::json&);
MmaSyncCase mma_sync_case_from_json(const nlohmann::json&);

/// Sorted keys, no white space.
std::string canonical_text(const nlohmann::json&);

/// XXH3-128 of the canonical text, 32 hex digits.
std::string case_id(const nlohmann::json&);

}  // namespace assay::model
