// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_map/encode_cases.h"

#include <algorithm>
#include <array>

#include "generators/tensor_map/im2col_probe_words.h"

namespace assay::gen {
namespace {

std::vector<EncodeProbe> of_arch(std::span<const EncodeProbe> all, spec::Arch arch) {
  std::vector<EncodeProbe> list;
  for (const EncodeProbe& probe : all)
    if ((probe.from == spec::Arch::sm_90 || (spec::has_tcgen05(arch) && arch >= probe.from)) &&
        !(probe.only_sm_90 && arch != spec::Arch::sm_90))
      list.push_back(probe);
  return list;
}

using Lists = std::array<std::vector<EncodeProbe>, spec::arch_count>;
Lists by_arch(std::span<const EncodeProbe> all) {
  Lists lists;
  for (int a = 0; a < spec::arch_count; ++a) lists[a] = of_arch(all, static_cast<spec::Arch>(a));
  return lists;
}

}  // namespace

std::span<const EncodeProbe> boundary_probes(spec::Arch arch) {
  static const Lists lists = by_arch(all_borders());
  return lists[static_cast<int>(arch)];
}

std::span<const EncodeProbe> disputed_probes(spec::Arch arch) {
  static const Lists lists = by_arch(all_disputes());
  return lists[static_cast<int>(arch)];
}

void apply(const EncodeProbe& probe, Random& random, spec::Arch arch, EncodeTiledCase& c) {
  for (int tries = 0; tries < 1000 && !probe.fits(c); ++tries) make_legal_encode(random, arch, c);
  if (probe.fits(c)) probe.change(random, c);
}

void make_encode_boundary(const CaseId& id, EncodeTiledCase& c) {
  Random random = id.random();
  make_legal_encode(random, id.arch, c);
  apply(boundary_probe(id.index, id.arch), random, id.arch, c);
}

const EncodeProbe& boundary_probe(uint64_t index, spec::Arch arch) {
  const auto probes = boundary_probes(arch);
  return probes[index % probes.size()];
}

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

namespace assay::gen {
namespace {

using im2col_words::List;
using On = Im2colProbe::On;

bool exists(const Im2colProbe& probe, spec::Arch arch, bool wide) {
  const bool old = !spec::has_tcgen05(arch);
  switch (probe.on) {
    case On::everywhere:
      return true;
    case On::sm_90:
      return old;
    case On::from_sm_100:
      return !old;
    case On::plain:
      return !wide;
    case On::plain_from_sm_100:
      return !wide && !old;
    case On::measured:
      return !wide || old;
    case On::by_documents:
      return wide && !old;
    case On::wide:
      return wide;
  }
  return false;
}

using ListsByArch = std::array<std::array<List, 2>, spec::arch_count>;
ListsByArch split(const List& all) {
  ListsByArch lists;
  for (int arch = 0; arch < spec::arch_count; ++arch)
    for (const bool wide : {false, true})
      std::copy_if(
          all.begin(), all.end(), std::back_inserter(lists[arch][wide]),
          [&](const Im2colProbe& probe) { return exists(probe, static_cast<spec::Arch>(arch), wide); });
  return lists;
}

}  // namespace

std::span<const Im2colProbe> im2col_borders(spec::Arch arch, bool wide) {
  static const ListsByArch lists = split(im2col_words::border_table());
  return lists[static_cast<int>(arch)][wide];
}

std::span<const Im2colProbe> im2col_disputes(spec::Arch arch, bool wide) {
  static const ListsByArch lists = split(im2col_words::dispute_table());
  return lists[static_cast<int>(arch)][wide];
}

void apply(const Im2colProbe& probe, Random& random, spec::Arch arch, bool wide, EncodeIm2colCase& c) {
  for (int tries = 0; tries < 1000 && !probe.fits(c); ++tries)
    make_legal_im2col_encode(random, arch, wide, c);
  if (probe.fits(c)) probe.change(random, c);
}

}  // namespace assay::gen
