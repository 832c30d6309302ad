// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reference/layout/canonical.h"

namespace assay::cli {

/// How elements of an operand are packed.
struct OperandType {
  int bits = 16;
  layout::Packing packing = layout::Packing::plain;
  bool is_padded() const { return packing != layout::Packing::plain; }
};
/// By the name of a type of tensor maps, or of a format of at least a byte: e4m3. Throws UsageError.
OperandType operand_type(const std::string& name);

}  // namespace assay::cli
