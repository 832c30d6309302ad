// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "reference/model/tensor_copy/copy.h"
#include "suites/vectors/file_formats.h"
#include "suites/vectors/row_cases.h"

namespace assay::vectors {
namespace {

/// "0a??ff" as bytes; -1 for "??".
std::vector<int> byte_string(std::string_view key, const std::string& text) {
  if (text.size() % 2 != 0) throw RowError{std::string(key) + " has an odd number of digits"};
  std::vector<int> bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    const std::string pair = text.substr(i, 2);
    bytes.push_back(pair == "??" ? -1 : static_cast<int>(parse_number(key, "0x" + pair)));
  }
  return bytes;
}

std::string show(const std::vector<int>& bytes) {
  std::string text;
  for (const int byte : bytes) {
    char digits[3] = "??";
    if (byte >= 0) std::snprintf(digits, sizeof digits, "%02x", byte & 0xff);
    text += digits;
  }
  return text;
}

/// One row of 128 elements, no swizzle, tensor and tile at offset 0.
TensorCopyCase one_row(const spec::DataType& type, CopyDirection direction) {
  TensorCopyCase copy;
  copy.direction = direction;
  copy.map.data_type = type.host;
  copy.map.rank = copy.instruction_rank = 1;
  copy.map.global_dim[0] = copy.map.box_dim[0] = 128;
  copy.map.element_stride.fill(1);
  copy.window_bytes = 128;
  return copy;
}

constexpr size_t row_bytes = 128;  ///< room for 128 elements in either memory

std::vector<std::byte> memory_with(const std::vector<int>& bytes) {
  std::vector<std::byte> memory(row_bytes);
  for (size_t i = 0; i < bytes.size(); ++i) memory[i] = static_cast<std::byte>(bytes[i]);
  return memory;
}

}  // namespace

void check_packed(const VectorRow& row, Differences& differences) {
  const std::string& type_name = row.params.text("type");
  const spec::DataType* type = spec::find_data_type(type_name);
  if (type == nullptr || !type->is_packed()) throw RowError{"'" + type_name + "' is not a packed type"};
  const std::string& direction = row.params.text("dir");
  const std::vector<int64_t> elements = row.params.list("elems");
  const std::vector<int> global = byte_string("gmem", row.expected.text("gmem"));
  const std::vector<int> shared = byte_string("smem", row.expected.text("smem"));
  if (global.size() > row_bytes || shared.size() > row_bytes || elements.size() > 128)
    throw RowError{"the row has more than 128 elements"};

  // The elements, lowest bits first, are the global bytes.
  std::vector<int> bits_of_elements(elements.size() * type->bits / 8);
  for (size_t bit = 0; bit < bits_of_elements.size() * 8; ++bit)
    bits_of_elements[bit / 8] |= static_cast<int>(elements[bit / type->bits] >> (bit % type->bits) & 1)
                                 << (bit % 8);
  differences.compare("gmem of the elements", show(global), show(bits_of_elements));

  const spec::Readings readings(spec::Arch::sm_100);
  const bool loads = direction.find("load") != std::string::npos,
             stores = direction.find("store") != std::string::npos;
  if (!loads && !stores) throw RowError{"dir '" + direction + "' is neither load nor store"};
  if (loads) {
    std::vector<std::byte> window(row_bytes), defined(row_bytes, std::byte{0xff});
    const auto prediction = model::predict_load(one_row(*type, CopyDirection::load), readings,
                                                memory_with(global), window, defined);
    if (prediction.end != model::End::done) differences.add("the reference does not load it");
    std::vector<int> seen;
    for (size_t i = 0; i < shared.size(); ++i)
      seen.push_back(defined[i] == std::byte{0} ? -1 : static_cast<int>(window[i]));
    differences.compare("smem after the load", show(shared), show(seen));
  }
  if (stores) {
    std::vector<std::byte> slot(row_bytes);
    const auto prediction =
        model::predict_store(one_row(*type, CopyDirection::store), readings, memory_with(shared), slot, {});
    if (prediction.end != model::End::done) differences.add("the reference does not store it");
    std::vector<int> seen;
    for (size_t i = 0; i < global.size(); ++i) seen.push_back(static_cast<int>(slot[i]));
    differences.compare("gmem after the store", show(global), show(seen));
  }
}

}  // namespace assay::vectors
