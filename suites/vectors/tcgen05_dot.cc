// SPDX-License-Identifier: Apache-2.0
#include "suites/vectors/tcgen05_dot.h"

#include <sstream>

#include "generators/mma/cases.h"
#include "reference/model/mma/form.h"
#include "reference/model/mma/mma.h"
#include "reference/model/mma/scale.h"

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

}  // namespace assay::vectors
