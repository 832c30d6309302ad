// SPDX-License-Identifier: Apache-2.0
#include "reference/model/barrier/mbarrier.h"

namespace assay::model {
namespace {

/// Width fields of the word hold counts with the sign changed (h200, MB-01).
struct WordField {
  int lsb, width;
  uint64_t put(int64_t count) const {
    return (static_cast<uint64_t>(-count) & ((uint64_t{1} << width) - 1)) << lsb;
  }
  /// From 0 on; for signed counts the caller says where they wrap.
  int64_t get(uint64_t word) const {
    const int64_t modulus = int64_t{1} << width;
    return (modulus - static_cast<int64_t>(word >> lsb & static_cast<uint64_t>(modulus - 1))) % modulus;
  }
};
constexpr WordField missing_field{43, 20}, bytes_field{21, 21}, count_field{1, 20};
constexpr uint64_t phase_bit = uint64_t{1} << 63, lowest_bit = 1;
constexpr int64_t most_expected = 1 << 20;  ///< sum of what is expected (h200, MB-06)

}  // namespace

std::optional<Mbarrier> Mbarrier::initialised(uint32_t count) {
  if ((count & most_arrivals) == 0) return std::nullopt;
  Mbarrier made;
  made.count_ = made.missing_ = count & most_arrivals;
  // Larger counts spoil the bits beside the two fields: with bit 20 of 2^20 - count the barrier begins in
  // phase 1, with a byte that came too early (h200, MB-05).
  if (((most_arrivals + 1 - count) >> 20 & 1) != 0) made.phase_ = 1, made.bytes_ = -1;
  return made;
}

Mbarrier Mbarrier::found(uint64_t word) {
  Mbarrier made;
  made.phase_ = word >> 63;
  made.missing_ = static_cast<uint32_t>(missing_field.get(word));
  made.count_ = static_cast<uint32_t>(count_field.get(word));
  const int64_t bytes = bytes_field.get(word);
  made.bytes_ = bytes > most_expected ? bytes - 2 * most_expected : bytes;
  made.beside_ = word & (guard_bit | lowest_bit);
  return made;
}

Mbarrier Mbarrier::of(const BarrierState& state) {
  Mbarrier made;
  made.phase_ = state.phase;
  made.count_ = state.count;
  made.missing_ = state.missing;
  made.bytes_ = state.bytes;
  return made;
}

void Mbarrier::settle() {
  if (missing_ != 0 || bytes_ != 0) return;
  ++phase_;
  missing_ = count_;
}

bool Mbarrier::arrive(uint32_t count, bool drops) {
  if (is_damaged()) return false;
  if (count > missing_) return false;
  missing_ -= count;
  if (drops) count_ -= count;
  settle();
  return true;
}

bool Mbarrier::expect(uint32_t bytes) {
  if (is_damaged() || bytes > most_bytes || bytes_ + bytes > most_expected) return false;
  bytes_ += bytes;
  settle();
  return true;
}

bool Mbarrier::complete(uint32_t bytes) {
  if (is_damaged() || bytes > most_bytes || bytes_ - bytes < -most_bytes) return false;
  bytes_ -= bytes;
  settle();
  return true;
}

bool Mbarrier::arrive_expecting(uint32_t bytes, bool drops) {
  // The phase is never over between the two: there is an arrival missing.
  return missing_ != 0 && expect(bytes) && arrive(1, drops);
}

uint64_t Mbarrier::word() const {
  return ((phase_ & 1) != 0 ? phase_bit : 0) | missing_field.put(missing_) | bytes_field.put(bytes_) |
         count_field.put(count_) | beside_;
}

uint64_t Mbarrier::token(bool no_complete) const {
  constexpr uint64_t upper_half = ~uint64_t{0} << 32;
  return (word() & upper_half) | (no_complete ? 1 : 0);
}

uint32_t pending_count_of(uint64_t token) {
  const auto pending = static_cast<uint32_t>(missing_field.get(token));
  return pending == 0 ? Mbarrier::most_arrivals + 1 : pending;
}

}  // namespace assay::model
