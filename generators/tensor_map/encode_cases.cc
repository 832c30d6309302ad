// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_map/encode_cases.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "generators/simpler_cases.h"
#include "generators/tensor_copy/tiled_build.h"

namespace assay::gen {
namespace {

constexpr uint64_t address_limit = uint64_t{1} << 57;
constexpr uint64_t strides_end = uint64_t{1} << 40;

const spec::DataType& pick_type(Random& random, spec::Arch arch) {
  return spec::data_types[random.below(!spec::has_tcgen05(arch) ? 13 : 16)];
}

uint32_t pick_swizzle(Random& random, spec::Arch arch, const spec::DataType& type, uint32_t interleave) {
  if (type.is_padded()) return random.one_in(3) ? 0 : random.between(3, 4);
  if (interleave == spec::host_interleave::by_32B)
    return spec::host_swizzle::by_32B;  // the documents' only pair; others are a question of their own
  return random.below(!spec::has_tcgen05(arch) ? 4 : 7);
}

uint64_t pick_extent(Random& random) {
  switch (random.below(8)) {
    case 0:
      return 1;
    case 1:
      return uint64_t{1} << 32;
    case 2:
      return (uint64_t{1} << 31) + random.below(3) - 1;
    default:
      return random.log_uniform(1, uint64_t{1} << 32);
  }
}

/// A value that no field takes, or one that most take: for calls with several things wrong.
uint64_t odd_value(Random& random) {
  constexpr uint64_t two32 = 0x100000000,
                     values[] = {0,  1,  2,  3,   5,   7,   8,         9,     15,        16,         17,
                                 31, 32, 33, 255, 256, 257, two32 - 1, two32, two32 + 1, two32 << 8, ~0ull};
  return random.one_in(4) ? random.next() >> random.below(64) : values[random.below(std::size(values))];
}

void damage(Random& random, EncodeTiledCase& c) {
  TensorMapArgs& m = c.map;
  const uint32_t i = random.below(5);
  const uint64_t odd = odd_value(random);
  const auto small = static_cast<uint32_t>(odd);
  switch (random.below(14)) {
    case 0:
      m.global_address = random.one_in(2) ? odd : m.global_address + random.below(32);
      break;
    case 1:
      m.global_dim[i] = odd;
      break;
    case 2:
      m.global_stride[i % 4] = random.one_in(2) ? odd : m.global_stride[i % 4] + random.below(32);
      break;
    case 3:
      m.box_dim[i] = small;
      break;
    case 4:
      m.element_stride[i] = small;
      break;
    case 5:
      m.data_type = random.one_in(4) ? small : random.below(20);
      break;
    case 6:
      m.rank = random.below(8);
      break;
    case 7:
      m.interleave = random.one_in(4) ? small : random.below(4);
      break;
    case 8:
      m.swizzle = random.one_in(4) ? small : random.below(8);
      break;
    case 9:
      m.l2_promotion = random.one_in(4) ? small : random.below(5);
      break;
    case 10:
      m.oob_fill = random.one_in(4) ? small : random.below(3);
      break;
    case 11:
      m.box_dim[0] = random.below(258);
      break;
    case 12:
      c.null_mask = 1u << i;
      break;
    default:
      c.map_offset = random.below(64);
  }
}

}  // namespace

void make_legal_encode(Random& random, spec::Arch arch, EncodeTiledCase& c) {
  c = EncodeTiledCase{};
  TensorMapArgs& m = c.map;
  const spec::DataType& type = pick_type(random, arch);
  m.data_type = type.host;
  m.rank = random.between(1, 5);
  m.interleave = m.rank >= 3 && !type.is_packed() && random.one_in(2) ? random.between(1, 2) : 0;
  m.swizzle = pick_swizzle(random, arch, type, m.interleave);
  m.l2_promotion = random.below(4);
  m.oob_fill = type.is_float && random.one_in(2) ? 1 : 0;
  const uint64_t granule = address_granule(m);
  const bool edge = random.one_in(16);
  m.global_address =
      edge ? address_limit - granule : granule * random.log_uniform(1, address_limit / granule - 1);
  for (uint32_t i = 0; i < 5; ++i) {
    const bool used = i < m.rank;
    m.global_dim[i] = used ? pick_extent(random) : random.next();
    m.element_stride[i] =
        used ? (random.one_in(2) ? 1 : random.between(1, 8)) : static_cast<uint32_t>(random.next());
    m.box_dim[i] =
        used ? static_cast<uint32_t>(random.log_uniform(1, 256)) : static_cast<uint32_t>(random.next());
    if (i < 4)
      m.global_stride[i] =
          i + 1 < m.rank ? granule * random.log_uniform(1, strides_end / granule - 1) : random.next();
  }
  if (type.is_dense_packed()) m.global_dim[0] = std::max<uint64_t>(2, m.global_dim[0] & ~uint64_t{1});
  if (type.is_padded()) m.global_dim[0] = std::max<uint64_t>(128, m.global_dim[0] & ~uint64_t{127});
  const uint32_t quantum = box_quantum(type, m.interleave);
  uint32_t most = type.is_padded() ? 1 : 256 / quantum;
  const uint32_t span = spec::find_swizzle(m.swizzle)->span_bytes;
  if (m.interleave == 0 && span != 0 && !type.is_padded()) most = std::min(most, span / 16);
  m.box_dim[0] = quantum * random.between(1, most);
  // V-48: halve the largest extents until the box is small enough.
  const auto elements = [&] {
    uint64_t n = 1;
    for (uint32_t i = 0; i < m.rank; ++i) n *= m.box_dim[i];
    return n;
  };
  while (elements() * type.bits / 8 > 233472) {
    uint32_t& largest = *std::max_element(m.box_dim.begin() + 1, m.box_dim.begin() + m.rank);
    largest = std::max(1u, largest / 2);
  }
  c.before = static_cast<uint8_t>(random.next());
}

void make_encode(const CaseId& id, EncodeTiledCase& c) {
  Random random = id.random();
  make_legal_encode(random, id.arch, c);
  switch (id.index % 8) {
    case 0:
    case 1:
    case 2:
    case 3:
      break;
    case 4: {  // what documents and drivers see differently, one point at a time
      const auto probes = disputed_probes(id.arch);
      apply(probes[id.index / 8 % probes.size()], random, id.arch, c);
      break;
    }
    case 5:
      damage(random, c);
      break;
    case 6:
      damage(random, c);
      damage(random, c);
      break;
    default:
      for (uint32_t k = random.between(2, 6); k > 0; --k) damage(random, c);
  }
}

void make_replace_address(const CaseId& id, EncodeTiledCase& c) {
  Random random = id.random();
  make_legal_encode(random, id.arch, c);
  c.replaces = true;
  // What documents want of the map's type or interleave was seen not to be asked for on one architecture.
  const uint64_t granule = !spec::has_tcgen05(id.arch) ? 16 : address_granule(c.map);
  const auto lowest = static_cast<uint32_t>(std::countr_zero(granule)), highest = 56u;
  const uint32_t low = random.between(lowest, highest), high = random.between(low, highest);
  const uint64_t ends = uint64_t{1} << low | uint64_t{1} << high;
  // Any, or of any lowest and highest bit, with nothing or anything between them.
  c.replacement = granule * random.log_uniform(1, address_limit / granule - 1);
  if (random.one_in(2))
    c.replacement = ends | (random.one_in(2) ? random.next() & (ends - 1) & -(ends & -ends) : 0);
  if (random.one_in(16)) c.replacement = address_limit - granule;
  if (id.index % 4 != 3) return;
  constexpr uint64_t off[] = {1, 2, 4, 8, 15};
  const uint64_t wrong[] = {0, c.replacement + off[random.below(5)], address_limit,
                            address_limit + c.replacement, uint64_t{1} << random.between(57, 63)};
  c.replacement = wrong[id.index / 4 % std::size(wrong)];
}

void make_encode_crash(const CaseId& id, EncodeTiledCase& c) {
  Random random = id.random();
  make_legal_encode(random, id.arch, c);
  constexpr uint32_t ranks[] = {0xffffffffu, 0x80000000u, 0xfffffffeu, 0x40000000u};
  c.map.rank = ranks[id.index % std::size(ranks)];
}

/// Any call can be made, so all fit.
constexpr auto any_call = [](const auto&) { return true; };

std::vector<EncodeTiledCase> simpler(const EncodeTiledCase& c) {
  SimplerCases<EncodeTiledCase> steps(c, any_call);
  const TensorMapArgs& m = c.map;
  // Entries at index >= rank are not read: plain first, so that a report shows what matters.
  steps.offer([](EncodeTiledCase& s) {
    for (uint32_t i = std::min(5u, s.map.rank); i < 5; ++i) {
      s.map.global_dim[i] = 0;
      s.map.box_dim[i] = s.map.element_stride[i] = 0;
      if (i >= 1) s.map.global_stride[i - 1] = 0;
    }
    if (s.map.rank == 0) s.map.global_stride.fill(0);
  });
  if (m.rank > 1 && m.rank <= 5) {
    steps.offer([](EncodeTiledCase& s) { s.map.rank = 1; });
    steps.offer([](EncodeTiledCase& s) { --s.map.rank; });
  }
  for (uint32_t bit = c.null_mask; bit != 0; bit &= bit - 1)
    steps.offer([&](EncodeTiledCase& s) { s.null_mask &= ~(bit & -bit); });
  if (c.replaces) {
    steps.offer([](EncodeTiledCase& s) { s.replaces = false, s.replacement = 0; });
    steps.towards(uint64_t{16}, [](EncodeTiledCase& s) -> uint64_t& { return s.replacement; });
  }
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map_offset; });
  steps.offer([](EncodeTiledCase& s) { s.before = 0xcd; });
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map.l2_promotion; });
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map.oob_fill; });
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map.interleave; });
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map.swizzle; });
  steps.towards(0u, [](EncodeTiledCase& s) -> uint32_t& { return s.map.data_type; });
  for (uint32_t i = 0; i < std::min(5u, m.rank); ++i) {
    steps.towards(i == 0 ? 16u : 1u, [i](EncodeTiledCase& s) -> uint32_t& { return s.map.box_dim[i]; });
    steps.towards(1u, [i](EncodeTiledCase& s) -> uint32_t& { return s.map.element_stride[i]; });
    steps.towards(uint64_t{256}, [i](EncodeTiledCase& s) -> uint64_t& { return s.map.global_dim[i]; });
    if (i >= 1)
      steps.towards(uint64_t{1024} << (8 * (i - 1)),
                    [i](EncodeTiledCase& s) -> uint64_t& { return s.map.global_stride[i - 1]; });
  }
  steps.towards(uint64_t{0x100000}, [](EncodeTiledCase& s) -> uint64_t& { return s.map.global_address; });
  return std::move(steps.made);
}

using Call = EncodeIm2colCase;

std::vector<EncodeIm2colCase> simpler(const EncodeIm2colCase& c) {
  SimplerCases<Call> steps(c, any_call);
  const uint32_t rank = std::min(5u, c.map.rank);
  // What the rank does not use is not read: plain first, so that a report shows what matters.
  steps.offer([&](Call& s) {
    for (uint32_t i = rank; i < 5; ++i) {
      s.map.global_dim[i] = s.map.element_stride[i] = 0;
      if (i >= 1) s.map.global_stride[i - 1] = 0;
    }
    for (uint32_t k = s.map.wide ? 1 : spatial_axes(s.map.rank); k < 3; ++k)
      s.map.lower[k] = s.map.upper[k] = 0;
  });
  if (rank > 3 && c.map.rank <= 5) {
    steps.offer([](Call& s) { s.map.rank = 3; });
    steps.offer([](Call& s) { --s.map.rank; });
  }
  for (uint32_t bit = c.null_mask; bit != 0; bit &= bit - 1)
    steps.offer([&](Call& s) { s.null_mask &= ~(bit & -bit); });
  steps.offer([](Call& s) { s.map_offset = 0; });
  steps.offer([](Call& s) { s.before = 0xcd; });
  for (uint32_t TensorMapArgs::*code :
       {&TensorMapArgs::l2_promotion, &TensorMapArgs::oob_fill, &TensorMapArgs::interleave,
        &TensorMapArgs::swizzle, &TensorMapArgs::data_type})
    steps.towards(0u, [code](Call& s) -> uint32_t& { return s.map.*code; });
  steps.towards(0u, [](Call& s) -> uint32_t& { return s.map.wide_mode; });
  steps.towards(16u, [](Call& s) -> uint32_t& { return s.map.channels; });
  steps.towards(1u, [](Call& s) -> uint32_t& { return s.map.pixels; });
  for (uint32_t k = 0; k < spatial_axes(c.map.rank); ++k) {
    steps.towards(0, [k](Call& s) -> int32_t& { return s.map.lower[k]; });
    steps.towards(0, [k](Call& s) -> int32_t& { return s.map.upper[k]; });
  }
  for (uint32_t i = 0; i < rank; ++i) {
    steps.towards(1u, [i](Call& s) -> uint32_t& { return s.map.element_stride[i]; });
    steps.towards(uint64_t{256}, [i](Call& s) -> uint64_t& { return s.map.global_dim[i]; });
    if (i >= 1)
      steps.towards(uint64_t{1024} << (8 * (i - 1)),
                    [i](Call& s) -> uint64_t& { return s.map.global_stride[i - 1]; });
  }
  steps.towards(uint64_t{0x100000}, [](Call& s) -> uint64_t& { return s.map.global_address; });
  return std::move(steps.made);
}

}  // namespace assay::gen
