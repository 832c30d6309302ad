// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "devices/emulator/tma/engine.h"
#include "devices/emulator/tma/steps.h"

namespace assay::emulator {
namespace {

using Kind = Diagnostic::Kind;

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

/// Moves one plan. Ranges are asked for as a whole where that is allowed, since most copies lie in one
/// allocation.
class Mover {
 public:
  Mover(const TensorCopyPlan& plan, CopyMemory& memory, const Steps& steps)
      : plan_(plan), memory_(memory), steps_(steps) {}

  std::optional<TensorCopyFault> move() {
    if (memory_.global(plan_.base_address, 1) == nullptr)
      return refuse("the tensor's base address " + hex(plan_.base_address) + " is not mapped");
    find_hulls();
    return plan_.kind == TensorCopyKind::load ? load() : store();
  }

 private:
  static std::optional<TensorCopyFault> refuse(std::string message) {
    return TensorCopyFault{Kind::illegal_address, "tensor copy: " + std::move(message)};
  }
  static std::optional<TensorCopyFault> refuse_global(uint64_t address) {
    return refuse("global address " + hex(address) + " is outside every allocation");
  }
  static std::optional<TensorCopyFault> refuse_shared(uint32_t address) {
    return refuse("shared address " + hex(address) + " is outside the CTA's shared memory");
  }

  void find_hulls() {
    uint64_t begin = ~uint64_t{0}, end = 0, shared_bytes = 0;
    uint32_t first = ~0u, last = 0;
    for (const TensorCopyPiece& piece : plan_.pieces) {
      first = std::min(first, piece.shared_address);
      last = std::max(last, piece.shared_address + piece.bytes);
      shared_bytes += piece.bytes;
      if (piece.is_fill) continue;
      begin = std::min(begin, piece.global_address);
      end = std::max(end, piece.global_address + global_bytes(piece));
    }
    if (begin < end && end - begin < uint64_t{1} << 40) {
      global_hull_ = memory_.global(begin, end - begin);
      global_begin_ = begin;
    }
    // A hull with gaps would tell the machine of bytes that are not touched.
    if (shared_bytes == 0 || last - first != shared_bytes) return;
    shared_begin_ = first;
    if (plan_.kind == TensorCopyKind::load)
      shared_write_hull_ = memory_.shared_for_write(first, last - first);
    else
      shared_read_hull_ = memory_.shared_for_read(first, last - first);
  }

  uint32_t global_bytes(const TensorCopyPiece& piece) const {
    return plan_.packs_6bit ? piece.bytes / 4 * 3 : piece.bytes;
  }
  std::byte* global(const TensorCopyPiece& piece) {
    if (global_hull_ != nullptr) return global_hull_ + (piece.global_address - global_begin_);
    return memory_.global(piece.global_address, global_bytes(piece));
  }

  std::optional<TensorCopyFault> load() {
    for (const TensorCopyPiece& piece : plan_.pieces) {
      std::byte* to = shared_write_hull_ != nullptr
                          ? shared_write_hull_ + (piece.shared_address - shared_begin_)
                          : memory_.shared_for_write(piece.shared_address, piece.bytes);
      if (to == nullptr) return refuse_shared(piece.shared_address);
      if (piece.is_fill) {
        for (uint32_t i = 0; i < piece.bytes; ++i) to[i] = plan_.fill[(piece.shared_address + i) % 8];
        continue;
      }
      const std::byte* from = global(piece);
      if (from == nullptr) return refuse_global(piece.global_address);
      copy(to, from, piece.bytes);
    }
    return std::nullopt;
  }

  void copy(std::byte* to, const std::byte* from, uint32_t bytes) {
    if (!plan_.conversion.exists()) {
      std::memcpy(to, from, bytes);
      return;
    }
    for (uint32_t i = 0; i + 4 <= bytes; i += 4) {
      uint32_t word;
      std::memcpy(&word, from + i, 4);
      word = steps_.convert(plan_.conversion, word);
      std::memcpy(to + i, &word, 4);
    }
  }

  std::optional<TensorCopyFault> store() {
    for (const TensorCopyPiece& piece : plan_.pieces) {
      const std::byte* from = shared_read_hull_ != nullptr
                                  ? shared_read_hull_ + (piece.shared_address - shared_begin_)
                                  : memory_.shared_for_read(piece.shared_address, piece.bytes);
      if (from == nullptr) return refuse_shared(piece.shared_address);
      std::byte* to = global(piece);
      if (to == nullptr) return refuse_global(piece.global_address);
      if (plan_.reduction)
        reduce_elements(steps_, *plan_.reduction, to, from, piece.bytes, /*is_tensor=*/true);
      else if (plan_.packs_6bit)
        steps_.pack_6bit(from, to);
      else
        copy(to, from, piece.bytes);
    }
    return std::nullopt;
  }

  const TensorCopyPlan& plan_;
  CopyMemory& memory_;
  const Steps& steps_;
  std::byte* global_hull_ = nullptr;
  uint64_t global_begin_ = 0;
  std::byte* shared_write_hull_ = nullptr;
  const std::byte* shared_read_hull_ = nullptr;
  uint32_t shared_begin_ = 0;
};

}  // namespace

std::optional<TensorCopyFault> apply_tensor_copy(const TensorCopyPlan& plan, CopyMemory& memory,
                                                 const Settings& settings) {
  if (plan.kind == TensorCopyKind::prefetch) return std::nullopt;
  return Mover(plan, memory, steps_for(settings)).move();
}

uint32_t round_tf32(uint32_t word, const Settings& settings) {
  return steps_for(settings).convert({true, false, tf32_rounding(DeviceReadings(settings))}, word);
}

}  // namespace assay::emulator
