// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/instr_desc.h"

namespace assay::spec {
namespace {

/// All ones when the kind has no code for the format.
uint64_t code_of(MmaKind kind, const Field& field, const Format* format) {
  for (uint64_t raw = 0; raw <= low_bits(field.width()); ++raw)
    if (format != nullptr && format_of(kind, field, raw) == format) return raw;
  return ~uint64_t{0};
}

/// False for uses that no word can serve: block scaling with .ws, i8 where it does not exist.
bool has_legal_word(const InstrUse& use) {
  if (use.arch && lacks_kind(*use.arch, use.kind)) return false;
  for (const int m : {32, 64, 128, 256})
    if (legal_shape(use, use.sparse.value_or(false), m, 64, false)) return true;
  return false;
}

}  // namespace

uint32_t encode_instr_desc(MmaKind kind, const InstrDesc& desc) {
  const MmaKindRow& row = row_of(kind);
  uint64_t word = with_raw(0, idesc::sparse, desc.sparse ? 1 : 0);
  word = with_raw(word, idesc::a_type, code_of(kind, idesc::a_type, desc.a));
  word = with_raw(word, b_type_of(kind), code_of(kind, b_type_of(kind), desc.b));
  word = with_raw(word, idesc::negate_a, desc.negate_a ? 1 : 0);
  word = with_raw(word, idesc::negate_b, desc.negate_b ? 1 : 0);
  word = with_raw(word, idesc::transpose_a, desc.transpose_a ? 1 : 0);
  word = with_raw(word, idesc::transpose_b, desc.transpose_b ? 1 : 0);
  word = with(word, idesc::n, static_cast<uint64_t>(desc.n));
  word = with(word, m_of(kind), static_cast<uint64_t>(desc.m));
  if (row.is_mx) {
    word = with_raw(word, idesc::scale_type, desc.scale == &format("ue8m0") ? 1 : 0);
    word = with_raw(word, idesc::a_scale_id, desc.a_scale_id);
    word = with_raw(word, idesc::b_scale_id, desc.b_scale_id);
    if (has_k_size(kind)) word = with_raw(word, idesc::k_size, desc.k96 ? 1 : 0);
  } else {
    word = with_raw(word, idesc::d_type, code_of(kind, idesc::d_type, desc.d));
    word = with_raw(word, idesc::saturate, desc.saturate ? 1 : 0);
    word = with_raw(word, idesc::sparsity_selector, desc.sparsity_selector);
    const uint32_t shift = desc.max_shift;
    word = with_raw(word, idesc::max_shift, shift == 32 ? 3 : shift == 16 ? 2 : shift == 8 ? 1 : 0);
  }
  return static_cast<uint32_t>(word);
}

std::optional<InstrDesc> decode_instr_desc(MmaKind kind, uint32_t word) {
  const MmaKindRow& row = row_of(kind);
  InstrDesc desc;
  desc.a = a_format(word, kind), desc.b = b_format(word, kind);
  desc.d = row.is_mx ? &format("f32") : format_of(kind, idesc::d_type, get_raw(word, idesc::d_type));
  if (desc.a == nullptr || desc.b == nullptr || desc.d == nullptr) return std::nullopt;
  desc.m = m_value(word, kind), desc.n = n_value(word);
  desc.transpose_a = get_raw(word, idesc::transpose_a) != 0,
  desc.transpose_b = get_raw(word, idesc::transpose_b) != 0;
  desc.negate_a = get_raw(word, idesc::negate_a) != 0, desc.negate_b = get_raw(word, idesc::negate_b) != 0;
  desc.sparse = is_sparse(word);
  if (row.is_mx) {
    desc.scale = get_raw(word, idesc::scale_type) == type_code::ue8m0 ? &format("ue8m0") : &format("ue4m3");
    desc.a_scale_id = static_cast<uint32_t>(get_raw(word, idesc::a_scale_id));
    desc.b_scale_id = static_cast<uint32_t>(get_raw(word, idesc::b_scale_id));
    desc.k96 = is_k96(word, kind);
  } else {
    constexpr uint32_t columns[] = {0, 8, 16, 32};
    desc.saturate = get_raw(word, idesc::saturate) != 0;
    desc.sparsity_selector = static_cast<uint32_t>(get_raw(word, idesc::sparsity_selector));
    desc.max_shift = columns[get_raw(word, idesc::max_shift)];
  }
  return desc;
}

uint32_t random_instr_desc(const InstrUse& use, uint64_t (*random)(void* state), void* state) {
  const MmaKindRow& row = row_of(use.kind);
  const auto below = [&](uint64_t count) { return random(state) % count; };
  const auto format_in = [&](const Field& field) {
    const std::vector<uint64_t> raws = legal_edges(descriptor_of(use.kind), field);
    return format_of(use.kind, field, raws[below(raws.size())]);
  };
  if (!has_legal_word(use)) return 0;
  while (true) {
    InstrDesc desc;
    desc.a = format_in(idesc::a_type), desc.b = format_in(b_type_of(use.kind));
    if (!row.is_mx) desc.d = format_in(idesc::d_type);
    desc.sparse = use.sparse.value_or(below(4) == 0);
    desc.k96 = has_k_size(use.kind) && has(use.arch, &Architecture::has_k96) && !desc.sparse && below(3) == 0;
    constexpr int ms[] = {32, 64, 128, 256};
    do {
      desc.m = ms[below(4)];
      desc.n = 8 * static_cast<int>(1 + below(32));
    } while (!legal_shape(use, desc.sparse, desc.m, desc.n, desc.k96));
    desc.transpose_a = below(2) != 0, desc.transpose_b = below(2) != 0;
    desc.negate_a = below(2) != 0, desc.negate_b = below(2) != 0;
    desc.saturate = below(2) != 0;
    desc.sparsity_selector = static_cast<uint32_t>(below(2));
    desc.max_shift =
        use.ws.value_or(false) ? static_cast<uint32_t>(8 << below(3)) * static_cast<uint32_t>(below(2)) : 0;
    desc.scale = row.may_be_ue4m3 && below(2) != 0 ? &format("ue4m3") : &format("ue8m0");
    desc.a_scale_id = static_cast<uint32_t>(below(4)), desc.b_scale_id = static_cast<uint32_t>(below(4));
    const uint32_t word = encode_instr_desc(use.kind, desc);
    if (instr_desc_violations(word, use).empty()) return word;
  }
}

namespace {

constexpr std::array flags{
    Code{"sparse", 0, "dense"},        Code{"sparse", 1, "sparse"},       Code{"negate_a", 0, "no"},
    Code{"negate_a", 1, "yes"},        Code{"negate_b", 0, "no"},         Code{"negate_b", 1, "yes"},
    Code{"transpose_a", 0, "K-major"}, Code{"transpose_a", 1, "M-major"}, Code{"transpose_b", 0, "K-major"},
    Code{"transpose_b", 1, "N-major"},
};
constexpr std::array plain{
    Code{"saturate", 0, "no"},         Code{"saturate", 1, "yes"},         Code{"max_shift", 0, "none"},
    Code{"max_shift", 1, "8 columns"}, Code{"max_shift", 2, "16 columns"}, Code{"max_shift", 3, "32 columns"},
};
constexpr std::array narrow{
    Code{"a_type", type_code::e4m3, "e4m3"}, Code{"a_type", type_code::e5m2, "e5m2"},
    Code{"a_type", type_code::e2m3, "e2m3"}, Code{"a_type", type_code::e3m2, "e3m2"},
    Code{"a_type", type_code::e2m1, "e2m1"}, Code{"b_type", type_code::e4m3, "e4m3"},
    Code{"b_type", type_code::e5m2, "e5m2"}, Code{"b_type", type_code::e2m3, "e2m3"},
    Code{"b_type", type_code::e3m2, "e3m2"}, Code{"b_type", type_code::e2m1, "e2m1"},
};
constexpr std::array fp4{
    Code{"a_type", type_code::packed_e2m1, "e2m1"}, Code{"b_type", type_code::packed_e2m1, "e2m1"},
    Code{"k_size", 0, "64 (sparse 128)"},           Code{"k_size", 1, "96"},
    Code{"scale_type", type_code::ue8m0, "ue8m0"},
};
constexpr std::array f16_or_f32{Code{"d_type", type_code::d_f16, "f16"},
                                Code{"d_type", type_code::d_f32, "f32"}};

constexpr auto f16_codes =
    joined(flags, plain, f16_or_f32,
           std::array{Code{"a_type", type_code::f16, "f16"}, Code{"a_type", type_code::bf16, "bf16"},
                      Code{"b_type", type_code::f16, "f16"}, Code{"b_type", type_code::bf16, "bf16"}});
constexpr auto tf32_codes =
    joined(flags, plain,
           std::array{Code{"d_type", type_code::d_f32, "f32"}, Code{"a_type", type_code::tf32, "tf32"},
                      Code{"b_type", type_code::tf32, "tf32"}});
constexpr auto f8f6f4_codes = joined(flags, plain, f16_or_f32, narrow);
constexpr auto i8_codes =
    joined(flags, plain,
           std::array{Code{"d_type", type_code::d_s32, "s32"}, Code{"a_type", type_code::u8, "u8"},
                      Code{"a_type", type_code::s8, "s8"}, Code{"b_type", type_code::u8, "u8"},
                      Code{"b_type", type_code::s8, "s8"}});
constexpr auto mxf8f6f4_codes =
    joined(flags, narrow, std::array{Code{"scale_type", type_code::ue8m0, "ue8m0"}});
constexpr auto mxf4_codes = joined(flags, fp4);
constexpr auto mxf4nvf4_codes = joined(flags, fp4, std::array{Code{"scale_type", type_code::ue4m3, "ue4m3"}});

using idesc::mxf4_fields, idesc::mxf4_cite, idesc::mxf8_fields, idesc::mxf8_cite, idesc::plain_fields,
    idesc::plain_cite;
constexpr Descriptor descriptors[mma_kind_count] = {
    {"idesc_f16", "instruction descriptor, kind::f16", 32, plain_fields, f16_codes, plain_cite},
    {"idesc_tf32", "instruction descriptor, kind::tf32", 32, plain_fields, tf32_codes, plain_cite},
    {"idesc_f8f6f4", "instruction descriptor, kind::f8f6f4", 32, plain_fields, f8f6f4_codes, plain_cite},
    {"idesc_i8", "instruction descriptor, kind::i8", 32, plain_fields, i8_codes, plain_cite},
    {"idesc_mxf8f6f4", "instruction descriptor, kind::mxf8f6f4", 32, mxf8_fields, mxf8f6f4_codes, mxf8_cite},
    {"idesc_mxf4", "instruction descriptor, kind::mxf4", 32, mxf4_fields, mxf4_codes, mxf4_cite},
    {"idesc_mxf4nvf4", "instruction descriptor, kind::mxf4nvf4", 32, mxf4_fields, mxf4nvf4_codes, mxf4_cite},
};

/// For the codes of a kind's fields, where their lowest bit is.
using FormatsOfKind = std::array<std::array<const Format*, 8>, 32>;

constexpr auto kind_formats = [] {
  std::array<FormatsOfKind, mma_kind_count> made{};
  for (int kind = 0; kind < mma_kind_count; ++kind)
    for (const Field& field : descriptors[kind].fields)
      for (const Code& code : descriptors[kind].codes)
        if (field.kind == FieldKind::coded && is_label(code.field, field))
          made[kind][field.parts[0].lsb][code.raw] = find_format(code.meaning);
  return made;
}();

}  // namespace

const Format* format_of(MmaKind kind, const Field& field, uint64_t raw) {
  return raw < 8 ? kind_formats[static_cast<int>(kind)][field.parts[0].lsb][raw] : nullptr;
}

const Descriptor& descriptor_of(MmaKind kind) {
  return descriptors[static_cast<int>(kind)];
}

}  // namespace assay::spec
