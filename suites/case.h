#pragma once

#include <variant>

#include "reference/model/tiled_case.h"

namespace assay::suites {

/// Any Case that a property makes: plain data, no heap.
using Case = std::variant<TiledCase, EncodeTiledCase>;

}  // namespace assay::suites
