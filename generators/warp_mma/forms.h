// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generators/random.h"
#include "reference/model/warp_mma/case.h"

/// The instruction forms that the probes of wgmma and mma.sync have: what PTX fixes at assembly time.
namespace assay::gen {

/// Operand types as properties divide them.
enum class MmaGroup : uint8_t { f16, bf16, tf32, fp8, i8, i4 };
inline constexpr int mma_group_count = 6;
MmaGroup group_of(const MmaTypes& types);

/// A wgmma case without its operands.
struct WgmmaForm {
  MmaTypes types;
  uint32_t n = 8;
  bool a_in_registers = false, transpose_a = false, transpose_b = false, negate_a = false, negate_b = false;
  bool is_sparse = false;
  uint32_t selector = 0;
  auto operator<=>(const WgmmaForm&) const = default;
};
WgmmaForm form_of(const WgmmaCase& c);
void set_form(const WgmmaForm& form, WgmmaCase& c);

struct MmaSyncForm {
  MmaTypes types;
  uint32_t m = 16, k = 16;
  bool is_sparse = false, is_ordered = false;  ///< .sp, .sp::ordered_metadata
  uint32_t selector = 0;
  auto operator<=>(const MmaSyncForm&) const = default;
};
MmaSyncForm form_of(const MmaSyncCase& c);

/// The forms of wgmma, wgmma.sp, mma.sync or mma.sp in a fixed order, all or of a group; none of wgmma with
/// 4-bit integers.
template <typename Form>
std::span<const Form> warp_forms(bool is_sparse);
template <typename Form>
std::span<const Form> warp_forms(MmaGroup group, bool is_sparse);
template <>
std::span<const WgmmaForm> warp_forms(bool is_sparse);
template <>
std::span<const WgmmaForm> warp_forms(MmaGroup group, bool is_sparse);
template <>
std::span<const MmaSyncForm> warp_forms(bool is_sparse);
template <>
std::span<const MmaSyncForm> warp_forms(MmaGroup group, bool is_sparse);
template <typename Form>
bool has_form(const Form& form) {
  const auto forms = warp_forms<Form>(group_of(form.types), form.is_sparse);
  return std::find(forms.begin(), forms.end(), form) != forms.end();
}

/// As PTX spells types: "e4m3"; "s32".
std::optional<MmaElement> element_named(std::string_view name);
std::optional<MmaAccumulator> accumulator_named(std::string_view name);

/// "f32.e4m3.e5m2", "s32.u8.s8.satfinite": as PTX spells them, D first.
std::string name_of(const MmaTypes& types);
/// "f32.f16.f16 n64 A/regs B/mn -B"; "s32.s8.u8 m8n8k16"; "f32.tf32.tf32 m16n8k8 .sp, selector 3".
std::string name_of(const WgmmaForm& form);
std::string name_of(const MmaSyncForm& form);

// What matrices are filled with: mixes of bits in which rules of an adder show.

/// A number from `low` to `high`; `low` where there is none.
inline int between(Random& random, int low, int high) {
  return low + static_cast<int>(random.below(static_cast<uint32_t>(std::max(0, high - low) + 1)));
}

/// Of floating point.
enum class FloatMix : uint8_t {
  bits,          ///< uniform bits, NaN and infinities as often as they come
  finite,        ///< uniform bits but one of the exponent
  narrow,        ///< exponents within a factor of 8
  spread,        ///< terms around the bits that alignment cuts
  cancelling,    ///< pairs that cancel, exactly or but for the last bit
  small,         ///< results around the smallest of D
  subnormal,     ///< subnormal operands
  large,         ///< results around the largest of D
  specials,      ///< NaN, infinities, zeros strewn in
  zeros,         ///< many zeros
  few_bits,      ///< powers of two and their halves: ties
  full_mantissa  ///< the largest mantissas
};
inline constexpr int float_mix_count = 12;
/// Of integers.
enum class IntegerMix : uint8_t { bits, small, extremes, zeros, near_limits };
inline constexpr int integer_mix_count = 5;

int mix_count(const MmaTypes& types);
std::string_view mix_name(const MmaTypes& types, int mix);

struct OperandPatterns {
  OperandPattern a, b, c;
};
/// Whether neighbouring elements of a word (neighbouring words of 32-bit elements) of A and of B are the same
/// pairs of k.
struct Pairing {
  bool a_along_k = true, b_along_k = true;
};
OperandPatterns make_patterns(const MmaTypes& types, int mix, const Pairing& pairing, Random& random);

/// Values and sums that every format keeps exactly, so that nothing but the place of an element can go wrong:
/// 2, 3, 4 and 6 with signs, integers any.
OperandPatterns make_exact_patterns(const MmaTypes& types, Random& random);

// The order in which the cases of a group of types take forms and mixes of operands: the first indexes walk
// every one, later ones draw.

/// Cells: position of the form in the group * most_mixes + mix.
inline constexpr uint32_t most_mixes = 12;

/// Indexes below it that do not walk take many columns: of a fault that one element in thousands shows a
/// short run of few cases meets most there. Later ones take few: what a case can refute goes with its form
/// and its patterns of operands, what it costs with its columns.
inline constexpr uint64_t first_with_few_columns = 1024;

/// Whether a case has a few tiles of eight columns, else as many as its kind has at most in a drawn case.
inline bool has_few_tiles(bool is_walking, uint64_t index, Random& random) {
  return is_walking || (index < first_with_few_columns ? random.one_in(4) : !random.one_in(8));
}

/// Cells in a scattered order; prime to every number of cells.
inline constexpr uint64_t stride_of_walk = 7919;

/// Types, source of A and k, of which every run should give equally many dot products.
inline bool same_variant(const WgmmaForm& x, const WgmmaForm& y) {
  return x.types == y.types && x.a_in_registers == y.a_in_registers;
}
inline bool same_variant(const MmaSyncForm& x, const MmaSyncForm& y) {
  return x.types == y.types && x.m == y.m && x.k == y.k;
}

/// Forms of one variant, larger and smaller ones apart, by their position among those of the group.
struct FormVariant {
  std::vector<uint32_t> all, large, small;
};

template <typename Form>
std::vector<FormVariant> variants_of(std::span<const Form> forms) {
  std::vector<FormVariant> variants;
  for (uint32_t i = 0; i < forms.size(); ++i) {
    FormVariant* found = nullptr;
    for (FormVariant& v : variants)
      if (same_variant(forms[v.all.front()], forms[i])) found = &v;
    if (found == nullptr) found = &variants.emplace_back();
    found->all.push_back(i);
    uint32_t n = 0;
    if constexpr (requires { forms[i].n; }) n = forms[i].n;
    if (n == 0 || n >= 128) found->large.push_back(i);
    if (n <= 64) found->small.push_back(i);
  }
  return variants;
}

/// The forms of a group and what is drawn from them.
template <typename Form>
class Walk {
 public:
  explicit Walk(std::span<const Form> forms) : forms_(forms), variants_(variants_of(forms)) {
    for (uint32_t i = 0; i < forms.size(); ++i)
      for (int mix = 0; mix < mix_count(forms[i].types); ++mix)
        cells_.push_back(i * most_mixes + static_cast<uint32_t>(mix));
  }
  const std::vector<uint32_t>& cells() const { return cells_; }

  uint32_t cell(uint64_t index) const {
    if (index < cells_.size()) return cells_[index * stride_of_walk % cells_.size()];
    Random random(index);
    const FormVariant& variant = variants_[random.below(static_cast<uint32_t>(variants_.size()))];
    const bool is_early = index < first_with_few_columns;
    const std::vector<uint32_t>& most = is_early ? variant.large : variant.small;
    const std::vector<uint32_t>& list =
        !most.empty() && !random.one_in(is_early ? 8 : 4) ? most : variant.all;
    const uint32_t form = list[random.below(static_cast<uint32_t>(list.size()))];
    return form * most_mixes + random.below(static_cast<uint32_t>(mix_count(forms_[form].types)));
  }
  bool is_walking(uint64_t index) const { return index < cells_.size(); }

 private:
  std::span<const Form> forms_;
  std::vector<FormVariant> variants_;
  std::vector<uint32_t> cells_;
};

template <typename Form>
const Walk<Form>& walk_of(MmaGroup group, bool is_sparse) {
  static const auto walks = [] {
    std::array<std::vector<Walk<Form>>, 2> all;
    for (const bool sparse : {false, true})
      for (int g = 0; g < mma_group_count; ++g)
        all[sparse].emplace_back(warp_forms<Form>(static_cast<MmaGroup>(g), sparse));
    return all;
  }();
  return walks[is_sparse][static_cast<size_t>(group)];
}

/// How many cells a group has, reachable or not.
template <typename Form>
uint32_t cell_count(MmaGroup group, bool is_sparse) {
  return static_cast<uint32_t>(warp_forms<Form>(group, is_sparse).size()) * most_mixes;
}
/// "f32.f16.f16 n64, cancelling".
template <typename Form>
std::string cell_name(MmaGroup group, bool is_sparse, uint32_t cell) {
  const Form& form = warp_forms<Form>(group, is_sparse)[cell / most_mixes];
  const auto mix = static_cast<int>(cell % most_mixes);
  return name_of(form) + ", " +
         (mix < mix_count(form.types) ? std::string(mix_name(form.types, mix))
                                      : "mix " + std::to_string(mix));
}

}  // namespace assay::gen
