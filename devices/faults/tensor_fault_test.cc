// SPDX-License-Identifier: Apache-2.0
// Faults of the adder and of wgmma and mma.sync: each changes something that is multiplied by hand here, and
// not everything.

#include <gtest/gtest.h>
#include <cstring>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "devices/emulator/fault.h"
#include "devices/emulator/ptx_text_file.h"
#include "devices/emulator/tensor/adder.h"
#include "devices/emulator/tensor/fragment.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t mix(uint64_t z) {
  z = (z + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

struct Tile {
  Adder adder;
  const char *a, *d;
  uint32_t k;
  bool any_bits;  ///< NaN, infinities and subnormals among them; else exponents near each other
  bool saturates = false;
  bool subnormal = false;  ///< A is, and B has every finite exponent: e4m3
};
const std::vector<Tile>& tiles() {
  static const std::vector<Tile> made{
      {Adder::wgmma, "f16", "f32", 16, false},      {Adder::wgmma, "f16", "f32", 16, true},
      {Adder::wgmma, "f16", "f16", 16, false},      {Adder::wgmma, "f16", "f16", 16, true},
      {Adder::wgmma, "e4m3", "f32", 32, false},     {Adder::wgmma, "e5m2", "f32", 32, true},
      {Adder::mma_sync, "bf16", "f32", 16, true},   {Adder::mma_sync, "tf32", "f32", 8, false},
      {Adder::mma_sync, "e4m3", "f16", 32, false},  {Adder::tcgen05, "e5m2", "f32", 32, false},
      {Adder::tcgen05, "bf16", "f32", 16, false},   {Adder::wgmma, "s8", "s32", 32, true, true},
      {Adder::wgmma, "u8", "s32", 32, true, false}, {Adder::wgmma, "e4m3", "f32", 32, true, false, true},
  };
  return made;
}

constexpr uint32_t rows = 128, columns = 128;

/// The elements of D, and for bf16 also sums far below the others: where terms of 2^-158 decide.
std::vector<uint32_t> multiplied(const Tile& tile, const std::string& fault) {
  const spec::Format &a = *spec::find_format(tile.a), &d = *spec::find_format(tile.d);
  const auto code = [&](const spec::Format& format, uint64_t at) {
    const uint64_t bits = mix(at);
    if (format.is_integer() || tile.any_bits) return static_cast<uint32_t>(bits & format.code_mask());
    return static_cast<uint32_t>(
        format.code(bits & 1, format.exponent_mask() / 2 + bits / 2 % 3, bits >> 8 & format.mantissa_mask()));
  };
  std::vector<uint32_t> x(rows * tile.k), y(columns * tile.k), z(rows * columns);
  for (size_t i = 0; i < x.size(); ++i) x[i] = code(a, i);
  for (size_t i = 0; i < y.size(); ++i) y[i] = code(a, i + 100000);
  for (size_t i = 0; i < z.size(); ++i) z[i] = code(d, i + 200000);
  if (tile.a == std::string("bf16") && tile.any_bits)
    for (size_t i = 0; i < 8 * tile.k; ++i) x[i] = 0x1f80 | (x[i] & 0x807f), y[i] = 0x1080 + (y[i] & 0x87ff);
  if (tile.subnormal) {
    for (uint32_t& code_of_a : x) code_of_a &= a.sign_bit() | a.mantissa_mask();
    for (uint32_t& code_of_b : y) code_of_b &= ~1u;
  }
  Settings settings;
  settings.fault = fault;
  TileProduct product{tile.adder, settings.target, &a, &a, &d, rows, columns, tile.k};
  product.a = x, product.b = y, product.d = z;
  product.saturates = tile.saturates;
  // At the ends of s32, where saturation shows.
  if (tile.saturates)
    for (uint32_t& c : z) c = c >> 31 != 0 ? 0x80000000u | (c & 0xff) : 0x7fffff00u | (c & 0xff);
  // A row of C is zero, for results that are small or nothing.
  for (uint32_t i = 0; i < columns * 8; ++i) z[i] = 0;
  multiply_tile(product, settings);
  return z;
}

/// What every run of a text test leaves in its buffers.
std::vector<std::string> runs(const char* file, const std::string& fault) {
  const text::TextFile tests(std::string(ASSAY_SOURCE_DIR "/testdata/ptx/") + file + ".ptx");
  std::vector<std::string> made;
  Settings settings;
  settings.target = Target::sm_90, settings.completion = Completion::lazy, settings.fault = fault;
  for (text::TextRun run : tests.runs) {
    const auto gpu = Gpu::create(settings);
    auto loaded = gpu->load(tests.text);
    Module& module = *std::get<std::unique_ptr<Module>>(loaded);
    Kernel* kernel = module.find_kernel(run.kernel);
    std::vector<std::byte> params(kernel->param_bytes());
    for (size_t i = 0; i < run.arguments.size(); ++i) {
      text::Argument& argument = run.arguments[i];
      argument.address = gpu->memory().allocate(argument.bytes.size());
      std::memcpy(reinterpret_cast<void*>(argument.address), argument.bytes.data(), argument.bytes.size());
      std::memcpy(params.data() + kernel->params()[i].offset, &argument.address, 8);
    }
    const auto end = gpu->launch({kernel, run.grid, run.block, run.cluster, run.smem, params});
    std::string text = end ? end->message : "";
    for (const text::Argument& argument : run.arguments)
      text.append(reinterpret_cast<const char*>(argument.address), argument.bytes.size());
    made.push_back(text);
  }
  return made;
}

TEST(TensorFaults, OfTheAdder) {
  std::vector<std::vector<uint32_t>> honest;
  for (const Tile& tile : tiles()) honest.push_back(multiplied(tile, ""));
  int faults = 0;
  for (const Fault* fault : all_faults()) {
    if (!fault->name.starts_with("adder_") || fault->notes.rare) continue;
    size_t changed = 0;
    for (size_t i = 0; i < honest.size(); ++i)
      changed += multiplied(tiles()[i], std::string(fault->name)) != honest[i];
    // A zero that counts is seen where everything else is smaller still.
    if (fault->name != "adder_zeros_count") {
      EXPECT_GT(changed, 0u) << fault->name << " changes nothing";
    }
    if (fault->name != "adder_half_of_k_lost" && fault->name != "adder_last_product_lost") {
      EXPECT_LT(changed, honest.size()) << fault->name << " changes everything";
    }
    ++faults;
  }
  EXPECT_GE(faults, 15);
}

TEST(TensorFaults, TheRareOneIsRare) {
  size_t changed = 0, elements = 0;
  for (const Tile& tile : tiles()) {
    const auto honest = multiplied(tile, ""), wrong = multiplied(tile, "adder_rare_bit");
    for (size_t i = 0; i < honest.size(); ++i) changed += honest[i] != wrong[i];
    elements += honest.size();
  }
  EXPECT_GT(changed, 0u);
  EXPECT_LT(changed, elements / 1000);
}

TEST(TensorFaults, OfFragmentsAndWgmma) {
  std::vector<std::string> honest;
  const char* files[] = {"wgmma_layouts", "wgmma_modifiers", "mma_sync_float"};
  const auto outcomes = [&](const std::string& fault) {
    std::vector<std::string> made;
    for (const char* file : files) {
      const auto of_file = runs(file, fault);
      made.insert(made.end(), of_file.begin(), of_file.end());
    }
    return made;
  };
  honest = outcomes("");
  int faults = 0;
  for (const Fault* fault : all_faults()) {
    if (!fault->name.starts_with("wgmma_") && !fault->name.starts_with("mma_")) continue;
    // The suites meet those of f64, of 4-bit integers, of the kinds of sm_120a and of several products under
    // way; below are those of mma.sp and wgmma.sp.
    if (fault->name.starts_with("mma_sync_f64_") || fault->name.starts_with("mma_sync_i4_") ||
        fault->name.starts_with("mma_kind_") || fault->name.starts_with("mma_sp_") ||
        fault->name.starts_with("wgmma_sp_") || fault->name == "wgmma_behind_another_overwrites")
      continue;
    const auto wrong = outcomes(std::string(fault->name));
    size_t changed = 0;
    for (size_t i = 0; i < honest.size(); ++i) changed += honest[i] != wrong[i];
    EXPECT_GT(changed, 0u) << fault->name << " changes nothing";
    if (fault->name != "mma_rows_exchanged") {
      EXPECT_LT(changed, honest.size()) << fault->name << " changes everything";
    }
    ++faults;
  }
  EXPECT_GE(faults, 7);
}

TEST(TensorFaults, OfSparseFragments) {
  // All codes of all forms of mma.sp: format, codes of a row, selectors.
  struct SparseForm {
    const char* a;
    uint32_t groups, selectors;
  };
  const SparseForm forms[] = {{"f16", 4, 4},  {"f16", 8, 2},  {"bf16", 4, 4},  {"bf16", 8, 2},
                              {"tf32", 4, 4}, {"tf32", 8, 2}, {"e4m3", 16, 1}, {"e5m2", 16, 1},
                              {"s8", 8, 2},   {"s8", 16, 1},  {"u8", 8, 2},    {"u8", 16, 1},
                              {"s4", 8, 2},   {"s4", 16, 1},  {"u4", 8, 2},    {"u4", 16, 1}};
  int faults = 0;
  for (const Fault* fault : all_faults()) {
    const bool is_wgmma = fault->name.starts_with("wgmma_sp_");
    if (!is_wgmma && !fault->name.starts_with("mma_sp_")) continue;
    if (fault->name.starts_with("mma_sp_kind_")) continue;  // below
    const TensorSteps& steps = fault->tensor_steps();
    if (steps.wgmma != nullptr) continue;  // of B, not of the metadata of A: the suites meet it
    uint32_t changed = 0, all = 0;
    for (const SparseForm& form : forms)
      for (uint32_t selector = 0; selector < form.selectors; ++selector)
        for (uint32_t row = 0; row < 16; ++row)
          for (uint32_t group = 0; group < form.groups; ++group) {
            const FragmentCode wanted{spec::find_format(form.a), form.groups, selector, row, group, is_wgmma};
            const FragmentNibble right = fragment_nibble(wanted);
            bool differs = false;
            if (steps.sparse_place != nullptr) {
              const FragmentNibble at = steps.sparse_place(wanted);
              ASSERT_LT(at.lane, 32u) << fault->name;
              ASSERT_LT(at.nibble, 8u) << fault->name;
              differs = at.lane != right.lane || at.nibble != right.nibble;
            }
            for (const uint32_t code : {0b0100u, 0b1101u, 0b1110u})
              differs |= steps.sparse_code != nullptr && steps.sparse_code(wanted, code) != code;
            // A register of one code, but for one in row r that names a place twice.
            constexpr uint32_t metadata = 0x44444544;
            if (steps.sparse_register != nullptr)
              differs |= (steps.sparse_register(wanted, metadata) >> 4 * right.nibble & 0xf) !=
                         (metadata >> 4 * right.nibble & 0xf);
            changed += differs;
            ++all;
          }
    EXPECT_GT(changed, 0u) << fault->name << " changes nothing";
    if (fault->name != "mma_sp_codes_exchanged" && fault->name != "mma_sp_rows_exchanged") {
      EXPECT_LT(changed, all) << fault->name << " changes everything";
    }
    ++faults;
  }
  EXPECT_GE(faults, 16);
}

// Faults of mma.sp with a kind: each changes something, and none changes what is not sparse.

using namespace emulator;

const spec::Format* format(std::string_view name) {
  return spec::find_format(name);
}
const std::vector<KindForm> forms = [] {
  const spec::Format *e4m3 = format("e4m3"), *e2m1 = format("e2m1"), *f32 = format("f32");
  std::vector<KindForm> made{{e4m3, e4m3, f32}, {e2m1, e4m3, f32}, {e4m3, format("e3m2"), f32}};
  made.push_back({e2m1, e2m1, f32, format("ue8m0"), 64, 32});
  made.push_back({e2m1, e2m1, f32, format("ue4m3"), 64, 16});
  for (KindForm& form : made) form.is_sparse = true;
  return made;
}();

struct Changes {
  int changed = 0, all = 0;
};

/// Rows with all codes whose places ascend, by elements that all differ from their neighbours.
Changes changes_of_met(void (*kind_met)(const KindRow&, uint32_t*)) {
  Changes count;
  constexpr uint32_t legal[] = {0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110};
  for (const KindForm& form : forms)
    for (uint32_t row = 0; row < 16; ++row) {
      std::vector<uint32_t> codes(16), b(8 * form.b_k()), met(8 * form.k);
      for (uint32_t i = 0; i < codes.size(); ++i) codes[i] = legal[(i * 5 + row) % 6];
      const uint32_t values = form.is_packed() ? 16 : form.b->name == "e4m3" ? 128 : 64;
      for (uint32_t i = 0; i < b.size(); ++i) b[i] = (i * 7 + i / 16) % values;
      meet_row(form.is_packed() ? *form.a : *format("e4m3"), form.k, codes.data(), b.data(), 8, met.data());
      std::vector<uint32_t> wrong = met;
      kind_met({form, row, codes.data(), b.data()}, wrong.data());
      count.changed += wrong != met;
      ++count.all;
    }
  return count;
}

Changes changes_of_scales(FragmentScale (*scale)(const FragmentScaleRequest&)) {
  Changes count;
  for (const bool is_sparse : {false, true})
    for (const bool is_a : {false, true})
      for (uint32_t i = 0; i < 16 * 2 * 2 * 2; ++i) {
        const FragmentScaleRequest wanted{is_a,           i % (is_a ? 16 : 8), i / 16 % 2,
                                          i / 32 % 2 * 2, i / 64 % 2,          is_sparse};
        const FragmentScale at = scale(wanted), right = fragment_scale(wanted);
        const bool differs = at.lane != right.lane || at.byte != right.byte;
        EXPECT_TRUE(is_sparse || !differs);
        EXPECT_LT(at.lane, 32u);
        EXPECT_LT(at.byte, 4u);
        count.changed += differs;
        ++count.all;
      }
  return count;
}

Changes changes_of_rules(void (*change)(const TileProduct&, AdderRules&)) {
  Changes count;
  for (const bool is_sparse : {false, true}) {
    TileProduct product{};
    product.k = 64, product.is_sparse = is_sparse;
    AdderRules rules{};
    rules.fused = 64;
    change(product, rules);
    EXPECT_TRUE(is_sparse || rules.fused == 64);
    count.changed += rules.fused != 64;
    ++count.all;
  }
  return count;
}

TEST(SparseKindFaults, ChangeSomethingAndNothingOfADenseA) {
  int faults = 0;
  for (const Fault* fault : all_faults()) {
    if (!fault->name.starts_with("mma_sp_kind_")) continue;
    EXPECT_EQ(fault->devices(), std::vector<std::string>{"sm_120a"});
    const TensorSteps& steps = fault->tensor_steps();
    const Changes count = steps.kind_met != nullptr ? changes_of_met(steps.kind_met)
                          : steps.scale != nullptr  ? changes_of_scales(steps.scale)
                                                    : changes_of_rules(steps.rules);
    EXPECT_GT(count.changed, 0) << fault->name << " changes nothing";
    if (fault->name != "mma_sp_kind_second_half_as_first") {
      EXPECT_LT(count.changed, count.all) << fault->name << " changes everything";
    }
    ++faults;
  }
  EXPECT_GE(faults, 11);
}

}  // namespace
}  // namespace assay::faults
