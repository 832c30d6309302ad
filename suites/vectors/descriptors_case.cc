// SPDX-License-Identifier: Apache-2.0
#include "suites/vectors/file_formats.h"

#include <algorithm>
#include <string>

#include "generators/mma/make.h"
#include "reference/model/mma/mma.h"

namespace assay::vectors {
namespace {

constexpr uint32_t kib = 1024;

bool flag(const DescriptorRow& row, std::string_view key) {
  return row.params.number(key) != 0;
}

/// The property that has such cases.
std::string_view property_of(const Tcgen05MmaCase& c) {
  if (c.has_mask) return "mma.ws.zero_column_mask";
  if (c.sparse) return c.ws ? "mma.sparse.ws" : c.cta_group == 2 ? "mma.sparse.pair" : "mma.sparse.layout";
  if (c.k96) return "mma.scaled.k96";
  if (model::is_block_scaled(c)) return c.cta_group == 2 ? "mma.scaled.pair" : "mma.scaled.layout";
  return c.ws ? "mma.ws.layout" : c.cta_group == 2 ? "mma.dense.pair" : "mma.dense.layout";
}

std::optional<RowCase> with_word(const Tcgen05MmaCase& c, uint64_t word, uint64_t of_case) {
  if (!model::fits_rig(c)) return std::nullopt;
  if (word != of_case) throw RowError{"the descriptor of the case made from the row differs"};
  return RowCase{property_of(c), c};
}

gen::Random random_of(const DescriptorRow& row) {
  return gen::Random(row.word);
}

/// The types of a row by the codes of its kind; false where the kind lacks one.
bool take_types(const std::string& a, const std::string& b, Tcgen05MmaCase& c) {
  const auto a_code = type_code(c.kind, true, a), b_code = type_code(c.kind, false, b);
  if (!a_code || !b_code) return false;
  c.a_type = *a_code, c.b_type = *b_code;
  return true;
}

std::optional<RowCase> instruction_case(const DescriptorRow& row) {
  const std::string_view kind = row.variant.substr(0, row.variant.find('.'));
  const spec::MmaKindRow* known = spec::find_mma_kind(kind);
  if (known == nullptr) return std::nullopt;
  Tcgen05MmaCase c;
  c.kind = known->kind;
  c.ws = row.variant.ends_with(".ws"), c.sparse = row.variant.ends_with(".sp");
  const auto type = [&](std::string_view key) {
    const std::string& name = row.params.text(key);
    return name == "e2m1u" ? std::string("e2m1") : name;
  };
  if (!take_types(type("a"), type("b"), c)) return std::nullopt;
  const std::string d = type("d");
  c.d_type = d == "f16" ? 0 : d == "s32" ? 2 : 1;
  c.cta_group = row.number("cta_group"), c.m = row.number("M"), c.n = row.number("N");
  c.transpose_a = flag(row, "a_mn_major"), c.transpose_b = flag(row, "b_mn_major");
  c.negate_a = flag(row, "a_neg"), c.negate_b = flag(row, "b_neg");
  if (known->is_mx) {
    const std::string& vector = row.params.text("scale_vec");
    c.scale_vector = vector.starts_with("block16")   ? 16
                     : vector.starts_with("block32") ? 32
                     : vector == "1X"                ? 1
                     : vector == "2X"                ? 2
                                                     : 4;
    c.scale_type = row.params.text("sf") == "ue8m0" ? 1 : 0;
    c.a_scales.id = row.number("a_sf_id"), c.b_scales.id = row.number("b_sf_id");
    c.k96 = flag(row, "k_bit");
  } else {
    constexpr uint32_t columns[] = {0, 8, 16, 32};
    c.max_shift = columns[row.number("max_shift") & 3];
    c.saturate = flag(row, "sat");
    c.metadata.selector = row.number("sparse_sel");
  }
  if (c.sparse) c.metadata.codes = 0xe4e4'e4e4;  // which have a meaning in every kind
  c.enable_input_d = true;
  gen::Random random = random_of(row);
  gen::finish(random, gen::Placing::dense, gen::FillMix::exact, c);
  return with_word(c, row.word, model::idesc_word(c));
}

std::optional<RowCase> mask_case(const DescriptorRow& row) {
  const spec::ZeroColumnMask mask = spec::decode_zero_column_mask(row.word);
  Tcgen05MmaCase c;
  c.ws = c.has_mask = true;
  c.m = row.number("M"), c.n = row.params.has("N") ? row.number("N") : 128;
  c.mask = {mask.start_count, mask.first_is_zeroed, mask.generate,
            mask.skip_span,   mask.use_span,        mask.column_shift};
  c.enable_input_d = true;
  gen::Random random = random_of(row);
  gen::finish(random, gen::Placing::dense, gen::FillMix::exact, c);
  return with_word(c, row.word, model::mask_word(c));
}

/// K-major without swizzle, as close as it goes: `rows` of 16 * `columns` bytes.
MatrixInShared plain_matrix(uint32_t start, uint32_t rows) {
  return {.start = start, .leading_offset = (rows + 7) / 8 * 128, .stride_offset = 128};
}

/// The matrix is A if it has as many rows as an A of one CTA, else B. The other one lies in front, or behind.
std::optional<RowCase> matrix_case(const DescriptorRow& row, bool is_of_96) {
  const std::string& element = row.params.text("elem");
  Tcgen05MmaCase c;
  c.kind = element == "e2m1"   ? spec::MmaKind::mxf4
           : element == "e4m3" ? spec::MmaKind::f8f6f4
           : element == "tf32" ? spec::MmaKind::tf32
                               : spec::MmaKind::f16;
  if (!take_types(element, element, c)) return std::nullopt;
  const uint32_t rows = is_of_96 ? 128 : row.number("mma_MN");
  const bool is_a = rows == 64 || rows == 128;
  c.m = is_a ? rows : 128, c.n = is_a ? 16 : rows;
  (is_a ? c.transpose_a : c.transpose_b) = row.variant.starts_with("MN_");
  c.k96 = is_of_96;
  if (model::is_block_scaled(c)) c.scale_vector = 32;
  if (static_cast<uint32_t>(model::k_of(c)) != row.number("mma_K")) return std::nullopt;
  const std::optional<spec::SmemMatrix> read = spec::decode_smem_desc(row.word);
  if (!read) return std::nullopt;
  MatrixInShared& of_row = is_a ? c.a : c.b;
  of_row = {.start = read->start,
            .leading_offset = read->leading_offset,
            .stride_offset = read->stride_offset,
            .base_offset = read->base_offset,
            .swizzle = read->swizzle->tcgen05_code,
            .leading_is_absolute = read->leading_is_absolute};
  MatrixInShared& other = is_a ? c.b : c.a;
  const uint32_t other_rows = is_a ? c.n : c.m, other_bytes = other_rows * 64;
  const bool is_in_front = of_row.start >= other_bytes;
  const uint32_t row_end = model::shared_end(c, is_a ? 0 : 1);
  if (row_end > 1u << 18) return std::nullopt;
  c.split = is_in_front ? other_bytes : (row_end + kib - 1) / kib * kib;
  other = plain_matrix(is_in_front ? 0 : c.split, other_rows);
  c.window_bytes = std::max(row_end, model::shared_end(c, is_a ? 1 : 0));
  c.window_bytes = (c.window_bytes + kib - 1) / kib * kib;
  c.enable_input_d = true;
  gen::Random random = random_of(row);
  gen::place_in_tensor_memory(random, c);
  gen::fill_operands(random, gen::FillMix::exact, c);
  if (b_lies_first(c)) std::swap(c.a_fill, c.b_fill);
  return with_word(c, row.word, is_a ? model::a_word(c) : model::b_word(c));
}

}  // namespace

std::optional<RowCase> descriptor_as_case(const DescriptorRow& row) {
  if (row.name == "idesc") return instruction_case(row);
  if (row.name == "zcm") return mask_case(row);
  if (row.name == "smem" || row.name == "smem_abs") return matrix_case(row, row.name == "smem_abs");
  return std::nullopt;
}

}  // namespace assay::vectors
