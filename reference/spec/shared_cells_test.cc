// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "reference/spec/formats.h"
#include "reference/spec/instr_desc.h"
#include "reference/spec/smem_desc.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"
#include "reference/spec/zero_column_mask.h"

// The tables that the models and the emulated device share: a wrong cell would be wrong on both sides alike.
// Each is held against words copied by hand from its documents, and each of its cells is altered in turn:
// these words must object. Kinds and architectures have tables on both sides, which are compared where the
// emulator's are (BothTablesSayTheSame...).
namespace assay::spec {
namespace {

/// "name lsb:width", "+bias", "*unit" and the largest code where it is not all ones; "-" for bits that are
/// written 0, "~" before what the hardware ignores, "!" before what it never reads.
std::string said(const Field& field) {
  std::ostringstream text;
  text << (field.hardware == HardwareUse::ignores       ? "~"
           : field.hardware == HardwareUse::never_reads ? "!"
                                                        : "")
       << (field.kind == FieldKind::reserved ? "-" : field.name);
  if (field.index >= 0) text << field.index;
  for (const BitRange& part : field.parts)
    if (part.width != 0) text << ' ' << part.lsb << ':' << part.width;
  if (field.kind == FieldKind::coded) text << " code";
  if (field.bias != 0) text << " +" << field.bias;
  if (field.unit != 1) text << " *" << field.unit;
  if (field.kind != FieldKind::reserved && field.max_raw != low_bits(field.width()))
    text << " <=" << field.max_raw;
  return text.str();
}

std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> made(1);
  for (const char c : text)
    if (c == ',') {
      made.emplace_back();
    } else if (c != ' ' || !made.back().empty()) {
      made.back() += c;
    }
  return made;
}

struct FieldTable {
  std::string name;
  std::span<const Field> fields;
  std::string golden;
};

std::vector<FieldTable> field_tables() {
  const std::string offsets =
      "start 0:14 *16, - 14:2, leading_offset 16:14 *16, - 30:2, stride_offset 32:14 *16, ";
  const std::string wgmma =
      "start 0:14 *16, ~- 14:2, leading_offset 16:14 *16, ~- 30:2, stride_offset 32:14 *16, ";
  const std::string signs =
      "negate_a 13:1 code, negate_b 14:1 code, transpose_a 15:1 code, transpose_b 16:1 code, n 17:6 *8, ";
  const std::string scaled = "- 0:2, sparse 2:1 code, - 3:1, b_scale_id 4:2, - 6:1, a_type 7:3 code, ";
  const std::string of_m = "scale_type 23:1 code, - 24:3, m 27:2 *128, a_scale_id 29:2, ";
  const std::string head = "global_address 0:64 <=144115188075855871, mode 64:1 code, ";
  const std::string body =
      "rank 68:3 +1 <=4, type 71:4 code <=13, interleave 75:2 code <=2, swizzle_width 77:2 code, fill 79:1 "
      "code, tf32 80:1 code, l2_promotion 81:2 code, swizzle_atomicity 83:3 code <=3, swizzle_96B 86:1 code, "
      "~- 87:9, global_stride0 96:32 224:4 *16, global_stride1 128:32 228:4 *16, global_stride2 160:32 232:4 "
      "*16, global_stride3 192:32 236:4 *16, ~- 240:16, global_dim0 256:32 +1, global_dim1 288:32 +1, "
      "global_dim2 320:32 +1, global_dim3 352:32 +1, global_dim4 384:32 +1, element_stride0 416:3 +1, "
      "element_stride1 419:3 +1, element_stride2 422:3 +1, element_stride3 425:3 +1, element_stride4 428:3 "
      "+1, "
      "~- 431:9, ";
  const std::string tail =
      "!box_bytes 512:32, !- 544:32, !swizzle_period 576:32, !- 608:32, !- 640:64, !- 704:64, !- 768:64, !- "
      "832:64, !- 896:64, !- 960:64";
  const std::string pixels = "pixels 480:10 +1, ~- 490:22, ", channels = "channels 440:8 +1, ";
  const std::string corners_of_w = "lower_corner0 448:16, upper_corner0 464:16, ";
  return {
      {"smem", smem::tcgen05_fields,
       offsets + "version 46:3 code, base_offset 49:3, leading_mode 52:1 code, - 53:8, swizzle 61:3 code"},
      {"smem of wgmma", smem::wgmma_fields, wgmma + "~- 46:3, base_offset 49:3, ~- 52:10, swizzle 62:2 code"},
      {"column mask", zcm::fields,
       "start_count0 0:8, start_count1 8:8, start_count2 16:8, start_count3 24:8, first_span0 32:1 code, "
       "first_span1 33:1 code, first_span2 34:1 code, first_span3 35:1 code, - 36:3, generate 39:1 code, "
       "skip_span 40:8 +1, use_span 48:8 +1, column_shift 56:6, - 62:2"},
      {"idesc", idesc::plain_fields,
       "sparsity_selector 0:2, sparse 2:1 code, saturate 3:1 code, d_type 4:2 code, - 6:1, a_type 7:3 code, "
       "b_type 10:3 code, " +
           signs + "- 23:1, m 24:5 *16, - 29:1, max_shift 30:2 code"},
      {"idesc mxf8f6f4", idesc::mxf8_fields, scaled + "b_type 10:3 code, " + signs + of_m + "- 31:1"},
      {"idesc mxf4", idesc::mxf4_fields,
       scaled + "b_type 10:2 code, - 12:1, " + signs + of_m + "k_size 31:1 code"},
      {"tiled map", tensor_map::tiled_fields,
       head + "~- 65:3, " + body +
           "box_dim0 440:8 +1, box_dim1 448:8 +1, box_dim2 456:8 +1, box_dim3 464:8 +1, box_dim4 472:8 +1, "
           "~- 480:32, " +
           tail},
      {"im2col map, rank 3", tensor_map::im2col_fields<3>,
       head + "~- 65:3, " + body + channels + corners_of_w + pixels + tail},
      {"im2col map, rank 4", tensor_map::im2col_fields<4>,
       head + "~- 65:3, " + body + channels +
           "lower_corner0 448:8, lower_corner1 456:8, upper_corner0 464:8, upper_corner1 472:8, " + pixels +
           tail},
      {"im2col map, rank 5", tensor_map::im2col_fields<5>,
       head + "~- 65:3, " + body + channels +
           "lower_corner0 448:5, lower_corner1 453:5, lower_corner2 458:5, ~- 463:1, upper_corner0 464:5, "
           "upper_corner1 469:5, upper_corner2 474:5, ~- 479:1, " +
           pixels + tail},
      {"wide map", tensor_map::wide_fields,
       head + "wide 65:1 code, wide_128 66:1 code, ~- 67:1, " + body + channels + corners_of_w + pixels +
           tail}};
}

/// A field with one cell altered, in each way.
std::vector<Field> altered(const Field& right) {
  std::vector<Field> made;
  const auto with = [&](const std::function<void(Field&)>& alter) { alter(made.emplace_back(right)); };
  for (size_t part = 0; part < right.parts.size(); ++part) {
    if (part != 0 && right.parts[part].width == 0) continue;
    with([&](Field& f) { ++f.parts[part].lsb; });
    with([&](Field& f) { --f.parts[part].lsb; });
    with([&](Field& f) { ++f.parts[part].width; });
    with([&](Field& f) { --f.parts[part].width; });
  }
  with([](Field& f) { f.hardware = static_cast<HardwareUse>((static_cast<int>(f.hardware) + 1) % 3); });
  with([](Field& f) { f.kind = static_cast<FieldKind>((static_cast<int>(f.kind) + 1) % 3); });
  if (right.kind == FieldKind::reserved) return made;
  with([](Field& f) { ++f.index; });
  with([](Field& f) { ++f.bias; });
  with([](Field& f) { f.unit *= 2; });
  with([](Field& f) { --f.max_raw; });
  with([](Field& f) { f.name.remove_suffix(1); });
  return made;
}

TEST(SharedCells, EachFieldLiesWhereItsDocumentSays) {
  for (const FieldTable& table : field_tables()) {
    const std::vector<std::string> golden = pieces(table.golden);
    ASSERT_EQ(golden.size(), table.fields.size()) << table.name;
    for (size_t i = 0; i < golden.size(); ++i) {
      EXPECT_EQ(said(table.fields[i]), golden[i]) << table.name;
      for (const Field& wrong : altered(table.fields[i])) EXPECT_NE(said(wrong), golden[i]) << table.name;
    }
  }
}

template <typename Row, typename Number>
using Numbers = std::vector<Number Row::*>;
template <typename Row, typename Number>
std::string said(const Row& row, const Numbers<Row, Number>& cells) {
  std::string text(row.name);
  for (const auto cell : cells) text += " " + std::to_string(static_cast<int>(row.*cell));
  return text;
}
template <typename Row, typename Number>
void compare(std::span<const Row> rows, const Numbers<Row, Number>& cells, const std::string& all) {
  const std::vector<std::string> golden = pieces(all);
  ASSERT_EQ(golden.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(said(rows[i], cells), golden[i]);
    for (const auto cell : cells) {
      Row wrong = rows[i];
      ++(wrong.*cell);
      EXPECT_NE(said(wrong, cells), golden[i]);
    }
  }
}

TEST(SharedCells, EachFormatTypeAndSwizzleIsThatOfItsDocument) {
  compare<Format, int>(
      formats,
      {&Format::storage_bits, &Format::sign_bits, &Format::exponent_bits, &Format::mantissa_bits,
       &Format::ignored_bits, &Format::bias},
      "f64 64 1 11 52 0 1023, f32 32 1 8 23 0 127, tf32 32 1 8 10 13 127, f16 16 1 5 10 0 15, "
      "bf16 16 1 8 7 0 127, e5m2 8 1 5 2 0 15, e4m3 8 1 4 3 0 7, e3m2 6 1 3 2 0 3, e2m3 6 1 2 "
      "3 0 1, e2m1 4 1 2 1 0 1, ue8m0 8 0 8 0 0 127, ue4m3 8 0 4 3 0 7, s32 32 1 0 31 0 0, s8 8 "
      "1 0 7 0 0, u8 8 0 0 8 0 0, s4 4 1 0 3 0 0, u4 4 0 0 4 0 0");
  compare<DataType, uint32_t>(
      data_types,
      {&DataType::host, &DataType::elemtype, &DataType::bits, &DataType::code, &DataType::group,
       &DataType::group_global_bytes, &DataType::group_shared_bytes},
      "u8 0 0 8 0 1 1 1, u16 1 1 16 1 1 2 2, u32 2 2 32 2 1 4 4, s32 3 3 32 3 1 4 4, u64 4 4 64 4 1 8 8, s64 "
      "5 5 "
      "64 5 1 8 8, f16 6 6 16 6 1 2 2, f32 7 7 32 7 1 4 4, f64 8 9 64 9 1 8 8, bf16 9 10 16 10 1 2 2, "
      "f32.ftz 10 "
      "8 32 8 1 4 4, tf32 11 11 32 7 1 4 4, tf32.ftz 12 12 32 8 1 4 4, b4x16 13 13 4 11 16 8 8, b4x16_p64 14 "
      "14 "
      "4 12 16 8 16, b6x16_p32 15 15 6 13 16 12 16");
  compare<Swizzle, uint32_t>(
      swizzles,
      {&Swizzle::host, &Swizzle::span_bytes, &Swizzle::atom_bytes, &Swizzle::period_bytes,
       &Swizzle::width_code, &Swizzle::atomicity_code},
      "none 0 0 0 16 0 0, 32B 1 32 16 256 1 0, 64B 2 64 16 512 2 0, 128B 3 128 16 1024 3 0, 128B_atom32B 4 "
      "128 32 "
      "512 3 1, 128B_atom32B_flip8B 5 128 32 512 3 2, 128B_atom64B 6 128 64 256 3 3, 96B 150 96 16 256 0 0");
}

}  // namespace
}  // namespace assay::spec
