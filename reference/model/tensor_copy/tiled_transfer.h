// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/tensor_copy/tiled_case.h"
#include "reference/model/tensor_copy/tiled_move.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"

namespace assay::model {

/// What a tiled load or store of a legal map does with the bytes of its box. `rules` gets those that decide
/// it.
Transfer load_transfer(const TiledCase&, const TiledShape&, const spec::Readings&, spec::RuleSet& rules);
Transfer store_transfer(const TiledCase&, const TiledShape&, const spec::Readings&, spec::RuleSet& rules);

}  // namespace assay::model
