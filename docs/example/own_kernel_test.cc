// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "reference/model/tensor_copy/copy.h"

/// What a kernel of one's own leaves in shared memory, against what a tensor copy must leave there.
namespace {

constexpr uint32_t rows = 64, columns = 64, row_bytes = 128, tile_bytes = rows * row_bytes;

/// Stands for the kernel under test: launch yours here and copy its shared memory back. It places a tile of
/// bf16 under the 128B swizzle, a 16-byte piece at a time.
std::vector<std::byte> own_kernel(const std::vector<std::byte>& matrix) {
  std::vector<std::byte> shared(tile_bytes);
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t piece = 0; piece < row_bytes / 16; ++piece)
      std::memcpy(&shared[row * row_bytes + (piece ^ row % 8) * 16], &matrix[row * row_bytes + piece * 16],
                  16);
  return shared;
}

TEST(OwnKernel, PlacesATileAsATensorCopyDoes) {
  assay::TensorCopyCase copy;
  copy.map.rank = copy.instruction_rank = 2;
  copy.map.global_dim = {columns, rows};
  copy.map.global_stride = {row_bytes};
  copy.map.box_dim = {columns, rows};
  copy.map.element_stride = {1, 1};
  copy.map.data_type = 9;  // CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
  copy.map.swizzle = 3;    // CU_TENSOR_MAP_SWIZZLE_128B
  copy.window_bytes = tile_bytes;

  std::vector<std::byte> matrix(tile_bytes);
  for (size_t i = 0; i < matrix.size(); ++i) matrix[i] = static_cast<std::byte>(i * 167 >> 3);
  std::vector<std::byte> expected(tile_bytes);
  const assay::spec::Readings readings(assay::spec::Arch::sm_90);
  const auto prediction = assay::model::predict_load(copy, readings, matrix, expected, {});
  ASSERT_EQ(prediction.end, assay::model::End::done);
  EXPECT_EQ(prediction.transaction_bytes, tile_bytes);
  EXPECT_EQ(own_kernel(matrix), expected);
}

}  // namespace
