// SPDX-License-Identifier: Apache-2.0
#include "generators/mma/fills.h"
#include "reference/model/mma/scale.h"

namespace assay::gen {
namespace {

uint32_t in_bytes(uint32_t bits) {
  return bits * 0x01010101u;
}

OperandPattern bytes(Random& random, uint32_t keep, uint32_t set) {
  OperandPattern pattern;
  pattern.seed = random.next() >> 16;
  pattern.keep = in_bytes(keep), pattern.set = in_bytes(set);
  return pattern;
}

void strew(OperandPattern& pattern, uint32_t rate, std::array<uint32_t, 4> codes) {
  pattern.special_bits = 8, pattern.special_rate = rate, pattern.special = codes;
}

/// Ends of the formats, and codes beside them.
constexpr std::array<uint32_t, 4> ends_of_ue8m0{0x00, 0x01, 0xfe, 0xff},
    ends_of_ue4m3{0x00, 0x7e, 0x7f, 0x80};

}  // namespace

OperandPattern scale_fill(Random& random, bool is_ue8m0, FillMix mix) {
  switch (mix) {
    case FillMix::exact:
      return is_ue8m0 ? bytes(random, 0x03, 0x7c) : bytes(random, 0x1e, 0x20);
    case FillMix::narrow:
    case FillMix::cancelling:
    case FillMix::zeros:
      return is_ue8m0 ? bytes(random, 0x0f, 0x78) : bytes(random, 0x97, 0x28);
    case FillMix::specials: {
      OperandPattern pattern = is_ue8m0 ? bytes(random, 0x07, 0x78) : bytes(random, 0xff, 0);
      strew(pattern, random.between(1, 4), is_ue8m0 ? ends_of_ue8m0 : ends_of_ue4m3);
      return pattern;
    }
    case FillMix::tiny:  // with subnormal scales; results among the subnormal numbers
      return is_ue8m0 ? bytes(random, 0x0f, 0x30) : bytes(random, 0x8f, 0);
    case FillMix::underflow:
      return is_ue8m0 ? bytes(random, 0x0f, 0x30) : bytes(random, 0x87, 0);
    case FillMix::wide:
      return is_ue8m0 ? bytes(random, 0x3f, 0x60) : bytes(random, 0x77, 0);
    default:
      return bytes(random, 0xff, 0);
  }
}

void fill_scales(Random& random, FillMix mix, Tcgen05MmaCase& c) {
  const bool is_ue8m0 = c.scale_type == spec::type_code::ue8m0;
  c.a_scales.fill = scale_fill(random, is_ue8m0, mix);
  c.b_scales.fill = scale_fill(random, is_ue8m0, mix);
}

void fill_cancelling_groups(Random& random, Tcgen05MmaCase& c) {
  // Neighbouring bytes are the same pairs of elements, A's of the other sign, but for a few of B.
  const auto mirrored = [&](uint32_t flip) {
    OperandPattern pattern;
    pattern.seed = random.next() >> 16;
    pattern.mirror_bits = 8, pattern.mirror_flip = flip;
    return pattern;
  };
  c.a_fill = c.tmem_a_fill = mirrored(0x8800'8800);
  c.b_fill = mirrored(0);
  strew(c.b_fill, random.between(4, 16), {0x11, 0x35, 0x53, 0x17});
  if (random.one_in(2))
    c.d_fill.keep = 0, c.d_fill.set = 0, c.d_fill.special_bits = c.d_fill.special_rate = 0;
  for (ScalesInTensorMemory* scales : {&c.a_scales, &c.b_scales}) {
    if (c.scale_type == spec::type_code::ue8m0) {
      scales->fill = bytes(random, 0x1f, 0x70);
      continue;
    }
    scales->fill = bytes(random, 0x0f, 0);
    strew(scales->fill, 80, {0x78, 0x7c, 0x7e, 0x79});
  }
}

}  // namespace assay::gen
