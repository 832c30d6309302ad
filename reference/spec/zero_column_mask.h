// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reference/spec/descriptor.h"

namespace assay::spec {

/// The 64-bit zero-column mask of tcgen05.mma.ws: which columns of B count as zeros.
///
///   63 62 61      56 55    48 47    40 39  38 36 35      32 31              0
///   | 0  |  shift   |  use-1 | skip-1 |gen|  0  | fs3..fs0 | sc3 sc2 sc1 sc0 |
///
/// Runs of `use` and of `skip` columns alternate. Sub-mask i starts with a run of zeroed columns when fs_i is
/// set, and its first sc_i columns are already consumed.
namespace zcm {

inline constexpr Cite cite{"ptx", "tcgen05, zero-column mask descriptor"};
constexpr Field field(Field from) {
  from.cite = cite;
  return from;
}
constexpr Field start_count_at(int i) {
  return field(number("start_count", i, {static_cast<uint16_t>(8 * i), 8}));
}
constexpr Field first_span_at(int i) {
  Field from = field(coded("first_span", {static_cast<uint16_t>(32 + i), 1}, 1));
  from.index = i;
  return from;
}
constexpr Field span_at(std::string_view name, uint16_t lsb) {
  Field from = field(number(name, -1, {lsb, 8}));
  from.bias = 1;
  from.note = "columns";
  return from;
}
inline constexpr std::array<Field, 4> start_count{start_count_at(0), start_count_at(1), start_count_at(2),
                                                  start_count_at(3)};
inline constexpr std::array<Field, 4> first_span{first_span_at(0), first_span_at(1), first_span_at(2),
                                                 first_span_at(3)};
inline constexpr Field generate = field(coded("generate", {39, 1}, 1));
inline constexpr Field skip_span = span_at("skip_span", 40);
inline constexpr Field use_span = span_at("use_span", 48);
inline constexpr Field column_shift = field(number("column_shift", -1, {56, 6}));

inline constexpr std::array fields{
    start_count[0], start_count[1], start_count[2], start_count[3],           first_span[0],
    first_span[1],  first_span[2],  first_span[3],  field(reserved({36, 3})), generate,
    skip_span,      use_span,       column_shift,   field(reserved({62, 2})),
};
static_assert(tiles(fields, 64));

}  // namespace zcm

extern const Descriptor zero_column_mask;

/// What a mask says, spans in columns.
struct ZeroColumnMask {
  std::array<uint32_t, 4> start_count{};
  std::array<bool, 4> first_is_zeroed{};
  bool generate = false;
  uint32_t skip_span = 1, use_span = 1;  ///< 1 to 256
  uint32_t column_shift = 0;
};
uint64_t encode_zero_column_mask(const ZeroColumnMask& mask);
ZeroColumnMask decode_zero_column_mask(uint64_t word);

/// How an instruction uses a mask, as far as it is known.
struct MaskUse {
  std::optional<int> m;          ///< 32, 64 or 128
  std::optional<int> max_shift;  ///< columns, of the instruction descriptor; known: the bound is checked
};
std::span<const DescriptorRule<MaskUse>> zero_column_mask_rules();
std::vector<RuleBroken> zero_column_mask_violations(uint64_t word, const MaskUse& use);
/// The same by places in zero_column_mask_rules(), bit 0 the first.
uint64_t zero_column_mask_rules_broken(uint64_t word, const MaskUse& use);

/// Sub-masks that an instruction of M rows has: 1, 2 or 4.
constexpr int sub_masks(int m) {
  return m == 32 ? 4 : m == 64 ? 2 : 1;
}

/// What the documents leave open about masks.
struct MaskReadings {
  /// The words of the field table: `skip` columns are used and `use` columns are zeroed. The examples say the
  /// opposite.
  bool table_words = false;
  /// Bit 39 set means that there is no mask.
  bool bit_39_disables = false;
  /// A start count at or past the first span: false, it goes on into the following spans; true, it is taken
  /// as one less than the span.
  bool start_count_saturates = false;
};

/// Some of up to 256 columns, 64 a word.
struct ColumnSet {
  std::array<uint64_t, 4> words{};

  bool operator[](size_t column) const { return (words[column / 64] >> (column % 64) & 1) != 0; }
  bool none() const { return (words[0] | words[1] | words[2] | words[3]) == 0; }
  /// Adds columns [first, first + count).
  void add(uint32_t first, uint32_t count);
  bool operator==(const ColumnSet&) const = default;
};

/// The columns of B that count as zeros. n: 64, 128 or 256.
ColumnSet zeroed_column_set(const ZeroColumnMask& mask, int m, int n, const MaskReadings& readings = {});
/// The same, n long.
std::vector<bool> zeroed_columns(const ZeroColumnMask& mask, int m, int n, const MaskReadings& readings = {});

/// A legal word for this use, start counts below the first span.
uint64_t random_zero_column_mask(const MaskUse& use, uint64_t (*random)(void* state), void* state);

}  // namespace assay::spec
