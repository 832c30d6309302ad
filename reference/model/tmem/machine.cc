// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tmem/machine.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "reference/layout/tmem.h"

namespace assay::model {
namespace {

/// The value that a store puts into a cell: an integer of -64 to 63.
float stored(uint32_t seed, uint32_t lane, uint32_t column) {
  uint32_t mix = seed * 0x9e3779b9u;
  mix ^= lane * 0x85ebca6bu;
  mix ^= column * 0xc2b2ae35u;
  mix ^= mix >> 15;
  return static_cast<float>(static_cast<int>(mix & 127) - 64);
}

/// Elements of the operands, by what the case chooses: integers of -3 to 3.
int a_element(uint32_t choice, uint32_t m, uint32_t k) {
  return static_cast<int>((3 * m + 5 * k + 2 * choice) % 7) - 3;
}
int b_element(uint32_t choice, uint32_t n, uint32_t k) {
  return static_cast<int>((5 * n + 3 * k + choice) % 7) - 3;
}

/// The cell, from the first of the warp's, that a register of eight stands for: 32 lanes at once, or lanes 0
/// to 15 and then 16 to 31.
layout::TmemRegisterPlace cell_of(uint32_t form, uint32_t lane, uint32_t i) {
  constexpr uint32_t shapes[] = {3, 0, 1, 2, 4};  // of layout::tmem_shapes
  const uint32_t shape = form / spelling_ways;
  if (shape == 0) return {static_cast<int>(lane), static_cast<int>(i)};
  layout::TmemRegisterPlace place =
      layout::tmem_register_place(shapes[shape], static_cast<int>(lane), static_cast<int>(i % 4), 1, 4);
  if (i >= 4) place.lane += 16;
  return place;
}

}  // namespace

bool TmemMachine::multiply(Slot& slot, const SequenceStep& s) {
  const bool accumulates = s.amount & 1;
  const uint32_t choice = s.amount >> 1 & 3, rows = s.amount & 16 ? 64 : 128;
  const bool is_whole = rows == lanes;
  const float sign = s.amount & 8 ? -1.0f : 1.0f;
  if (s.column % product_columns != 0 || s.column + product_columns > slot.is_defined.size() ||
      slot.stores != 0 || slot.has_committed())
    return false;
  // Fewer rows leave the lanes between as they were.
  for (uint32_t n = 0; n < product_columns && (accumulates || !is_whole); ++n)
    if (!slot.is_defined[s.column + n]) return false;
  // A product waits for those of the same D and shape alone.
  uint32_t& before = slot.rows[s.column / product_columns];
  if (before != 0 && before != rows) return false;
  before = rows;
  for (uint32_t n = 0; n < product_columns; ++n) {
    const uint32_t column = s.column + n;
    slot.is_defined[column] = true;
    for (uint32_t m = 0; m < rows && has_values_; ++m) {
      int sum = 0;
      for (uint32_t k = 0; k < 16; ++k) sum += a_element(choice, m, k) * b_element(choice, n, k);
      // Layout F: 16 rows in the first lanes of each 32.
      const uint32_t lane = is_whole ? m : m / 16 * 32 + m % 16;
      float& d = slot.cells[column * lanes + lane];
      // A sum of nothing is +0.
      d = (accumulates ? d : 0) + sign * static_cast<float>(sum);
    }
  }
  slot.has_product = true;
  return true;
}

/// A copy is ordered behind nothing that is pending but the shifts that one of 4x256b follows.
bool TmemMachine::copy(Slot& slot, const SequenceStep& s) {
  constexpr auto shapes = static_cast<uint32_t>(layout::tmem_copy_shapes.size());
  const uint32_t shape = s.amount % shapes, source = s.amount / shapes;
  const bool is_4x256b = shape == 1;
  const uint64_t group = uint64_t{1} << s.column / width;
  if (source >= tmem_sources || s.column % width != 0 || s.column + width > slot.is_defined.size() ||
      slot.stores != 0 || slot.has_product || slot.has_committed() || (slot.copies & group) != 0 ||
      (!is_4x256b && (slot.shifts & group) != 0))
    return false;
  const layout::TmemCopyShapeRow& row = layout::tmem_copy_shapes[shape];
  for (uint32_t i = 0; i < static_cast<uint32_t>(row.words); ++i) {
    const uint32_t column = s.column + i;
    if (is_4x256b && !slot.is_defined[column]) return false;  // which leaves most lanes as they were
    slot.is_defined[column] = true;
    for (int r = 0; r < row.rows && has_values_; ++r)
      for (const int lane : layout::tmem_copy_lanes(shape, r)) {
        const uint32_t to = static_cast<uint32_t>(lane) + (is_4x256b && source % 2 != 0 ? 31 : 0);
        slot.cells[column * lanes + to] = stored(2000 + source, static_cast<uint32_t>(r), i);
      }
  }
  slot.copies |= group;
  return true;
}

bool TmemMachine::shift(Slot& slot, const SequenceStep& s) {
  constexpr uint32_t rows = layout::shifted_rows;
  const uint64_t group = uint64_t{1} << s.column / width;
  if (s.column % width != 0 || s.column + width > slot.is_defined.size() || slot.stores != 0 ||
      slot.has_committed() || ((slot.copies | slot.shifts) & group) != 0)
    return false;
  for (uint32_t i = 0; i < width; ++i)
    if (!slot.is_defined[s.column + i]) return false;
  for (uint32_t i = 0; i < width && has_values_; ++i)
    for (uint32_t lane = 0; lane < lanes; ++lane)
      if (lane % rows != rows - 1)
        slot.cells[(s.column + i) * lanes + lane] = slot.cells[(s.column + i) * lanes + lane + 1];
  slot.shifts |= group;
  return true;
}

void TmemMachine::store(Slot& slot, const SequenceStep& s, uint32_t first) {
  for (uint32_t i = first; i < width; ++i) {
    slot.is_defined[s.column + i] = true;
    for (uint32_t thread = 0; thread < lanes && has_values_; ++thread) {
      const layout::TmemRegisterPlace at = cell_of(form_of(s), thread % 32, i);
      slot.cells[(s.column + static_cast<uint32_t>(at.column)) * lanes + thread / 32 * 32 +
                 static_cast<uint32_t>(at.lane)] = stored(with_form(s, 0).amount, thread, i);
    }
  }
}

bool TmemMachine::load(const Slot& slot, const SequenceStep& s, std::span<uint32_t> digests) const {
  const uint32_t column = s.column;
  if (slot.has_work() || slot.has_committed() || (slot.stores >> column / width & 1) != 0) return false;
  for (uint32_t i = 0; i < width; ++i)
    if (!slot.is_defined[column + i]) return false;
  for (uint32_t thread = 0; thread < digests.size(); ++thread) {
    uint32_t digest = 0x811c9dc5;
    for (uint32_t i = 0; i < width; ++i) {
      const layout::TmemRegisterPlace at = cell_of(form_of(s), thread % 32, i);
      const float cell = slot.cells[(column + static_cast<uint32_t>(at.column)) * lanes + thread / 32 * 32 +
                                    static_cast<uint32_t>(at.lane)];
      digest = (digest ^ std::bit_cast<uint32_t>(cell)) * 0x01000193;
    }
    digests[thread] = digest;
  }
  return true;
}

void TmemMachine::wait_for_stores() {
  for (Slot& each : slots_) each.stores = 0;
}

void TmemMachine::allocate(Slot& slot, uint32_t count) {
  slot = {};
  slot.is_defined.resize(count);
  slot.rows.resize(count / product_columns);
  if (has_values_) slot.cells.resize(size_t{count} * lanes);
}

uint32_t TmemMachine::free_columns() const {
  size_t taken = 0;
  for (const Slot& slot : slots_) taken += slot.is_defined.size();
  return columns - static_cast<uint32_t>(taken);
}

/// k allocations leave at most k + 1 gaps: one of them is long enough if all of them together are too long
/// for gaps that are each a unit too short.
bool TmemMachine::must_be_found(uint32_t count) const {
  uint32_t gaps = 1;
  for (const Slot& slot : slots_) gaps += slot.is_defined.empty() ? 0 : 1;
  return free_columns() > gaps * (count - unit);
}

/// It tracks all that was issued before it, what an earlier commit tracks among that.
bool TmemMachine::commit(uint32_t barrier) {
  if (barrier >= commit_barriers || (commits_ >> barrier & 1) != 0) return false;
  commits_ |= 1u << barrier;
  for (Slot& each : slots_) {
    if (each.has_work() || each.has_committed()) each.commits |= 1u << barrier;
    each.has_product = false;
    std::fill(each.rows.begin(), each.rows.end(), 0);
    each.copies = each.shifts = 0;
  }
  return true;
}

bool TmemMachine::wait(uint32_t barrier) {
  if (barrier >= commit_barriers || (commits_ >> barrier & 1) == 0) return false;
  commits_ &= ~(1u << barrier);
  for (Slot& each : slots_)
    if (each.commits >> barrier & 1) each.commits = 0;
  return true;
}

bool TmemMachine::exchange(const SequenceStep& s, Slot& slot) {
  if (s.column >= slots_.size() || s.column == s.target) return false;
  Slot& gone = slots_[s.column];
  if (gone.is_defined.empty() || !gone.is_quiet() || free_columns() >= s.amount) return false;
  const Slot kept = std::exchange(gone, {});
  const bool is_to_be_had = must_be_found(s.amount);
  if (is_to_be_had)
    allocate(slot, s.amount);
  else
    gone = kept;
  return is_to_be_had;
}

bool TmemMachine::step(const SequenceStep& s, std::span<uint32_t> digests) {
  for (uint32_t& digest : digests) digest = ~0u;
  if (s.target >= slots_.size() || s.op >= tmem_ops) return false;
  const auto op = static_cast<TmemOp>(s.op);
  Slot& slot = slots_[s.target];
  const bool allocates = op == TmemOp::allocate || op == TmemOp::exchange;
  const bool has_place = op == TmemOp::store || op == TmemOp::load || op == TmemOp::multiply ||
                         op == TmemOp::deallocate || op == TmemOp::exchange || op == TmemOp::copy ||
                         op == TmemOp::shift || op == TmemOp::replace || op == TmemOp::allocate ||
                         op == TmemOp::load_wait_store || op == TmemOp::commit || op == TmemOp::wait;
  const bool has_amount = allocates || op == TmemOp::store || op == TmemOp::multiply || op == TmemOp::copy ||
                          op == TmemOp::replace || op == TmemOp::load || op == TmemOp::shift;
  const bool is_global = op == TmemOp::wait_store || op == TmemOp::commit || op == TmemOp::wait;
  if ((!has_place && s.column != 0) || (!has_amount && s.amount != 0) || (is_global && s.target != 0))
    return false;
  if ((s.is_generic && !may_be_generic(op)) || !is_form(s)) return false;
  if (!is_global && allocates != slot.is_defined.empty()) return false;
  if (allocates && (s.amount < unit || s.amount > columns || !std::has_single_bit(s.amount))) return false;
  const bool holds_access = s.column % width == 0 && s.column + width <= slot.is_defined.size();
  switch (op) {
    case TmemOp::allocate:
      if (!must_be_found(s.amount) || s.column >= tmem_warps) return false;
      allocate(slot, s.amount);
      return true;
    case TmemOp::deallocate:
      if (!slot.is_quiet() || s.column >= tmem_warps) return false;
      slot = {};
      return true;
    case TmemOp::exchange:
      return exchange(s, slot);
    case TmemOp::store:
      // Two stores to a cell have no order but a wait between them.
      if (!holds_access || slot.has_work() || slot.has_committed() ||
          (slot.stores >> s.column / width & 1) != 0)
        return false;
      store(slot, s);
      slot.stores |= uint64_t{1} << s.column / width;
      return true;
    case TmemOp::wait_store:
      wait_for_stores();
      return true;
    case TmemOp::load:
      return holds_access && slot.is_quiet() && load(slot, s, digests);
    case TmemOp::load_wait_store:
      if (!holds_access || !load(slot, s, digests)) return false;
      wait_for_stores();
      return true;
    case TmemOp::replace:
      if (!holds_access || !slot.is_quiet() || !load(slot, s, digests)) return false;
      if (late_loads_ != 0) {
        store(slot, s, width - late_loads_);
        load(slot, s, digests);
      }
      store(slot, s);
      wait_for_stores();  // of the same threads, so of all that are pending
      return true;
    case TmemOp::multiply:
      return multiply(slot, s);
    case TmemOp::copy:
      return copy(slot, s);
    case TmemOp::shift:
      return shift(slot, s);
    case TmemOp::commit:
      return commit(s.column);
    case TmemOp::wait:
      return wait(s.column);
  }
  return false;
}

}  // namespace assay::model
