// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "reference/model/tensor_copy/im2col_case.h"

namespace assay::model {

/// As reference/model/case_json.h has it.
nlohmann::json to_json(const EncodeIm2colCase&);
nlohmann::json to_json(const Im2colCase&);
EncodeIm2colCase encode_im2col_case_from_json(const nlohmann::json&);
Im2colCase im2col_case_from_json(const nlohmann::json&);

}  // namespace assay::model
