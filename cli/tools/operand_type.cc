// SPDX-License-Identifier: Apache-2.0
#include "cli/tools/operand_type.h"

#include <vector>

#include "cli/tools/named_rows.h"
#include "reference/spec/formats.h"
#include "reference/spec/tensor_map.h"

namespace assay::cli {

OperandType operand_type(const std::string& name) {
  if (const spec::DataType* type = spec::find_data_type(name); type != nullptr && type->bits <= 32) {
    const layout::Packing packing = !type->is_padded() ? layout::Packing::plain
                                    : type->bits == 4  ? layout::Packing::padded_4_bit
                                                       : layout::Packing::padded_6_bit;
    return {static_cast<int>(type->bits), packing};
  }
  std::vector<std::string_view> names;
  for (const spec::DataType& type : spec::data_types)
    if (type.bits <= 32) names.push_back(type.name);
  for (const spec::Format& format : spec::formats) {
    if (format.storage_bits < 8 || format.bits() < 8 || format.storage_bits > 32) continue;
    if (format.name == name) return {format.storage_bits, layout::Packing::plain};
    if (spec::find_data_type(format.name) == nullptr) names.push_back(format.name);
  }
  refuse_name("--type", name, "an operand type", "types", names);
}

}  // namespace assay::cli
