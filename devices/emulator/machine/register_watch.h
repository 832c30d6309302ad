// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "devices/emulator/machine/program.h"

namespace assay::emulator {

class Warp;

/// The strict mode's eye on the registers of one warp: which of them ordinary instructions wrote since the
/// last wgmma.fence, and which belong to a wgmma that nobody has waited for.
class RegisterWatch {
 public:
  explicit RegisterWatch(Warp& warp);

  /// An instruction is about to execute for the lanes of the mask.
  void executes(const Instruction& instruction, uint32_t mask);
  void written(Column column) {
    if (column.index < touched_.size()) touched_[column.index] = line_;
  }

  void fence();
  /// A wgmma with these registers is issued: `d` accumulator, `a` operand, from `line`.
  void issued(const std::vector<uint32_t>& d, const std::vector<uint32_t>& a, uint32_t line);
  void committed();
  /// At most n of the newest groups are pending.
  void waited(uint64_t n);
  bool has_uncommitted() const { return !open_.empty(); }

 private:
  struct Use {
    std::vector<uint32_t> d, a;
  };
  void accessed(const Operand& operand, bool may_write, uint32_t line, int lane);
  /// `writer`: the line that wrote a register, or 0.
  void report(std::string_view clause, uint32_t line, int lane, uint32_t writer = 0);
  void release(const std::vector<Use>& group);

  Warp& warp_;
  static constexpr uint32_t at_first = ~0u;
  std::vector<uint32_t> touched_;      ///< per register column by which line, or 0; at first all are
  uint32_t line_ = at_first;           ///< of the instruction that executes
  std::vector<uint16_t> in_d_, in_a_;  ///< per register column: pending wgmma that have it
  uint32_t pending_ = 0;
  std::vector<Use> open_;
  std::deque<std::vector<Use>> committed_;
};

}  // namespace assay::emulator
