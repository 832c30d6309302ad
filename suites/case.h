#pragma once

#include <variant>

#include "reference/model/gemm_case.h"
#include "reference/model/hopper_case.h"
#include "reference/model/mma_case.h"
#include "reference/model/sequence_case.h"
#include "reference/model/tiled_case.h"

namespace assay::suites {

/// Any Case that a property makes: plain data, no heap.
using Case = std::variant<TiledCase, EncodeTiledCase, MmaCase, TmemAccessCase, WgmmaCase, MmaSyncCase,
                          GemmCase, SequenceCase>;

}  // namespace assay::suites
