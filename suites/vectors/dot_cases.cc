// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <sstream>

#include "generators/mma/cases.h"
#include "generators/warp_mma/cases.h"
#include "generators/warp_mma/forms.h"
#include "reference/layout/fragments.h"
#include "reference/model/mma/mma.h"
#include "reference/model/warp_mma/mma_sync_kind.h"
#include "reference/model/warp_mma/warp_mma.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

struct KindOfRow {
  std::string_view property;
  spec::MmaKind kind;
};
std::optional<KindOfRow> kind_of_row(const DotText& dot) {
  const std::string& a = dot.a_type;
  if (dot.scale_type == "-") {
    if (a == "f16" || a == "bf16") return KindOfRow{"mma.dense.f16", spec::MmaKind::f16};
    if (a == "tf32") return KindOfRow{"mma.dense.tf32", spec::MmaKind::tf32};
    if (a == "s8" || a == "u8") return KindOfRow{"mma.dense.i8", spec::MmaKind::i8};
    return KindOfRow{"mma.dense.f8f6f4", spec::MmaKind::f8f6f4};
  }
  if (dot.k == "32") return KindOfRow{"mma.scaled.mxf8f6f4", spec::MmaKind::mxf8f6f4};
  if (dot.k != "64") return std::nullopt;
  if (dot.scale_block == "32") return KindOfRow{"mma.scaled.mxf4", spec::MmaKind::mxf4};
  return KindOfRow{"mma.scaled.mxf4nvf4", spec::MmaKind::mxf4nvf4};
}

/// Codes as 32 bytes of shared memory hold them.
std::array<uint32_t, 8> packed(const Tcgen05MmaCase& c, bool is_a, const std::vector<uint32_t>& codes) {
  std::array<uint32_t, 8> words{};
  const layout::SmemOperand operand = model::shared_operand(c, is_a);
  const auto bits = static_cast<uint32_t>(operand.element_bits);
  for (uint32_t k = 0; k < codes.size(); ++k) {
    // Padded elements: 16 of them from the low end of every 16 bytes on.
    const uint32_t at = operand.packing == layout::Packing::plain ? k * bits : k / 16 * 128 + k % 16 * bits;
    words[at / 32] |= codes[k] << at % 32;
    if (at % 32 + bits > 32) words[at / 32 + 1] |= codes[k] >> (32 - at % 32);
  }
  return words;
}

/// The scales of a row in one cell.
OperandPattern scales_of(const std::vector<uint32_t>& codes) {
  OperandPattern pattern;
  pattern.keep = 0;
  for (uint32_t s = 0; s < codes.size(); ++s) pattern.set |= codes[s] << 8 * s;
  return pattern;
}

}  // namespace

std::vector<uint32_t> codes_of_text(const std::string& text) {
  std::vector<uint32_t> list;
  std::istringstream in(text);
  for (std::string word; text != "-" && in >> word;)
    list.push_back(static_cast<uint32_t>(std::stoull(word, nullptr, 16)));
  return list;
}

std::optional<uint32_t> type_code(spec::MmaKind kind, bool is_a, std::string_view type) {
  for (uint32_t code = 0; code < 8; ++code) {
    Tcgen05MmaCase c;
    c.kind = kind;
    (is_a ? c.a_type : c.b_type) = code;
    const model::MmaFormats formats = model::formats_of(c);
    const spec::Format* format = is_a ? formats.a : formats.b;
    if (format != nullptr && format->name == type) return code;
  }
  return std::nullopt;
}

std::optional<RowCase> tcgen05_dot_as_case(const DotText& dot) {
  const std::optional<KindOfRow> row = kind_of_row(dot);
  if (dot.family != "tcgen05" || !row) return std::nullopt;
  Tcgen05MmaCase c;
  c.kind = row->kind;
  const auto a_code = type_code(c.kind, true, dot.a_type), b_code = type_code(c.kind, false, dot.b_type);
  if (!a_code || !b_code) return std::nullopt;
  c.a_type = *a_code, c.b_type = *b_code;
  c.d_type = dot.d_type == "f16" ? 0 : dot.d_type == "s32" ? 2 : 1;
  c.saturate = dot.param_set.ends_with(".sat");
  c.m = 128, c.n = 8;
  c.enable_input_d = true;
  place_known(c);
  const std::vector<uint32_t> a = codes_of_text(dot.a), b = codes_of_text(dot.b),
                              value = codes_of_text(dot.c);
  if (std::to_string(model::k_of(c)) != dot.k) return std::nullopt;
  c.known = {true, packed(c, true, a), packed(c, false, b), {}, value.at(0)};
  c.d_fill.keep = 0, c.d_fill.set = value.at(0);
  c.tmem_split = c.alloc_columns;
  if (model::is_block_scaled(c)) {
    c.scale_vector = dot.scale_block == "16" ? 16 : 32;
    c.scale_type = dot.scale_type == "ue8m0" ? 1 : 0;
    c.a_scales = {0, 8, 0, scales_of(codes_of_text(dot.scales_a))};
    c.b_scales = {0, 16, 0, scales_of(codes_of_text(dot.scales_b))};
    c.a_scales.columns = model::scale_columns(c, true), c.b_scales.columns = model::scale_columns(c, false);
  }
  if (!model::fits_rig(c)) return std::nullopt;
  return RowCase{row->property, c};
}

namespace {

struct ElementName {
  std::string_view name;
  MmaElement element;
  std::string_view of_wgmma, of_mma_sync, of_sparse_wgmma, of_sparse_mma_sync;  ///< properties
};
constexpr ElementName elements[] = {
    {"f16", MmaElement::f16, "wgmma.f16", "mma_sync.f16", "wgmma.sparse.f16", "mma_sync.sparse.f16"},
    {"bf16", MmaElement::bf16, "wgmma.bf16", "mma_sync.bf16", "wgmma.sparse.bf16", "mma_sync.sparse.bf16"},
    {"tf32", MmaElement::tf32, "wgmma.tf32", "mma_sync.tf32", "wgmma.sparse.tf32", "mma_sync.sparse.tf32"},
    {"e4m3", MmaElement::e4m3, "wgmma.fp8", "mma_sync.fp8", "wgmma.sparse.fp8", "mma_sync.sparse.fp8"},
    {"e5m2", MmaElement::e5m2, "wgmma.fp8", "mma_sync.fp8", "wgmma.sparse.fp8", "mma_sync.sparse.fp8"},
    {"s8", MmaElement::s8, "wgmma.i8", "mma_sync.i8", "wgmma.sparse.i8", "mma_sync.sparse.i8"},
    {"u8", MmaElement::u8, "wgmma.i8", "mma_sync.i8", "wgmma.sparse.i8", "mma_sync.sparse.i8"},
    {"s4", MmaElement::s4, "", "mma_sync.i4", "", "mma_sync.sparse.i4"},
    {"u4", MmaElement::u4, "", "mma_sync.i4", "", "mma_sync.sparse.i4"}};
const ElementName* find_element(std::string_view name) {
  for (const ElementName& row : elements)
    if (row.name == name) return &row;
  return nullptr;
}

constexpr const char* no_form = "no form of the instruction has these types and this depth";

/// Codes behind each other, `in_place` bits apart, from the low bits on.
template <size_t count>
std::array<uint32_t, count> packed(const std::string& text, uint32_t in_place, uint32_t left = 0) {
  std::array<uint32_t, count> words{};
  const std::vector<uint32_t> codes = codes_of_text(text);
  if (codes.size() * in_place > count * 32) throw NoCase{"a row or a column is longer than an operand"};
  for (size_t k = 0; k < codes.size(); ++k)
    words[k * in_place / 32] |= codes[k] << (k * in_place % 32 + left);
  return words;
}

KnownOperands operands_of(const DotText& dot, uint32_t bits) {
  const std::array<uint32_t, 16> column = packed<16>(dot.b, bits);
  KnownOperands known{true, packed<8>(dot.a, bits)};
  std::copy_n(column.begin(), 8, known.b_column.begin());
  std::copy_n(column.begin() + 8, 8, known.b_rest.begin());
  known.c = codes_of_text(dot.c).at(0);
  return known;
}

/// Every row of a warp has the same codes: the registers of the lanes of a quad, wherever the selector has
/// them.
SparseA metadata_of(const DotText& dot, uint32_t bits) {
  SparseA sparse{.present = true, .ordered = dot.is_ordered, .selector = dot.selector};
  sparse.codes = 0x4444'4444;  // not looked at, and legal of all types
  sparse.is_known = true;
  const auto groups = static_cast<int>(dot.metadata.size());
  for (int row = 0; row < 16; row += 8)
    for (int group = 0; group < groups; ++group) {
      const auto code =
          static_cast<uint32_t>(std::stoul(dot.metadata.substr(static_cast<size_t>(group), 1), nullptr, 16));
      const layout::MetadataRegister at = layout::metadata_register(
          static_cast<int>(bits), groups, static_cast<int>(dot.selector), row, group);
      sparse.of_quad[static_cast<size_t>(at.lane)] |= code << 4 * at.nibble;
    }
  return sparse;
}

std::optional<KnownElement> result_of(const DotText& dot) {
  if (dot.d.empty()) return std::nullopt;
  return KnownElement{codes_of_text(dot.d).at(0), dot.d_type == "f16" ? 16u : 32u};
}

/// Of sm_120, whose kinds have bytes of their own for each element, or packed ones of 4 bits.
RowCase kind_as_case(const DotText& dot) {
  const auto element = [](std::string_view name) {
    const auto at = std::find(narrow_element_names.begin(), narrow_element_names.end(), name);
    if (at == narrow_element_names.end()) throw NoCase{no_form};
    return static_cast<NarrowElement>(at - narrow_element_names.begin());
  };
  const bool is_packed = dot.k == "64", is_scaled = dot.scale_type != "-";
  MmaSyncKindCase c;
  c.a = element(dot.a_type), c.b = element(dot.b_type);
  c.kind = !is_scaled                ? SyncKind::f8f6f4
           : !is_packed              ? SyncKind::mxf8f6f4
           : dot.scale_block == "32" ? SyncKind::mxf4
                                     : SyncKind::mxf4nvf4;
  c.d_is_f16 = dot.d_type == "f16";
  // Of e2m1 in a byte the middle bits count.
  const auto left = [&](NarrowElement of) { return !is_packed && of == NarrowElement::e2m1 ? 2u : 0u; };
  const uint32_t bits = is_packed ? 4 : 8;
  c.known = {true,
             packed<8>(dot.a, bits, left(c.a)),
             packed<8>(dot.b, bits, left(c.b)),
             {},
             codes_of_text(dot.c).at(0)};
  const auto scales = [](const std::string& text) {
    return OperandPattern{.keep = 0, .set = packed<1>(text, 8)[0]};
  };
  if (is_scaled) c.a_scale_fill = scales(dot.scales_a), c.b_scale_fill = scales(dot.scales_b);
  if (c.kind == SyncKind::mxf4nvf4) c.scale_vector = dot.scale_type == "ue4m3" ? 4 : 2;
  if (!model::wrong_with(c).empty() || std::to_string(k_of(c)) != dot.k) throw NoCase{no_form};
  constexpr std::array<std::string_view, 4> properties{"mma_sync.f8f6f4", "mma_sync.mxf8f6f4",
                                                       "mma_sync.mxf4", "mma_sync.mxf4nvf4"};
  return {properties[static_cast<size_t>(c.kind)], c, result_of(dot)};
}

/// Register r of lane l at l * 4 + r.
std::array<uint32_t, 128> by_lane(const std::vector<uint32_t>& words) {
  std::array<uint32_t, 128> made{};
  const size_t of_lane = words.size() / 32;
  for (size_t i = 0; i < words.size(); ++i) made.at(i / of_lane * 4 + i % of_lane) = words[i];
  return made;
}

MmaAccumulator accumulator_named(std::string_view name) {
  return name == "f16" ? MmaAccumulator::f16 : name == "s32" ? MmaAccumulator::s32 : MmaAccumulator::f32;
}

}  // namespace

RowCase warp_fragment_as_case(const FragmentText& fragment) {
  const ElementName *a = find_element(fragment.a_type), *b = find_element(fragment.b_type);
  if (a == nullptr || b == nullptr) throw NoCase{no_form};
  MmaSyncCase c;
  c.types = {a->element, b->element, accumulator_named(fragment.d_type), fragment.saturates};
  c.k = fragment.k;
  c.sparse = {.present = true, .ordered = fragment.is_ordered, .selector = fragment.selector};
  c.sparse.codes = 0x4444'4444;  // not looked at, and legal of all types
  c.registers = {true, by_lane(fragment.a), by_lane(fragment.b), by_lane(fragment.c)};
  std::copy_n(fragment.metadata.begin(), 32, c.registers.metadata.begin());
  if (!gen::fits_rig(c)) throw NoCase{no_form};
  RowCase row{a->of_sparse_mma_sync, c};
  for (int warp = 0; warp < 4; ++warp)  // all of them multiply the same
    row.words.insert(row.words.end(), fragment.d.begin(), fragment.d.end());
  return row;
}

std::optional<RowCase> warp_dot_as_case(const DotText& dot) {
  const bool is_wgmma = dot.family == "wgmma", is_sparse = !dot.metadata.empty();
  if (!is_wgmma && !dot.family.starts_with("mma_sm")) return std::nullopt;
  const ElementName *a = find_element(dot.a_type), *b = find_element(dot.b_type);
  const bool is_wide = a != nullptr && element_bits(a->element) >= 16;
  if (dot.family == "mma_sm120" && !is_wide) return kind_as_case(dot);
  if (a == nullptr || b == nullptr) throw NoCase{no_form};
  const MmaTypes types{a->element, b->element, accumulator_named(dot.d_type),
                       dot.param_set.ends_with(".sat")};
  const uint32_t bits = element_bits(types.a);
  const auto k = static_cast<uint32_t>(std::stoul(dot.k));
  if (is_wgmma) {
    WgmmaCase c;
    c.types = types;
    place_known(c);
    c.known = operands_of(dot, bits);
    if (is_sparse) c.sparse = metadata_of(dot, bits);
    const auto whole = static_cast<uint32_t>(model::wgmma_k(types)) * (is_sparse ? 2 : 1);
    if (!gen::fits_rig(c) || whole != k) throw NoCase{no_form};
    return RowCase{is_sparse ? a->of_sparse_wgmma : a->of_wgmma, c, result_of(dot)};
  }
  MmaSyncCase c;
  c.types = types;
  c.k = k;
  c.known = operands_of(dot, bits);
  if (is_sparse) c.sparse = metadata_of(dot, bits);
  if (!gen::fits_rig(c)) throw NoCase{no_form};
  const spec::OnArch on = dot.family == "mma_sm100"   ? spec::from_sm_100
                          : dot.family == "mma_sm120" ? spec::where(&spec::Architecture::has_mma_kinds)
                                                      : spec::everywhere;
  return RowCase{is_sparse ? a->of_sparse_mma_sync : a->of_mma_sync, c, result_of(dot), on};
}

}  // namespace assay::vectors
