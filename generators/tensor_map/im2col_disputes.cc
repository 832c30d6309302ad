// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_map/im2col_probe_words.h"

namespace assay::gen::im2col_words {

const List& dispute_table() {
  static const List table = {
      {"V-01", "map pointer + 1", true, takes_any, pointer_is_off<1>},
      {"V-01", "map pointer + 16", true, takes_any, pointer_is_off<16>},
      {"V-02", "type 13", false, is_unswizzled, packed_type_is<13>, On::sm_90},
      {"V-02", "type 15", false, is_unswizzled, packed_type_is<15>, On::sm_90},
      {"V-08", "address 0", true, takes_any, address_is<0>},
      {"V-05", "swizzled, address 16 mod 128", true, is_swizzled, address_is<0x1010>},
      {"V-19", "traversal stride 9 of channels", false, is_plain, traversal_0_is<9>},
      {"V-20", "stride 16", true, has_granule_16, stride_is<16>},
      {"V-22", "swizzle 4", false, is_plain, swizzle_is<4>, On::sm_90},
      {"V-22", "swizzle 6", false, is_plain, swizzle_is<6>, On::sm_90},
      {"V-24", "32B interleave without swizzle", true, is_interleaved_32B, swizzle_is<0>, On::measured},
      {"V-24", "32B interleave with swizzle 128B", true, is_interleaved_32B, swizzle_is<3>, On::measured},
      {"V-33", "0 pixels in mode W128", true, is_unpacked, ignored_pixels_are<0>, On::by_documents},
      {"V-33", "1025 pixels in mode W128", true, is_unpacked, ignored_pixels_are<1025>, On::by_documents},
      {"V-34", "extent 2^31", false, is_unpacked, far_extent<two_to_31, 0, 0>},
      {"V-34", "extent 2^32", false, is_unpacked, far_extent<two_to_32, 0, 0>},
      {"V-34", "extent 2^31 - 1, upper corner 1", false, is_unpacked, far_extent<two_to_31 - 1, 0, 1>},
      {"V-34", "extent 2^32 - 4, lower corner -4", false, is_unpacked, far_extent<two_to_32 - 4, -4, 0>},
      {"V-48", "235520 bytes", false, fills_a_column, column_of_256<115>, On::measured},
      {"V-49", "address 2^57", false, takes_any, address_is<two_to_57>},
  };
  return table;
}

}  // namespace assay::gen::im2col_words
