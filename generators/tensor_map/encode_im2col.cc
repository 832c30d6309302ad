// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_map/encode_cases.h"

#include <algorithm>

#include "generators/tensor_copy/tiled_build.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::gen {
namespace {

constexpr uint64_t im2col_address_limit = uint64_t{1} << 57;
constexpr uint64_t im2col_stride_limit = uint64_t{1} << 40;
constexpr uint64_t largest_int = (uint64_t{1} << 31) - 1;
constexpr uint64_t column_limit = 233472;

bool goes_by_documents(spec::Arch arch, bool wide) {
  return wide && spec::has_tcgen05(arch);
}

/// Ends of the range more often than its middle.
int32_t some_corner(Random& random, int bits) {
  const int32_t end = 1 << (bits - 1);
  switch (random.below(6)) {
    case 0:
      return -end;
    case 1:
      return end - 1;
    case 2:
      return static_cast<int32_t>(random.below(static_cast<uint32_t>(2 * end))) - end;
    default:
      return std::clamp(static_cast<int32_t>(random.below(8)) - 4, -end, end - 1);
  }
}

/// An extent and the two corners of an axis, so that something lies between them.
void pick_axis(Random& random, int bits, uint64_t& extent, int32_t& lower, int32_t& upper) {
  lower = some_corner(random, bits);
  upper = some_corner(random, bits);
  const int64_t least = std::max<int64_t>(1, int64_t{lower} - upper + 1);
  const int64_t most = static_cast<int64_t>(largest_int) - std::max(upper, 0);
  switch (random.below(6)) {
    case 0:
      extent = static_cast<uint64_t>(least);
      break;
    case 1:
      extent = static_cast<uint64_t>(most);
      break;
    default:
      extent =
          static_cast<uint64_t>(least) - 1 + random.log_uniform(1, static_cast<uint64_t>(most - least + 1));
  }
}

uint32_t some_swizzle(Random& random, spec::Arch arch, const EncodeIm2colCase& c) {
  const uint32_t type = c.map.data_type;
  using namespace spec::host_swizzle;
  const bool is_padded = type >= spec::host_type::first_padded;
  if (goes_by_documents(arch, c.map.wide))
    return is_padded ? random.between(by_128B, by_128B_atom32B) : random.between(by_64B, by_128B_atom32B);
  if (is_padded) return random.one_in(3) ? none : random.between(by_128B, by_128B_atom32B);
  if (c.map.interleave == spec::host_interleave::by_32B)
    return by_32B;  // the documents' only pair; others are a question of their own
  return random.below(!spec::has_tcgen05(arch) ? by_128B_atom32B : count);
}

uint64_t strange_value(Random& random) {
  constexpr uint64_t values[] = {0,   1,    2,    3,    7,     8,          9,
                                 15,  16,   17,   32,   128,   256,        257,
                                 512, 1023, 1024, 1025, 65536, 0xffffffff, uint64_t{1} << 32};
  return random.one_in(4) ? random.next() >> random.below(64) : values[random.below(std::size(values))];
}

/// One argument becomes something else; never what ends the process that calls.
void spoil(Random& random, EncodeIm2colCase& c) {
  TensorMapArgs& m = c.map;
  const uint32_t i = random.below(5);
  const uint64_t odd = strange_value(random);
  const auto small = static_cast<uint32_t>(odd);
  const auto corner = static_cast<int32_t>(random.one_in(2) ? small : random.below(600) - 300);
  switch (random.below(18)) {
    case 0:
      m.global_address = random.one_in(2) ? odd : m.global_address + random.below(32);
      break;
    case 1:
      m.global_dim[i] = random.one_in(3) ? (uint64_t{1} << 31) + random.below(80000) - 40000 : odd;
      break;
    case 2:
      m.global_stride[i % 4] = random.one_in(2) ? odd : m.global_stride[i % 4] + random.below(32);
      break;
    case 3:
      c.map.channels = random.one_in(2) ? small : random.below(258);
      break;
    case 4:
      c.map.pixels = random.one_in(2) ? small : random.between(1000, 1050);
      break;
    case 5:
      m.element_stride[i] = small;
      break;
    case 6:
      m.data_type = random.one_in(4) ? small : random.below(20);
      break;
    case 7:
      m.rank = random.below(8);
      break;
    case 8:
      m.interleave = random.one_in(4) ? small : random.below(4);
      break;
    case 9:
      m.swizzle = random.one_in(4) ? small : random.below(8);
      break;
    case 10:
      m.l2_promotion = random.one_in(4) ? small : random.below(5);
      break;
    case 11:
      m.oob_fill = random.one_in(4) ? small : random.below(3);
      break;
    case 12:
    case 13:
      c.map.lower[i % 3] = corner;
      break;
    case 14:
    case 15:
      c.map.upper[i % 3] = corner;
      break;
    case 16:
      c.null_mask = random.one_in(3) ? 0 : i == 3 ? 16u : 1u << i % 3;
      c.map.wide_mode = c.null_mask == 0 && c.map.wide ? random.below(4) : c.map.wide_mode;
      break;
    default:
      c.map_offset = random.below(64);
  }
}

void make_any(const CaseId& id, bool wide, EncodeIm2colCase& c) {
  Random random = id.random();
  make_legal_im2col_encode(random, id.arch, wide, c);
  const uint64_t turn = id.index / 8;
  switch (id.index % 8) {
    case 4: {
      const auto probes = im2col_disputes(id.arch, wide);
      apply(probes[turn % probes.size()], random, id.arch, wide, c);
      break;
    }
    case 5: {
      const auto probes = im2col_borders(id.arch, wide);
      apply(probes[turn % probes.size()], random, id.arch, wide, c);
      break;
    }
    case 6:
      spoil(random, c);
      break;
    case 7:
      spoil(random, c);
      spoil(random, c);
      break;
    default:
      break;
  }
}

void make_crash(const CaseId& id, bool wide, EncodeIm2colCase& c) {
  Random random = id.random();
  make_legal_im2col_encode(random, id.arch, wide, c);
  constexpr uint32_t ranks[] = {0xffffffffu, 0x80000000u, 0xfffffffeu, 0x40000000u};
  const auto kind = static_cast<uint32_t>(id.index % (wide ? 4 : 7));
  if (kind < 4)
    c.map.rank = ranks[kind];
  else
    c.null_mask = kind == 4 ? 8u : kind == 5 ? 32u : 40u;
}

void make_border(const CaseId& id, bool wide, EncodeIm2colCase& c) {
  Random random = id.random();
  make_legal_im2col_encode(random, id.arch, wide, c);
  const auto probes = im2col_borders(id.arch, wide);
  apply(probes[id.index % probes.size()], random, id.arch, wide, c);
}

}  // namespace

void make_legal_im2col_encode(Random& random, spec::Arch arch, bool wide, EncodeIm2colCase& c) {
  c = EncodeIm2colCase{};
  c.map.wide = wide;
  TensorMapArgs& m = c.map;
  const spec::DataType& type = spec::data_types[random.below(!spec::has_tcgen05(arch) ? 13 : 16)];
  const bool as_written = goes_by_documents(arch, wide);
  m.data_type = type.host;
  m.rank = random.between(3, 5);
  m.interleave = !as_written && !type.is_packed() && random.one_in(2) ? random.between(1, 2) : 0;
  m.swizzle = some_swizzle(random, arch, c);
  m.l2_promotion = random.below(4);
  m.oob_fill = type.is_float && random.one_in(2) ? 1 : 0;
  if (wide) c.map.wide_mode = random.below(2);
  const uint64_t granule = address_granule(m);
  m.global_address = random.one_in(16) ? im2col_address_limit - granule
                                       : granule * random.log_uniform(1, im2col_address_limit / granule - 1);
  for (uint32_t i = 0; i < 5; ++i) {
    const bool used = i < m.rank;
    m.global_dim[i] = !used              ? random.next()
                      : random.one_in(8) ? uint64_t{1} << 32
                                         : random.log_uniform(1, uint64_t{1} << 32);
    m.element_stride[i] =
        used ? (random.one_in(2) ? 1 : random.between(1, 8)) : static_cast<uint32_t>(random.next());
    if (i < 4)
      m.global_stride[i] =
          i + 1 < m.rank ? granule * random.log_uniform(1, im2col_stride_limit / granule - 1) : random.next();
  }
  for (uint32_t k = 0; k < 3; ++k) {
    c.map.lower[k] = static_cast<int32_t>(random.next());
    c.map.upper[k] = static_cast<int32_t>(random.next());
    if (k >= spatial_axes(m.rank) || (as_written && k > 0)) continue;
    const int bits = as_written ? 16 : spec::tensor_map::corner_bits(static_cast<int>(m.rank));
    uint64_t& extent = m.global_dim[dimension_of_axis(m, k)];
    if (wide && k > 0)
      extent = random.one_in(8) ? largest_int : random.log_uniform(1, largest_int);
    else
      pick_axis(random, bits, extent, c.map.lower[k], c.map.upper[k]);
  }
  if (type.is_dense_packed()) m.global_dim[0] = std::max<uint64_t>(2, m.global_dim[0] & ~uint64_t{1});
  if (type.is_padded()) m.global_dim[0] = std::max<uint64_t>(128, m.global_dim[0] & ~uint64_t{127});
  const uint32_t quantum = box_quantum(type, m.interleave);
  uint32_t most = type.is_padded() ? 1 : 256 / quantum;
  const uint32_t span = spec::find_swizzle(m.swizzle)->span_bytes;
  if (m.interleave == 0 && span != 0 && !type.is_padded()) most = std::min(most, span / 16);
  c.map.channels = quantum * (random.one_in(6) ? most : random.between(1, most));
  const uint64_t fitting =
      std::min<uint64_t>(1024, column_limit * 8 / (uint64_t{c.map.channels} * type.bits));
  c.map.pixels = static_cast<uint32_t>(random.one_in(6) ? fitting : random.log_uniform(1, fitting));
  if (as_written && c.map.wide_mode == 1 && random.one_in(4))
    c.map.pixels = static_cast<uint32_t>(strange_value(random));
  c.before = static_cast<uint8_t>(random.next());
}

void make_im2col_encode(const CaseId& id, EncodeIm2colCase& c) {
  make_any(id, false, c);
}
void make_im2col_wide_encode(const CaseId& id, EncodeIm2colCase& c) {
  make_any(id, id.index % 16 != 3, c);
}
void make_im2col_encode_crash(const CaseId& id, EncodeIm2colCase& c) {
  make_crash(id, false, c);
}
void make_im2col_wide_encode_crash(const CaseId& id, EncodeIm2colCase& c) {
  make_crash(id, true, c);
}
void make_im2col_boundary(const CaseId& id, EncodeIm2colCase& c) {
  make_border(id, false, c);
}
void make_im2col_wide_boundary(const CaseId& id, EncodeIm2colCase& c) {
  make_border(id, true, c);
}

}  // namespace assay::gen
