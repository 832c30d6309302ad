// SPDX-License-Identifier: Apache-2.0
// The production pipeline against sums worked out one element at a time. Operands are +1 and -1, so that
// every sum is exact.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "devices/cuda/test_device.h"
#include "kernels/forms/records.h"
#include "kernels/params/gemm.h"

namespace assay::cuda {
namespace {

using params::GemmRecord;
using params::GemmType;

GemmRecord product(GemmType type, uint8_t cta_group, uint16_t tile_n, uint32_t m, uint32_t n, uint32_t k,
                   bool grouped = false) {
  GemmRecord r{};
  r.m = m;
  r.n = n;
  r.k = k;
  r.type = type;
  r.cta_group = cta_group;
  r.tile_n = tile_n;
  r.is_grouped = grouped;
  r.d_fill.keep = 0, r.d_fill.set = params::gemm_before;
  const uint32_t row = (k * params::gemm_form(type).element_bits / 8 + 15) / 16 * 16;
  const bool is_sparse = params::gemm_form(type).is_sparse;
  r.a_pitch = (is_sparse ? (k + 15) / 16 * 16 : row) + 16;
  r.b_pitch = row;
  r.d_pitch = (n * 4 + 15) / 16 * 16 + 32;
  const uint32_t bits = params::gemm_form(type).element_bits;
  for (params::OperandFill* fill : {&r.a_fill, &r.b_fill}) {
    fill->keep = bits == 4 ? 0x88888888 : bits == 8 ? 0x80808080 : 0x80008000;
    fill->set = bits == 4                                                   ? 0x22222222
                : (type == GemmType::bf16 || type == GemmType::sparse_bf16) ? 0x3f803f80
                : bits == 16                                                ? 0x3c003c00
                : type == GemmType::mxf8_e5m2 && fill == &r.a_fill          ? 0x3c3c3c3c
                                                                            : 0x38383838;
  }
  r.a_fill.seed = 11;
  r.b_fill.seed = 12;
  // One half or one.
  for (params::OperandFill* fill : {&r.a_scale_fill, &r.b_scale_fill}) {
    fill->keep = type == GemmType::nvf4 ? 0x08080808 : 0x01010101;
    fill->set = type == GemmType::nvf4 ? 0x30303030 : 0x7e7e7e7e;
  }
  if (is_sparse) {
    // Bytes of two codes: four that say which two of four elements.
    r.a_scale_fill = {.special_bits = 8, .special_rate = 256, .special = {0x4e, 0x98, 0xdc, 0xe9}};
  }
  r.a_scale_fill.seed = 13;
  r.b_scale_fill.seed = 14;
  params::settle(r);
  r.opcode = forms::opcode_of(r);
  return r;
}

/// The same of two types of f8f6f4: +1 and -1 of 8 and 4 bits, any numbers of 6 bits.
GemmRecord product_of(uint8_t a_type, uint8_t b_type, GemmRecord r) {
  constexpr uint32_t ones[] = {0x38383838, 0x3c3c3c3c, 0, 0, 0, 0x22222222};
  r.a_type = a_type, r.b_type = b_type;
  for (const bool is_a : {true, false}) {
    const uint8_t code = is_a ? a_type : b_type;
    const uint32_t bits = params::gemm_bits_of_code(code);
    params::OperandFill& fill = is_a ? r.a_fill : r.b_fill;
    fill.keep = bits == 4 ? 0x88888888 : bits == 8 ? 0x80808080 : ~0u;
    fill.set = ones[code];
    (is_a ? r.a_pitch : r.b_pitch) =
        (params::gemm_row_elements(r, is_a) * bits / 8 + 31) / 32 * 32 + (is_a ? 32 : 0);
  }
  params::settle(r);
  r.opcode = forms::opcode_of(r);
  return r;
}
/// Added to small whole numbers.
GemmRecord added(GemmRecord r) {
  r.reduces = 1;
  r.d_fill = {};
  r.d_fill.seed = 15;
  r.d_fill.keep = 0x80000000;
  r.d_fill.set = 0x40400000;  // 3
  return r;
}

/// One after the other in the output.
void place(std::vector<GemmRecord>& records) {
  uint64_t at = 0;
  for (GemmRecord& r : records) {
    r.output_offset = at;
    at += r.output_bytes;
  }
}

/// e2m3 or e3m2.
double value_of_6_bits(uint32_t code, bool is_e2m3) {
  const int mantissa_bits = is_e2m3 ? 3 : 2, bias = is_e2m3 ? 1 : 3;
  const int exponent = static_cast<int>(code & 0x1f) >> mantissa_bits;
  const int mantissa = static_cast<int>(code) & ((1 << mantissa_bits) - 1);
  const int significand = exponent == 0 ? mantissa : mantissa + (1 << mantissa_bits);
  const double magnitude = std::ldexp(significand, std::max(exponent, 1) - bias - mantissa_bits);
  return code & 0x20 ? -magnitude : magnitude;
}

/// Of an element with its scale: halves.
double value(const GemmRecord& r, bool is_a, uint32_t row, uint32_t k) {
  const params::GemmForm& form = params::gemm_form(r.type);
  const uint32_t bits = params::gemm_element_bits(r, is_a), bit = k * bits;
  const uint64_t first = uint64_t{row} * (is_a ? r.a_pitch : r.b_pitch) * 8 + bit;
  const params::OperandFill& fill = is_a ? r.a_fill : r.b_fill;
  const uint64_t words = operand_word(fill, first / 32) | uint64_t{operand_word(fill, first / 32 + 1)} << 32;
  const auto code = static_cast<uint32_t>(words >> first % 32 & ((1u << bits) - 1));
  const uint32_t sign = code >> (bits - 1) & 1;
  uint32_t halves = 2;
  if (form.scale_vector != 0) {
    const uint32_t scale = k / (256 / form.element_bits / form.scale_vector);
    const uint64_t byte = row / 128 * uint64_t{r.scale_pitch} + scale / 4 * 512 + row % 32 * 16 +
                          row % 128 / 32 * 4 + scale % 4;
    const uint32_t word = operand_word(is_a ? r.a_scale_fill : r.b_scale_fill, byte / 4) >> byte % 4 * 8;
    halves = (word & 0xff) == (r.type == GemmType::nvf4 ? 0x38 : 0x7f) ? 2 : 1;
  }
  if (bits == 6) return halves * value_of_6_bits(code, (is_a ? r.a_type : r.b_type) == 3);
  return sign ? -static_cast<double>(halves) : halves;
}

/// Where in its row of A the kept element of a sparse A counts.
uint32_t place_of_kept(const GemmRecord& r, uint32_t row, uint32_t kept) {
  const uint32_t chunk = kept / 2, instruction = chunk / 8, bits = chunk % 8 * 4, m = row % 128;
  const uint32_t lane = m / 16 * 16 + m % 8 + bits / 16 * 8, bit = bits % 16 + m / 8 % 2 * 16;
  const uint64_t word =
      (row / 128 * uint64_t{r.scale_pitch} + instruction / 4 * 2048 + lane * 16) / 4 + instruction % 4;
  const uint32_t code = operand_word(r.a_scale_fill, word) >> bit & 0xf;
  return chunk * 4 + (code >> kept % 2 * 2 & 3);
}

void check(const GemmRecord& r, const RecordEnd& end, const std::byte* slot) {
  ASSERT_EQ(end.ended, Ended::done) << "code " << end.code;
  const auto word = [&](uint64_t at) {
    uint32_t found;
    std::memcpy(&found, slot + at, 4);
    return found;
  };
  EXPECT_EQ(word(0), params::gemm_parts(r));
  const uint64_t d = r.matrices[2].offset;
  std::vector<double> a(size_t{r.m} * r.k), b(size_t{r.n} * r.k);
  for (uint32_t k = 0; k < r.k; ++k) {
    for (uint32_t m = 0; m < r.m && k < r.matrices[0].columns; ++m)
      a[m * r.k + (params::gemm_form(r.type).is_sparse ? place_of_kept(r, m, k) : k)] = value(r, true, m, k);
    for (uint32_t n = 0; n < r.n; ++n) b[n * r.k + k] = value(r, false, n, k);
  }
  for (uint32_t m = 0; m < r.m; ++m) {
    for (uint32_t n = 0; n < r.n; ++n) {
      double sum = 0;
      for (uint32_t k = 0; k < r.k; ++k) sum += a[m * r.k + k] * b[n * r.k + k];
      sum /= 4;
      if (r.reduces) sum += std::bit_cast<float>(operand_word(r.d_fill, (m * r.d_pitch + n * 4) / 4));
      ASSERT_EQ(std::bit_cast<float>(word(d + m * r.d_pitch + n * 4)), static_cast<float>(sum))
          << m << " " << n;
    }
    // Behind the 16 bytes of the last column nothing is written.
    for (uint32_t at = (r.n * 4 + 15) / 16 * 16; at < r.d_pitch; at += 4)
      ASSERT_EQ(word(d + m * r.d_pitch + at), operand_word(r.d_fill, (m * r.d_pitch + at) / 4))
          << "row " << m << " byte " << at;
  }
}

/// With scales; tiles of scales that hold several tiles of D, and several stages.
std::vector<GemmRecord> scaled_products(uint8_t cta_group, bool widest) {
  const auto tile = static_cast<uint16_t>(widest ? 128 : 64);
  std::vector<GemmRecord> records{
      product(GemmType::mxf8, cta_group, 32, 1, 1, 1),
      product(GemmType::mxf8_e5m2, cta_group, 32, 129, 70, 165),
      product(GemmType::mxf4, cta_group, tile, 130, 2 * tile * cta_group - 3, 4 * 256 + 34),
      product(GemmType::nvf4_by_32, cta_group, 64, 300, 140, 258),
      product(GemmType::nvf4_ue8m0, cta_group, 32, 7, 190, 600),
      product(GemmType::nvf4, cta_group, tile, 200, 3 * tile + 1, 5 * 256)};
  place(records);
  return records;
}

/// With a sparse A.
std::vector<GemmRecord> sparse_products(uint8_t cta_group, bool widest) {
  const auto tile = static_cast<uint16_t>(widest ? 64 * cta_group : 32);
  std::vector<GemmRecord> records{
      product(GemmType::sparse_f16, cta_group, 32, 1, 1, 4),
      product(GemmType::sparse_bf16, cta_group, 64, 129, 70, 132),
      product(GemmType::sparse_f16, cta_group, tile, 300, 2 * tile * cta_group - 1, 6 * 128 - 4),
      product(GemmType::sparse_f16, cta_group, tile, 200, 33, 5 * 128)};
  place(records);
  return records;
}

/// A group, of which each has its own extents: what a map of the product before says shows.
std::vector<GemmRecord> grouped_products(uint8_t cta_group, bool widest) {
  const auto tile = static_cast<uint16_t>(widest ? 128 : 32);
  std::vector<GemmRecord> records{product(GemmType::f16, cta_group, 32, 1, 1, 1, true),
                                  product(GemmType::e4m3, cta_group, tile, 129, 70, 165, true),
                                  product(GemmType::f16, cta_group, tile, 300, 200, 65, true),
                                  product(GemmType::bf16, cta_group, 64, 7, 300, 5 * 64, true)};
  place(records);
  return records;
}
std::vector<GemmRecord> grouped_scaled_products(uint8_t cta_group, bool) {
  std::vector<GemmRecord> records{product(GemmType::nvf4, cta_group, 32, 1, 1, 2, true),
                                  product(GemmType::sparse_f16, cta_group, 64, 140, 70, 260, true),
                                  product(GemmType::mxf8, cta_group, 64, 257, 130, 300, true),
                                  product(GemmType::mxf4, cta_group, 32, 7, 40, 5 * 256, true)};
  place(records);
  return records;
}

/// Of every format of f8f6f4, with and without scales; some added to what is there.
std::vector<GemmRecord> unpacked_products(uint8_t cta_group, bool widest) {
  const auto tile = static_cast<uint16_t>(widest ? 128 : 32);
  std::vector<GemmRecord> records{
      product_of(5, 0, product(GemmType::e4m3, cta_group, 32, 1, 1, 1)),
      added(product_of(3, 1, product(GemmType::e4m3, cta_group, tile, 129, 70, 165))),
      product_of(0, 4, product(GemmType::e4m3, cta_group, tile, 300, 140, 130)),
      added(product_of(4, 5, product(GemmType::e4m3, cta_group, 64, 7, 190, 5 * 128)))};
  place(records);
  return records;
}
std::vector<GemmRecord> unpacked_scaled_products(uint8_t cta_group, bool widest) {
  const auto tile = static_cast<uint16_t>(widest ? 128 : 64);
  std::vector<GemmRecord> records{
      added(product_of(1, 3, product(GemmType::mxf8, cta_group, 32, 1, 3, 1))),
      product_of(5, 5, product(GemmType::mxf8, cta_group, tile, 129, 70, 256)),
      product_of(4, 0, product(GemmType::mxf8, cta_group, tile, 140, 2 * tile * cta_group - 3, 290)),
      added(product(GemmType::nvf4, cta_group, 32, 300, 40, 258))};
  place(records);
  return records;
}
/// In groups: maps of packed types are rewritten too.
std::vector<GemmRecord> grouped_unpacked_products(uint8_t cta_group, bool) {
  std::vector<GemmRecord> records{
      added(product_of(3, 0, product(GemmType::e4m3, cta_group, 32, 130, 30, 140, true))),
      product_of(0, 5, product(GemmType::e4m3, cta_group, 64, 20, 170, 290, true)),
      added(product(GemmType::bf16, cta_group, 32, 257, 33, 65, true))};
  place(records);
  return records;
}

std::vector<GemmRecord> products(uint8_t cta_group, bool widest) {
  const auto tile = static_cast<uint16_t>(!widest ? 64 : cta_group == 2 ? 256 : 128);
  std::vector<GemmRecord> records{
      product(GemmType::e4m3, cta_group, 32, 1, 1, 1), product(GemmType::bf16, cta_group, 32, 129, 70, 65),
      // More stages than the ring has; with the others, tiles enough for a half of tensor memory to be used
      // again.
      product(GemmType::f16, cta_group, 32, 300, 2 * 32 * cta_group - 1, 4 * 64 + 1),
      product(GemmType::e4m3, cta_group, tile, 130, tile * cta_group - 3, 17)};
  place(records);
  return records;
}

TEST(GemmPipeline, MultipliesAnyShapeAndIsCleanUnderEverySchedule) {
  DeviceLimits limits;
  limits.batches = 2;
  struct Setting {
    const char* spec;
    std::vector<GemmRecord> (*make)(uint8_t cta_group, bool widest);
    uint8_t cta_group;
    bool widest = false, launch_control = false;
  };
  for (const Setting& setting :
       {Setting{"emulator:sm_100a,strict,schedule=eager", products, 1, true},
        {"emulator:sm_100a,strict,schedule=lazy", products, 1},
        {"emulator:sm_103a,strict,schedule=random:1,tmem_base=random", products, 1},
        {"emulator:sm_100a,strict,schedule=eager", products, 2},
        {"emulator:sm_100a,strict,schedule=lazy", products, 2},
        {"emulator:sm_100a,strict,schedule=random:2,tmem_base=random", products, 2, true},
        {"emulator:sm_103a,strict,schedule=random:3", products, 2},
        {"emulator:sm_100a,strict,schedule=eager", scaled_products, 1, true},
        {"emulator:sm_100a,strict,schedule=lazy", scaled_products, 1},
        {"emulator:sm_103a,strict,schedule=random:4", scaled_products, 1, true},
        {"emulator:sm_100a,strict,schedule=eager", scaled_products, 2},
        {"emulator:sm_100a,strict,schedule=lazy", scaled_products, 2, true},
        {"emulator:sm_103a,strict,schedule=random:5", scaled_products, 2, true},
        {"emulator:sm_100a,strict,schedule=eager", sparse_products, 1, true},
        {"emulator:sm_100a,strict,schedule=lazy", sparse_products, 1},
        {"emulator:sm_103a,strict,schedule=random:6", sparse_products, 1, true},
        {"emulator:sm_100a,strict,schedule=eager", sparse_products, 2},
        {"emulator:sm_100a,strict,schedule=lazy", sparse_products, 2, true},
        {"emulator:sm_103a,strict,schedule=random:7", sparse_products, 2, true},
        {"emulator:sm_100a,strict,schedule=eager", grouped_products, 1, true},
        {"emulator:sm_100a,strict,schedule=lazy", grouped_products, 1},
        {"emulator:sm_103a,strict,schedule=random:8", grouped_products, 1},
        {"emulator:sm_100a,strict,schedule=eager", grouped_products, 2},
        {"emulator:sm_100a,strict,schedule=lazy", grouped_products, 2, true},
        {"emulator:sm_103a,strict,schedule=random:9", grouped_products, 2, true},
        {"emulator:sm_100a,strict,schedule=lazy", grouped_scaled_products, 1},
        {"emulator:sm_103a,strict,schedule=random:10", grouped_scaled_products, 2},
        {"emulator:sm_100a,strict,schedule=eager", products, 1, true, true},
        {"emulator:sm_100a,strict,schedule=lazy", products, 2, false, true},
        {"emulator:sm_103a,strict,schedule=random:11", sparse_products, 2, false, true},
        {"emulator:sm_100a,strict,schedule=lazy", grouped_products, 1, false, true},
        {"emulator:sm_103a,strict,schedule=random:12", grouped_products, 1, true, true},
        {"emulator:sm_100a,strict,schedule=eager", grouped_scaled_products, 2, false, true},
        {"emulator:sm_103a,strict,schedule=random:13", grouped_scaled_products, 2, false, true},
        {"emulator:sm_100a,strict,schedule=eager", unpacked_products, 1, true},
        {"emulator:sm_100a,strict,schedule=lazy", unpacked_products, 2, true, true},
        {"emulator:sm_103a,strict,schedule=random:14", unpacked_products, 2},
        {"emulator:sm_100a,strict,schedule=eager", unpacked_scaled_products, 2, true},
        {"emulator:sm_100a,strict,schedule=lazy", unpacked_scaled_products, 1},
        {"emulator:sm_103a,strict,schedule=random:15", unpacked_scaled_products, 2, false, true},
        {"emulator:sm_100a,strict,schedule=lazy", grouped_unpacked_products, 1},
        {"emulator:sm_103a,strict,schedule=random:16", grouped_unpacked_products, 2, false, true}}) {
    std::vector<GemmRecord> records = setting.make(setting.cta_group, setting.widest);
    for (GemmRecord& r : records) r.has_launch_control = setting.launch_control;
    SCOPED_TRACE(std::string(setting.spec) + " cta_group " + std::to_string(setting.cta_group) + " type " +
                 std::to_string(static_cast<int>(records[1].type)) +
                 (records[0].is_grouped ? " grouped" : "") +
                 (setting.launch_control ? " by launch control" : ""));
    const auto device = open_device(setting.spec, limits);
    const Ran ran = run_batch(*device, "gemm", records);
    for (const std::string& note : ran.notes) ADD_FAILURE() << note;
    for (size_t i = 0; i < records.size(); ++i) {
      SCOPED_TRACE(i);
      check(records[i], ran.ends[i], ran.output.data() + records[i].output_offset);
      EXPECT_EQ(ran.ends[i].sm, ~0u) << "many multiprocessors made it";
    }
    for (const StrictFinding& finding : device->strict_findings())
      ADD_FAILURE() << finding.clause << " in " << finding.kernel << ", " << finding.where;
  }
}

TEST(GemmPipeline, ShapesThatItHasNoTileForAreRefused) {
  DeviceLimits limits;
  limits.batches = 1;
  const auto device = open_device("emulator:sm_100a", limits);
  const auto refused = [&](const GemmRecord& r) {
    Batch& batch = device->acquire();
    batch.family = "gemm";
    batch.count = 1;
    std::memcpy(batch.records.data(), &r, sizeof r);
    EXPECT_THROW(device->submit(batch), std::invalid_argument);
    device->release(batch);
  };
  refused(product(GemmType::f16, 1, 256, 64, 64, 64));
  refused(product(GemmType::f16, 1, 48, 64, 64, 64));
  GemmRecord r = product(GemmType::f16, 1, 64, 64, 64, 64);
  r.d_pitch = 128;
  refused(r);
  r = product(GemmType::f16, 1, 64, 64, 64, 64);
  r.output_bytes -= 256;
  refused(r);
  refused(product(GemmType::mxf8, 2, 256, 64, 64, 64));
  refused(product(GemmType::nvf4, 1, 64, 64, 64, 63));
  r = product(GemmType::nvf4, 1, 64, 64, 64, 64);
  r.scale_count = 2;
  refused(r);
  refused(product(GemmType::sparse_f16, 1, 128, 64, 64, 64));
  refused(product(GemmType::sparse_f16, 1, 64, 64, 64, 66));
  refused(product_of(2, 0, product(GemmType::e4m3, 1, 64, 64, 64, 64)));
  refused(product_of(3, 0, product(GemmType::f16, 1, 64, 64, 64, 64)));
  refused(product_of(3, 5, product(GemmType::e4m3, 1, 64, 64, 64, 64)));
  r = product_of(3, 0, product(GemmType::e4m3, 1, 64, 64, 64, 64));
  r.a_pitch -= 16;
  params::settle(r);
  refused(r);
}

}  // namespace
}  // namespace assay::cuda
