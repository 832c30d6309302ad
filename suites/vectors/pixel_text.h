// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reference/model/tensor_copy/column.h"

namespace assay::vectors {

/// "(4 2 n7)": the place of a pixel along the given number of spatial axes, and its image.
inline std::string pixel_text(const model::Pixel& pixel, uint32_t axes) {
  std::string text = "(";
  for (uint32_t k = 0; k < axes; ++k) text += std::to_string(pixel.at[k]) + " ";
  return text + "n" + std::to_string(pixel.image) + ")";
}

}  // namespace assay::vectors
