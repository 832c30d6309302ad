// SPDX-License-Identifier: Apache-2.0
#include "generators/barrier/sequence_cases.h"

namespace assay::gen {
namespace {

/// Columns of an access and of a product.
constexpr uint32_t access_width = 8, product_width = 16;

/// What puts a step behind the others.
auto adder(std::vector<SequenceStep>& made) {
  return [&made](TmemOp op, uint32_t target, uint32_t column = 0, uint32_t amount = 0) {
    made.push_back({static_cast<uint32_t>(op), target, column, amount});
  };
}

}  // namespace

std::vector<SequenceStep> copying_steps(Random& random) {
  std::vector<SequenceStep> made;
  const auto add = adder(made);
  constexpr uint32_t shapes = 6, of_4x256b = 1, width = access_width;
  const bool is_elsewhere = random.one_in(4);
  const uint32_t copied = is_elsewhere ? 1 : 0, first = 2 * width * random.below(2);
  add(TmemOp::allocate, 0, 0, 32u << random.below(2));
  if (is_elsewhere) add(TmemOp::allocate, copied, 0, 32);
  for (uint32_t i = 0; i < 2; ++i) add(TmemOp::store, copied, first + i * width, random.between(1, 1000));
  add(TmemOp::wait_store, 0);
  if (is_elsewhere)
    for (uint32_t i = random.between(1, 4); i != 0; --i) {
      const uint32_t amount = 2 * random.below(4);
      add(TmemOp::multiply, 0, 2 * width * random.below(2), amount);
    }
  const uint32_t from = random.below(2), copies = is_elsewhere ? 1 : random.between(1, 2);
  for (uint32_t i = 0; i < copies; ++i)
    add(TmemOp::copy, copied, first + (from + i) % 2 * width,
        shapes * random.below(tmem_sources) + (is_elsewhere ? random.below(shapes) : of_4x256b));
  if (!is_elsewhere) add(TmemOp::multiply, 0, first, 2 * random.below(4) + 1);
  add(TmemOp::commit, 0);
  add(TmemOp::wait, 0);
  for (uint32_t i = 0; i < 2; ++i) add(TmemOp::load, copied, first + (from + i) % 2 * width, random.below(2));
  return made;
}

std::vector<SequenceStep> filling_steps(Random& random) {
  std::vector<SequenceStep> made;
  const auto add = adder(made);
  std::vector<uint32_t> pieces;
  const uint32_t largest = 32u << random.below(4);
  for (uint32_t left = 512; left != 0; left -= pieces.back()) {
    uint32_t piece = random.one_in(4) ? 32 : largest;
    // Of so many gaps one is long enough.
    const auto gaps = static_cast<uint32_t>(pieces.size()) + 1;
    while (left < piece || left <= gaps * (piece - 32)) piece /= 2;
    pieces.push_back(piece);
  }
  const auto last = static_cast<uint32_t>(pieces.size()) - 1;
  for (uint32_t i = 0; i <= last; ++i) add(TmemOp::allocate, i, 0, pieces[i]);
  const uint32_t other = random.below(last), seen[] = {last, other, (other + 1) % last};
  for (const uint32_t target : seen) add(TmemOp::store, target, pieces[target] - 8, random.between(1, 1000));
  add(TmemOp::wait_store, 0);
  for (const uint32_t target : seen) add(TmemOp::load, target, pieces[target] - 8, random.below(2));
  return made;
}

std::vector<SequenceStep> overlapping_steps(Random& random) {
  std::vector<SequenceStep> made;
  const auto add = adder(made);
  const auto work = [&](uint32_t target) {
    for (uint32_t i = 0; i < 2 || random.one_in(4); ++i)
      add(TmemOp::multiply, target, product_width * (i % 2), 2 * random.below(4) + (i < 2 ? 0 : 1));
  };
  add(TmemOp::allocate, 0, 0, 2 * product_width);
  add(TmemOp::allocate, 1, 0, 2 * product_width);
  // Mostly it is the later one that is waited for alone.
  const uint32_t first = random.below(2), waited = random.one_in(4) ? first : 1 - first;
  work(0);
  add(TmemOp::commit, 0, first);
  const bool works_between = random.one_in(2);
  if (works_between) work(1);
  add(TmemOp::commit, 0, 1 - first);
  add(TmemOp::wait, 0, waited);
  add(TmemOp::load, 0, 0, random.below(2));
  add(TmemOp::load, 0, 2 * product_width - access_width, random.below(2));
  if (works_between && waited != first) add(TmemOp::load, 1, access_width, random.below(2));
  add(TmemOp::wait, 0, 1 - waited);
  if (works_between) add(TmemOp::load, 1, product_width, random.below(2));
  return made;
}

std::vector<SequenceStep> waiting_steps(Random& random) {
  std::vector<SequenceStep> made;
  const auto add = adder(made);
  const uint32_t other = random.below(2);
  add(TmemOp::allocate, 0, 0, 64);
  if (other != 0) add(TmemOp::allocate, 1, 0, 64);
  // Beside what is stored, or in another allocation.
  const uint32_t read = 2 * product_width + access_width * random.below(4),
                 stored = product_width * random.below(2);
  add(TmemOp::store, other, read, random.between(1, 1000));
  add(TmemOp::wait_store, 0);
  for (uint32_t i = 0; i < 2; ++i) add(TmemOp::store, 0, stored + i * access_width, random.between(1, 1000));
  add(TmemOp::load_wait_store, other, read);
  if (random.one_in(2)) {
    add(TmemOp::multiply, 0, stored, 2 * random.below(4) + 1);
    add(TmemOp::commit, 0);
    add(TmemOp::wait, 0);
  }
  for (uint32_t i = 0; i < 2; ++i) add(TmemOp::load, 0, stored + i * access_width, random.below(2));
  return made;
}

std::vector<SequenceStep> shifting_steps(Random& random) {
  std::vector<SequenceStep> made;
  const auto add = adder(made);
  add(TmemOp::allocate, 0, 0, 2 * product_width);
  const uint32_t first = product_width * random.below(2);
  // The last product is the one that the shift is right behind.
  for (uint32_t i = random.between(1, 4); i != 0; --i) {
    const uint32_t amount = 2 * random.below(4);
    add(TmemOp::multiply, 0, i == 1 || random.one_in(2) ? first : product_width - first, amount);
  }
  const uint32_t from = random.below(2), shifts = random.between(1, 2);
  for (uint32_t i = 0; i < shifts; ++i) add(TmemOp::shift, 0, first + (from + i) % 2 * access_width);
  if (random.one_in(2)) add(TmemOp::multiply, 0, first, 2 * random.below(4) + 1);
  add(TmemOp::commit, 0);
  add(TmemOp::wait, 0);
  for (uint32_t i = 0; i < 2; ++i) add(TmemOp::load, 0, first + i * access_width, random.below(2));
  return made;
}

}  // namespace assay::gen
