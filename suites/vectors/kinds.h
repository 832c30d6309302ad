// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/spec/arch.h"
#include "reference/spec/formats.h"
#include "suites/vectors/csv.h"
#include "suites/vectors/file_formats.h"

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

/// By its name in spec::formats. Throws RowError.
const spec::Format& format_named(const std::string&);

/// A row in hand.
struct VectorRow {
  const Pairs& params;
  const Pairs& expected;
};

/// A kind of row. Check functions throw RowError for rows that they cannot read.
struct VectorKind {
  std::string_view name;
  void (*check)(const VectorRow&, Differences&);
  /// For rows that a device can run: the case that does what the row says. Nothing where no probe can, or the
  /// architecture lacks what it needs.
  std::optional<RowCase> (*as_case)(const VectorRow&, spec::Arch) = nullptr;
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
void check_wide(const VectorRow&, Differences&);
void check_wide_128(const VectorRow&, Differences&);
void check_wide_transaction(const VectorRow&, bool is_128, Differences&);
void check_gather(const VectorRow&, Differences&);
void check_gather_transaction(const VectorRow&, Differences&);

std::optional<RowCase> tile_as_case(const VectorRow&, spec::Arch);
std::optional<RowCase> store_as_case(const VectorRow&, spec::Arch);
std::optional<RowCase> validity_as_case(const VectorRow&, spec::Arch);
std::optional<RowCase> im2col_as_case(const VectorRow&, spec::Arch);
std::optional<RowCase> wide_as_case(const VectorRow&, spec::Arch);
std::optional<RowCase> wide_128_as_case(const VectorRow&, spec::Arch);
std::optional<RowCase> gather_as_case(const VectorRow&, spec::Arch);

}  // namespace assay::vectors
