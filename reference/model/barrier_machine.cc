#include "reference/model/barrier_machine.h"

namespace assay::model {
namespace {

constexpr uint32_t most_count = (1u << 20) - 1;  ///< ptx, mbarrier.init, and of transaction bytes
constexpr uint32_t nothing = 2;

}  // namespace

void BarrierMachine::settle(Barrier& b) {
  if (b.missing != 0 || b.bytes != 0) return;
  ++b.phase;
  b.missing = b.count;
}

std::optional<uint32_t> BarrierMachine::step(const SequenceStep& s) {
  if (s.target >= barriers_.size() || s.op >= barrier_ops || s.column != 0) return std::nullopt;
  Barrier& b = barriers_[s.target];
  const auto op = static_cast<BarrierOp>(s.op);
  if ((op == BarrierOp::init) == b.exists) return std::nullopt;
  switch (op) {
    case BarrierOp::init:
      if (s.amount == 0 || s.amount > most_count) return std::nullopt;
      b = {true, 0, s.amount, s.amount, 0, std::nullopt};
      return nothing;
    case BarrierOp::invalidate:
      if (s.amount != 0) return std::nullopt;
      b = {};
      return nothing;
    case BarrierOp::arrive:
    case BarrierOp::arrive_drop:
      if (s.amount == 0 || s.amount > b.missing) return std::nullopt;
      if (op == BarrierOp::arrive_drop) {
        // A barrier that waits for nobody is not one.
        if (s.amount >= b.count) return std::nullopt;
        b.count -= s.amount;
      }
      b.state = b.phase;
      b.missing -= s.amount;
      settle(b);
      return nothing;
    case BarrierOp::expect_tx:
      if (s.amount == 0 || b.bytes + s.amount > most_count) return std::nullopt;
      b.bytes += s.amount;
      return nothing;
    case BarrierOp::complete_tx:
      if (s.amount == 0 || s.amount > b.bytes) return std::nullopt;
      b.bytes -= s.amount;
      settle(b);
      return nothing;
    case BarrierOp::arrive_expect_tx:
      if (b.missing == 0 || s.amount == 0 || b.bytes + s.amount > most_count) return std::nullopt;
      b.state = b.phase;
      b.bytes += s.amount;
      --b.missing;
      return nothing;
    case BarrierOp::test_parity:
      if (s.amount > 1) return std::nullopt;
      return (b.phase & 1) != s.amount;
    case BarrierOp::test_state:
      // The phase of the state, or the one after it (ptx, mbarrier.test_wait).
      if (s.amount != 0 || !b.state || b.phase > *b.state + 1) return std::nullopt;
      return b.phase != *b.state;
  }
  return std::nullopt;
}

uint32_t BarrierMachine::parities(uint32_t barrier) const {
  const Barrier& b = barriers_[barrier];
  if (!b.exists) return ~0u;
  return (b.phase & 1) != 0 ? 1 : 2;
}

}  // namespace assay::model
