// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/mma/element_steps.h"
#include "reference/model/mma/fields.h"
#include "reference/model/warp_mma/case.h"
#include "reference/model/warp_mma/warp_mma.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"

namespace assay {

/// Kinds of mma.sync and their elements; the numbers of params::MmaSyncKind and params::KindElement.
enum class SyncKind : uint8_t { f8f6f4, mxf8f6f4, mxf4, mxf4nvf4 };
enum class NarrowElement : uint8_t { e4m3, e5m2, e3m2, e2m3, e2m1 };
inline constexpr std::array<std::string_view, 4> sync_kind_names{"f8f6f4", "mxf8f6f4", "mxf4", "mxf4nvf4"};
inline constexpr std::array<std::string_view, 5> narrow_element_names{"e4m3", "e5m2", "e3m2", "e2m3", "e2m1"};

/// `tiles` mma.sync with a kind by each of four warps: a matrix of 64 rows by one of 8 * tiles columns, K of
/// 32 or, with e2m1 alone, of 64; twice that beside a sparse A. Words of A, B and C as in MmaSyncCase; the
/// word of scales of A of thread t in tile i is word i * 128 + t of its pattern, that of B of lane l word i *
/// 32 + l.
struct MmaSyncKindCase {
  SyncKind kind = SyncKind::f8f6f4;
  NarrowElement a = NarrowElement::e4m3, b = NarrowElement::e4m3;
  bool d_is_f16 = false;      ///< f8f6f4 alone
  uint32_t scale_vector = 0;  ///< 1, 2 or 4; 0: not written, where the kind has a default
  uint32_t byte_a = 0, thread_a = 0, byte_b = 0, thread_b = 0;  ///< selectors of scales
  uint32_t tiles = 1;                                           ///< 1 to 256
  OperandPattern a_fill, b_fill, c_fill, a_scale_fill, b_scale_fill;
  KnownOperands known;  ///< bytes or, of packed kinds, nibbles as registers hold them
  SparseA sparse;       ///< mma.sp::ordered_metadata, selector 0
  auto operator<=>(const MmaSyncKindCase&) const = default;
};

constexpr bool is_scaled(const MmaSyncKindCase& c) {
  return c.kind != SyncKind::f8f6f4;
}
/// Elements of 4 bits, two to a byte.
constexpr bool is_packed(const MmaSyncKindCase& c) {
  return c.kind == SyncKind::mxf4 || c.kind == SyncKind::mxf4nvf4;
}
/// Elements that A holds of a row.
constexpr uint32_t kept_k(const MmaSyncKindCase& c) {
  return is_packed(c) ? 64 : 32;
}
/// K of the instruction: the elements of a column of B.
constexpr uint32_t k_of(const MmaSyncKindCase& c) {
  return c.sparse.present ? 2 * kept_k(c) : kept_k(c);
}
/// Words of the pattern of B for each lane of a tile.
constexpr uint32_t b_words(const MmaSyncKindCase& c) {
  return c.sparse.present ? 4 : 2;
}
/// Scales of a row or column; 0 without block scaling.
constexpr uint32_t scale_count(const MmaSyncKindCase& c) {
  return !is_scaled(c) ? 0 : c.kind == SyncKind::mxf8f6f4 ? 1 : c.scale_vector == 4 ? 4 : 2;
}
constexpr uint32_t d_registers(const MmaSyncKindCase& c) {
  return c.d_is_f16 ? 2 : 4;
}
constexpr uint32_t output_bytes(const MmaSyncKindCase& c) {
  return 128 * 4 * d_registers(c) * c.tiles;
}

namespace model {

/// What is not legal about a case, in a sentence, or nothing.
std::string wrong_with(const MmaSyncKindCase& c);

/// D of a legal case, output_bytes() / 4 words. Where metadata have codes without a meaning, `openness`,
/// which may be null, says which words are defined.
spec::RuleSet predict(const MmaSyncKindCase& c, const spec::Readings& readings, const PatternWords& words,
                      std::span<uint32_t> output, Openness* openness = nullptr);

/// The element in a word of the output, of two halves the upper one if `upper`.
ElementSteps steps_of(const MmaSyncKindCase& c, const spec::Readings& readings, const PatternWords& words,
                      uint32_t word, bool upper);

std::string_view name_of(SyncKind kind);
std::string_view name_of(NarrowElement element);

}  // namespace model

// The members of mma.sync with a kind.

inline constexpr uint32_t sync_scale_vectors[] = {0, 1, 2, 4};

// Beside the types, where the templates of case_fields.h find them.
inline const auto& spellings_of(SyncKind) {
  return sync_kind_names;
}
inline const auto& spellings_of(NarrowElement) {
  return narrow_element_names;
}

template <typename Mma, typename Visit>
requires std::same_as<std::remove_const_t<Mma>, MmaSyncKindCase>
void visit_fields(Mma& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, a, .told = elsewhere);
  ASSAY_FIELD(visit, c, a_fill);
  ASSAY_FIELD(visit, c, a_scale_fill);
  ASSAY_FIELD(visit, c, b, .told = elsewhere);
  ASSAY_FIELD(visit, c, b_fill);
  ASSAY_FIELD(visit, c, b_scale_fill);
  ASSAY_FIELD(visit, c, byte_a, .most = 3, .told = elsewhere);
  ASSAY_FIELD(visit, c, byte_b, .most = 3, .told = elsewhere);
  ASSAY_FIELD(visit, c, c_fill);
  ASSAY_FIELD(visit, c, d_is_f16, .told = elsewhere);
  ASSAY_FIELD(visit, c, kind, .told = elsewhere);
  ASSAY_FIELD(visit, c, known);
  ASSAY_FIELD(visit, c, scale_vector, .values = sync_scale_vectors, .told = elsewhere);
  ASSAY_FIELD(visit, c, sparse);
  ASSAY_FIELD(visit, c, thread_a, .most = 1, .told = elsewhere);
  ASSAY_FIELD(visit, c, thread_b, .most = 3, .told = elsewhere);
  ASSAY_FIELD(visit, c, tiles, .least = 1, .most = 256, .told = elsewhere);
}

}  // namespace assay
