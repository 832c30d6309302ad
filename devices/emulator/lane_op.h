// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::emulator {

inline constexpr int warp_lanes = 32;

/// An opcode as written: "add.sat.s32" is base "add" with qualifiers {"sat", "s32"};
/// "cp.async.bulk.tensor..." is split at every '.', '::' stays inside a qualifier ("shared::cta"). Decode by
/// base and set of qualifiers, never by position, except where the type order carries meaning (cvt.to.from).
struct Opcode {
  std::string text;
  std::string base;
  std::vector<std::string> qualifiers;
  bool has(std::string_view qualifier) const {
    for (const std::string& q : qualifiers)
      if (q == qualifier) return true;
    return false;
  }
};

/// One instruction over the 32 lanes of a warp. A register is 32 lanes of 64 bits (values narrower than 64
/// bits sit zero-extended in the low bits; predicates are 0 or 1). Immediates are broadcast registers. Only
/// lanes in `mask` are written. Sources never alias the destination partially; d may equal a source.
struct LaneArgs {
  uint64_t* d = nullptr;
  uint64_t* d2 = nullptr;  ///< second destination of `d|p` forms, or null when absent or `_`
  /// Five are needed by lop3 with a boolean operation and by cvt.rs of four values ({a,b,e,f} flattened).
  const uint64_t* s[5] = {};
  uint32_t mask = 0;
};
using LaneOp = void (*)(const LaneArgs&);

/// How an arithmetic instruction runs, found once at load time.
struct LaneForm {
  LaneOp op = nullptr;
  int sources = 0;           ///< operands after the destination(s)
  int optional_sources = 0;  ///< further ones that may be left out (setp with a predicate operand c)
  bool second_destination = false;
  /// The condition code register of .cc / addc / subc / madc, a column of 0 or 1 a lane that nothing else
  /// sees: it follows the other sources as s[sources] where it is read, and is d2 where it is written.
  bool reads_carry = false;
  bool writes_carry = false;
};

/// The lane form of an opcode of the families int, logic/move, float, predicate, convert and packed (Appendix
/// A and their whole (opcode, type) closure in PTX), or nothing if it is no such opcode. A base that is known
/// with qualifiers that are not legal PTX gives nothing too. `destination_bits` is the declared width of the
/// destination register where it is known (16, 32 or 64; 0: as wide as the type): cvt to a signed integer
/// fills a wider register with the sign. `takes_bytes_in_order`: cvt.rs to e2m1x4 as the second answer to
/// CVT-AMB-01 has it.
std::optional<LaneForm> find_lane_form(const Opcode& opcode, int destination_bits = 0,
                                       bool takes_bytes_in_order = false);

}  // namespace assay::emulator
