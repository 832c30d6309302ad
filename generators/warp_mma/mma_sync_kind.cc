// SPDX-License-Identifier: Apache-2.0
#include "generators/warp_mma/cases.h"

#include <algorithm>
#include <array>
#include <vector>

#include "generators/warp_mma/forms.h"
#include "reference/layout/fragments.h"

namespace assay::gen {
namespace kinds {
namespace {

/// Elements, D and scale vector: what an instruction spells. Selectors are registers.
struct Form {
  NarrowElement a, b;
  bool d_is_f16;
  uint32_t vector;
};

std::vector<Form> make_forms(SyncKind kind) {
  std::vector<Form> forms;
  const auto pairs = [&](bool d_is_f16, uint32_t vector) {
    for (uint8_t a = 0; a < 5; ++a)
      for (uint8_t b = 0; b < 5; ++b)
        forms.push_back({static_cast<NarrowElement>(a), static_cast<NarrowElement>(b), d_is_f16, vector});
  };
  constexpr NarrowElement e2m1 = NarrowElement::e2m1;
  switch (kind) {
    case SyncKind::f8f6f4:
      pairs(false, 0), pairs(true, 0);
      break;
    case SyncKind::mxf8f6f4:
      pairs(false, 0), pairs(false, 1);
      break;
    case SyncKind::mxf4:
      forms = {{e2m1, e2m1, false, 0}, {e2m1, e2m1, false, 2}};
      break;
    case SyncKind::mxf4nvf4:
      forms = {{e2m1, e2m1, false, 2}, {e2m1, e2m1, false, 4}};
      break;
  }
  return forms;
}
const std::vector<Form>& forms_of(SyncKind kind) {
  static const std::array<std::vector<Form>, 4> all{
      make_forms(SyncKind::f8f6f4), make_forms(SyncKind::mxf8f6f4), make_forms(SyncKind::mxf4),
      make_forms(SyncKind::mxf4nvf4)};
  return all[static_cast<size_t>(kind)];
}

/// byte-id and thread-id of A, of B.
struct Selectors {
  uint32_t byte_a, thread_a, byte_b, thread_b;
};
/// Every thread-id and byte-id of a form, those of A and of B told apart.
std::vector<Selectors> selectors_of(SyncKind kind, const Form& form) {
  if (kind == SyncKind::f8f6f4) return {{0, 0, 0, 0}};
  const uint32_t unit = kind == SyncKind::mxf8f6f4 ? 1 : form.vector == 4 ? 4 : 2, bytes = 4 / unit;
  std::vector<Selectors> made;
  for (uint32_t i = 0; i < 8; ++i)
    made.push_back({i % bytes * unit, i / 4 % 2, (i + 1 + i / 4) % bytes * unit, i % 4});
  return made;
}
constexpr uint32_t most_selectors = 8;

/// What shows a wrong scale or a wrong sum.
enum class Mix : uint8_t {
  bits,        ///< any elements, any scales
  near_one,    ///< elements any but NaN, scales within 2^4 of 1: every one of them counts
  apart,       ///< scales 2^16 apart: terms around the bits that alignment cuts
  cancelling,  ///< neighbours that cancel, but for their scales
  specials,    ///< NaN and extremes among scales, infinities and NaN among elements
  zeros,       ///< many zeros of both signs, C of -0
  small,       ///< results around the smallest of D
  large        ///< results around the largest of D
};
constexpr std::array<std::string_view, 8> mix_names{"bits",     "near one", "apart", "cancelling",
                                                    "specials", "zeros",    "small", "large"};

uint32_t repeated(uint32_t byte) {
  return byte * 0x01010101;
}
/// Bits of a byte that an element has.
uint32_t bits_of(NarrowElement element, bool is_packed) {
  if (is_packed) return 0xff;
  if (element == NarrowElement::e2m1) return 0x3c;
  return element == NarrowElement::e3m2 || element == NarrowElement::e2m3 ? 0x3f : 0xff;
}
uint32_t sign_of(NarrowElement element, bool is_packed) {
  if (is_packed) return 0x88;
  if (element == NarrowElement::e2m1) return 0x20;
  return element == NarrowElement::e3m2 || element == NarrowElement::e2m3 ? 0x20 : 0x80;
}
/// Bits without the top one of the exponent, so that 8-bit floats are neither NaN nor infinite.
uint32_t finite_bits(NarrowElement element, bool is_packed) {
  const uint32_t bits = bits_of(element, is_packed);
  return element == NarrowElement::e4m3 || element == NarrowElement::e5m2 ? bits & ~0x40u : bits;
}

OperandPattern pattern(uint64_t seed, uint32_t keep, uint32_t set = 0) {
  OperandPattern made;
  made.seed = seed, made.keep = keep, made.set = set;
  return made;
}
void strew(OperandPattern& p, uint32_t bits, uint32_t rate, std::array<uint32_t, 4> codes) {
  p.special_bits = bits, p.special_rate = rate, p.special = codes;
}

/// C of any sign and mantissa whose exponent is in an aligned block of 2^free around e.
OperandPattern accumulator(int e, int free, bool is_f16, Random& random) {
  const uint32_t open = (1u << free) - 1;
  if (is_f16) {
    const uint32_t field = static_cast<uint32_t>(std::clamp(e + 15, 1, 30)) & ~(open & 0x1f);
    return pattern(random.next(), 0x83ff83ff | (open & 0x1f) << 10 | (open & 0x1f) << 26,
                   field << 10 | field << 26);
  }
  const uint32_t field = static_cast<uint32_t>(std::clamp(e + 127, 1, 254)) & ~open;
  return pattern(random.next(), 0x807fffff | (open & 0xff) << 23, field << 23);
}

/// Scales around 2^e: ue8m0 of 2^spread neighbours, ue4m3 of the exponents that it has.
OperandPattern scales(bool is_ue4m3, int e, uint32_t spread, Random& random) {
  const uint32_t open = (1u << spread) - 1;
  if (is_ue4m3) {
    const auto field = static_cast<uint32_t>(std::clamp(e + 7, 0, 14));
    return pattern(random.next(), repeated(0x07 | (open & 0xf) << 3), repeated((field & ~(open & 0xf)) << 3));
  }
  const auto field = static_cast<uint32_t>(std::clamp(e + 127, 0, 254));
  return pattern(random.next(), repeated(open & 0xff), repeated(field & ~open & 0xff));
}

void strew_specials(bool is_ue4m3, MmaSyncKindCase& c, Random& random) {
  const uint32_t rate = random.between(1, 12);
  const uint32_t nan = is_ue4m3 ? 0x7f : 0xff;
  strew(c.a_scale_fill, 8, rate, {nan, is_ue4m3 ? 0xffu : 0xfeu, 0, 1});
  strew(c.b_scale_fill, 8, rate, {nan, is_ue4m3 ? 0x80u : 0xfeu, 0, is_ue4m3 ? 0x7eu : 1u});
  if (!is_scaled(c) || random.one_in(2)) {
    if (c.a <= NarrowElement::e5m2) strew(c.a_fill, 8, random.between(1, 8), {0x7f, 0xff, 0x7c, 0xfc});
    if (c.b <= NarrowElement::e5m2) strew(c.b_fill, 8, random.between(1, 8), {0x7f, 0, 0x7c, 0x80});
  }
  if (c.d_is_f16)
    strew(c.c_fill, 16, random.between(1, 32), {0x7e01, 0x7c00, 0xfc00, 0x8000});
  else
    strew(c.c_fill, 32, random.between(1, 32), {0x7f800001, 0x7f800000, 0xff800000, 0x80000000});
}

void fill(Mix mix, MmaSyncKindCase& c, Random& random) {
  const bool is_packed = assay::is_packed(c), is_ue4m3 = c.scale_vector == 4;
  c.a_fill = pattern(random.next(), repeated(finite_bits(c.a, is_packed)));
  c.b_fill = pattern(random.next(), repeated(finite_bits(c.b, is_packed)));
  c.c_fill = accumulator(between(random, -2, 8), 2, c.d_is_f16, random);
  c.a_scale_fill = scales(is_ue4m3, between(random, -2, 2), 2, random);
  c.b_scale_fill = scales(is_ue4m3, between(random, -2, 2), 2, random);
  switch (mix) {
    case Mix::bits:
      c.a_fill.keep = repeated(bits_of(c.a, is_packed)), c.b_fill.keep = repeated(bits_of(c.b, is_packed));
      c.c_fill = pattern(random.next(), ~0u);
      c.a_scale_fill = pattern(random.next(), ~0u), c.b_scale_fill = pattern(random.next(), ~0u);
      if (c.scale_vector == 4 && random.one_in(2)) c.a_scale_fill.keep = repeated(0x7f);
      break;
    case Mix::near_one:
      break;
    case Mix::apart:
      c.a_scale_fill = scales(is_ue4m3, 0, 4, random), c.b_scale_fill = scales(is_ue4m3, 0, 4, random);
      c.c_fill = accumulator(between(random, -8, 20), 4, c.d_is_f16, random);
      break;
    case Mix::cancelling:
      c.a_fill.mirror_bits = 8, c.a_fill.mirror_flip = sign_of(c.a, is_packed) * 0x01000100;
      c.b_fill.mirror_bits = 8, c.b_fill.mirror_flip = 0;
      c.c_fill = accumulator(between(random, -20, 4), 3, c.d_is_f16, random);
      break;
    case Mix::specials:
      strew_specials(is_ue4m3, c, random);
      break;
    case Mix::zeros: {
      const uint32_t a_sign = sign_of(c.a, is_packed), b_sign = sign_of(c.b, is_packed);
      strew(c.a_fill, 8, random.between(64, 256), {0, a_sign, 0, a_sign});
      strew(c.b_fill, 8, random.between(0, 256), {0, b_sign, b_sign, 0});
      if (random.one_in(2)) {
        const uint32_t minus = c.d_is_f16 ? 0x8000 : 0x80000000;
        strew(c.c_fill, c.d_is_f16 ? 16 : 32, random.between(64, 256), {0, minus, minus, 0});
      }
      // Nothing but C counts: whether products of zero bring the exponents of their scales shows in it.
      if (is_scaled(c) && random.one_in(3)) {
        c.a_fill.special_rate = 256;
        c.a_scale_fill = scales(is_ue4m3, is_ue4m3 ? 7 : between(random, 56, 66), 2, random);
        c.b_scale_fill = scales(is_ue4m3, is_ue4m3 ? 7 : between(random, 56, 66), 2, random);
        c.c_fill = accumulator(between(random, -40, -10), 3, false, random);
        break;
      }
      if (is_ue4m3) strew(c.a_scale_fill, 8, random.between(1, 128), {0, 0x80, 0, 1});
      break;
    }
    case Mix::small:
      c.a_scale_fill = scales(is_ue4m3, is_ue4m3 ? -7 : between(random, -80, -60), 2, random);
      c.b_scale_fill = scales(is_ue4m3, is_ue4m3 ? -7 : between(random, -80, -60), 2, random);
      c.c_fill = c.d_is_f16 ? pattern(random.next(), 0x83ff83ff) : accumulator(-130, 2, false, random);
      break;
    case Mix::large:
      c.a_scale_fill = scales(is_ue4m3, is_ue4m3 ? 7 : between(random, 56, 66), 2, random);
      c.b_scale_fill = scales(is_ue4m3, is_ue4m3 ? 7 : between(random, 56, 66), 2, random);
      c.c_fill = accumulator(c.d_is_f16 ? 15 : between(random, 120, 127), 1, c.d_is_f16, random);
      break;
  }
}

}  // namespace
}  // namespace kinds

uint32_t kind_cells(SyncKind kind) {
  const uint32_t selectors = kind == SyncKind::f8f6f4 ? 1 : kinds::most_selectors;
  return static_cast<uint32_t>(kinds::forms_of(kind).size() * kinds::mix_names.size()) * selectors;
}

std::string kind_cell_name(SyncKind kind, uint32_t cell) {
  const auto mixes = static_cast<uint32_t>(kinds::mix_names.size());
  const std::string_view mix = kinds::mix_names[cell % mixes];
  cell /= mixes;
  const auto forms = static_cast<uint32_t>(kinds::forms_of(kind).size());
  const kinds::Form& form = kinds::forms_of(kind)[cell % forms];
  const kinds::Selectors s = kinds::selectors_of(kind, form)[cell / forms];
  std::string name = std::string(model::name_of(form.a)) + "." + std::string(model::name_of(form.b));
  if (form.d_is_f16) name += " into f16";
  if (form.vector != 0) name += " " + std::to_string(form.vector) + "X";
  if (kind != SyncKind::f8f6f4)
    name += " {" + std::to_string(s.byte_a) + "," + std::to_string(s.thread_a) + "} {" +
            std::to_string(s.byte_b) + "," + std::to_string(s.thread_b) + "}";
  return name + ", " + std::string(mix);
}

uint32_t kind_cell(SyncKind kind, uint64_t index) {
  constexpr uint64_t stride_of_walk = 7919;  // prime to every number of cells
  const uint32_t count = kind_cells(kind);
  if (index < count) return static_cast<uint32_t>(index * stride_of_walk % count);
  return Random(index).below(count);
}

void make_mma_sync_kind(const CaseId& id, SyncKind kind, MmaSyncKindCase& c) {
  Random random = id.random();
  c = {};
  uint32_t cell = kind_cell(kind, id.index);
  const auto mixes = static_cast<uint32_t>(kinds::mix_names.size());
  const auto mix = static_cast<kinds::Mix>(cell % mixes);
  cell /= mixes;
  const auto forms = static_cast<uint32_t>(kinds::forms_of(kind).size());
  const kinds::Form& form = kinds::forms_of(kind)[cell % forms];
  const kinds::Selectors s = kinds::selectors_of(kind, form)[cell / forms];
  c.kind = kind, c.a = form.a, c.b = form.b, c.d_is_f16 = form.d_is_f16, c.scale_vector = form.vector;
  c.byte_a = s.byte_a, c.thread_a = s.thread_a, c.byte_b = s.byte_b, c.thread_b = s.thread_b;
  c.tiles = has_few_tiles(id.index < kind_cells(kind), id.index, random) ? random.between(1, 8) : 32;
  kinds::fill(mix, c, random);
}

MmaGroup codes_of_kind(SyncKind kind) {
  return kind == SyncKind::f8f6f4 || kind == SyncKind::mxf8f6f4 ? MmaGroup::fp8 : MmaGroup::i4;
}

void make_sparse_mma_sync_kind(const CaseId& id, SyncKind kind, MmaSyncKindCase& c) {
  make_mma_sync_kind(id, kind, c);
  Random random(case_stream(id.seed ^ 2, id.property, id.index));
  c.sparse.present = c.sparse.ordered = true;
  draw_metadata(random, codes_of_kind(kind), c.sparse);
}

void make_sparse_kind_illegal_codes(const CaseId& id, MmaSyncKindCase& c) {
  constexpr SyncKind all[] = {SyncKind::f8f6f4, SyncKind::mxf4, SyncKind::mxf8f6f4, SyncKind::mxf4nvf4};
  const SyncKind kind = all[id.index % std::size(all)];
  CaseId within = id;
  within.index = id.index / std::size(all);
  make_sparse_mma_sync_kind(within, kind, c);
  take_strange_codes(id, codes_of_kind(kind), kept_k(c), c.sparse);
}

}  // namespace assay::gen
