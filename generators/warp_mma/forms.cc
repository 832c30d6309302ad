// SPDX-License-Identifier: Apache-2.0
#include "generators/warp_mma/forms.h"

#include <array>

namespace assay::gen {
namespace {

using enum MmaElement;
constexpr MmaAccumulator f32 = MmaAccumulator::f32, s32 = MmaAccumulator::s32;

std::vector<MmaTypes> types_of(MmaGroup group) {
  const auto mixes = [](MmaElement x, MmaElement y, MmaAccumulator d, bool saturates,
                        std::vector<MmaTypes>& all) {
    for (const MmaElement a : {x, y})
      for (const MmaElement b : {x, y}) all.push_back({a, b, d, saturates});
  };
  std::vector<MmaTypes> all;
  switch (group) {
    case MmaGroup::f16:
      return {{MmaElement::f16, MmaElement::f16, f32},
              {MmaElement::f16, MmaElement::f16, MmaAccumulator::f16}};
    case MmaGroup::bf16:
      return {{bf16, bf16, f32}};
    case MmaGroup::tf32:
      return {{tf32, tf32, f32}};
    case MmaGroup::fp8:
      mixes(e4m3, e5m2, f32, false, all);
      mixes(e4m3, e5m2, MmaAccumulator::f16, false, all);
      return all;
    case MmaGroup::i8:
      mixes(s8, u8, s32, false, all);
      mixes(s8, u8, s32, true, all);
      return all;
    case MmaGroup::i4:
      mixes(s4, u4, s32, false, all);
      mixes(s4, u4, s32, true, all);
      return all;
  }
  return all;
}

std::vector<uint32_t> extents(const MmaTypes& types) {
  if (types.d == MmaAccumulator::f16) return {8, 24, 64, 128, 256};
  switch (group_of(types)) {
    case MmaGroup::f16:
      return {8, 16, 24, 32, 40, 48, 64, 96, 128, 192, 200, 248, 256};
    case MmaGroup::bf16:
    case MmaGroup::tf32:
      return {8, 24, 64, 128, 200, 256};
    case MmaGroup::fp8:
      return {8, 24, 64, 136, 256};
    case MmaGroup::i8:
      return {8, 24, 64, 112, 256};
    case MmaGroup::i4:
      break;
  }
  return {};
}

void add_majors(WgmmaForm form, std::vector<WgmmaForm>& all) {
  const bool has_transposes = element_bytes(form.types.a) == 2;
  for (const bool in_registers : {false, true})
    for (const bool a : {false, true})
      for (const bool b : {false, true}) {
        if ((a || b) && !has_transposes) continue;
        if (a && in_registers) continue;
        form.a_in_registers = in_registers, form.transpose_a = a, form.transpose_b = b;
        all.push_back(form);
      }
}

template <typename Form>
struct Grouped {
  std::vector<Form> all;
  std::array<size_t, mma_group_count + 1> start{};
  std::span<const Form> of(MmaGroup group) const {
    const auto g = static_cast<size_t>(group);
    return std::span(all).subspan(start[g], start[g + 1] - start[g]);
  }
};

/// Every group's forms, one group after the other; add(types, all) appends those of some types.
template <typename Form, typename Add>
Grouped<Form> grouped(const Add& add) {
  Grouped<Form> made;
  for (int g = 0; g < mma_group_count; ++g) {
    for (const MmaTypes& types : types_of(static_cast<MmaGroup>(g))) add(types, made.all);
    made.start[g + 1] = made.all.size();
  }
  return made;
}

const Grouped<WgmmaForm>& wgmma() {
  static const Grouped<WgmmaForm> made =
      grouped<WgmmaForm>([](const MmaTypes& types, std::vector<WgmmaForm>& all) {
        for (const uint32_t n : extents(types)) add_majors({types, n}, all);
        if (types.d == s32) return;
        for (const auto& [a, b] : {std::pair{false, true}, {true, false}, {true, true}})
          add_majors({types, 32, false, false, false, a, b}, all);
      });
  return made;
}

/// Fewer extents than of dense ones, and signs with the first selector alone. Metadata of 8 bits are in all
/// lanes, and have none.
const Grouped<WgmmaForm>& sparse_wgmma() {
  static const Grouped<WgmmaForm> made =
      grouped<WgmmaForm>([](const MmaTypes& types, std::vector<WgmmaForm>& all) {
        if (element_bits(types.a) == 4) return;
        for (uint32_t selector = 0; selector < (element_bits(types.a) == 8 ? 1u : 2u); ++selector) {
          const auto add = [&](uint32_t n, bool negate_a, bool negate_b) {
            add_majors({types, n, false, false, false, negate_a, negate_b, true, selector}, all);
          };
          for (const uint32_t n : {8u, 24u, 64u, 256u})
            if (n != 24 || (group_of(types) == MmaGroup::f16 && types.d == f32)) add(n, false, false);
          if (types.d == s32 || selector != 0) continue;
          for (const auto& [a, b] : {std::pair{false, true}, {true, false}, {true, true}}) add(32, a, b);
        }
      });
  return made;
}

const Grouped<MmaSyncForm>& mma_sync() {
  static const Grouped<MmaSyncForm> made =
      grouped<MmaSyncForm>([](const MmaTypes& types, std::vector<MmaSyncForm>& all) {
        const uint32_t k = 256 / element_bits(types.a);
        all.push_back({types, 16, k});
        all.push_back({types, 16, k / 2});
        if (types.d == s32) all.push_back({types, 8, k / 2});
      });
  return made;
}

/// Of 16 and 32 bits a selector names one of the four lanes that have a row, or two; of narrower elements two
/// or all (ptx, mma.sp). fp8 has the long row and D f32 alone.
const Grouped<MmaSyncForm>& sparse_mma_sync() {
  static const Grouped<MmaSyncForm> made =
      grouped<MmaSyncForm>([](const MmaTypes& types, std::vector<MmaSyncForm>& all) {
        const uint32_t bits = element_bits(types.a), k = 512 / bits;
        const bool is_fp8 = group_of(types) == MmaGroup::fp8;
        if (is_fp8 && types.d != f32) return;
        for (const bool is_ordered : {false, true})
          for (const bool is_long : {true, false}) {
            if (is_fp8 && !is_long) continue;
            const uint32_t selectors = (bits >= 16 ? 4 : 2) / (is_long ? 2 : 1);
            for (uint32_t selector = 0; selector < selectors; ++selector)
              all.push_back({types, 16, is_long ? k : k / 2, true, is_ordered, selector});
          }
      });
  return made;
}

std::string name_of(MmaElement element) {
  return std::string(mma_element_names[static_cast<size_t>(element)]);
}

template <typename Enum, size_t count>
std::optional<Enum> named(const std::array<std::string_view, count>& names, std::string_view name) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) return std::nullopt;
  return static_cast<Enum>(at - names.begin());
}

}  // namespace

MmaGroup group_of(const MmaTypes& types) {
  switch (types.a) {
    case MmaElement::f16:
      return MmaGroup::f16;
    case bf16:
      return MmaGroup::bf16;
    case tf32:
      return MmaGroup::tf32;
    case e4m3:
    case e5m2:
      return MmaGroup::fp8;
    case s8:
    case u8:
      return MmaGroup::i8;
    case s4:
    case u4:
      break;
  }
  return MmaGroup::i4;
}

WgmmaForm form_of(const WgmmaCase& c) {
  return {c.types,    c.n,        c.a_in_registers, c.transpose_a,    c.transpose_b,
          c.negate_a, c.negate_b, c.sparse.present, c.sparse.selector};
}

void set_form(const WgmmaForm& form, WgmmaCase& c) {
  c.types = form.types, c.n = form.n, c.a_in_registers = form.a_in_registers;
  c.transpose_a = form.transpose_a, c.transpose_b = form.transpose_b;
  c.negate_a = form.negate_a, c.negate_b = form.negate_b;
  c.sparse.present = form.is_sparse, c.sparse.selector = form.selector;
}

template <>
std::span<const WgmmaForm> warp_forms(bool is_sparse) {
  return (is_sparse ? sparse_wgmma() : wgmma()).all;
}
template <>
std::span<const WgmmaForm> warp_forms(MmaGroup group, bool is_sparse) {
  return (is_sparse ? sparse_wgmma() : wgmma()).of(group);
}
template <>
std::span<const MmaSyncForm> warp_forms(bool is_sparse) {
  return (is_sparse ? sparse_mma_sync() : mma_sync()).all;
}
template <>
std::span<const MmaSyncForm> warp_forms(MmaGroup group, bool is_sparse) {
  return (is_sparse ? sparse_mma_sync() : mma_sync()).of(group);
}

MmaSyncForm form_of(const MmaSyncCase& c) {
  return {c.types, c.m, c.k, c.sparse.present, c.sparse.ordered, c.sparse.selector};
}

std::optional<MmaElement> element_named(std::string_view name) {
  return named<MmaElement>(mma_element_names, name);
}

std::optional<MmaAccumulator> accumulator_named(std::string_view name) {
  return named<MmaAccumulator>(mma_accumulator_names, name);
}

std::string name_of(const MmaTypes& types) {
  return std::string(mma_accumulator_names[static_cast<size_t>(types.d)]) + "." + name_of(types.a) + "." +
         name_of(types.b) + (types.saturates ? ".satfinite" : "");
}

std::string name_of(const WgmmaForm& form) {
  std::string text = name_of(form.types) + " n" + std::to_string(form.n);
  if (form.a_in_registers) text += " A/regs";
  if (form.transpose_a) text += " A/mn";
  if (form.transpose_b) text += " B/mn";
  if (form.negate_a) text += " -A";
  if (form.negate_b) text += " -B";
  if (form.is_sparse) text += " .sp, selector " + std::to_string(form.selector);
  return text;
}

std::string name_of(const MmaSyncForm& form) {
  const std::string dense =
      name_of(form.types) + " m" + std::to_string(form.m) + "n8k" + std::to_string(form.k);
  if (!form.is_sparse) return dense;
  return dense + (form.is_ordered ? " .sp::ordered_metadata" : " .sp") + ", selector " +
         std::to_string(form.selector);
}

}  // namespace assay::gen
