#include "devices/emulator/machine/mbarrier.h"

namespace assay::emulator {

Mbarrier Mbarrier::decode(uint64_t word) {
  Mbarrier made;
  made.phase = word >> 63 != 0;
  made.pending = static_cast<uint32_t>(word & max_count);
  made.expected = static_cast<uint32_t>(word >> 20 & max_count);
  made.transactions = static_cast<int32_t>(static_cast<uint32_t>(word >> 40 & 0x3fffff) << 10) >> 10;
  return made;
}

uint64_t Mbarrier::encode() const {
  return static_cast<uint64_t>(phase) << 63 |
         static_cast<uint64_t>(static_cast<uint32_t>(transactions) & 0x3fffff) << 40 |
         static_cast<uint64_t>(expected) << 20 | pending;
}

void Mbarrier::finish_phase() {
  if (pending != 0 || transactions != 0) return;
  phase = !phase;
  pending = expected;
}

std::string_view Mbarrier::expect(uint64_t bytes) {
  if (bytes > static_cast<uint64_t>(max_transactions) ||
      transactions + static_cast<int64_t>(bytes) > max_transactions)
    return "expect-tx takes the transaction count over 2^20 - 1";
  transactions += static_cast<int32_t>(bytes);
  return {};
}

std::string_view Mbarrier::complete(uint64_t bytes) {
  if (bytes > static_cast<uint64_t>(max_transactions) ||
      transactions - static_cast<int64_t>(bytes) < -max_transactions)
    return "complete-tx takes the transaction count under -(2^20 - 1)";
  transactions -= static_cast<int32_t>(bytes);
  finish_phase();
  return {};
}

std::string_view Mbarrier::arrive(uint64_t count, bool drop) {
  if (count == 0 || count > max_count) return "an arrival counts 1 to 2^20 - 1";
  if (count > pending) return "more threads arrive than the phase has pending arrivals";
  if (drop && count > expected) return "more threads leave than are expected";
  pending -= static_cast<uint32_t>(count);
  if (drop) expected -= static_cast<uint32_t>(count);
  finish_phase();
  return {};
}

}  // namespace assay::emulator
