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
  /// A load of the generic proxy, from a shared::cluster address.
  void loaded(uint32_t address, uint32_t bytes) {
    if (unread_ != 0) each(address, bytes, [&](uint32_t& copy) { note_read(copy); });
  }
  void stored(uint32_t address, uint32_t bytes) {
    each(address, bytes, [](uint32_t& copy) { copy = 0; });
  }
  /// A store where no tile is meant to be.
  void overwritten(uint32_t address, uint32_t bytes, const Issuer& issuer);

 private:
  struct Copy {
    Issuer issuer;
    std::optional<SwizzleKind> swizzle;  ///< none: not a tensor copy
    bool is_read = false;
  };
  /// Of more copies than this all are forgotten, so that memory is bounded.
  static constexpr size_t most_copies = 65'536;
  static constexpr uint32_t unit = 16, cta_shift = 24, offset_mask = (1u << cta_shift) - 1;

  /// Calls f(copy number or 0) for the units of a range that copies have ever written.
  template <class F>
  void each(uint32_t address, uint32_t bytes, F f);
  void note_read(uint32_t copy) {
    if (copy == 0 || copies_[copy].is_read) return;
    copies_[copy].is_read = true;
    --unread_;
  }
  /// Whether it has warned.
  bool read(const SharedRange& range, const AsyncOperation& operation, bool was_told);
  void write(const SharedRange& range, uint32_t number);

  const Warn warn_;
  std::vector<Copy> copies_{1};
  std::vector<std::vector<uint32_t>> units_;  ///< by CTA: the copy that wrote them last, or 0
  size_t unread_ = 0;                         ///< copies
};

template <class F>
void Provenance::each(uint32_t address, uint32_t bytes, F f) {
  const uint32_t cta = address >> cta_shift, offset = address & offset_mask;
  if (cta >= units_.size() || bytes == 0) return;
  std::vector<uint32_t>& units = units_[cta];
  for (uint32_t at = offset / unit; at < units.size() && at * unit < offset + bytes; ++at) f(units[at]);
}

}  // namespace assay::emulator::race
