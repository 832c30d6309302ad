// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/instr_desc.h"

#include "reference/spec/instr_desc_read.h"

namespace assay::spec {
namespace {

template <size_t... N>
constexpr auto joined(const std::array<Code, N>&... parts) {
  std::array<Code, (N + ...)> all{};
  size_t at = 0;
  const auto append = [&](const auto& part) {
    for (const Code& code : part) all[at++] = code;
  };
  (append(parts), ...);
  return all;
}

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

constexpr MmaKindRow kinds[mma_kind_count] = {
    // kind            name        table           K   mx     transposes negates
    {MmaKind::f16, "f16", &descriptors[0], 16, false, true, true},
    {MmaKind::tf32, "tf32", &descriptors[1], 8, false, true, true},
    {MmaKind::f8f6f4, "f8f6f4", &descriptors[2], 32, false, true, true},
    {MmaKind::i8, "i8", &descriptors[3], 32, false, true, false},
    {MmaKind::mxf8f6f4, "mxf8f6f4", &descriptors[4], 32, true, true, true},
    {MmaKind::mxf4, "mxf4", &descriptors[5], 64, true, false, true},
    {MmaKind::mxf4nvf4, "mxf4nvf4", &descriptors[6], 64, true, false, true},
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

const MmaKindRow& row_of(MmaKind kind) {
  return kinds[static_cast<int>(kind)];
}

const MmaKindRow* find_mma_kind(std::string_view name) {
  for (const MmaKindRow& row : kinds)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace assay::spec
