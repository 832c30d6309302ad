// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

#include "devices/emulator/lane_op.h"

/// For tests: one arithmetic instruction on one lane's operands.
namespace assay::emulator::alu {

inline Opcode opcode_of(const std::string& text) {
  Opcode opcode;
  opcode.text = text;
  std::stringstream words(text);
  std::getline(words, opcode.base, '.');
  for (std::string word; std::getline(words, word, '.');) opcode.qualifiers.push_back(word);
  return opcode;
}

using Column = std::array<uint64_t, warp_lanes>;

inline Column column_of(uint64_t value) {
  Column column;
  column.fill(value);
  return column;
}

struct Results {
  uint64_t d, d2;
  bool operator==(const Results&) const = default;
};

/// Runs the instruction three ways and wants the same of each: alone in one lane (whose neighbours must stay
/// as they were), in all lanes, and in all lanes with the destination being the first source.
inline Results evaluate_both(const std::string& text, const std::vector<uint64_t>& sources,
                             int destination_bits = 0) {
  const auto form = find_lane_form(opcode_of(text), destination_bits);
  EXPECT_TRUE(form.has_value()) << text << " is unknown";
  if (!form) return {};
  const size_t given = sources.size(), wanted = form->sources + (form->reads_carry ? 1 : 0);
  EXPECT_TRUE(given >= wanted && given <= wanted + form->optional_sources) << text << " takes other operands";
  if (given < wanted) return {};

  constexpr uint64_t untouched = 0x5a5a5a5a5a5a5a5a;
  constexpr int lane = 13;
  std::array<Column, 5> columns;
  Column d, d2;
  LaneArgs args;
  for (size_t i = 0; i < given; ++i) {
    columns[i].fill(sources[i]);
    args.s[i] = columns[i].data();
  }
  d.fill(untouched);
  d2.fill(untouched);
  args.d = d.data();
  args.d2 = form->second_destination || form->writes_carry ? d2.data() : nullptr;
  args.mask = 1u << lane;
  form->op(args);
  const Results alone{d[lane], d2[lane]};
  d[lane] = d2[lane] = untouched;
  EXPECT_TRUE(d == d2 && d == column_of(untouched)) << text << " wrote a lane outside its mask";

  args.mask = 0xffffffffu;
  form->op(args);
  EXPECT_EQ(d, column_of(alone.d)) << text << " differs between one lane and all";

  args.d = columns[0].data();
  form->op(args);
  EXPECT_EQ(columns[0], column_of(alone.d)) << text << " differs when it overwrites its source";
  return alone;
}

inline uint64_t evaluate(const std::string& text, const std::vector<uint64_t>& sources,
                         int destination_bits = 0) {
  return evaluate_both(text, sources, destination_bits).d;
}

}  // namespace assay::emulator::alu
