// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_map/encode_cases.h"

namespace assay::gen {
namespace {

using namespace probe_words;

// rule, what is special, which calls it fits, the change, architectures
void type_borders(ProbeTable& table) {
  table.inside("V-02", "type 12", plain_unswizzled, [](Random&, Case& c) {
    c.map.data_type = 12;
    flatten(c);
    c.map.box_dim[0] = 4;
  });
  table.outside("V-02", "type 16", plain, [](Random&, Case& c) { c.map.data_type = 16; });
  table.outside("V-02", "type 17", plain, [](Random&, Case& c) { c.map.data_type = 17; });
  table.outside("V-02", "type 255", plain, [](Random&, Case& c) { c.map.data_type = 255; });
  table.outside("V-02", "type -1", plain, [](Random&, Case& c) { c.map.data_type = ~0u; });
  table.outside("V-03", "rank 0", plain, [](Random&, Case& c) { c.map.rank = 0; });
  table.outside("V-03", "rank 6", plain_rank_5, [](Random&, Case& c) { c.map.rank = 6; });
  table.outside("V-03", "rank 7", plain_rank_5, [](Random&, Case& c) { c.map.rank = 7; });
  table.outside("V-03", "rank 31", plain_rank_5, [](Random&, Case& c) { c.map.rank = 31; });
  table.outside("V-04", "interleave at rank 2", interleaved, [](Random&, Case& c) { c.map.rank = 2; });
  table.outside("V-04", "interleave at rank 1", interleaved, [](Random&, Case& c) { c.map.rank = 1; });
  table.inside("V-04", "interleave at rank 3", interleaved, [](Random&, Case& c) { c.map.rank = 3; });
  table.outside("V-05", "address + 1", granule_16,
                [](Random&, Case& c) { c.map.global_address = c.map.global_address | 1; });
  table.outside("V-05", "address + 8", granule_16,
                [](Random&, Case& c) { c.map.global_address = c.map.global_address | 8; });
  table.outside("V-05", "address + 15", granule_16,
                [](Random&, Case& c) { c.map.global_address = c.map.global_address | 15; });
  table.inside("V-05", "address 16", granule_16, [](Random&, Case& c) { c.map.global_address = 16; });
  table.inside("V-05", "address 48", granule_16, [](Random&, Case& c) { c.map.global_address = 48; });
  table.outside("V-06", "address 16 mod 32", interleaved_32B,
                [](Random&, Case& c) { c.map.global_address = c.map.global_address | 16; });
  table.inside("V-06", "address 32", interleaved_32B, [](Random&, Case& c) { c.map.global_address = 32; });
  table.outside(
      "V-07", "address 16 mod 32", packed_14_15,
      [](Random&, Case& c) { c.map.global_address = c.map.global_address | 16; }, Arch::sm_100);
  table.inside(
      "V-07", "address 32", packed_14_15, [](Random&, Case& c) { c.map.global_address = 32; }, Arch::sm_100);
}

void stride_borders(ProbeTable& table) {
  table.outside("V-09", "dim 0", plain,
                [](Random& random, Case& c) { c.map.global_dim[some_dimension(random, c)] = 0; });
  table.outside("V-09", "dim 2^32 + 1", plain,
                [](Random& random, Case& c) { c.map.global_dim[some_dimension(random, c)] = two32 + 1; });
  table.outside("V-09", "dim 2^40", plain,
                [](Random& random, Case& c) { c.map.global_dim[some_dimension(random, c)] = two40; });
  table.outside("V-09", "dim 2^64 - 1", plain,
                [](Random& random, Case& c) { c.map.global_dim[some_dimension(random, c)] = ~uint64_t{0}; });
  table.inside("V-09", "dim 1", plain,
               [](Random& random, Case& c) { c.map.global_dim[some_dimension(random, c)] = 1; });
  table.inside("V-09", "dim 2^32", plain,
               [](Random& random, Case& c) { c.map.global_dim[some_dimension(random, c)] = two32; });
  table.outside(
      "V-10", "dim 0 + 1", packed_14_15, [](Random&, Case& c) { c.map.global_dim[0] = 129; }, Arch::sm_100);
  table.outside(
      "V-10", "dim 0 + 64", packed_14_15, [](Random&, Case& c) { c.map.global_dim[0] = 192; }, Arch::sm_100);
  table.inside(
      "V-10", "dim 128", packed_14_15, [](Random&, Case& c) { c.map.global_dim[0] = 128; }, Arch::sm_100);
  table.outside(
      "V-11", "odd dim 0", packed_13, [](Random&, Case& c) { c.map.global_dim[0] = c.map.global_dim[0] - 1; },
      Arch::sm_100);
  table.inside(
      "V-11", "dim 2", packed_13, [](Random&, Case& c) { c.map.global_dim[0] = 2; }, Arch::sm_100);
  table.outside("V-12", "stride + 1", strided_by_16,
                [](Random& random, Case& c) { c.map.global_stride[some_stride(random, c)] |= 1; });
  table.outside("V-12", "stride + 8", strided_by_16,
                [](Random& random, Case& c) { c.map.global_stride[some_stride(random, c)] |= 8; });
  table.outside("V-12", "stride + 15", strided_by_16,
                [](Random& random, Case& c) { c.map.global_stride[some_stride(random, c)] |= 15; });
  table.inside("V-12", "stride 16", strided_by_16,
               [](Random& random, Case& c) { c.map.global_stride[some_stride(random, c)] = 16; });
  table.inside("V-12", "stride 0", strided,
               [](Random& random, Case& c) { c.map.global_stride[some_stride(random, c)] = 0; });
  table.outside("V-13", "stride 2^40", strided,
                [](Random& random, Case& c) { c.map.global_stride[some_stride(random, c)] = two40; });
  table.outside("V-13", "stride 2^41", strided,
                [](Random& random, Case& c) { c.map.global_stride[some_stride(random, c)] = 2 * two40; });
  table.outside("V-13", "stride 2^63", strided, [](Random& random, Case& c) {
    c.map.global_stride[some_stride(random, c)] = uint64_t{1} << 63;
  });
  table.inside("V-13", "stride 2^40 - granule", strided, [](Random& random, Case& c) {
    c.map.global_stride[some_stride(random, c)] = two40 - address_granule(c.map);
  });
  table.outside("V-14", "stride 16 mod 32", interleaved_32B,
                [](Random& random, Case& c) { c.map.global_stride[some_stride(random, c)] |= 16; });
  table.inside("V-14", "stride 32", interleaved_32B,
               [](Random& random, Case& c) { c.map.global_stride[some_stride(random, c)] = 32; });
  table.outside(
      "V-14", "stride 16 mod 32, packed", strided_packed,
      [](Random& random, Case& c) { c.map.global_stride[some_stride(random, c)] |= 16; }, Arch::sm_100);
}

void box_borders(ProbeTable& table) {
  table.outside("V-15", "box 0", strided,
                [](Random& random, Case& c) { c.map.box_dim[outer_dimension(random, c)] = 0; });
  table.outside("V-15", "inner box 0", plain, [](Random&, Case& c) { c.map.box_dim[0] = 0; });
  table.outside("V-15", "box 257", strided, [](Random& random, Case& c) {
    c.map.box_dim[0] = quantum_of(c);
    flatten(c);
    c.map.box_dim[outer_dimension(random, c)] = 257;
  });
  table.outside("V-15", "box 512", strided, [](Random& random, Case& c) {
    c.map.box_dim[0] = quantum_of(c);
    flatten(c);
    c.map.box_dim[outer_dimension(random, c)] = 512;
  });
  table.outside("V-15", "inner box 512", plain_unswizzled, [](Random&, Case& c) {
    flatten(c);
    c.map.box_dim[0] = 512;
  });
  table.inside("V-15", "box 1", strided,
               [](Random& random, Case& c) { c.map.box_dim[outer_dimension(random, c)] = 1; });
  table.inside("V-15", "box 256", strided, [](Random& random, Case& c) {
    c.map.box_dim[0] = quantum_of(c);
    flatten(c);
    c.map.box_dim[outer_dimension(random, c)] = 256;
  });
  table.inside("V-15", "inner box 256", plain_unswizzled, [](Random&, Case& c) {
    flatten(c);
    c.map.box_dim[0] = 256;
  });
  table.outside("V-16", "inner box one element more", plain_unswizzled, [](Random&, Case& c) {
    flatten(c);
    c.map.box_dim[0] = quantum_of(c) + 1;
  });
  table.outside("V-16", "inner box of one element", plain, [](Random&, Case& c) { c.map.box_dim[0] = 1; });
  table.inside("V-16", "inner box of one piece", plain,
               [](Random&, Case& c) { c.map.box_dim[0] = quantum_of(c); });
  table.outside("V-16", "interleaved, inner box one more", interleaved, [](Random&, Case& c) {
    flatten(c);
    c.map.box_dim[0] = quantum_of(c) + 1;
  });
  table.outside(
      "V-16", "b4x16 box 48", packed_13,
      [](Random&, Case& c) {
        flatten(c);
        c.map.box_dim[0] = 48;
        c.map.swizzle = 0;
      },
      Arch::sm_100);
  table.outside(
      "V-17", "inner box 64", packed_14_15, [](Random&, Case& c) { c.map.box_dim[0] = 64; }, Arch::sm_100);
  table.outside(
      "V-17", "inner box 256", packed_14_15,
      [](Random&, Case& c) {
        flatten(c);
        c.map.box_dim[0] = 256;
        c.map.swizzle = 0;
      },
      Arch::sm_100);
  table.inside(
      "V-17", "inner box 128", packed_14_15, [](Random&, Case& c) { c.map.box_dim[0] = 128; }, Arch::sm_100);
}

void step_borders(ProbeTable& table) {
  table.outside("V-18", "step 0", strided,
                [](Random& random, Case& c) { c.map.element_stride[outer_dimension(random, c)] = 0; });
  table.outside("V-18", "step 9", strided,
                [](Random& random, Case& c) { c.map.element_stride[outer_dimension(random, c)] = 9; });
  table.outside("V-18", "step 255", strided,
                [](Random& random, Case& c) { c.map.element_stride[outer_dimension(random, c)] = 255; });
  table.outside("V-18", "step -1", strided,
                [](Random& random, Case& c) { c.map.element_stride[outer_dimension(random, c)] = ~0u; });
  table.outside("V-18", "interleaved, inner step 9", interleaved,
                [](Random&, Case& c) { c.map.element_stride[0] = 9; });
  table.outside("V-18", "interleaved, inner step 0", interleaved,
                [](Random&, Case& c) { c.map.element_stride[0] = 0; });
  table.inside("V-18", "step 8", strided,
               [](Random& random, Case& c) { c.map.element_stride[outer_dimension(random, c)] = 8; });
  table.inside("V-18", "interleaved, inner step 8", interleaved,
               [](Random&, Case& c) { c.map.element_stride[0] = 8; });
  table.outside("V-19", "inner step 0", plain, [](Random&, Case& c) { c.map.element_stride[0] = 0; });
  table.outside("V-19", "inner step 9", plain, [](Random&, Case& c) { c.map.element_stride[0] = 9; });
  table.inside("V-19", "inner step 8", plain, [](Random&, Case& c) { c.map.element_stride[0] = 8; });
}

void mode_borders(ProbeTable& table) {
  table.outside("V-21", "interleave 3", plain, [](Random&, Case& c) { c.map.interleave = 3; });
  table.outside("V-21", "interleave 4", plain, [](Random&, Case& c) { c.map.interleave = 4; });
  table.outside("V-21", "interleave -1", plain, [](Random&, Case& c) { c.map.interleave = ~0u; });
  table.outside(
      "V-22", "swizzle 4", plain,
      [](Random&, Case& c) {
        c.map.box_dim[0] = quantum_of(c);
        c.map.swizzle = 4;
      },
      Arch::sm_90, true);
  table.outside(
      "V-22", "swizzle 6", plain,
      [](Random&, Case& c) {
        c.map.box_dim[0] = quantum_of(c);
        c.map.swizzle = 6;
      },
      Arch::sm_90, true);
  table.outside("V-22", "swizzle 7", plain, [](Random&, Case& c) { c.map.swizzle = 7; });
  table.outside("V-22", "swizzle 255", plain, [](Random&, Case& c) { c.map.swizzle = 255; });
  table.outside("V-23", "inner box one piece over the span", swizzled, [](Random&, Case& c) {
    flatten(c);
    c.map.box_dim[0] = span_of(c) / 16 * quantum_of(c) + quantum_of(c);
  });
  table.inside("V-23", "inner box equal to the span", swizzled, [](Random&, Case& c) {
    flatten(c);
    c.map.box_dim[0] = span_of(c) / 16 * quantum_of(c);
  });
  table.outside(
      "V-25", "6-bit type interleaved", packed_15_rank_3, [](Random&, Case& c) { c.map.interleave = 1; },
      Arch::sm_100);
  table.outside(
      "V-26", "b4x16_p64 with 64B swizzle", packed_14, [](Random&, Case& c) { c.map.swizzle = 2; },
      Arch::sm_100);
  table.inside(
      "V-26", "128B swizzle", packed_14_15, [](Random&, Case& c) { c.map.swizzle = 3; }, Arch::sm_100);
  table.inside(
      "V-26", "128B swizzle with 32B atoms", packed_14_15, [](Random&, Case& c) { c.map.swizzle = 4; },
      Arch::sm_100);
  table.outside("V-27", "NaN fill of an integer type", is_integer,
                [](Random&, Case& c) { c.map.oob_fill = 1; });
  table.inside("V-27", "NaN fill of a float type", is_float, [](Random&, Case& c) { c.map.oob_fill = 1; });
  table.outside(
      "V-27", "NaN fill of a packed type", packed_13, [](Random&, Case& c) { c.map.oob_fill = 1; },
      Arch::sm_100);
  table.inside("V-28", "promotion 3", any, [](Random&, Case& c) { c.map.l2_promotion = 3; });
  table.outside("V-28", "promotion 4", any, [](Random&, Case& c) { c.map.l2_promotion = 4; });
  table.outside("V-28", "promotion -1", any, [](Random&, Case& c) { c.map.l2_promotion = ~0u; });
  table.outside("V-29", "fill 2", any, [](Random&, Case& c) { c.map.oob_fill = 2; });
  table.outside("V-29", "fill -1", any, [](Random&, Case& c) { c.map.oob_fill = ~0u; });
}

void size_borders(ProbeTable& table) {
  table.outside("V-43", "null map", any, [](Random&, Case& c) { c.null_mask = 1; });
  table.outside("V-43", "null extents", any, [](Random&, Case& c) { c.null_mask = 2; });
  table.outside("V-43", "null strides", strided, [](Random&, Case& c) { c.null_mask = 4; });
  table.outside("V-43", "null strides at rank 1", rank_1, [](Random&, Case& c) { c.null_mask = 4; });
  table.outside("V-43", "null box", any, [](Random&, Case& c) { c.null_mask = 8; });
  table.outside("V-43", "null steps", any, [](Random&, Case& c) { c.null_mask = 16; });
  table.inside("V-47", "box larger than the tensor", plain, [](Random&, Case& c) {
    for (uint32_t i = 0; i < c.map.rank; ++i) c.map.global_dim[i] = 1;
  });
  table.inside("V-48", "f32 box 256 x 228", strided, [](Random&, Case& c) {
    c.map.data_type = 7;
    c.map.interleave = c.map.swizzle = 0;
    flatten(c);
    c.map.element_stride.fill(1);
    c.map.box_dim[0] = 256;
    c.map.box_dim[1] = 228;
  });
  table.outside("V-48", "f32 box 256 x 229", strided, [](Random&, Case& c) {
    c.map.data_type = 7;
    c.map.interleave = c.map.swizzle = 0;
    flatten(c);
    c.map.element_stride.fill(1);
    c.map.box_dim[0] = 256;
    c.map.box_dim[1] = 229;
  });
  table.inside("V-49", "address 2^57 - 32", any, [](Random&, Case& c) { c.map.global_address = two57 - 32; });
  table.outside("V-49", "address 2^57", any, [](Random&, Case& c) { c.map.global_address = two57; });
  table.outside("V-49", "address 2^63", any,
                [](Random&, Case& c) { c.map.global_address = uint64_t{1} << 63; });
  table.outside("V-49", "address 2^64 - 32", any,
                [](Random&, Case& c) { c.map.global_address = ~uint64_t{31}; });
}

std::vector<EncodeProbe> borders() {
  ProbeTable table;
  type_borders(table);
  stride_borders(table);
  box_borders(table);
  step_borders(table);
  mode_borders(table);
  size_borders(table);
  return table.rows();
}

}  // namespace

std::span<const EncodeProbe> all_borders() {
  static const std::vector<EncodeProbe> rows = borders();
  return rows;
}

}  // namespace assay::gen
