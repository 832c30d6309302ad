#pragma once

#include <array>
#include <compare>
#include <cstdint>

namespace assay {

/// What a program is run by.
enum class SequenceMachine : uint32_t { barriers, tensor_memory };

/// Commands of barriers; `amount` is arrivals, bytes or a parity.
enum class BarrierOp : uint32_t {
  init,
  invalidate,
  arrive,
  arrive_drop,
  expect_tx,
  complete_tx,
  arrive_expect_tx,
  test_parity,
  test_state,
};
inline constexpr uint32_t barrier_ops = 9;

/// Commands of tensor memory; `amount` is columns, a seed of cells, or a choice of operands.
enum class TmemOp : uint32_t { allocate, deallocate, store, wait_store, load, multiply, commit, wait };
inline constexpr uint32_t tmem_ops = 8;

struct SequenceStep {
  uint32_t op = 0;      ///< BarrierOp or TmemOp
  uint32_t target = 0;  ///< barrier or allocation, 0 to 3
  uint32_t column = 0;  ///< of the allocation
  uint32_t amount = 0;
  auto operator<=>(const SequenceStep&) const = default;
};

/// A program: plain data, serialises to JSON without loss.
struct SequenceCase {
  static constexpr uint32_t most_steps = 24, targets = 4;
  SequenceMachine machine = SequenceMachine::barriers;
  uint32_t count = 1;  ///< steps in use; the others are zero
  std::array<SequenceStep, most_steps> steps{};
  auto operator<=>(const SequenceCase&) const = default;
};

}  // namespace assay
