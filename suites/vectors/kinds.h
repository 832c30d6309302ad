#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "suites/vectors/csv.h"

namespace assay::vectors {

/// What a row got wrong; empty when the reference agrees. Collects "key: the row says X, the reference Y".
class Differences {
 public:
  void compare(std::string_view key, std::string_view row, std::string_view reference) {
    if (row != reference)
      add(std::string(key) + ": the row says " + std::string(row) + ", the reference " +
          std::string(reference));
  }
  void compare(std::string_view key, int64_t row, int64_t reference) {
    compare(key, std::to_string(row), std::to_string(reference));
  }
  void add(std::string sentence) {
    if (!text_.empty()) text_ += "; ";
    text_ += sentence;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// A row in hand.
struct VectorRow {
  const Pairs& params;
  const Pairs& expected;
};

/// The row belongs to a part of the machine that is not covered yet.
struct LaterFamily {
  std::string message;
};

/// A kind of row. Check functions throw RowError for rows that they cannot read, LaterFamily for rows of
/// theirs that belong elsewhere.
struct VectorKind {
  std::string_view name;
  void (*check)(const VectorRow&, Differences&);  ///< null: a later family
  std::string_view family;                        ///< for a later family: which
};
const VectorKind* find_kind(std::string_view name);

void check_swizzle(const VectorRow&, Differences&);
void check_swizzle_base(const VectorRow&, Differences&);
void check_tile(const VectorRow&, Differences&);
void check_store(const VectorRow&, Differences&);
void check_transaction_bytes(const VectorRow&, Differences&);
void check_packed(const VectorRow&, Differences&);
void check_reduction(const VectorRow&, Differences&);
void check_descriptor(const VectorRow&, Differences&);
void check_validity(const VectorRow&, Differences&);
void check_im2col(const VectorRow&, Differences&);
void check_im2col_transaction(const VectorRow&, Differences&);

}  // namespace assay::vectors
