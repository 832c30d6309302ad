// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "devices/emulator/machine/cluster.h"
#include "devices/emulator/machine/program.h"

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

  race::Lanes lanes_of(uint32_t some) const { return {cta.rank, warp.index, some, instruction.line}; }

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

enum class Space : uint8_t { generic, global, shared_cta, shared_cluster, local, param, constant };

/// The state space that an opcode names, generic if none.
Space space_of(const Opcode& opcode);

/// A place in memory that a lane may access: checked, and for shared memory with its shadow.
struct Place {
  std::byte* bytes = nullptr;
  uint8_t* written = nullptr;   ///< shared memory: one byte a byte
  uint32_t shared_address = 0;  ///< of shared memory
  bool is_shared() const { return written != nullptr; }
};

/// Resolves an access of a lane. Traps misaligned_address and illegal_address with a sentence that names the
/// address. `alignment` is in bytes.
Place resolve(const Step& step, int lane, Space space, uint64_t address, uint32_t bytes, uint32_t alignment,
              bool is_write);

/// Reads and writes through a place, with what the shadow and the strict mode need. note_store() goes with
/// every change of memory: it makes waiting lanes look again.
bool holds_unwritten(const Place& place, uint32_t bytes);
void note_load(const Step& step, int lane, const Place& place, uint32_t bytes);
void note_store(const Step& step, int lane, const Place& place, uint32_t bytes, bool is_tainted);
/// The same of memory of which StrictMode::global_accesses() has been told.
void note_told_load(const Step& step, int lane, const Place& place, uint32_t bytes);
void note_told_store(const Step& step, int lane, const Place& place, uint32_t bytes, bool is_tainted);
/// The instruction stores to global memory what comes from never-written memory; says which one read it
/// there.
void stores_unwritten(const Step& step, int lane);
/// Of a strong access, before it is done: what its lanes acquire and release.
void note_order(const Step& step, Space space, const Operand& place, uint32_t bytes, bool reads, bool writes,
                uint32_t repeating = 0);

/// A stretch of memory that all lanes of an access may lie in, found once for the warp: one range of global
/// memory, the parameters, the local memory of each lane, the shared memory of one CTA.
struct Window {
  std::byte* host = nullptr;   ///< of the address `begin`
  uint8_t* written = nullptr;  ///< of shared memory: one byte a byte
  uint64_t begin = 0;          ///< address
  uint64_t bytes = 0;          ///< 0: there is none
  uint64_t lane_stride = 0;    ///< of local memory: host bytes from a lane's to the next
  uint64_t address_mask = ~0ull;
  uint32_t shared_begin = 0;  ///< of shared memory: the shared::cluster address of `begin`

  /// The place at an offset.
  Place place(uint64_t offset) const {
    if (written == nullptr) return {host + offset};
    return {host + offset, written + offset, shared_begin + static_cast<uint32_t>(offset)};
  }
};

/// The window in which an access of the warp to that address lies, as resolve() would find it; none where
/// that refuses.
Window find_window(const Step& step, Space space, uint64_t address, bool is_write);

/// Where in a window the lanes of an access lie.
struct LanePlaces {
  enum class Order : uint8_t { scattered, same, rising };  ///< rising: each right behind the lane before it
  std::array<uint64_t, warp_lanes> offset;                 ///< host bytes from Window::host
  Order order = Order::scattered;                          ///< of all 32 lanes
};

/// False if some lane of the mask lies outside of the window or is not aligned to the bytes that it accesses,
/// a power of two.
bool find_places(const Window& window, const uint64_t* addresses, uint64_t added, uint32_t mask,
                 uint32_t bytes, LanePlaces& places);

}  // namespace assay::emulator
