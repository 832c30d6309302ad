// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "generators/warp_mma/cases.h"
#include "kernels/params/mma_sync_f64.h"
#include "reference/model/case_json.h"
#include "reference/numerics/exact.h"
#include "reference/spec/formats.h"
#include "suites/run/property.h"

/// The model of mma.sync on f64 against rational arithmetic, each element found by its registers.
namespace assay::suites {
namespace {

uint64_t element(const DoublePattern& p, uint64_t i) {
  params::DoubleFill fill{
      .seed = p.seed, .keep = p.keep, .set = p.set, .special_rate = p.special_rate, .reserved = 0};
  std::copy(p.special.begin(), p.special.end(), fill.special);
  return params::double_element(fill, i);
}

void elements(const DoublePattern& p, uint64_t first, std::span<uint64_t> made) {
  for (uint64_t& code : made) code = element(p, first++);
}

/// Of row g of A (16 of a warp), k: lane 4 * (g mod 8) + k mod 4, register g / 8 + rows of registers * (k /
/// 4).
uint64_t a_of(const MmaSyncF64Case& c, uint32_t row, uint32_t k) {
  const uint32_t warp = row / c.m, g = row % c.m;
  return element(c.a_fill, (warp * 32 + g % 8 * 4 + k % 4) * 8 + g / 8 + c.m / 8 * (k / 4));
}
uint64_t b_of(const MmaSyncF64Case& c, uint32_t column, uint32_t k) {
  return element(c.b_fill, (column / 8 * 32 + column % 8 * 4 + k % 4) * 4 + k / 4);
}
/// Of the output: lane 4 * (row mod 8) + column mod 8 / 2, register 2 * (row / 8) + column mod 2.
uint32_t place(const MmaSyncF64Case& c, uint32_t row, uint32_t column) {
  const uint32_t g = row % c.m, thread = row / c.m * 32 + g % 8 * 4 + column % 8 / 2;
  return (thread * c.tiles + column / 8) * (c.m / 4) + g / 8 * 2 + column % 2;
}

TEST(MmaSyncF64, IsTheChainOfWhatLiesInTheRegisters) {
  const spec::Format& f64 = spec::format("f64");
  gen::Random random(3);
  for (uint64_t i = 0; i < 200; ++i) {
    MmaSyncF64Case c;
    gen::make_mma_sync_f64({4, "model", i, spec::Arch::sm_90}, c);
    ASSERT_TRUE(is_legal(c));
    std::vector<uint64_t> output(output_bytes(c) / 8);
    model::predict(c, spec::Readings(spec::Arch::sm_90), elements, output);
    const numerics::Types types{&f64, &f64, &f64, static_cast<int>(c.k)};
    for (int sample = 0; sample < 12; ++sample) {
      const uint32_t row = random.below(4 * c.m), column = random.below(8 * c.tiles);
      std::vector<uint64_t> a, b;
      for (uint32_t k = 0; k < c.k; ++k) a.push_back(a_of(c, row, k)), b.push_back(b_of(c, column, k));
      const uint32_t at = place(c, row, column);
      const numerics::Arithmetic chain{.scheme = numerics::Scheme::chain, .nan = 0xfff8000000000000};
      ASSERT_EQ(output[at], numerics::exact_dot(chain, types, {a, b, element(c.c_fill, at), {}, {}, 0}))
          << model::to_json(c).dump() << " row " << row << " column " << column;
      const model::DoubleSteps steps = model::steps_of(c, elements, at);
      EXPECT_EQ(std::pair(steps.row, steps.column), std::pair(row, column));
      EXPECT_EQ(steps.b[c.k - 1], b.back());
    }
  }
}

/// Each way in which the rule can be wrong shows in few cases.
TEST(MmaSyncF64, EveryBendChangesSomeOutput) {
  for (const model::Bend& bend : model::f64_bends()) {
    spec::Readings bent(spec::Arch::sm_90);
    bent.bend_by(&bend);
    uint64_t i = 0;
    for (bool differs = false; !differs; ++i) {
      ASSERT_LT(i, gen::f64_cells()) << bend.words;
      MmaSyncF64Case c;
      gen::make_mma_sync_f64({1, "bends", i, spec::Arch::sm_90}, c);
      std::vector<uint64_t> right(output_bytes(c) / 8), wrong(right.size());
      model::predict(c, spec::Readings(spec::Arch::sm_90), elements, right);
      model::predict(c, bent, elements, wrong);
      differs = right != wrong;
    }
  }
}

TEST(MmaSyncF64, WrongCasesAreRefused) {
  const auto message = [](const char* text) -> std::string {
    try {
      model::case_from_json<MmaSyncF64Case>(nlohmann::json::parse(text));
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(message(R"({"m":8,"k":8})"),
            "field 'k' of the case makes the shape m8n8k8; mma.sync on f64 has m8n8k4, m16n8k4, m16n8k8 and "
            "m16n8k16.");
  EXPECT_EQ(message(R"({"tiles":65})"), "field 'tiles' of the case is 65; expected 1 to 64.");
  EXPECT_EQ(message(R"({"a_fill":{"special_rate":300}})"),
            "field 'a_fill.special_rate' of the case is 300; expected 0 to 256.");
}

}  // namespace
}  // namespace assay::suites
