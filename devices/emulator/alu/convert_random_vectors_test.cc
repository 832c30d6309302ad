// SPDX-License-Identifier: Apache-2.0
// cvt.rs of four packed values against testdata/vectors/vectors_cvt_rs.csv: rows that a program with exact
// fractions made from the rule that was published of sm_100a (e4m3x4, and the others by the one rule of the
// document) and from both answers to CVT-AMB-01 (e2m1x4). No silicon gave them.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "devices/emulator/alu/evaluate.h"
#include "devices/emulator/gpu.h"

namespace assay::emulator::alu::convert_random_vectors_test {
namespace {

struct Row {
  std::string id, form, reading;
  std::array<uint64_t, 5> operands;
  uint64_t result;
};

std::vector<Row> rows() {
  std::ifstream in(std::string(ASSAY_SOURCE_DIR) + "/testdata/vectors/vectors_cvt_rs.csv");
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "id,form,reading,a,b,e,f,rbits,d,silicon");
  std::vector<Row> made;
  while (std::getline(in, line)) {
    std::istringstream text(line);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    if (cells.size() != 10) throw std::runtime_error("not a row: " + line);
    EXPECT_EQ(cells[9], "no silicon here") << cells[0];
    Row row{cells[0], cells[1], cells[2], {}, std::stoull(cells[8], nullptr, 16)};
    for (size_t i = 0; i < row.operands.size(); ++i) row.operands[i] = std::stoull(cells[3 + i], nullptr, 16);
    made.push_back(row);
  }
  return made;
}

uint64_t result_of(const Row& row) {
  const auto form = find_lane_form(opcode_of(row.form), 0, /*takes_bytes_in_order=*/row.reading == "B");
  if (!form || form->sources != 5) throw std::runtime_error(row.form + " is unknown");
  std::array<std::array<uint64_t, warp_lanes>, 6> columns{};
  LaneArgs args;
  for (size_t i = 0; i < row.operands.size(); ++i) {
    columns[i].fill(row.operands[i]);
    args.s[i] = columns[i].data();
  }
  args.d = columns[5].data();
  args.mask = 1;
  form->op(args);
  return columns[5][0];
}

TEST(ConvertRandomVectors, EveryRowIsAsTheRuleHasIt) {
  std::map<std::string, int> counts;
  for (const Row& row : rows()) {
    ++counts[row.form.substr(row.form.find("satfinite.") + 10, 6) + row.reading];
    EXPECT_EQ(result_of(row), row.result) << row.id << " " << row.form << ", reading " << row.reading;
  }
  EXPECT_EQ(counts, (std::map<std::string, int>{{"e2m1x4A", 28},
                                                {"e2m1x4B", 28},
                                                {"e2m3x4-", 28},
                                                {"e3m2x4-", 28},
                                                {"e4m3x4-", 28},
                                                {"e5m2x4-", 28}}));
}

// The readings are told apart by some rows, or the question were none.
TEST(ConvertRandomVectors, TheAnswersToTheQuestionDiffer) {
  int differ = 0;
  for (Row row : rows()) {
    if (row.reading != "A") continue;
    row.reading = "B";
    differ += result_of(row) != row.result;
  }
  EXPECT_GT(differ, 10);
}

TEST(ConvertRandomVectors, ADeviceTakesTheAnswerThatItIsAskedFor) {
  const std::string text =
      ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry kernel(.param .u64 out)\n{\n"
      ".reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n.reg .f32 %f<2>;\n.reg .b16 %h<2>;\n"
      "ld.param.u64 %rd1, [out];\nmov.f32 %f1, 0f3FA00000;\nmov.b32 %r1, 0x80807f7f;\n"
      "cvt.rs.satfinite.e2m1x4.f32 %h1, {%f1, %f1, %f1, %f1}, %r1;\nst.global.u16 [%rd1], %h1;\nret;\n}\n";
  const auto answer = [&](const char* letter) {
    Settings settings;
    settings.target = Target::sm_100a;
    settings.readings.emplace_back("CVT-AMB-01", *letter);
    const auto gpu = Gpu::create(settings);
    auto loaded = gpu->load(text);
    if (const auto* wrong = std::get_if<Diagnostic>(&loaded)) throw std::runtime_error(wrong->message);
    const uint64_t out = gpu->memory().allocate(8);
    std::vector<std::byte> params(8);
    std::memcpy(params.data(), &out, 8);
    Module& module = *std::get<std::unique_ptr<Module>>(loaded);
    EXPECT_FALSE(gpu->launch({module.find_kernel("kernel"), {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 0, params}));
    uint16_t made = 0;
    std::memcpy(&made, reinterpret_cast<const void*>(out), 2);
    return made;
  };
  // Halfway between 1 and 1.5. A byte of 0x80 is enough, one of 0x7f is not: a 0x80, b 0x7f, e 0x80, f 0x7f;
  // or a and b 0x7f, e and f 0x80.
  EXPECT_EQ(answer("A"), 0x3232);
  EXPECT_EQ(answer("B"), 0x2233);
}

}  // namespace
}  // namespace assay::emulator::alu::convert_random_vectors_test
