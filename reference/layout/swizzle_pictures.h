// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "reference/spec/smem_desc.h"

namespace assay::layout {

/// A swizzle as the documents draw it: eight lines of 128 bytes in which a digit is the 16-byte piece that is
/// kept there, by its place before the swizzle. Line 0 is where the pattern starts.
struct SwizzlePicture {
  std::string_view name;  ///< of spec::smem_swizzles
  std::array<std::string_view, 8> lines;
  spec::Cite cite;
};
inline constexpr spec::Cite swizzle_figures{"ptx", "Tensors, Swizzling Modes, figures"};
// clang-format off
inline constexpr std::array swizzle_pictures{
    SwizzlePicture{"none",
                   {"01234567",
                    "01234567",
                    "01234567",
                    "01234567",
                    "01234567",
                    "01234567",
                    "01234567",
                    "01234567"}, swizzle_figures},
    SwizzlePicture{"32B",
                   {"01234567",
                    "10325476",
                    "01234567",
                    "10325476",
                    "01234567",
                    "10325476",
                    "01234567",
                    "10325476"}, swizzle_figures},
    SwizzlePicture{"64B",
                   {"01234567",
                    "10325476",
                    "23016745",
                    "32107654",
                    "01234567",
                    "10325476",
                    "23016745",
                    "32107654"}, swizzle_figures},
    SwizzlePicture{"128B",
                   {"01234567",
                    "10325476",
                    "23016745",
                    "32107654",
                    "45670123",
                    "54761032",
                    "67452301",
                    "76543210"}, swizzle_figures},
    // Pieces move in pairs.
    SwizzlePicture{"128B_atom32B",
                   {"01234567",
                    "23016745",
                    "45670123",
                    "67452301",
                    "01234567",
                    "23016745",
                    "45670123",
                    "67452301"}, swizzle_figures},
};
// clang-format on

}  // namespace assay::layout
