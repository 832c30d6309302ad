// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/spec/arch.h"
#include "reference/spec/formats.h"
#include "reference/spec/tensor_map.h"
#include "suites/run/case.h"
#include "suites/run/case_file.h"
#include "suites/vectors/check_vectors.h"
#include "suites/vectors/csv.h"

namespace assay::vectors {

/// What every element of D is, the first ones of the output.
struct KnownElement {
  uint32_t code, bits;
};
/// A row as a case of a property.
struct RowCase {
  std::string_view property;
  suites::Case what;
  std::optional<KnownElement> element = std::nullopt;  ///< where the row has it
  spec::OnArch on = spec::everywhere;                  ///< architectures that the row is about
  std::vector<uint32_t> words = {};                    ///< all of the output, where the row has them
};
/// Thrown of a row that no case holds: why, for counting.
struct NoCase {
  std::string why;
};

/// A vector file with columns of its own, beside the kinds of rows below. Known by its first line.
struct FileFormat {
  std::string_view what;  ///< "descriptors", for messages
  std::span<const std::string_view> header;
  /// Fills kind, verdict and detail of a row that has as many cells as the header. May throw RowError.
  void (*check)(const CsvRow& row, RowResult& result);
  /// For rows that a device can run: the case that does what was measured. Its prediction is that of the
  /// row, or check() says otherwise. Nothing where no probe can, or a NoCase that says why. May throw
  /// RowError.
  std::optional<RowCase> (*as_case)(const CsvRow& row) = nullptr;
};
/// Null when no format has this first line.
const FileFormat* find_file_format(const std::vector<std::string>& first_line);

/// The cell under a column of the format.
const std::string& cell(const FileFormat& format, const CsvRow& row, std::string_view column);

extern const FileFormat descriptors_format;
extern const FileFormat wgmma_format;
extern const FileFormat numerics_format;
extern const FileFormat numerics_probes_format;
extern const FileFormat nvf4_groups_format;
extern const FileFormat mbarrier_format;
extern const FileFormat bulk_copy_format;
extern const FileFormat bulk_reduce_format;
extern const FileFormat raw_map_format;
extern const FileFormat sparse_dots_format;
extern const FileFormat sparse_fragments_format;
extern const FileFormat tensormap_replace_format;
extern const FileFormat map_faults_format;

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

/// What became of a row on a device.
struct RowRun {
  bool ran = false;
  std::string text;  ///< why the device contradicts the row, empty if it does not; why it ran nothing
};

/// Runs rows of vector files on one device, judged by the default readings of its architecture.
class RowRunner {
 public:
  explicit RowRunner(Device&);
  /// It runs nothing where its architecture leaves open what the case does, or lacks the instruction.
  RowRun run(const RowCase&);
  spec::Arch arch() const { return arch_; }

 private:
  Device& device_;
  const spec::Arch arch_;
  suites::ReadingSet readings_;
  suites::CaseRunner runner_;
};

}  // namespace assay::vectors
