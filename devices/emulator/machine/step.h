// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "devices/emulator/machine/cluster.h"
#include "devices/emulator/machine/instruction.h"

namespace assay::emulator {

/// What an executing instruction sees: the lanes, operand values, memory, the async queue.
class Step {
 public:
  Step(const Instruction& instruction, Warp& warp, uint32_t mask)
      : instruction(instruction), warp(warp), cta(*warp.cta), cluster(*warp.cta->cluster), mask(mask) {}

  const Instruction& instruction;
  Warp& warp;
  Cta& cta;
  Cluster& cluster;
  const uint32_t mask;  ///< lanes that execute: at this instruction, guard true

  const Operand& operand(size_t i) const { return instruction.operands[i]; }
  size_t operand_count() const { return instruction.operands.size(); }
  template <typename T>
  const T& data() const {
    return *static_cast<const T*>(instruction.data.get());
  }

  uint64_t* column(Column column) const { return warp.column(column); }
  uint64_t value(const Operand& operand, int lane) const { return warp.column(operand.column)[lane]; }
  /// Base plus offset of an address operand.
  uint64_t address(const Operand& operand, int lane) const {
    return warp.column(operand.column)[lane] + static_cast<uint64_t>(operand.offset);
  }
  /// Writes a register, cut to its width; a sink swallows it. Clears the lane's taint.
  void set(const Operand& operand, int lane, uint64_t value, bool tainted = false) const {
    if (operand.kind == Operand::Kind::sink) return;
    if (operand.bits < 64) value &= (1ull << operand.bits) - 1;
    warp.column(operand.column)[lane] = value;
    if (warp.watch) warp.watch->written(operand.column);
    if (tainted) warp.has_taint = true;
    if (warp.has_taint) {
      uint32_t& mask = warp.taint[operand.column.index];
      mask = (mask & ~(1u << lane)) | static_cast<uint32_t>(tainted) << lane;
    }
  }
  void set_wide(const Operand& operand, int lane, uint64_t low, uint64_t high, bool tainted = false) const;
  bool tainted(const Operand& operand, int lane) const { return warp.is_tainted(operand.column, lane); }

  Issuer issuer(int lane) const { return {cta.rank, warp.thread(lane), instruction.line}; }

  /// The 32-bit shared::cluster address that a `.shared`, `.shared::cta` or `.shared::cluster` operand's
  /// value or, for is_generic, a 64-bit generic address means. Traps illegal_address if it is none.
  uint32_t shared_address(uint64_t value, bool is_generic, int lane) const;

  [[noreturn]] void fail(Diagnostic::Kind kind, int lane, std::string message) const {
    trap(kind, std::move(message), lane);
  }
};

/// Calls f(lane) for each lane of the mask, lowest first.
template <typename F>
void for_lanes(uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(__builtin_ctz(mask));
}

}  // namespace assay::emulator
