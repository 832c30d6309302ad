// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_map/encode_probe_words.h"

namespace assay::gen {
namespace {

using namespace probe_words;

std::vector<EncodeProbe> disputes() {
  ProbeTable table;
  // rule, what is special, which calls it fits, the change, architectures
  table.inside("V-01", "map pointer + 1", any, [](Random&, Case& c) { c.map_offset = 1; });
  table.inside("V-01", "map pointer + 8", any, [](Random&, Case& c) { c.map_offset = 8; });
  table.inside("V-01", "map pointer + 16", any, [](Random&, Case& c) { c.map_offset = 16; });
  table.inside("V-01", "map pointer + 32", any, [](Random&, Case& c) { c.map_offset = 32; });
  table.inside("V-01", "map pointer + 48", any, [](Random&, Case& c) { c.map_offset = 48; });
  table.outside(
      "V-02", "type 13", plain_unswizzled, [](Random&, Case& c) { make_packed(c, 13); }, Arch::sm_90, true);
  table.outside(
      "V-02", "type 15", plain_unswizzled, [](Random&, Case& c) { make_packed(c, 15); }, Arch::sm_90, true);
  table.inside("V-08", "address 0", any, [](Random&, Case& c) { c.map.global_address = 0; });
  table.inside("V-09", "dim 2^31 + 1", plain, [](Random& random, Case& c) {
    c.map.global_dim[some_dimension(random, c)] = (uint64_t{1} << 31) + 1;
  });
  table.outside("V-16", "interleaved, inner box one more", interleaved, [](Random&, Case& c) {
    flatten(c);
    c.map.box_dim[0] = quantum_of(c) + 1;
  });
  table.outside("V-19", "inner step 9", plain, [](Random&, Case& c) { c.map.element_stride[0] = 9; });
  table.inside("V-20", "strides of 0", strided, [](Random&, Case& c) {
    for (uint32_t i = 0; i + 1 < c.map.rank; ++i) c.map.global_stride[i] = 0;
  });
  table.inside("V-20", "strides below the extents", strided, [](Random&, Case& c) {
    for (uint32_t i = 0; i + 1 < c.map.rank; ++i) c.map.global_stride[i] = address_granule(c.map);
  });
  table.inside("V-24", "32B interleave without swizzle", interleaved_32B,
               [](Random&, Case& c) { c.map.swizzle = 0; });
  table.inside("V-24", "32B interleave with 64B swizzle", interleaved_32B,
               [](Random&, Case& c) { c.map.swizzle = 2; });
  table.inside("V-24", "32B interleave with 128B swizzle", interleaved_32B,
               [](Random&, Case& c) { c.map.swizzle = 3; });
  table.inside("V-24", "16B interleave without swizzle", interleaved_16B,
               [](Random&, Case& c) { c.map.swizzle = 0; });
  table.outside(
      "V-26", "b4x16_p64 with 64B atoms", packed_14, [](Random&, Case& c) { c.map.swizzle = 6; },
      Arch::sm_100);
  table.outside("V-43", "null strides at rank 1", rank_1, [](Random&, Case& c) { c.null_mask = 4; });
  table.inside("V-48", "steps that floor the count of bytes", strided, [](Random& random, Case& c) {
    c.map.data_type = 0;
    c.map.oob_fill = c.map.interleave = c.map.swizzle = 0;
    flatten(c);
    c.map.box_dim[0] = 256;
    c.map.box_dim[1] = 256;
    c.map.element_stride.fill(1);
    c.map.element_stride[0] = 8;
    if (c.map.rank > 2) c.map.box_dim[2] = 4 + random.below(24);
  });
  table.outside("V-48", "f32 box 256 x 229", strided, [](Random&, Case& c) {
    c.map.data_type = 7;
    c.map.interleave = c.map.swizzle = 0;
    flatten(c);
    c.map.element_stride.fill(1);
    c.map.box_dim[0] = 256;
    c.map.box_dim[1] = 229;
  });
  table.outside("V-49", "address 2^57", any, [](Random&, Case& c) { c.map.global_address = two57; });
  return table.rows();
}

}  // namespace

std::span<const EncodeProbe> all_disputes() {
  static const std::vector<EncodeProbe> rows = disputes();
  return rows;
}

}  // namespace assay::gen
