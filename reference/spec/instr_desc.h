// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "reference/spec/arch.h"
#include "reference/spec/descriptor.h"
#include "reference/spec/formats.h"
#include "reference/spec/mma_kinds.h"

namespace assay::spec {

/// The 32-bit instruction descriptor of tcgen05.mma. Three layouts:
///
///   31 30 29 28    24 23 22    17 16 15 14 13 12  10 9   7 6 5   4 3   2 1   0
///   |shift| 0|  M/16  | 0|  N/8   |tB|tA|nB|nA|  B   |  A  |0|  D  |sat|sp|select|   f16 tf32 f8f6f4 i8
///   | 0| SFA | M/128|0|sf|  N/8   |tB|tA|nB|nA|  B   |  A  |0| SFB | 0 |sp|  0   |   mxf8f6f4
///   |k | SFA | M/128|0|sf|  N/8   |tB|tA|nB|nA|0| B  |  A  |0| SFB | 0 |sp|  0   |   mxf4 mxf4nvf4
namespace idesc {

inline constexpr Cite plain_cite{"ptx", "tcgen05, instruction descriptor, kinds tf32, f16, f8f6f4 and i8"};
inline constexpr Cite mxf8_cite{"ptx", "tcgen05, instruction descriptor, kind mxf8f6f4"};
inline constexpr Cite mxf4_cite{"ptx", "tcgen05, instruction descriptor, kinds mxf4 and mxf4nvf4"};

constexpr Field cited(Field field, Cite cite) {
  field.cite = cite;
  return field;
}
constexpr Field coded_at(std::string_view name, uint16_t lsb, uint16_t width, Cite cite) {
  return cited(coded(name, {lsb, width}, low_bits(width)), cite);
}
constexpr Field extent(std::string_view name, uint16_t lsb, uint16_t width, uint64_t unit, Cite cite) {
  Field field = cited(number(name, -1, {lsb, width}), cite);
  field.unit = unit;
  field.note = name == "n" ? "columns" : "rows";
  return field;
}

inline constexpr Field sparsity_selector = cited(number("sparsity_selector", -1, {0, 2}), plain_cite);
inline constexpr Field sparse = coded_at("sparse", 2, 1, plain_cite);
inline constexpr Field saturate = coded_at("saturate", 3, 1, plain_cite);
inline constexpr Field d_type = coded_at("d_type", 4, 2, plain_cite);
inline constexpr Field a_type = coded_at("a_type", 7, 3, plain_cite);
inline constexpr Field b_type = coded_at("b_type", 10, 3, plain_cite);
inline constexpr Field negate_a = coded_at("negate_a", 13, 1, plain_cite);
inline constexpr Field negate_b = coded_at("negate_b", 14, 1, plain_cite);
inline constexpr Field transpose_a = coded_at("transpose_a", 15, 1, plain_cite);
inline constexpr Field transpose_b = coded_at("transpose_b", 16, 1, plain_cite);
inline constexpr Field n = extent("n", 17, 6, 8, plain_cite);
inline constexpr Field m = extent("m", 24, 5, 16, plain_cite);
inline constexpr Field max_shift = coded_at("max_shift", 30, 2, plain_cite);

inline constexpr Field b_scale_id = cited(number("b_scale_id", -1, {4, 2}), mxf8_cite);
inline constexpr Field scale_type = coded_at("scale_type", 23, 1, mxf8_cite);
inline constexpr Field mx_m = extent("m", 27, 2, 128, mxf8_cite);
inline constexpr Field a_scale_id = cited(number("a_scale_id", -1, {29, 2}), mxf8_cite);
inline constexpr Field mxf4_b_type = coded_at("b_type", 10, 2, mxf4_cite);
inline constexpr Field k_size = coded_at("k_size", 31, 1, mxf4_cite);

inline constexpr std::array plain_fields{
    sparsity_selector,
    sparse,
    saturate,
    d_type,
    cited(reserved({6, 1}), plain_cite),
    a_type,
    b_type,
    negate_a,
    negate_b,
    transpose_a,
    transpose_b,
    n,
    cited(reserved({23, 1}), plain_cite),
    m,
    cited(reserved({29, 1}), plain_cite),
    max_shift,
};
static_assert(tiles(plain_fields, 32));

inline constexpr std::array mxf8_fields{
    cited(reserved({0, 2}), mxf8_cite),
    sparse,
    cited(reserved({3, 1}), mxf8_cite),
    b_scale_id,
    cited(reserved({6, 1}), mxf8_cite),
    a_type,
    b_type,
    negate_a,
    negate_b,
    transpose_a,
    transpose_b,
    n,
    scale_type,
    cited(reserved({24, 3}), mxf8_cite),
    mx_m,
    a_scale_id,
    cited(reserved({31, 1}), mxf8_cite),
};
static_assert(tiles(mxf8_fields, 32));

inline constexpr std::array mxf4_fields{
    cited(reserved({0, 2}), mxf4_cite),
    sparse,
    cited(reserved({3, 1}), mxf4_cite),
    b_scale_id,
    cited(reserved({6, 1}), mxf4_cite),
    a_type,
    mxf4_b_type,
    cited(reserved({12, 1}), mxf4_cite),
    negate_a,
    negate_b,
    transpose_a,
    transpose_b,
    n,
    scale_type,
    cited(reserved({24, 3}), mxf4_cite),
    mx_m,
    a_scale_id,
    k_size,
};
static_assert(tiles(mxf4_fields, 32));

}  // namespace idesc

/// Codes of types in the descriptor, from which the tables of the kinds are made.
namespace type_code {
inline constexpr uint32_t f16 = 0, bf16 = 1, tf32 = 2;                       ///< A and B of f16 and tf32
inline constexpr uint32_t e4m3 = 0, e5m2 = 1, e2m3 = 3, e3m2 = 4, e2m1 = 5;  ///< of f8f6f4 and mxf8f6f4
inline constexpr uint32_t first_narrow = e2m3;                               ///< of less than 8 bits
constexpr bool is_f8f6f4(uint32_t code) {
  return code <= e5m2 || (code >= first_narrow && code <= e2m1);
}
inline constexpr uint32_t packed_e2m1 = 1;                  ///< of mxf4 and mxf4nvf4
inline constexpr uint32_t u8 = 0, s8 = 1;                   ///< of i8
inline constexpr uint32_t d_f16 = 0, d_f32 = 1, d_s32 = 2;  ///< D
inline constexpr uint32_t ue4m3 = 0, ue8m0 = 1;             ///< scales
}  // namespace type_code

/// Of a .kind of tcgen05.mma. Its codes say which types A, B and D may have, A and B apart; the mx kinds have
/// no field for D, which is f32.
const Descriptor& descriptor_of(MmaKind kind);

/// The two lengths of a vector of scales for one row: how many scales an instruction takes.
enum class ScaleVec : uint8_t { x1, x2, x4 };

/// How an instruction uses a descriptor, as far as it is known. The kind always is: it selects the layout.
struct InstrUse {
  MmaKind kind = MmaKind::f16;
  std::optional<Arch> arch;
  std::optional<int> cta_group;  ///< 1 or 2
  std::optional<bool> ws, sparse;
  std::optional<bool> a_in_tmem;
  std::optional<ScaleVec> scale_vec;
};

/// What a descriptor says, in the words of the table.
struct InstrDesc {
  const Format* a = nullptr;
  const Format* b = nullptr;
  const Format* d = nullptr;
  int m = 0, n = 0;
  bool transpose_a = false, transpose_b = false;
  bool negate_a = false, negate_b = false;
  bool saturate = false, sparse = false;
  uint32_t sparsity_selector = 0;
  uint32_t max_shift = 0;         ///< columns: 0, 8, 16 or 32
  const Format* scale = nullptr;  ///< mx kinds
  uint32_t a_scale_id = 0, b_scale_id = 0;
  bool k96 = false;
};
/// Fields that the kind's layout lacks are dropped; a type that the kind has no code for is written as all
/// ones.
uint32_t encode_instr_desc(MmaKind kind, const InstrDesc& desc);
/// Nothing when a type code has no meaning in this kind.
std::optional<InstrDesc> decode_instr_desc(MmaKind kind, uint32_t word);

/// True when the documents list this M and N for the form; unknown parts of the use are taken as any.
bool legal_shape(const InstrUse& use, bool sparse, int m, int n, bool k96);

std::span<const DescriptorRule<InstrUse>> instr_desc_rules();
std::vector<RuleBroken> instr_desc_violations(uint32_t word, const InstrUse& use);
/// The same by places in instr_desc_rules(), bit 0 the first.
uint64_t instr_desc_rules_broken(uint32_t word, const InstrUse& use);

/// A legal word for this use; 0 when it has none (block scaling with .ws, i8 on sm_103a).
uint32_t random_instr_desc(const InstrUse& use, uint64_t (*random)(void* state), void* state);

/// Fields of an instruction descriptor whose place depends on the kind, and what they say. For the files of
/// instr_desc.h.
inline bool has_k_size(MmaKind kind) {
  return row_of(kind).is_packed;
}
inline const Field& b_type_of(MmaKind kind) {
  return has_k_size(kind) ? idesc::mxf4_b_type : idesc::b_type;
}
inline const Field& m_of(MmaKind kind) {
  return row_of(kind).is_mx ? idesc::mx_m : idesc::m;
}
/// The format that a code of the field means in this kind; null when it means none.
const Format* format_of(MmaKind kind, const Field& field, uint64_t raw);
inline const Format* a_format(uint64_t word, MmaKind kind) {
  return format_of(kind, idesc::a_type, get_raw(word, idesc::a_type));
}
inline const Format* b_format(uint64_t word, MmaKind kind) {
  return format_of(kind, b_type_of(kind), get_raw(word, b_type_of(kind)));
}
inline bool is_sparse(uint64_t word) {
  return get_raw(word, idesc::sparse) != 0;
}
inline bool is_k96(uint64_t word, MmaKind kind) {
  return has_k_size(kind) && get_raw(word, idesc::k_size) != 0;
}
inline int m_value(uint64_t word, MmaKind kind) {
  return static_cast<int>(get(word, m_of(kind)));
}
inline int n_value(uint64_t word) {
  return static_cast<int>(get(word, idesc::n));
}

}  // namespace assay::spec
