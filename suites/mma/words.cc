// SPDX-License-Identifier: Apache-2.0
#include "suites/mma/coverage.h"

#include "reference/layout/fragments.h"
#include "reference/model/mma/fields.h"
#include "reference/model/mma/mma.h"
#include "suites/run/field_coverage.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

std::string type_words(const Tcgen05MmaCase& c) {
  const model::MmaFormats f = model::formats_of(c);
  const auto name = [](const spec::Format* format) {
    return format == nullptr ? std::string("?") : std::string(format->name);
  };
  return name(f.a) + " * " + name(f.b) + " -> " + name(f.d);
}

std::string shape_words(const Tcgen05MmaCase& c) {
  return std::to_string(c.m) + "x" + std::to_string(c.n) + "x" + std::to_string(model::stored_k(c, false));
}

std::string matrix_words(const MatrixInShared& matrix, bool transposed, uint32_t step) {
  const spec::SmemSwizzle* swizzle = spec::find_smem_swizzle(matrix.swizzle);
  return std::string(transposed ? "MN-major, swizzle " : "K-major, swizzle ") +
         (swizzle == nullptr ? std::to_string(matrix.swizzle) : std::string(swizzle->name)) + ", start " +
         std::to_string(matrix.start) + ", leading " + std::to_string(matrix.leading_offset) + ", stride " +
         std::to_string(matrix.stride_offset) + ", base offset " + std::to_string(matrix.base_offset) +
         ", step " + std::to_string(16 * step) + " bytes";
}

std::string mask_words(const ColumnMask& mask) {
  std::string text = mask.generate ? "zeroed " + std::to_string(mask.skip_span) + ", used " +
                                         std::to_string(mask.use_span) + ", start counts " +
                                         list_words(mask.start_count, 4) + ", zeroed first "
                                   : "none";
  if (mask.generate)
    for (const bool first : mask.first_is_zeroed) text += first ? '1' : '0';
  if (mask.column_shift != 0) text += ", shift " + std::to_string(mask.column_shift);
  return text;
}

std::string fill_words(const OperandPattern& fill) {
  std::string text =
      "seed " + std::to_string(fill.seed) + ", keep " + hex_words(fill.keep) + ", set " + hex_words(fill.set);
  if (fill.mirror_bits != 0) text += ", mirrored";
  if (fill.special_bits != 0) text += ", " + std::to_string(fill.special_rate) + " of 256 special";
  return text;
}

std::string metadata_words(const Tcgen05MmaCase& c) {
  const MetadataInTensorMemory& m = c.metadata;
  std::string text =
      "columns " + std::to_string(m.column) + " to " + std::to_string(m.column + m.columns - 1);
  if (model::has_interleaved_metadata(c)) text += ", selector " + std::to_string(m.selector);
  text += ", codes " + layout::code_words(m.codes);
  if (m.strange_rate != 0)
    text += ", " + std::to_string(m.strange_rate) + " of 256 " + layout::code_words(m.strange_codes);
  return text + ", seed " + std::to_string(m.seed);
}

}  // namespace

std::string scales_words(const ScalesInTensorMemory& scales) {
  return "id " + std::to_string(scales.id) + ", columns " + std::to_string(scales.column) + " to " +
         std::to_string(scales.column + scales.columns - 1);
}

std::string scale_qualifier(const Tcgen05MmaCase& c) {
  if (!model::is_block_scaled(c)) return {};
  if (c.scale_vector == 0) return ".block_scale";
  return c.scale_vector >= 16 ? ".block_scale.block" + std::to_string(c.scale_vector)
                              : ".block_scale.scale_vec::" + std::to_string(c.scale_vector) + "X";
}

std::vector<std::pair<std::string, std::string>> mma_fields(const Tcgen05MmaCase& c) {
  std::vector<std::pair<std::string, std::string>> list;
  list.emplace_back("instruction",
                    std::string(c.ws ? "tcgen05.mma.ws" : "tcgen05.mma") + (c.sparse ? ".sp" : "") +
                        ".cta_group::" + std::to_string(c.cta_group) +
                        ".kind::" + std::string(spec::row_of(c.kind).name) + scale_qualifier(c));
  list.emplace_back("types", type_words(c));
  list.emplace_back("shape", shape_words(c));
  list.emplace_back("instruction descriptor", hex_words(model::idesc_word(c)));
  if (c.a_in_tmem)
    list.emplace_back("A", "tensor memory, column " + std::to_string(c.a_column));
  else
    list.emplace_back("A", matrix_words(c.a, c.transpose_a, c.a_step));
  list.emplace_back("B", matrix_words(c.b, c.transpose_b, c.b_step));
  if (!c.a_in_tmem) list.emplace_back("A descriptor", hex_words(model::a_word(c)));
  list.emplace_back("B descriptor", hex_words(model::b_word(c)));
  list.emplace_back("D", "lane " + std::to_string(c.lane) + ", column " + std::to_string(c.d_column) +
                             " of " + std::to_string(c.alloc_columns));
  if (model::is_block_scaled(c)) {
    list.emplace_back("scales",
                      std::string(model::scale_format(c)->name) + ", one for " +
                          std::to_string(model::scale_block(c)) + " elements" +
                          (c.scale_halves ? ", those of B separate in each half of the lanes" : ""));
    list.emplace_back("scales of A", scales_words(c.a_scales));
    list.emplace_back("scales of B", scales_words(c.b_scales));
  }
  if (c.sparse) list.emplace_back("metadata", metadata_words(c));
  if (c.has_mask) {
    list.emplace_back("zero-column mask", mask_words(c.mask));
    list.emplace_back("mask descriptor", hex_words(model::mask_word(c)));
    list.emplace_back("maximum shift", std::to_string(c.max_shift));
  }
  std::string flags;
  if (c.negate_a) flags += " negate A";
  if (c.negate_b) flags += " negate B";
  if (c.saturate) flags += " saturate";
  if (c.ashift) flags += " ashift";
  if (!c.enable_input_d) flags += " without input D";
  if (c.has_scale_input_d) flags += " D * 2^-" + std::to_string(c.scale_input_d);
  constexpr const char* uses[] = {"", "fill", "use", "lastuse", "discard"};
  if (c.collector != Collector::none)
    flags += " collector::" + (c.ws ? "b" + std::to_string(c.collector_buffer) : std::string("a")) +
             "::" + uses[static_cast<size_t>(c.collector)] + (c.collector_filled ? " after fill" : "");
  if (!flags.empty()) list.emplace_back("qualifiers", flags.substr(1));
  if (c.scales_copied)
    list.emplace_back("scales placed by", "tcgen05.cp.32x128b.warpx4 from byte " +
                                              std::to_string(c.window_bytes) + " on" +
                                              (c.scale_halves ? ", those of B 64x128b.warpx2::01_23" : ""));
  if (c.scales_refilled)
    list.emplace_back("scales replaced", "by the same copies, issued after the products without a wait");
  tell(c, list);
  if (c.has_disabled_lanes) {
    std::string lanes;
    for (uint32_t i = 0; i < 4 * c.cta_group; ++i)
      lanes += (i == 0 ? "" : " ") + hex_words(c.disabled_lanes[i]);
    list.emplace_back("disabled lanes", lanes);
  }
  const bool exchanged = b_lies_first(c);
  const OperandPattern& in_shared = exchanged ? c.b_fill : c.a_fill;
  list.emplace_back("values of A", fill_words(c.a_in_tmem ? c.tmem_a_fill : in_shared));
  list.emplace_back("values of B", fill_words(exchanged ? c.a_fill : c.b_fill));
  list.emplace_back("values of D", fill_words(c.d_fill));
  if (model::is_block_scaled(c)) {
    list.emplace_back("values of the scales of A", fill_words(c.a_scales.fill));
    list.emplace_back("values of the scales of B", fill_words(c.b_scales.fill));
  }
  return list;
}

std::string mma_brief(const Tcgen05MmaCase& c) {
  const std::string scales = model::is_block_scaled(c) ? " " + std::string(model::scale_format(c)->name) +
                                                             "/" + std::to_string(model::scale_block(c))
                                                       : "";
  return " " + type_words(c) + scales + " " + shape_words(c) + (c.ws ? " ws" : "") +
         (c.sparse ? " sparse" : "") + (c.cta_group == 2 ? " pair" : "") + (c.ashift ? " ashift" : "") +
         (c.a_in_tmem ? " A in tmem" : "");
}

std::vector<CoveredField> matrix_fields() {
  std::vector<CoveredField> made = covered_members<MatrixInShared>("matrix");
  made.push_back(covered_line_offset("start mod 128"));
  return made;
}

void read_matrix_fields(const MatrixInShared& matrix, FieldValues& values) {
  size_t at = 0;
  read_members(matrix, "matrix", values, at);
  values[at] = matrix.start % 128 / 16;
}

namespace {

// As rows of the members' tables name them.
constexpr const char* instruction_descriptor = "instruction descriptor";
constexpr const char* scale_factors = "scale factors";
constexpr const char* zero_column_mask = "zero-column mask";

bool read_a(const Case& c, FieldValues& values) {
  const auto* mma = c.get_if<Tcgen05MmaCase>();
  if (mma == nullptr || mma->a_in_tmem) return false;
  read_matrix_fields(mma->a, values);
  return true;
}
bool read_b(const Case& c, FieldValues& values) {
  const auto* mma = c.get_if<Tcgen05MmaCase>();
  if (mma == nullptr) return false;
  read_matrix_fields(mma->b, values);
  return true;
}

bool read_instruction(const Case& any, FieldValues& values) {
  const auto* c = any.get_if<Tcgen05MmaCase>();
  if (c == nullptr) return false;
  size_t at = 0;
  read_members(*c, instruction_descriptor, values, at);
  return true;
}

bool read_scales(const Case& any, FieldValues& values) {
  const auto* c = any.get_if<Tcgen05MmaCase>();
  if (c == nullptr || c->a_scales.columns == 0) return false;
  size_t at = 0;
  read_members(*c, scale_factors, values, at);
  return true;
}

bool read_mask(const Case& any, FieldValues& values) {
  const auto* c = any.get_if<Tcgen05MmaCase>();
  if (c == nullptr || !c->has_mask) return false;
  size_t at = 0;
  read_members(c->mask, zero_column_mask, values, at);
  return true;
}

}  // namespace

std::span<const Descriptor> tcgen05_descriptors() {
  static const std::vector<Descriptor> made = [] {
    std::vector<Descriptor> list;
    list.emplace_back("descriptor of A", matrix_fields(), read_a);
    list.emplace_back("descriptor of B", matrix_fields(), read_b);
    list.emplace_back(instruction_descriptor, covered_members<Tcgen05MmaCase>(instruction_descriptor),
                      read_instruction);
    list.emplace_back(zero_column_mask, covered_members<ColumnMask>(zero_column_mask), read_mask);
    list.emplace_back(scale_factors, covered_members<Tcgen05MmaCase>(scale_factors), read_scales);
    return list;
  }();
  return made;
}

}  // namespace assay::suites
