// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/descriptor.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <array>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "reference/spec/instr_desc.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/smem_desc.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"
#include "reference/spec/zero_column_mask.h"

namespace assay::spec {
namespace {

uint64_t next(void* state) {
  return (*static_cast<std::mt19937_64*>(state))();
}

std::vector<const Descriptor*> all_descriptors() {
  std::vector<const Descriptor*> all{&smem_desc, &wgmma_smem_desc, &zero_column_mask};
  for (int kind = 0; kind < mma_kind_count; ++kind) all.push_back(&descriptor_of(static_cast<MmaKind>(kind)));
  return all;
}

TEST(Descriptors, FieldsPutWhatTheyGetAndTouchNothingElse) {
  for (const Descriptor* descriptor : all_descriptors())
    for (const Field& field : descriptor->fields) {
      const uint64_t before = 0xa5a5a5a5a5a5a5a5 & low_bits(descriptor->bits);
      const uint64_t after = with_raw(before, field, 0x5a5a5a5a);
      EXPECT_EQ(get_raw(after, field), 0x5a5a5a5a & low_bits(field.width()))
          << descriptor->name << label(field);
      for (const Field& other : descriptor->fields)
        if (&other != &field) {
          EXPECT_EQ(get_raw(after, other), get_raw(before, other)) << label(field) << label(other);
        }
    }
}

TEST(Descriptors, EveryCodedFieldHasCodesAndEveryCodeAField) {
  for (const Descriptor* descriptor : all_descriptors()) {
    for (const Field& field : descriptor->fields) {
      EXPECT_FALSE(field.cite.place.empty()) << descriptor->name << " " << label(field);
      EXPECT_FALSE(legal_edges(*descriptor, field).empty()) << descriptor->name << " " << label(field);
      for (const uint64_t raw : legal_edges(*descriptor, field)) EXPECT_TRUE(allows(*descriptor, field, raw));
      for (const uint64_t raw : illegal_raws(*descriptor, field))
        EXPECT_FALSE(allows(*descriptor, field, raw));
    }
    for (const Code& code : descriptor->codes) {
      const Field* field = find_field(*descriptor, code.field);
      ASSERT_NE(field, nullptr) << descriptor->name << " " << code.field;
      EXPECT_EQ(field->kind, FieldKind::coded);
      EXPECT_LE(code.raw, low_bits(field->width()));
    }
  }
}

// Worked out by hand from the tables, field by field; never from the code above.
TEST(Descriptors, GoldenWords) {
  const SmemMatrix f16_k_128B{0x1060, 16, 1024, 0, false, find_smem_swizzle("128B")};
  EXPECT_EQ(encode_smem_desc(f16_k_128B), 0x4000404000010106u);
  const SmemMatrix tf32_mn{0, 512, 2048, 0, false, find_smem_swizzle("128B_atom32B")};
  EXPECT_EQ(encode_smem_desc(tf32_mn), 0x2000408000200000u);
  const SmemMatrix absolute{0x4060, 0x8000, 1024, 0, true, find_smem_swizzle("128B")};
  EXPECT_EQ(encode_smem_desc(absolute), 0x4010404008000406u);
  const SmemMatrix wgmma{0x35710, 0x36440, 0x260, 0, false, find_smem_swizzle("64B")};
  EXPECT_EQ(encode_wgmma_smem_desc(wgmma), 0x8000002636443571u);

  InstrDesc f16{&format("f16"), &format("f16"), &format("f32"), 128, 256};
  EXPECT_EQ(encode_instr_desc(MmaKind::f16, f16), 0x08400010u);
  InstrDesc s8{&format("s8"), &format("s8"), &format("s32"), 128, 128};
  EXPECT_EQ(encode_instr_desc(MmaKind::i8, s8), 0x082004a0u);
  InstrDesc mxf4{&format("e2m1"), &format("e2m1"), nullptr, 256, 128};
  mxf4.scale = &format("ue8m0"), mxf4.a_scale_id = 3, mxf4.b_scale_id = 1, mxf4.k96 = true;
  EXPECT_EQ(encode_instr_desc(MmaKind::mxf4, mxf4), 0xf0a00490u);
  InstrDesc ws{&format("f16"), &format("f16"), &format("f32"), 128, 256};
  ws.transpose_b = true, ws.max_shift = 32;
  EXPECT_EQ(encode_instr_desc(MmaKind::f16, ws), 0xc8410010u);

  const ZeroColumnMask example_4{{0, 1, 2, 1}, {true, true, false, false}, true, 3, 4, 2};
  EXPECT_EQ(encode_zero_column_mask(example_4), 0x0203028301020100u);
}

// The tcgen05 swizzle code is twice that of wgmma, and everything else lies in the same bits.
TEST(Descriptors, ATcgen05WordReadsTheSameAsAWgmmaWord) {
  for (const SmemSwizzle& swizzle : smem_swizzles) {
    if (!swizzle.wgmma_code) continue;
    EXPECT_EQ(swizzle.tcgen05_code, 2 * *swizzle.wgmma_code);
    const SmemMatrix matrix{0x3fff0, 0x12340, 0x20, 5, false, &swizzle};
    const SmemMatrix read = decode_wgmma_smem_desc(encode_smem_desc(matrix));
    EXPECT_EQ(read.start, 0x3fff0u);
    EXPECT_EQ(read.leading_offset, 0x12340u);
    EXPECT_EQ(read.stride_offset, 0x20u);
    EXPECT_EQ(read.base_offset, 5u);
    EXPECT_EQ(read.swizzle, &swizzle);
  }
}

RC_GTEST_PROP(DescriptorProperty, AnySmemWordThatDecodesEncodesBack, (uint64_t word)) {
  const auto matrix = decode_smem_desc(word);
  RC_PRE(matrix.has_value());
  const uint64_t meant = (word & ~uint64_t{0x1fe1'c000'c000'c000}) | uint64_t{1} << 46;
  RC_ASSERT(encode_smem_desc(*matrix) == meant);
}

RC_GTEST_PROP(DescriptorProperty, AnyInstructionWordWithoutReservedBitsEncodesBack, (uint32_t word)) {
  const auto kind = static_cast<MmaKind>(*rc::gen::inRange(0, mma_kind_count));
  const Descriptor& descriptor = descriptor_of(kind);
  uint64_t clean = word;
  for (const Field& field : descriptor.fields) {
    if (field.kind == FieldKind::reserved) clean = with_raw(clean, field, 0);
    if (field.kind == FieldKind::coded && !allows(descriptor, field, get_raw(clean, field)))
      clean = with_raw(clean, field, legal_edges(descriptor, field)[0]);
  }
  const auto desc = decode_instr_desc(kind, static_cast<uint32_t>(clean));
  RC_ASSERT(desc.has_value());
  RC_ASSERT(encode_instr_desc(kind, *desc) == clean);
}

RC_GTEST_PROP(DescriptorProperty, AnyMaskWithoutReservedBitsEncodesBack, (uint64_t word)) {
  const uint64_t clean = word & ~uint64_t{0xc000'0070'0000'0000};
  RC_ASSERT(encode_zero_column_mask(decode_zero_column_mask(clean)) == clean);
}

// What a legal word turns into when one field is changed to something its table does not allow is a
// violation, and by one field's doing.
RC_GTEST_PROP(DescriptorProperty, OneFieldWrongIsNoticed, (uint64_t seed)) {
  std::mt19937_64 random(seed);
  const auto check = [&](const Descriptor& descriptor, uint64_t legal, auto violations) {
    RC_ASSERT(violations(legal).empty());
    for (const OneFieldWrong& wrong : one_field_wrong(descriptor, legal)) {
      RC_ASSERT(!violations(wrong.word).empty());
      for (const Field& field : descriptor.fields)
        if (&field != wrong.field) RC_ASSERT(get_raw(wrong.word, field) == get_raw(legal, field));
    }
  };
  const SmemUse smem{.arch = *rc::gen::element(Arch::sm_100, Arch::sm_103),
                     .element_bits = *rc::gen::element(8, 16, 32),
                     .mn_major = *rc::gen::arbitrary<bool>()};
  check(smem_desc, random_smem_desc(smem, next, &random),
        [&](uint64_t w) { return smem_desc_violations(w, smem); });
  InstrUse use{.kind = static_cast<MmaKind>(*rc::gen::inRange(0, mma_kind_count))};
  use.arch = Arch::sm_100;
  use.cta_group = *rc::gen::element(1, 2);
  use.ws = *use.cta_group == 1 && !row_of(use.kind).is_mx && *rc::gen::arbitrary<bool>();
  if (use.kind == MmaKind::mxf4nvf4) use.scale_vec = *rc::gen::element(ScaleVec::x2, ScaleVec::x4);
  check(descriptor_of(use.kind), random_instr_desc(use, next, &random),
        [&](uint64_t w) { return instr_desc_violations(static_cast<uint32_t>(w), use); });
  const MaskUse mask{.m = *rc::gen::element(32, 64, 128)};
  check(zero_column_mask, random_zero_column_mask(mask, next, &random),
        [&](uint64_t w) { return zero_column_mask_violations(w, mask); });
}

// The scale ids that the document lists, by hand; a word whose number of scales is not known is legal where
// one that it may have is. ue4m3 (bit 23 clear) has four.
TEST(Descriptors, ScaleIdsAreThoseOfTheTable) {
  struct Row {
    MmaKind kind;
    std::optional<ScaleVec> vec;
    uint32_t word;  ///< bits 31 (K of 96) and 23 (ue8m0) of interest
    std::string_view legal;
  };
  constexpr uint32_t ue8m0 = 0x08820480, ue4m3 = 0x08020480, k96 = 1u << 31;
  const Row rows[] = {
      {MmaKind::mxf8f6f4, {}, ue8m0, "0123"},
      {MmaKind::mxf4, {}, ue8m0, "02"},
      {MmaKind::mxf4, {}, ue8m0 | k96, "0123"},
      {MmaKind::mxf4nvf4, ScaleVec::x2, ue8m0, "02"},
      {MmaKind::mxf4nvf4, ScaleVec::x2, ue8m0 | k96, "0123"},
      {MmaKind::mxf4nvf4, ScaleVec::x4, ue8m0, "0"},
      {MmaKind::mxf4nvf4, ScaleVec::x4, ue4m3, "0"},
      {MmaKind::mxf4nvf4, ScaleVec::x4, ue4m3 | k96, "02"},
      {MmaKind::mxf4nvf4, {}, ue8m0, "02"},
      {MmaKind::mxf4nvf4, {}, ue8m0 | k96, "0123"},
      {MmaKind::mxf4nvf4, {}, ue4m3, "0"},
      {MmaKind::mxf4nvf4, {}, ue4m3 | k96, "02"},
  };
  for (const Row& row : rows)
    for (uint32_t a = 0; a < 4; ++a)
      for (uint32_t b = 0; b < 4; ++b) {
        const bool legal = row.legal.find(static_cast<char>('0' + a)) != std::string_view::npos &&
                           row.legal.find(static_cast<char>('0' + b)) != std::string_view::npos;
        const uint32_t word = row.word | a << 29 | b << 4;
        bool broken = false;
        for (const RuleBroken& one : instr_desc_violations(word, {.kind = row.kind, .scale_vec = row.vec}))
          broken |= one.rule->id == "IDESC-R16";
        EXPECT_NE(broken, legal) << std::hex << word << " " << row_of(row.kind).name;
      }
  const auto shown = [](uint64_t word) { return *describe_word(word, "idesc_mxf4nvf4", false); };
  EXPECT_NE(shown(0x28820490).find("violates IDESC-R16 (a_scale_id)"), std::string::npos)
      << shown(0x28820490);
  EXPECT_NE(shown(0x28020490).find("violates IDESC-R16 (a_scale_id)"), std::string::npos)
      << shown(0x28020490);
}

// No rule is idle: words near legal ones break each one that has a check.
TEST(Descriptors, EveryCheckCanFail) {
  std::mt19937_64 random(7);
  std::set<std::string_view> broken;
  const auto note = [&](const std::vector<RuleBroken>& found) {
    for (const RuleBroken& one : found) broken.insert(one.rule->id);
  };
  for (int i = 0; i < 30000; ++i) {
    const SmemUse smem{.arch = i % 2 == 0 ? Arch::sm_100 : Arch::sm_103,
                       .element_bits = std::array{4, 8, 16, 32}[static_cast<size_t>(i % 4)],
                       .mn_major = i % 3 == 0};
    uint64_t word = random_smem_desc({.arch = Arch::sm_103, .mn_major = i % 5 == 0}, next, &random);
    note(smem_desc_violations(mutate(smem_desc, word, next, &random), smem));
    InstrUse use{.kind = static_cast<MmaKind>(i % mma_kind_count)};
    use.cta_group = 1 + i % 2;
    word = random_instr_desc(use, next, &random);
    use.arch = i % 3 == 0 ? Arch::sm_100 : Arch::sm_103;
    use.ws = i % 7 == 0;
    use.sparse = i % 5 == 0;
    use.a_in_tmem = i % 2 == 0;
    use.scale_vec = i % 11 == 0 ? ScaleVec::x2 : ScaleVec::x4;
    note(instr_desc_violations(static_cast<uint32_t>(mutate(descriptor_of(use.kind), word, next, &random)),
                               use));
    const MaskUse mask{.m = 32, .max_shift = 8};
    word = random_zero_column_mask({}, next, &random);
    note(zero_column_mask_violations(mutate(zero_column_mask, word, next, &random), mask));
  }
  const auto expect_broken = [&](const auto& rules) {
    for (const auto& row : rules)
      EXPECT_TRUE(row.holds == nullptr || broken.contains(row.rule.id)) << row.rule.id;
  };
  expect_broken(smem_desc_rules());
  expect_broken(instr_desc_rules());
  expect_broken(zero_column_mask_rules());
}

TEST(Descriptors, ShowNamesUnitsAndViolations) {
  const std::string good = *describe_word(0x4000404000010080, "smem", false);
  EXPECT_NE(good.find("stride_offset        0x00400 bytes (1024)"), std::string::npos) << good;
  EXPECT_NE(good.find("no violation"), std::string::npos) << good;
  const std::string bad = *describe_word(0x6000404000010080, "smem", false);
  EXPECT_NE(bad.find("violates SMEM-R03 (swizzle)"), std::string::npos) << bad;
  const auto json = nlohmann::json::parse(*describe_word(0x6000404000010080, "smem", true));
  EXPECT_EQ(json["descriptor"], "smem");
  EXPECT_EQ(json["fields"][0]["name"], "start");
  EXPECT_EQ(json["fields"][0]["value"], 0x800);
  EXPECT_EQ(json["fields"][0]["unit"], "bytes");
  EXPECT_EQ(json["violations"][0]["rule"], "SMEM-R03");
  EXPECT_FALSE(describe_word(0, "smen", false).has_value());
  EXPECT_NE(describe_word(uint64_t{1} << 32, "idesc_f16", false)->find("more than 32 bits"),
            std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(*describe_word(uint64_t{1} << 32, "idesc_f16", true)).contains("error"));
  for (const std::string_view name : describable_words())
    for (const uint64_t word : {uint64_t{0}, ~uint64_t{0}, uint64_t{0x12345678}})
      EXPECT_TRUE(describe_word(word, name, true).has_value()) << name;
}

std::string bits_of(const std::vector<bool>& zeroed, int from, int count) {
  std::string text;
  for (int j = from; j < from + count; ++j) text += zeroed[static_cast<size_t>(j)] ? '1' : '0';
  return text;
}

// The four examples of the document, lowest column first.
TEST(ZeroColumnMasks, TheFourDocumentedExamples) {
  const auto zeroed = [](uint64_t word, int m) {
    return zeroed_columns(decode_zero_column_mask(word), m, 128);
  };
  EXPECT_EQ(bits_of(zeroed(0x0003040000000000, 128), 0, 12), "000000000000");
  EXPECT_EQ(bits_of(zeroed(0x0003028000000000, 128), 0, 14), "00001110000111");
  EXPECT_EQ(bits_of(zeroed(0x0003028100000000, 64), 0, 17), "11100001110000111");
  EXPECT_EQ(bits_of(zeroed(0x0003028100000000, 64), 64, 17), "00001110000111000");
  EXPECT_EQ(bits_of(zeroed(0x0203028301020100, 32), 0, 14), "11100001110000");
  EXPECT_EQ(bits_of(zeroed(0x0203028301020100, 32), 32, 13), "1100001110000");
  EXPECT_EQ(bits_of(zeroed(0x0203028301020100, 32), 64, 12), "001110000111");
  EXPECT_EQ(bits_of(zeroed(0x0203028301020100, 32), 96, 13), "0001110000111");
}

// The same masks by walking along the runs as the document tells it, a column at a time, those already
// consumed first.
RC_GTEST_PROP(ZeroColumnMaskProperty, AreWhatWalkingTheRunsGives, (uint64_t seed)) {
  std::mt19937_64 random(seed);
  const int m = *rc::gen::element(32, 64, 128), n = *rc::gen::element(64, 128, 256);
  ZeroColumnMask mask = decode_zero_column_mask(random_zero_column_mask({.m = m}, next, &random));
  if (*rc::gen::arbitrary<bool>()) mask.start_count[0] = *rc::gen::inRange(0, 256);
  const MaskReadings readings{*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(),
                              *rc::gen::arbitrary<bool>()};
  const std::vector<bool> zeroed = zeroed_columns(mask, m, n, readings);
  const bool masks = mask.generate != readings.bit_39_disables;
  const uint32_t ones = readings.table_words ? mask.use_span : mask.skip_span;
  const uint32_t zeros = readings.table_words ? mask.skip_span : mask.use_span;
  std::vector<bool> walked(static_cast<size_t>(n));
  const int length = n / sub_masks(m);
  for (int i = 0; masks && i < sub_masks(m); ++i) {
    bool in_ones = mask.first_is_zeroed[i];
    uint32_t left = in_ones ? ones : zeros, consumed = mask.start_count[i];
    if (readings.start_count_saturates) consumed = std::min(consumed, left - 1);
    for (int j = -static_cast<int>(consumed); j < length; ++j) {
      if (j >= 0) walked[static_cast<size_t>(i * length + j)] = in_ones;
      if (--left != 0) continue;
      in_ones = !in_ones;
      left = in_ones ? ones : zeros;
    }
  }
  RC_ASSERT(zeroed == walked);
}

TEST(ZeroColumnMasks, EachReadingChangesSomeMask) {
  const ZeroColumnMask mask{{3, 0, 0, 0}, {true, false, false, false}, true, 3, 4, 0};
  const auto plain = zeroed_columns(mask, 128, 64);
  EXPECT_NE(zeroed_columns(mask, 128, 64, {.table_words = true}), plain);
  EXPECT_NE(zeroed_columns(mask, 128, 64, {.bit_39_disables = true}), plain);
  EXPECT_NE(zeroed_columns(mask, 128, 64, {.start_count_saturates = true}), plain);
}

TEST(TensorMapTables, HostValuesAndCodesAreUnique) {
  std::set<std::pair<uint32_t, bool>> codes;
  for (size_t i = 0; i < data_types.size(); ++i) {
    EXPECT_EQ(data_types[i].host, i);
    EXPECT_TRUE(codes.insert({data_types[i].code, data_types[i].tf32}).second) << data_types[i].name;
    EXPECT_EQ(find_data_type(data_types[i].name), &data_types[i]);
    EXPECT_EQ(find_data_type(data_types[i].host_name), &data_types[i]);
    EXPECT_EQ(find_data_type_by_code(data_types[i].code, data_types[i].tf32), &data_types[i]);
    EXPECT_EQ(data_types[i].bits * data_types[i].group, data_types[i].group_global_bytes * 8);
  }
  for (const Swizzle& row : swizzles) {
    EXPECT_EQ(find_swizzle(row.host), &row);
    EXPECT_EQ(find_swizzle(row.name), &row);
    EXPECT_EQ(find_swizzle_by_code(row.width_code, row.atomicity_code, row.is_96B), &row);
  }
  EXPECT_EQ(find_data_type(16u), nullptr);
  EXPECT_EQ(find_swizzle(7u), nullptr);
  EXPECT_EQ(find_swizzle(~0u), nullptr);
  EXPECT_EQ(find_swizzle(""), nullptr);
}

TensorMapBytes zeros() {
  return {};
}

TEST(TensorMapBits, PutThenGetGivesTheValueAndTouchesNothingElse) {
  for (const Field& field : tensor_map::tiled_fields) {
    TensorMapBytes map;
    map.fill(std::byte{0xa5});
    const TensorMapBytes before = map;
    put_raw(map, field, 0x5a5a5a5a5a5a5a5a);
    EXPECT_EQ(get_raw(map, field), 0x5a5a5a5a5a5a5a5a & low_bits(field.width())) << label(field);
    for (const Field& other : tensor_map::tiled_fields) {
      if (&other == &field) continue;
      EXPECT_EQ(get_raw(map, other), get_raw(before, other)) << label(field) << label(other);
    }
  }
}

TEST(TensorMapBits, SplitStrideHasItsHighBitsAt0x1C) {
  TensorMapBytes map = zeros();
  put(map, tensor_map::global_stride[1], 0xab'cdef'0120);
  EXPECT_EQ(get(map, tensor_map::global_stride[1]), 0xab'cdef'0120u);
  EXPECT_EQ(map[0x10], std::byte{0x12});
  EXPECT_EQ(map[0x11], std::byte{0xf0});
  EXPECT_EQ(map[0x12], std::byte{0xde});
  EXPECT_EQ(map[0x13], std::byte{0xbc});
  EXPECT_EQ(map[0x1c], std::byte{0xa0});
}

TEST(TensorMapBits, ViolationsNameTheField) {
  TensorMapBytes map = zeros();
  EXPECT_TRUE(violations(map, tensor_map::tiled_fields).empty());
  put_raw(map, tensor_map::rank, 5);
  map[0x1e] = std::byte{1};
  const auto found = violations(map, tensor_map::tiled_fields);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].field->name, "rank");
  EXPECT_EQ(found[1].field->kind, FieldKind::reserved);
  const std::string line = show(map, tensor_map::tiled_fields);
  EXPECT_NE(line.find("rank=6!"), std::string::npos) << line;
  EXPECT_NE(line.find("box_dim[0]=1"), std::string::npos) << line;
}

}  // namespace
}  // namespace assay::spec
