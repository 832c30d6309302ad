// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "devices/emulator/async/async.h"

namespace assay::emulator::race {

/// Where the bytes of a cluster's shared memory come from, by 16 bytes: the copy that brought them, its
/// swizzle, and whether anything that it brought has been read. Bytes of other stores have no provenance, and
/// nothing is said of them. Copies count from their issue: in a program without races nobody can tell.
class Provenance {
 public:
  /// A warning: its clause, who reads or overwrites, the copy, a sentence.
  using Warn = std::function<void(std::string_view clause, const Issuer& issuer, const Issuer& copy,
                                  std::string sentence)>;
  explicit Provenance(Warn warn) : warn_(std::move(warn)) {}

  void issued(const AsyncOperation& operation);
  /// Whether a copy has brought anything.
  bool has_tiles() const { return !units_.empty(); }
  /// A load of the generic proxy, from a shared::cluster address.
  void loaded(uint32_t address, uint32_t bytes) {
    each(address, bytes, [&](uint32_t& unit) { note_read(unit); });
  }
  void stored(uint32_t address, uint32_t bytes) {
    each(address, bytes, [](uint32_t& unit) { unit = 0; });
  }
  /// A store where no tile is meant to be.
  void overwritten(uint32_t address, uint32_t bytes, const Issuer& issuer);

 private:
  struct Copy {
    Issuer issuer;
    std::optional<SwizzleKind> swizzle;  ///< none: not a tensor copy
    uint32_t run = 0;                    ///< bytes that lie together in global memory; 0: all
    bool is_read = false;
    bool is_operand = false;  ///< descriptors of operands have read of it, and nothing else,
    bool was_told = false;    ///< and that they left out some
  };
  /// Of more copies than this all are forgotten, so that memory is bounded.
  static constexpr size_t most_copies = 65'536;
  static constexpr uint32_t number_mask = 0x7fff'ffff;  ///< of a unit; above it: an operand was read there
  /// Scale factors of 128 rows, 4 of each (ptx, tcgen05.cp: .32x128b; Scale factor layouts).
  static constexpr uint32_t scale_block = 512;
  static constexpr uint32_t unit = 16, cta_shift = 24, offset_mask = (1u << cta_shift) - 1;

  /// Calls f(unit) for the units of a range that copies have ever written: 0, or the number of a copy and
  /// whether an operand was read there.
  template <class F>
  void each(uint32_t address, uint32_t bytes, F f);
  void note_read(uint32_t& unit, bool is_operand = false) {
    Copy& copy = copies_[unit & number_mask];
    if (unit == 0) return;
    copy.is_operand = is_operand && (copy.is_operand || !copy.is_read);
    if (is_operand) unit |= ~number_mask;
    copy.is_read = true;
  }
  /// Of copies that operand descriptors read: what they left out.
  void rows_overwritten(uint32_t address, uint32_t bytes, const Issuer& issuer);
  /// Scale factors that come from rows of a matrix are in no order that tcgen05.cp knows.
  bool is_other_order(const SharedRange& range, const Copy& copy) const {
    return range.is_scales && copy.run != 0 && copy.run < scale_block;
  }
  /// Whether it has warned.
  bool read(const SharedRange& range, const AsyncOperation& operation, bool was_told);
  void write(const SharedRange& range, uint32_t number);

  const Warn warn_;
  std::vector<Copy> copies_{1};
  std::vector<std::vector<uint32_t>> units_;  ///< by CTA, as each() gives them
};

template <class F>
void Provenance::each(uint32_t address, uint32_t bytes, F f) {
  const uint32_t cta = address >> cta_shift, offset = address & offset_mask;
  if (cta >= units_.size() || bytes == 0) return;
  std::vector<uint32_t>& units = units_[cta];
  for (uint32_t at = offset / unit; at < units.size() && at * unit < offset + bytes; ++at) f(units[at]);
}

}  // namespace assay::emulator::race
