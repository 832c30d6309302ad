// SPDX-License-Identifier: Apache-2.0
#include "reference/model/warp_mma/sparse.h"

#include <algorithm>
#include <array>

#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::rule;

constexpr int warps = SparseRows::rows / 16, warp_rows = 16, most_kept = 64;

}  // namespace

SparseRows::SparseRows(const layout::SparsityRow& sparsity, int bits, int kept, int selector,
                       std::span<const uint32_t> words, const MmaBend* bend)
    : sparsity_(sparsity), bits_(bits), kept_(kept), groups_(kept / sparsity.kept), bend_(bend) {
  const auto bent_register = bend_ == nullptr ? nullptr : bend_->register_metadata;
  const auto bent_code = bend_ == nullptr ? nullptr : bend_->metadata_code;
  std::array<bool, 16> has_meaning{};
  for (uint8_t code = 0; code < has_meaning.size(); ++code) {
    has_meaning[code] = layout::has_meaning_in_registers(sparsity_, code);
    for (int i = 0; i < sparsity_.kept; ++i)
      met_[code][static_cast<size_t>(i)] = static_cast<uint8_t>(
          has_bent_places() ? bend_->met(sparsity_, code, i) : layout::met_element(sparsity_, code, i));
  }
  for (int inside = 0; inside < warp_rows; ++inside)
    for (int group = 0; group < groups_; ++group) {
      layout::MetadataRegister at = layout::metadata_register(bits_, groups_, selector, inside, group);
      if (bent_register != nullptr) at = bent_register({bits_, groups_, selector, inside, group}, at);
      for (int warp = 0; warp < warps; ++warp) {
        const int row = warp * warp_rows + inside;
        auto code =
            static_cast<uint8_t>(words[static_cast<size_t>(warp * 32 + at.lane)] >> 4 * at.nibble & 0xf);
        if (!has_meaning[code]) open_[static_cast<size_t>(row)] = 1;
        if (bent_code != nullptr) code = bent_code(sparsity_, code);
        codes_[static_cast<size_t>(row * groups_ + group)] = code;
      }
    }
}

template <typename Place>
void SparseRows::row_places(int row, Place* places) const {
  const auto groups = static_cast<size_t>(groups_), kept = static_cast<size_t>(sparsity_.kept);
  const uint8_t* const codes = &codes_[static_cast<size_t>(row) * groups];
  for (size_t group = 0, first = 0; group < groups; ++group, first += static_cast<size_t>(sparsity_.chunk))
    for (size_t i = 0; i < kept; ++i) *places++ = static_cast<Place>(first + met_[codes[group]][i]);
}

void SparseRows::places(std::vector<uint16_t>& places) const {
  places.resize(size_t{rows} * static_cast<size_t>(kept_));
  for (int row = 0; row < rows; ++row)
    row_places(row, &places[static_cast<size_t>(row) * static_cast<size_t>(kept_)]);
}

void SparseRows::meet(int row, std::span<const uint32_t> b, std::span<uint32_t> met) const {
  const auto kept = static_cast<size_t>(kept_), stored = 2 * kept;
  // Any code has two halves of elements ("h200", section on sparse operands); those with a meaning, one
  // element.
  if (meets_halves(row)) {
    for (size_t n = 0; n * stored < b.size(); ++n)
      for (size_t k = 0; k < kept; ++k) {
        const uint8_t code = codes_[static_cast<size_t>(row * groups_) + k];
        met[n * kept + k] = layout::met_halves(code, b[n * stored + 2 * k], b[n * stored + 2 * k + 1]);
      }
    return;
  }
  std::array<size_t, most_kept> places{};
  row_places(row, places.data());
  for (size_t n = 0; n * stored < b.size(); ++n)
    for (size_t k = 0; k < kept; ++k) met[n * kept + k] = b[n * stored + places[k]];
}

bool SparseRows::has_open_rows() const {
  return std::find(open_.begin(), open_.end(), 1) != open_.end();
}

void SparseRows::mark_rules(spec::RuleSet& rules) const {
  rules.set(rule("SPARSE-R01"));
  switch (sparsity_.kind) {
    case layout::SparsityKind::two_of_four:
      rules.set(rule("SPARSE-R02"));
      break;
    case layout::SparsityKind::one_of_two:
      rules.set(rule("SPARSE-R03"));
      break;
    case layout::SparsityKind::four_of_eight_pairs:
      rules.set(rule("SPARSE-R04"));
  }
  if (has_open_rows()) rules.set(rule("SPARSE-R10"));
  rules.set(bits_ >= 16 ? rule("SPARSE-R12") : rule("SPARSE-R13"));
}

void leave_rows_open(const SparseRows& sparse, const AccumulatorRegisters& shape, size_t words,
                     Openness& openness) {
  const auto columns = static_cast<size_t>(shape.columns());
  std::vector<uint32_t> matrix(static_cast<size_t>(shape.rows()) * columns), defined(words);
  for (int row = 0; row < shape.rows(); ++row)
    std::fill_n(matrix.begin() + static_cast<ptrdiff_t>(static_cast<size_t>(row) * columns), columns,
                sparse.is_open(row) ? 0u : ~0u);
  registers_of_matrix(shape, matrix, defined);
  for (size_t i = 0; i < words; ++i)
    openness.defined[i] = openness.is_any ? openness.defined[i] & defined[i] : defined[i];
  openness.is_any = true;
}

}  // namespace assay::model
