// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/async/mbarrier.h"

namespace assay::emulator {
namespace {

constexpr int pending_at = 43, guard_at = 42, transactions_at = 21, expected_at = 1;
constexpr uint64_t counts = 1 << 20, transaction_counts = 1 << 21;

/// The count whose negative the field holds.
constexpr uint64_t negative(uint64_t word, int at, uint64_t modulus) {
  return (modulus - (word >> at & (modulus - 1))) & (modulus - 1);
}

}  // namespace

Mbarrier Mbarrier::decode(uint64_t word) {
  Mbarrier made;
  made.phase = word >> 63 != 0;
  made.has_guard = (word >> guard_at & 1) != 0;
  made.is_v1 = (word & 1) != 0;
  made.pending = static_cast<uint32_t>(negative(word, pending_at, counts));
  made.expected = static_cast<uint32_t>(negative(word, expected_at, counts));
  const auto transactions = static_cast<int32_t>(negative(word, transactions_at, transaction_counts));
  made.transactions = transactions > max_pending_transactions
                          ? transactions - static_cast<int32_t>(transaction_counts)
                          : transactions;
  return made;
}

uint64_t Mbarrier::encode() const {
  return static_cast<uint64_t>(phase) << 63 | (counts - pending) % counts << pending_at |
         (transaction_counts - static_cast<uint64_t>(transactions)) % transaction_counts << transactions_at |
         (counts - expected) % counts << expected_at | static_cast<uint64_t>(has_guard) << guard_at |
         static_cast<uint64_t>(is_v1);
}

uint32_t Mbarrier::pending_in(uint64_t token) {
  return static_cast<uint32_t>(counts - (token >> pending_at & (counts - 1)));
}

void Mbarrier::finish_phase() {
  if (pending != 0 || transactions != 0) return;
  phase = !phase;
  ++ended;
  pending = expected;
}

std::string_view Mbarrier::initialise(uint32_t count, bool is_v1) {
  if (is_v1) {
    if (count == 0 || count > max_count_of_v1)
      return "mbarrier.init of .layout::v1 takes a count of 1 to 2^9 - 1";
    *this = {.expected = count, .pending = count, .is_v1 = true};
    return {};
  }
  if (count % counts == 0) return "mbarrier.init takes a count of 1 to 2^20 - 1";
  // 2^20 - count goes into two fields with nothing cut off: larger counts reach the bit above each, the phase
  // and the lowest of the transactions (H200: MB-05).
  const uint64_t field = (counts - count) & (2 * counts - 1);
  *this = decode(field << pending_at | field << expected_at);
  return {};
}

std::string_view Mbarrier::expect(uint64_t bytes) {
  if (has_guard) return wrong_to_use();
  if (bytes > static_cast<uint64_t>(max_transactions) ||
      transactions + static_cast<int64_t>(bytes) > max_pending_transactions)
    return "expect-tx of more than 2^20 - 1 bytes, or up to more than 2^20";
  transactions += static_cast<int32_t>(bytes);
  finish_phase();
  return {};
}

std::string_view Mbarrier::complete(uint64_t bytes) {
  if (has_guard) return wrong_to_use();
  if (bytes > static_cast<uint64_t>(max_transactions) ||
      transactions - static_cast<int64_t>(bytes) < -max_transactions)
    return "complete-tx takes the transaction count under -(2^20 - 1)";
  transactions -= static_cast<int32_t>(bytes);
  finish_phase();
  return {};
}

std::string_view Mbarrier::arrive(uint64_t count, bool drop) {
  if (has_guard) return wrong_to_use();
  if (count > pending) return "more threads arrive than the phase has pending arrivals";
  if (drop && count > expected) return "more threads leave than are expected";
  pending -= static_cast<uint32_t>(count);
  if (drop) expected -= static_cast<uint32_t>(count);
  finish_phase();
  return {};
}

std::string_view Mbarrier::arrive_expecting(uint64_t bytes, bool drop) {
  // Both at once: with nobody pending the bytes alone must not begin the phase that the arrival would be of.
  if (pending == 0) return arrive(1, drop);
  const Mbarrier before = *this;
  std::string_view wrong = expect(bytes);
  if (wrong.empty()) wrong = arrive(1, drop);
  if (!wrong.empty()) *this = before;
  return wrong;
}

}  // namespace assay::emulator
