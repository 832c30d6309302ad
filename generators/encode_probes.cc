#include "generators/encode_probes.h"

#include <algorithm>
#include <array>
#include <vector>

#include "generators/encode_cases.h"
#include "generators/tiled_geometry.h"

namespace assay::gen {
namespace {

using Case = EncodeTiledCase;
using spec::Arch;

constexpr uint64_t two57 = uint64_t{1} << 57, two40 = uint64_t{1} << 40, two32 = uint64_t{1} << 32;

// Which legal calls a probe can be applied to.
bool any(const Case&) {
  return true;
}
bool unpacked(const Case& c) {
  return c.map.data_type < 13;
}
bool plain(const Case& c) {
  return c.map.interleave == 0 && unpacked(c);
}
bool plain_unswizzled(const Case& c) {
  return plain(c) && c.map.swizzle == 0;
}
bool plain_rank_5(const Case& c) {
  return plain(c) && c.map.rank == 5;
}
bool swizzled(const Case& c) {
  return plain(c) && c.map.swizzle != 0;
}
bool interleaved(const Case& c) {
  return c.map.interleave != 0;
}
bool interleaved_16B(const Case& c) {
  return c.map.interleave == 1;
}
bool interleaved_32B(const Case& c) {
  return c.map.interleave == 2;
}
bool granule_16(const Case& c) {
  return address_granule(c.map) == 16;
}
bool strided(const Case& c) {
  return c.map.rank >= 2;
}
bool strided_by_16(const Case& c) {
  return strided(c) && granule_16(c);
}
bool strided_packed(const Case& c) {
  return strided(c) && c.map.data_type >= 14;
}
bool is_float(const Case& c) {
  return c.map.data_type >= 6 && unpacked(c);
}
bool is_integer(const Case& c) {
  return c.map.data_type < 6;
}
bool packed_13(const Case& c) {
  return c.map.data_type == 13;
}
bool packed_14(const Case& c) {
  return c.map.data_type == 14;
}
bool packed_14_15(const Case& c) {
  return c.map.data_type >= 14;
}
bool packed_15_rank_3(const Case& c) {
  return c.map.data_type == 15 && c.map.rank >= 3;
}
bool rank_1(const Case& c) {
  return c.map.rank == 1;
}

// Dimensions that a change acts on.
uint32_t some_dimension(Random& random, const Case& c) {
  return random.below(c.map.rank);
}
uint32_t outer_dimension(Random& random, const Case& c) {
  return 1 + random.below(c.map.rank - 1);
}
uint32_t some_stride(Random& random, const Case& c) {
  return random.below(c.map.rank - 1);
}
/// Boxes of 1 in every dimension but 0, so that V-48 stays far away.
void flatten(Case& c) {
  for (uint32_t i = 1; i < c.map.rank; ++i) c.map.box_dim[i] = 1;
}
/// A call that would be legal for a packed type where the architecture has it.
void make_packed(Case& c, uint32_t type) {
  c.map.data_type = type;
  c.map.oob_fill = 0;
  c.map.global_address &= ~uint64_t{31};
  c.map.global_dim[0] = 128;
  for (uint64_t& stride : c.map.global_stride) stride &= ~uint64_t{31};
  flatten(c);
  c.map.box_dim[0] = 128;
}
uint32_t quantum_of(const Case& c) {
  return box_quantum(spec::data_types[c.map.data_type], c.map.interleave);
}
uint32_t span_of(const Case& c) {
  return spec::find_swizzle(c.map.swizzle)->span_bytes;
}

#define CHANGE [](Random & random, Case & c)
#define SET(FIELD, VALUE) [](Random&, Case& c) { c.map.FIELD = (VALUE); }

const EncodeProbe borders[] = {
    // rule  value                     inside fits            change
    {"V-02", "type 12", true, plain_unswizzled, CHANGE{c.map.data_type = 12;
flatten(c);
c.map.box_dim[0] = 4;
(void)random;
}  // namespace
}  // namespace assay::gen
, {"V-02", "type 16", false, plain, SET(data_type, 16)},
    {"V-02", "type 17", false, plain, SET(data_type, 17)},
    {"V-02", "type 255", false, plain, SET(data_type, 255)},
    {"V-02", "type -1", false, plain, SET(data_type, ~0u)}, {"V-03", "rank 0", false, plain, SET(rank, 0)},
    {"V-03", "rank 6", false, plain_rank_5, SET(rank, 6)},
    {"V-03", "rank 7", false, plain_rank_5, SET(rank, 7)},
    {"V-03", "rank 31", false, plain_rank_5, SET(rank, 31)},
    {"V-04", "interleave at rank 2", false, interleaved, SET(rank, 2)},
    {"V-04", "interleave at rank 1", false, interleaved, SET(rank, 1)},
    {"V-04", "interleave at rank 3", true, interleaved, SET(rank, 3)},
    {"V-05", "address + 1", false, granule_16, SET(global_address, c.map.global_address | 1)},
    {"V-05", "address + 8", false, granule_16, SET(global_address, c.map.global_address | 8)},
    {"V-05", "address + 15", false, granule_16, SET(global_address, c.map.global_address | 15)},
    {"V-05", "address 16", true, granule_16, SET(global_address, 16)},
    {"V-05", "address 48", true, granule_16, SET(global_address, 48)},
    {"V-06", "address 16 mod 32", false, interleaved_32B, SET(global_address, c.map.global_address | 16)},
    {"V-06", "address 32", true, interleaved_32B, SET(global_address, 32)},
    {"V-07",      "address 16 mod 32", false, packed_14_15, SET(global_address, c.map.global_address | 16),
     Arch::sm_100},
    {"V-07", "address 32", true, packed_14_15, SET(global_address, 32), Arch::sm_100},
    {"V-09", "dim 0", false, plain, CHANGE{c.map.global_dim[some_dimension(random, c)] = 0;
}
}
, {"V-09", "dim 2^32 + 1", false, plain, CHANGE{c.map.global_dim[some_dimension(random, c)] = two32 + 1;
}
}
, {"V-09", "dim 2^40", false, plain, CHANGE{c.map.global_dim[some_dimension(random, c)] = two40;
}
}
, {"V-09", "dim 2^64 - 1", false, plain, CHANGE{c.map.global_dim[some_dimension(random, c)] = ~uint64_t{0};
}
}
, {"V-09", "dim 1", true, plain, CHANGE{c.map.global_dim[some_dimension(random, c)] = 1;
}
}
, {"V-09", "dim 2^32", true, plain, CHANGE{c.map.global_dim[some_dimension(random, c)] = two32;
}
}
, {"V-10", "dim 0 + 1", false, packed_14_15, SET(global_dim[0], 129), Arch::sm_100},
    {"V-10", "dim 0 + 64", false, packed_14_15, SET(global_dim[0], 192), Arch::sm_100},
    {"V-10", "dim 128", true, packed_14_15, SET(global_dim[0], 128), Arch::sm_100},
    {"V-11", "odd dim 0", false, packed_13, SET(global_dim[0], c.map.global_dim[0] - 1), Arch::sm_100},
    {"V-11", "dim 2", true, packed_13, SET(global_dim[0], 2), Arch::sm_100},
    {"V-12", "stride + 1", false, strided_by_16, CHANGE{c.map.global_stride[some_stride(random, c)] |= 1;
}
}
, {"V-12", "stride + 8", false, strided_by_16, CHANGE{c.map.global_stride[some_stride(random, c)] |= 8;
}
}
, {"V-12", "stride + 15", false, strided_by_16, CHANGE{c.map.global_stride[some_stride(random, c)] |= 15;
}
}
, {"V-12", "stride 16", true, strided_by_16, CHANGE{c.map.global_stride[some_stride(random, c)] = 16;
}
}
, {"V-12", "stride 0", true, strided, CHANGE{c.map.global_stride[some_stride(random, c)] = 0;
}
}
, {"V-13", "stride 2^40", false, strided, CHANGE{c.map.global_stride[some_stride(random, c)] = two40;
}
}
, {"V-13", "stride 2^41", false, strided, CHANGE{c.map.global_stride[some_stride(random, c)] = 2 * two40;
}
}
, {"V-13", "stride 2^63", false, strided,
   CHANGE{c.map.global_stride[some_stride(random, c)] = uint64_t{1} << 63;
}
}
, {"V-13", "stride 2^40 - granule", true, strided,
   CHANGE{c.map.global_stride[some_stride(random, c)] = two40 - address_granule(c.map);
}
}
, {"V-14", "stride 16 mod 32", false, interleaved_32B,
   CHANGE{c.map.global_stride[some_stride(random, c)] |= 16;
}
}
, {"V-14", "stride 32", true, interleaved_32B, CHANGE{c.map.global_stride[some_stride(random, c)] = 32;
}
}
, {"V-14", "stride 16 mod 32, packed", false, strided_packed,
   CHANGE{c.map.global_stride[some_stride(random, c)] |= 16;
}
, Arch::sm_100
}
, {"V-15", "box 0", false, strided, CHANGE{c.map.box_dim[outer_dimension(random, c)] = 0;
}
}
, {"V-15", "inner box 0", false, plain, SET(box_dim[0], 0)},
    {"V-15", "box 257", false, strided, CHANGE{c.map.box_dim[0] = quantum_of(c);
flatten(c);
c.map.box_dim[outer_dimension(random, c)] = 257;
}
}
, {"V-15", "box 512", false, strided, CHANGE{c.map.box_dim[0] = quantum_of(c);
flatten(c);
c.map.box_dim[outer_dimension(random, c)] = 512;
}
}
, {"V-15", "inner box 512", false, plain_unswizzled, CHANGE{flatten(c);
c.map.box_dim[0] = 512;
(void)random;
}
}
, {"V-15", "box 1", true, strided, CHANGE{c.map.box_dim[outer_dimension(random, c)] = 1;
}
}
, {"V-15", "box 256", true, strided, CHANGE{c.map.box_dim[0] = quantum_of(c);
flatten(c);
c.map.box_dim[outer_dimension(random, c)] = 256;
}
}
, {"V-15", "inner box 256", true, plain_unswizzled, CHANGE{flatten(c);
c.map.box_dim[0] = 256;
(void)random;
}
}
, {"V-16", "inner box one element more", false, plain_unswizzled, CHANGE{flatten(c);
c.map.box_dim[0] = quantum_of(c) + 1;
(void)random;
}
}
, {"V-16", "inner box of one element", false, plain, SET(box_dim[0], 1)},
    {"V-16", "inner box of one piece", true, plain, SET(box_dim[0], quantum_of(c))},
    {"V-16", "interleaved, inner box one more", false, interleaved, CHANGE{flatten(c);
c.map.box_dim[0] = quantum_of(c) + 1;
(void)random;
}
}
, {"V-16", "b4x16 box 48", false, packed_13, CHANGE{flatten(c);
c.map.box_dim[0] = 48;
c.map.swizzle = 0;
(void)random;
}
, Arch::sm_100
}
, {"V-17", "inner box 64", false, packed_14_15, SET(box_dim[0], 64), Arch::sm_100},
    {"V-17", "inner box 256", false, packed_14_15, CHANGE{flatten(c);
c.map.box_dim[0] = 256;
c.map.swizzle = 0;
(void)random;
}
, Arch::sm_100
}
, {"V-17", "inner box 128", true, packed_14_15, SET(box_dim[0], 128), Arch::sm_100},
    {"V-18", "step 0", false, strided, CHANGE{c.map.element_stride[outer_dimension(random, c)] = 0;
}
}
, {"V-18", "step 9", false, strided, CHANGE{c.map.element_stride[outer_dimension(random, c)] = 9;
}
}
, {"V-18", "step 255", false, strided, CHANGE{c.map.element_stride[outer_dimension(random, c)] = 255;
}
}
, {"V-18", "step -1", false, strided, CHANGE{c.map.element_stride[outer_dimension(random, c)] = ~0u;
}
}
, {"V-18", "interleaved, inner step 9", false, interleaved, SET(element_stride[0], 9)},
    {"V-18", "interleaved, inner step 0", false, interleaved, SET(element_stride[0], 0)},
    {"V-18", "step 8", true, strided, CHANGE{c.map.element_stride[outer_dimension(random, c)] = 8;
}
}
, {"V-18", "interleaved, inner step 8", true, interleaved, SET(element_stride[0], 8)},
    {"V-19", "inner step 0", false, plain, SET(element_stride[0], 0)},
    {"V-19", "inner step 9", false, plain, SET(element_stride[0], 9)},
    {"V-19", "inner step 8", true, plain, SET(element_stride[0], 8)},
    {"V-21", "interleave 3", false, plain, SET(interleave, 3)},
    {"V-21", "interleave 4", false, plain, SET(interleave, 4)},
    {"V-21", "interleave -1", false, plain, SET(interleave, ~0u)},
    {"V-22", "swizzle 4", false, plain, CHANGE{c.map.box_dim[0] = quantum_of(c);
c.map.swizzle = 4;
(void)random;
}
, Arch::sm_90, true
}
, {"V-22", "swizzle 6", false, plain, CHANGE{c.map.box_dim[0] = quantum_of(c);
c.map.swizzle = 6;
(void)random;
}
, Arch::sm_90, true
}
, {"V-22", "swizzle 7", false, plain, SET(swizzle, 7)},
    {"V-22", "swizzle 255", false, plain, SET(swizzle, 255)},
    {"V-23", "inner box one piece over the span", false, swizzled, CHANGE{flatten(c);
c.map.box_dim[0] = span_of(c) / 16 * quantum_of(c) + quantum_of(c);
(void)random;
}
}
, {"V-23", "inner box equal to the span", true, swizzled, CHANGE{flatten(c);
c.map.box_dim[0] = span_of(c) / 16 * quantum_of(c);
(void)random;
}
}
, {"V-25", "6-bit type interleaved", false, packed_15_rank_3, SET(interleave, 1), Arch::sm_100},
    {"V-26", "b4x16_p64 with 64B swizzle", false, packed_14, SET(swizzle, 2), Arch::sm_100},
    {"V-26", "128B swizzle", true, packed_14_15, SET(swizzle, 3), Arch::sm_100},
    {"V-26", "128B swizzle with 32B atoms", true, packed_14_15, SET(swizzle, 4), Arch::sm_100},
    {"V-27", "NaN fill of an integer type", false, is_integer, SET(oob_fill, 1)},
    {"V-27", "NaN fill of a float type", true, is_float, SET(oob_fill, 1)},
    {"V-27", "NaN fill of a packed type", false, packed_13, SET(oob_fill, 1), Arch::sm_100},
    {"V-28", "promotion 3", true, any, SET(l2_promotion, 3)},
    {"V-28", "promotion 4", false, any, SET(l2_promotion, 4)},
    {"V-28", "promotion -1", false, any, SET(l2_promotion, ~0u)},
    {"V-29", "fill 2", false, any, SET(oob_fill, 2)}, {"V-29", "fill -1", false, any, SET(oob_fill, ~0u)},
    {"V-43", "null map", false, any, CHANGE{c.null_mask = 1;
(void)random;
}
}
, {"V-43", "null extents", false, any, CHANGE{c.null_mask = 2;
(void)random;
}
}
, {"V-43", "null strides", false, strided, CHANGE{c.null_mask = 4;
(void)random;
}
}
, {"V-43", "null strides at rank 1", false, rank_1, CHANGE{c.null_mask = 4;
(void)random;
}
}
, {"V-43", "null box", false, any, CHANGE{c.null_mask = 8;
(void)random;
}
}
, {"V-43", "null steps", false, any, CHANGE{c.null_mask = 16;
(void)random;
}
}
, {"V-47", "box larger than the tensor", true, plain,
   CHANGE{for (uint32_t i = 0; i < c.map.rank; ++i) c.map.global_dim[i] = 1;
(void)random;
}
}
, {"V-48", "f32 box 256 x 228", true, strided, CHANGE{c.map.data_type = 7;
c.map.interleave = c.map.swizzle = 0;
flatten(c);
c.map.element_stride.fill(1);
c.map.box_dim[0] = 256;
c.map.box_dim[1] = 228;
(void)random;
}
}
, {"V-48", "f32 box 256 x 229", false, strided, CHANGE{c.map.data_type = 7;
c.map.interleave = c.map.swizzle = 0;
flatten(c);
c.map.element_stride.fill(1);
c.map.box_dim[0] = 256;
c.map.box_dim[1] = 229;
(void)random;
}
}
, {"V-49", "address 2^57 - 32", true, any, SET(global_address, two57 - 32)},
    {"V-49", "address 2^57", false, any, SET(global_address, two57)},
    {"V-49", "address 2^63", false, any, SET(global_address, uint64_t{1} << 63)},
    {"V-49", "address 2^64 - 32", false, any, SET(global_address, ~uint64_t{31})},
}
;

const EncodeProbe disputes[] = {{"V-01", "map pointer + 1", true, any, CHANGE{c.map_offset = 1;
(void)random;
}
}
, {"V-01", "map pointer + 8", true, any, CHANGE{c.map_offset = 8;
(void)random;
}
}
, {"V-01", "map pointer + 16", true, any, CHANGE{c.map_offset = 16;
(void)random;
}
}
, {"V-01", "map pointer + 32", true, any, CHANGE{c.map_offset = 32;
(void)random;
}
}
, {"V-01", "map pointer + 48", true, any, CHANGE{c.map_offset = 48;
(void)random;
}
}
, {"V-02", "type 13", false, plain_unswizzled, CHANGE{make_packed(c, 13);
(void)random;
}
, Arch::sm_90, true
}
, {"V-02", "type 15", false, plain_unswizzled, CHANGE{make_packed(c, 15);
(void)random;
}
, Arch::sm_90, true
}
, {"V-08", "address 0", true, any, SET(global_address, 0)},
    {"V-09", "dim 2^31 + 1", true, plain,
     CHANGE{c.map.global_dim[some_dimension(random, c)] = (uint64_t{1} << 31) + 1;
}
}
, {"V-16", "interleaved, inner box one more", false, interleaved, CHANGE{flatten(c);
c.map.box_dim[0] = quantum_of(c) + 1;
(void)random;
}
}
, {"V-19", "inner step 9", false, plain, SET(element_stride[0], 9)},
    {"V-20", "strides of 0", true, strided,
     CHANGE{for (uint32_t i = 0; i + 1 < c.map.rank; ++i) c.map.global_stride[i] = 0;
(void)random;
}
}
, {"V-20", "strides below the extents", true, strided,
   CHANGE{for (uint32_t i = 0; i + 1 < c.map.rank; ++i) c.map.global_stride[i] = address_granule(c.map);
(void)random;
}
}
, {"V-24", "32B interleave without swizzle", true, interleaved_32B, SET(swizzle, 0)},
    {"V-24", "32B interleave with 64B swizzle", true, interleaved_32B, SET(swizzle, 2)},
    {"V-24", "32B interleave with 128B swizzle", true, interleaved_32B, SET(swizzle, 3)},
    {"V-24", "16B interleave without swizzle", true, interleaved_16B, SET(swizzle, 0)},
    {"V-26", "b4x16_p64 with 64B atoms", false, packed_14, SET(swizzle, 6), Arch::sm_100},
    {"V-43", "null strides at rank 1", false, rank_1, CHANGE{c.null_mask = 4;
(void)random;
}
}
, {"V-48", "steps that floor the count of bytes", true, strided, CHANGE{c.map.data_type = 0;
c.map.oob_fill = c.map.interleave = c.map.swizzle = 0;
flatten(c);
c.map.box_dim[0] = 256;
c.map.box_dim[1] = 256;
c.map.element_stride.fill(1);
c.map.element_stride[0] = 8;
if (c.map.rank > 2) c.map.box_dim[2] = 4 + random.below(24);
}
}
, {"V-48", "f32 box 256 x 229", false, strided, CHANGE{c.map.data_type = 7;
c.map.interleave = c.map.swizzle = 0;
flatten(c);
c.map.element_stride.fill(1);
c.map.box_dim[0] = 256;
c.map.box_dim[1] = 229;
(void)random;
}
}
, {"V-49", "address 2^57", false, any, SET(global_address, two57)},
}
;

#undef CHANGE
#undef SET

std::vector<EncodeProbe> of_arch(std::span<const EncodeProbe> all, Arch arch) {
  std::vector<EncodeProbe> list;
  for (const EncodeProbe& probe : all)
    if (arch >= probe.from && !(probe.only_sm_90 && arch != Arch::sm_90)) list.push_back(probe);
  return list;
}

using Lists = std::array<std::vector<EncodeProbe>, spec::arch_count>;
Lists by_arch(std::span<const EncodeProbe> all) {
  Lists lists;
  for (int a = 0; a < spec::arch_count; ++a) lists[a] = of_arch(all, static_cast<Arch>(a));
  return lists;
}

}  // namespace

std::span<const EncodeProbe> boundary_probes(Arch arch) {
  static const Lists lists = by_arch(borders);
  return lists[static_cast<int>(arch)];
}

std::span<const EncodeProbe> disputed_probes(Arch arch) {
  static const Lists lists = by_arch(disputes);
  return lists[static_cast<int>(arch)];
}

void apply(const EncodeProbe& probe, Random& random, Arch arch, EncodeTiledCase& c) {
  for (int tries = 0; tries < 1000 && !probe.fits(c); ++tries) make_legal_encode(random, arch, c);
  if (probe.fits(c)) probe.change(random, c);
}

void make_encode_boundary(const CaseId& id, EncodeTiledCase& c) {
  Random random = id.random();
  make_legal_encode(random, id.arch, c);
  apply(boundary_probe(id.index, id.arch), random, id.arch, c);
}

const EncodeProbe& boundary_probe(uint64_t index, Arch arch) {
  const auto probes = boundary_probes(arch);
  return probes[index % probes.size()];
}

}  // namespace assay::gen
