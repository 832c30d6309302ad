// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

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

/// Every member of a case that has not its default under its own name, numbers as numbers; nothing is lost.
nlohmann::json to_json(const TensorCopyCase&);
nlohmann::json to_json(const EncodeTiledCase&);
nlohmann::json to_json(const EncodeIm2colCase&);
nlohmann::json to_json(const Tcgen05MmaCase&);
nlohmann::json to_json(const TmemAccessCase&);
nlohmann::json to_json(const WgmmaCase&);
nlohmann::json to_json(const MmaSyncCase&);

/// An absent member has its default. Throws std::runtime_error with one sentence that names the field:
/// unknown, of a wrong type or out of range.
TensorCopyCase tensor_copy_case_from_json(const nlohmann::json&);
EncodeTiledCase encode_tiled_case_from_json(const nlohmann::json&);
EncodeIm2colCase encode_im2col_case_from_json(const nlohmann::json&);
Tcgen05MmaCase tcgen05_mma_case_from_json(const nlohmann::json&);
TmemAccessCase tmem_access_case_from_json(const nlohmann::json&);
WgmmaCase wgmma_case_from_json(const nlohmann::json&);
MmaSyncCase mma_sync_case_from_json(const nlohmann::json&);

/// The JSON Schema of the cases of a type, instantiated beside its visit_fields (case_schema.h).
template <typename Case>
nlohmann::json case_schema();

/// Sorted keys, no white space.
std::string canonical_text(const nlohmann::json&);

/// XXH3-128 of the canonical text, 32 hex digits.
std::string case_id(const nlohmann::json&);

}  // namespace assay::model
