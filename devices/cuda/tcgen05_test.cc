// SPDX-License-Identifier: Apache-2.0
// tcgen05 accumulations and accesses worked out by hand. Operands are +1 and -1 or small integers, so that
// every sum is exact and a layout error cannot hide behind a rounding error; operands are placed by ordinary
// stores and the swizzle is computed here.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <utility>

#include "devices/cuda/test_device.h"
#include "kernels/params/tcgen05.h"

namespace assay::cuda {
namespace {

using params::MmaKind;
using params::OperandFill;
using params::Tcgen05MmaRecord;
using params::TmemAccessRecord;
using params::TmemShape;

/// Words of random signs: +1 or -1 in each element of the type whose 1.0 this is.
OperandFill signs(uint64_t seed, uint32_t sign_bits, uint32_t ones) {
  OperandFill fill;
  fill.seed = seed;
  fill.keep = sign_bits;
  fill.set = ones;
  return fill;
}
OperandFill of_rank(OperandFill fill, uint32_t rank) {
  fill.seed += uint64_t{rank} << 32;
  return fill;
}

/// How a type is spelled in memory, for values +1 and -1 (integers: 0 to 3).
struct Type {
  MmaKind kind;
  uint32_t a_code, b_code, d_code;  ///< of the instruction descriptor (ptx, Instruction descriptor)
  uint32_t bytes;
  uint32_t sign_bits, ones;
  int value(uint32_t code) const {
    if (kind == MmaKind::i8) return static_cast<int>(code & 3);
    return code >> (8 * bytes - 1) & 1 ? -1 : 1;
  }
};
constexpr Type f16{MmaKind::f16, 0, 0, 1, 2, 0x80008000, 0x3c003c00};
constexpr Type bf16{MmaKind::f16, 1, 1, 1, 2, 0x80008000, 0x3f803f80};
constexpr Type tf32{MmaKind::tf32, 2, 2, 1, 4, 0x80000000, 0x3f800000};
constexpr Type e4m3{MmaKind::f8f6f4, 0, 0, 1, 1, 0x80808080, 0x38383838};
constexpr Type u8{MmaKind::i8, 0, 0, 2, 1, 0x03030303, 0};

constexpr uint64_t swizzled_128b(uint32_t start) {
  return uint64_t{start} >> 4 | uint64_t{1} << 16 | uint64_t{64} << 32 | uint64_t{1} << 46 |
         uint64_t{2} << 61;
}
constexpr uint32_t descriptor(const Type& type, uint32_t m, uint32_t n) {
  return type.d_code << 4 | type.a_code << 7 | type.b_code << 10 | n >> 3 << 17 | m >> 4 << 24;
}

/// Both operands K-major with the 128-byte swizzle, rows of 128 bytes: four steps of 32 bytes.
Tcgen05MmaRecord accumulation(const Type& type, uint32_t m, uint32_t n, uint8_t cta_group = 1) {
  Tcgen05MmaRecord r{};
  r.split = m / cta_group * 128;
  r.window_bytes = r.a_scales.source = r.b_scales.source = r.split + n / cta_group * 128;
  r.a_desc = swizzled_128b(0);
  r.b_desc = swizzled_128b(r.split);
  r.idesc = descriptor(type, m, n);
  r.kind = type.kind;
  r.cta_group = cta_group;
  r.steps = 4;
  r.a_step = r.b_step = 2;
  r.alloc_columns = 128;
  r.tmem_split = 128;
  r.a_fill = signs(1, type.sign_bits, type.ones);
  r.b_fill = signs(2, type.sign_bits, type.ones);
  r.d_fill = type.kind == MmaKind::i8 ? signs(3, 0xff, 0) : signs(3, 0x80000000, 0x3f800000);
  r.tmem_a_fill = signs(4, type.sign_bits, type.ones);
  r.output_bytes = cta_group * 128 * r.alloc_columns * 4;
  return r;
}

/// The code of element `k` of row `row` of an operand that starts at `start`, in one CTA's window.
uint32_t element(const Type& type, const OperandFill& fill, uint32_t start, uint32_t row, uint32_t k) {
  const uint32_t x = k * type.bytes;
  const uint32_t at = start + row * 128 + (x ^ (row & 7) << 4);
  const uint32_t bits = 8 * type.bytes;
  return static_cast<uint32_t>(uint64_t{operand_word(fill, at / 4)} >> 8 * (at % 4) &
                               ((uint64_t{1} << bits) - 1));
}

class Tcgen05 : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    DeviceLimits limits;
    limits.batches = 2;
    device = open_device(test_device_spec(), limits);
  }
  static void TearDownTestSuite() { device.reset(); }
  void SetUp() override {
    for (const char* family : {"tcgen05_mma", "tmem_access"})
      if (const auto why = device->declines(family)) GTEST_SKIP() << *why;
  }

  /// `want` gives what a cell holds at the end, or nothing where it must be untouched.
  using Want = std::function<std::optional<int>(uint32_t rank, uint32_t lane, uint32_t column)>;
  static void expect(const Tcgen05MmaRecord& r, const Want& want) {
    const Ran ran = run_batch<Tcgen05MmaRecord>(*device, "tcgen05_mma", {r});
    ASSERT_EQ(ran.ends[0].ended, Ended::done)
        << "code " << ran.ends[0].code << (ran.notes.empty() ? "" : ": " + ran.notes[0]);
    for (uint32_t rank = 0; rank < r.cta_group; ++rank)
      for (uint32_t lane = 0; lane < 128; ++lane)
        for (uint32_t column = 0; column < r.alloc_columns; ++column) {
          const uint32_t cell = lane * r.alloc_columns + column;
          uint32_t found;
          std::memcpy(&found, ran.output.data() + (rank * 128 * r.alloc_columns + cell) * 4, 4);
          const uint32_t before =
              operand_word(of_rank(column < r.tmem_split ? r.d_fill : r.tmem_a_fill, rank), cell);
          uint32_t expected = before;
          if (const auto sum = want(rank, lane, column)) {
            if (r.kind == MmaKind::i8)
              expected = static_cast<uint32_t>(
                  *sum + (r.flags & params::mma_enable_input_d ? static_cast<int>(before) : 0));
            else
              expected = std::bit_cast<uint32_t>(
                  static_cast<float>(*sum) +
                  (r.flags & params::mma_enable_input_d ? std::bit_cast<float>(before) : 0.0f));
          }
          ASSERT_EQ(found, expected) << "CTA " << rank << " lane " << lane << " column " << column;
        }
  }

  /// Row `m` of A times column `n` of B over four steps, A and B in shared memory of the CTAs that own them.
  static int product(const Type& type, const Tcgen05MmaRecord& r, uint32_t m, uint32_t n) {
    const uint32_t rows_a = r.split / 128, rows_b = (r.window_bytes - r.split) / 128;
    int sum = 0;
    for (uint32_t k = 0; k < 128 / type.bytes; ++k)
      sum += type.value(element(type, of_rank(r.a_fill, m / rows_a), 0, m % rows_a, k)) *
             type.value(element(type, of_rank(r.b_fill, n / rows_b), r.split, n % rows_b, k));
    return sum;
  }

  static inline std::unique_ptr<Device> device;
};

TEST_F(Tcgen05, EveryKindAddsUpARow) {
  for (const Type& type : {f16, bf16, tf32, e4m3, u8}) {
    if (type.kind == MmaKind::i8 && device->identity().architecture != "sm_100") continue;
    Tcgen05MmaRecord r = accumulation(type, 128, 64);
    r.d_taddr = 16;
    SCOPED_TRACE("kind " + std::to_string(static_cast<int>(type.kind)));
    expect(r, [&](uint32_t, uint32_t lane, uint32_t column) -> std::optional<int> {
      if (column < 16 || column >= 80) return std::nullopt;
      return product(type, r, lane, column - 16);
    });
  }
}

TEST_F(Tcgen05, InputDIsAddedOrNotLookedAt) {
  Tcgen05MmaRecord r = accumulation(f16, 128, 32);
  for (const uint32_t flags : {0u, uint32_t{params::mma_enable_input_d}}) {
    r.flags = flags;
    expect(r, [&](uint32_t, uint32_t lane, uint32_t column) -> std::optional<int> {
      if (column >= 32) return std::nullopt;
      return product(f16, r, lane, column);
    });
  }
}

TEST_F(Tcgen05, SixtyFourRowsTakeHalfOfEachQuarter) {
  Tcgen05MmaRecord r = accumulation(f16, 64, 32);
  r.d_taddr = 16 << 16;
  expect(r, [&](uint32_t, uint32_t lane, uint32_t column) -> std::optional<int> {
    if (column >= 32 || lane % 32 < 16) return std::nullopt;
    return product(f16, r, lane / 32 * 16 + lane % 16, column);
  });
}

TEST_F(Tcgen05, DisabledLanesStay) {
  Tcgen05MmaRecord r = accumulation(e4m3, 128, 32);
  r.flags = params::mma_disable_output_lane;
  r.disable_output_lane[0] = 0xf0000001;
  r.disable_output_lane[1] = 0x00010000;
  r.disable_output_lane[3] = 0x80000000;
  expect(r, [&](uint32_t, uint32_t lane, uint32_t column) -> std::optional<int> {
    if (column >= 32 || (r.disable_output_lane[lane / 32] >> lane % 32 & 1)) return std::nullopt;
    return product(e4m3, r, lane, column);
  });
}

TEST_F(Tcgen05, TensorMemoryHoldsA) {
  // Two f16 in a cell, the even one low; 8 columns a step. B alone is in shared memory.
  Tcgen05MmaRecord r = accumulation(f16, 128, 32);
  r.flags = params::mma_a_in_tmem;
  r.a_step = 8;
  r.b_step = 2;
  r.a_taddr = 64;
  r.tmem_split = 64;
  expect(r, [&](uint32_t, uint32_t lane, uint32_t column) -> std::optional<int> {
    if (column >= 32) return std::nullopt;
    // The step is one number for A and the descriptor of B has its own: column 64 + k / 2.
    int sum = 0;
    for (uint32_t k = 0; k < 64; ++k) {
      const uint32_t cell = operand_word(r.tmem_a_fill, lane * 128 + 64 + k / 2);
      sum += f16.value(cell >> 16 * (k % 2) & 0xffff) * f16.value(element(f16, r.b_fill, r.split, column, k));
    }
    return sum;
  });
}

TEST_F(Tcgen05, AScaledInputIsHalvedInEveryStep) {
  // One step: D = A * B + D * 2^-1, D being 2 or -2.
  Tcgen05MmaRecord r = accumulation(f16, 128, 32);
  r.steps = 1;
  r.flags = params::mma_enable_input_d | params::mma_scale_input_d;
  r.scale_input_d = 1;
  r.d_fill.set = 0x40000000;
  const Ran ran = run_batch<Tcgen05MmaRecord>(*device, "tcgen05_mma", {r});
  ASSERT_EQ(ran.ends[0].ended, Ended::done) << (ran.notes.empty() ? "" : ran.notes[0]);
  for (uint32_t lane = 0; lane < 128; ++lane)
    for (uint32_t column = 0; column < 32; ++column) {
      float found;
      std::memcpy(&found, ran.output.data() + (lane * 128 + column) * 4, 4);
      int sum = 0;
      for (uint32_t k = 0; k < 16; ++k)
        sum += f16.value(element(f16, r.a_fill, 0, lane, k)) *
               f16.value(element(f16, r.b_fill, r.split, column, k));
      const float before = std::bit_cast<float>(operand_word(r.d_fill, lane * 128 + column));
      ASSERT_EQ(found, static_cast<float>(sum) + before / 2) << lane << " " << column;
    }
}

TEST_F(Tcgen05, APairSharesB) {
  for (const Type& type : {f16, e4m3}) {
    Tcgen05MmaRecord r = accumulation(type, 256, 64, 2);
    expect(r, [&](uint32_t rank, uint32_t lane, uint32_t column) -> std::optional<int> {
      if (column >= 64) return std::nullopt;
      return product(type, r, rank * 128 + lane, column);
    });
  }
}

TEST_F(Tcgen05, APairOf128RowsFoldsItsColumns) {
  Tcgen05MmaRecord r = accumulation(f16, 128, 64, 2);
  expect(r, [&](uint32_t rank, uint32_t lane, uint32_t column) -> std::optional<int> {
    if (column >= 32) return std::nullopt;
    return product(f16, r, rank * 64 + lane % 64, lane / 64 * 32 + column);
  });
}

TEST_F(Tcgen05, WeightStationaryFoldsByRows) {
  for (const uint32_t m : {32u, 64u, 128u}) {
    Tcgen05MmaRecord r = accumulation(f16, m, 64);
    r.flags = params::mma_ws;
    r.collector = params::Collector::fill;
    r.collector_buffer = 2;
    r.steps = 4;
    SCOPED_TRACE(m);
    expect(r, [&](uint32_t, uint32_t lane, uint32_t column) -> std::optional<int> {
      const uint32_t columns = 64 * m / 128;
      if (column >= columns) return std::nullopt;
      return product(f16, r, lane % m, lane / m * columns + column);
    });
  }
}

TEST_F(Tcgen05, AFilledCollectorIsUsed) {
  for (const bool ws : {false, true})
    for (const auto collector : {params::Collector::use, params::Collector::lastuse}) {
      Tcgen05MmaRecord r = accumulation(f16, 128, 64);
      r.flags = params::mma_collector_filled | (ws ? params::mma_ws : 0u);
      r.collector = collector;
      r.collector_buffer = ws ? 3 : 0;
      SCOPED_TRACE(ws);
      expect(r, [&](uint32_t, uint32_t lane, uint32_t column) -> std::optional<int> {
        if (column >= 64) return std::nullopt;
        return 2 * product(f16, r, lane, column);
      });
    }
}

TEST_F(Tcgen05, MaskedColumnsAreZero) {
  // (ptx, zero-column mask, Example 2) M = 128: three ones after four zeros, so columns 4, 5, 6 of every 7.
  Tcgen05MmaRecord r = accumulation(f16, 128, 64);
  r.flags = params::mma_ws | params::mma_zero_column_mask;
  r.zero_column_mask = uint64_t{1} << 39 | uint64_t{2} << 40 | uint64_t{3} << 48;
  expect(r, [&](uint32_t, uint32_t lane, uint32_t column) -> std::optional<int> {
    if (column >= 64) return std::nullopt;
    return column % 7 >= 4 ? 0 : product(f16, r, lane, column);
  });
}

// ---- tcgen05.ld and tcgen05.st

/// Lane and column of a register, relative to the address (cutlass, copy traits of sm_100).
std::pair<uint32_t, uint32_t> cell_of(const TmemAccessRecord& r, uint32_t t, uint32_t i) {
  switch (r.shape) {
    case TmemShape::s16x64b:
      return {t / 4 + 8 * (t % 2), 2 * i + t / 2 % 2};
    case TmemShape::s16x128b:
      return {t / 4 + 8 * (i % 2), 4 * (i / 2) + t % 4};
    case TmemShape::s16x256b:
      return {t / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * (t % 4) + i % 2};
    case TmemShape::s32x32b:
      return {t, i};
    default:
      return {t % 16, i};
  }
}

std::vector<TmemAccessRecord> all_accesses(bool store) {
  std::vector<TmemAccessRecord> records;
  for (uint8_t shape = 0; shape < 5; ++shape)
    for (uint32_t count = 1; count <= 128; count *= 2)
      for (uint8_t packs = 0; packs < 2; ++packs) {
        TmemAccessRecord r{};
        r.warps = 4;
        r.is_store = store;
        r.shape = static_cast<TmemShape>(shape);
        r.count = static_cast<uint8_t>(count);
        r.packs = packs;
        const uint32_t width = shape == 1 ? 2 : shape == 2 ? 4 : 1;
        if (count * width > 128) continue;
        r.taddr = 3;
        if (r.shape != TmemShape::s32x32b && count % 4 == 1) r.taddr |= 16 << 16;
        if (r.shape == TmemShape::s16x32bx2) r.split = count < 64 ? 64 : 128;
        r.alloc_columns = 512;
        r.d_fill = signs(5, ~0u, 0);
        r.register_fill = signs(6, ~0u, 0);
        r.output_bytes = store ? 128 * 512 * 4 : 128 * 128 * 4;
        r.output_offset = uint64_t{records.size()} * r.output_bytes;
        // What would reach past the allocation is another test's case.
        const uint32_t columns = count * (shape == 0 ? 2 : shape == 1 ? 4 : shape == 2 ? 8 : 1) * (packs + 1);
        if (3 + columns + r.split <= 512) records.push_back(r);
      }
  return records;
}

TEST_F(Tcgen05, LoadsOfEveryShapeBringTheirCells) {
  const std::vector<TmemAccessRecord> records = all_accesses(false);
  const Ran ran = run_batch(*device, "tmem_access", records);
  for (size_t i = 0; i < records.size(); ++i) {
    const TmemAccessRecord& r = records[i];
    ASSERT_EQ(ran.ends[i].ended, Ended::done) << (ran.notes.empty() ? "" : ran.notes[0]);
    const uint32_t registers = r.count * (r.shape == TmemShape::s16x128b   ? 2u
                                          : r.shape == TmemShape::s16x256b ? 4u
                                                                           : 1u);
    for (uint32_t thread = 0; thread < 128; ++thread)
      for (uint32_t j = 0; j < 128; ++j) {
        uint32_t found;
        std::memcpy(&found, ran.output.data() + r.output_offset + (thread * 128 + j) * 4, 4);
        uint32_t want = ~0u;
        if (j < registers) {
          const auto [in_warp, column] = cell_of(r, thread % 32, j);
          const uint32_t moved = 3 + (thread % 32 >= 16 ? r.split : 0);
          const uint32_t lane = in_warp + thread / 32 * 32 + (r.taddr >> 16);
          const auto cell = [&](uint32_t c) { return operand_word(r.d_fill, lane * 512 + c); };
          want = r.packs ? (cell(moved + 2 * column) & 0xffff) | cell(moved + 2 * column + 1) << 16
                         : cell(moved + column);
        }
        ASSERT_EQ(found, want) << "shape " << static_cast<int>(r.shape) << " x" << static_cast<int>(r.count)
                               << (r.packs ? " pack" : "") << " thread " << thread << " register " << j;
      }
  }
}

TEST_F(Tcgen05, StoresOfEveryShapeReachTheirCells) {
  std::vector<TmemAccessRecord> records = all_accesses(true);
  for (size_t begin = 0; begin < records.size(); begin += 32) {
    std::vector<TmemAccessRecord> some(records.begin() + begin,
                                       records.begin() + std::min(begin + 32, records.size()));
    for (size_t i = 0; i < some.size(); ++i) some[i].output_offset = uint64_t{i} * some[i].output_bytes;
    const Ran ran = run_batch(*device, "tmem_access", some);
    for (size_t i = 0; i < some.size(); ++i) {
      const TmemAccessRecord& r = some[i];
      ASSERT_EQ(ran.ends[i].ended, Ended::done) << (ran.notes.empty() ? "" : ran.notes[0]);
      std::vector<uint32_t> want(128 * 512), judged(128 * 512, ~0u);
      for (uint32_t cell = 0; cell < want.size(); ++cell) want[cell] = operand_word(r.d_fill, cell);
      const uint32_t registers = r.count * (r.shape == TmemShape::s16x128b   ? 2u
                                            : r.shape == TmemShape::s16x256b ? 4u
                                                                             : 1u);
      for (uint32_t thread = 0; thread < 128; ++thread)
        for (uint32_t j = 0; j < registers; ++j) {
          auto [lane, column] = cell_of(r, thread % 32, j);
          const uint32_t moved = 3 + (thread % 32 >= 16 ? r.split : 0);
          lane += thread / 32 * 32 + (r.taddr >> 16);
          const uint32_t word = operand_word(r.register_fill, thread * 128 + j);
          if (!r.packs) {
            want[lane * 512 + moved + column] = word;
            continue;
          }
          for (uint32_t half = 0; half < 2; ++half) {  // upper halves: AMB-23
            const uint32_t cell = lane * 512 + moved + 2 * column + half;
            want[cell] = word >> 16 * half & 0xffff;
            judged[cell] = 0xffff;
          }
        }
      for (uint32_t cell = 0; cell < want.size(); ++cell) {
        uint32_t found;
        std::memcpy(&found, ran.output.data() + r.output_offset + cell * 4, 4);
        ASSERT_EQ(found & judged[cell], want[cell])
            << "shape " << static_cast<int>(r.shape) << " x" << static_cast<int>(r.count)
            << (r.packs ? " unpack" : "") << " lane " << cell / 512 << " column " << cell % 512;
      }
    }
  }
}

TEST_F(Tcgen05, ProbesAreCleanUnderEverySchedule) {
  if (test_device_spec().rfind("emulator", 0) != 0) GTEST_SKIP() << "strict mode is the emulator's";
  std::vector<Tcgen05MmaRecord> singles{accumulation(f16, 128, 32), accumulation(e4m3, 64, 64),
                                        accumulation(f16, 128, 32), accumulation(tf32, 32, 64)};
  singles[2].flags = params::mma_a_in_tmem | params::mma_enable_input_d;
  singles[2].a_taddr = singles[2].tmem_split = 64;
  singles[2].a_step = 8;
  singles[3].flags = params::mma_ws;
  singles[3].alloc_columns = 32;
  singles[3].output_bytes = 128 * 32 * 4;
  singles[3].tmem_split = 32;
  std::vector<Tcgen05MmaRecord> pairs{accumulation(f16, 256, 32, 2), accumulation(e4m3, 128, 64, 2)};
  std::vector<TmemAccessRecord> accesses = all_accesses(false);
  accesses.resize(6);
  const std::vector<TmemAccessRecord> stores = all_accesses(true);
  accesses.insert(accesses.end(), stores.begin(), stores.begin() + 6);
  const auto spread = [](auto& records) {
    uint64_t at = 0;
    for (auto& r : records) r.output_offset = std::exchange(at, at + r.output_bytes);
  };
  spread(singles), spread(pairs), spread(accesses);
  DeviceLimits limits;
  limits.batches = 2;
  for (const char* schedule : {"eager", "lazy", "random:1", "random:2,tmem_base=random"}) {
    const auto strict = open_device(
        std::string("emulator:sm_") + (schedule[0] == 'l' ? "103a" : "100a") + ",strict,schedule=" + schedule,
        limits);
    for (const Ran& ran :
         {run_batch(*strict, "tcgen05_mma", singles), run_batch(*strict, "tcgen05_mma", pairs),
          run_batch(*strict, "tmem_access", accesses)}) {
      for (const RecordEnd& end : ran.ends) EXPECT_EQ(end.ended, Ended::done) << schedule;
      for (const std::string& note : ran.notes) ADD_FAILURE() << schedule << ": " << note;
    }
    for (const StrictFinding& finding : strict->strict_findings())
      ADD_FAILURE() << schedule << ": " << finding.clause << " in " << finding.kernel << ", "
                    << finding.where;
  }
}

TEST_F(Tcgen05, RecordsThatWouldBreakTheRigAreRefusedBeforehand) {
  const auto refused = [](const Tcgen05MmaRecord& r, bool has_its_opcode = true) {
    Batch& batch = device->acquire();
    batch.family = "tcgen05_mma";
    batch.count = 1;
    const auto whole = has_its_opcode ? with_opcode(r) : r;
    std::memcpy(batch.records.data(), &whole, sizeof whole);
    EXPECT_THROW(device->submit(batch), std::invalid_argument);
    device->release(batch);
  };
  const Tcgen05MmaRecord good = accumulation(f16, 128, 32);
  Tcgen05MmaRecord r = good;
  r.cta_group = 3;
  refused(r);
  r = good;
  r.alloc_columns = 96;
  refused(r);
  r = good;
  r.flags = params::mma_scale_input_d;
  r.collector = params::Collector::use;
  refused(r);
  r = good;
  r.flags = params::mma_collector_filled;
  r.collector = params::Collector::discard;
  refused(r);
  r = good;
  r.a_scales.source = r.split - 16;
  refused(r);
  r = good;
  r.kind = MmaKind::mxf4, r.scale_count = 2, r.scale_vector = 2;
  r.b_scales.columns = 4;
  r.a_scales.source = r.b_scales.source = r.window_bytes - 512;  // half of a copy
  refused(r);
  r = good;
  r.flags = params::mma_ws | params::mma_disable_output_lane;
  refused(r);
  r = good;
  r.output_offset = 128;
  refused(r);
  r = with_opcode(good);
  ++r.opcode;
  refused(r, false);
}

}  // namespace
}  // namespace assay::cuda
