// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/model/tensor_copy/case.h"
#include "reference/spec/arch.h"
#include "reference/spec/formats.h"
#include "reference/spec/question.h"
#include "suites/run/case.h"
#include "suites/run/case_file.h"
#include "suites/vectors/check_vectors.h"
#include "suites/vectors/csv.h"

namespace assay::vectors {

/// What is known of a case's outcome: measured, or worked out apart from both sides.
struct Measured {
  model::End end = model::End::done;
  uint32_t at = 0;             ///< where in the output `bytes` begin
  std::vector<uint8_t> bytes;  ///< of the output, which are defined
  /// CRC-32 of the whole output and its mask: each byte, 0 where it is not defined, and 0xff or 0 behind it.
  std::string output;
  std::optional<uint32_t> transaction_bytes;  ///< that a load signals to each barrier
  std::string sources;  ///< of a tensor copy: CRC-32 of where each of its bytes comes from (copy_map.cc)
  std::string rule;     ///< that an encoder's refusal breaks: its name
  std::string operand;  ///< of tcgen05.mma: what `word` is: "a", "b", "idesc" or "mask"
  uint64_t word = 0;    ///< a descriptor, or the zero-column mask
};
/// A row as a case of a property, which exists.
struct RowCase {
  std::string_view property;
  suites::Case what;
  spec::OnArch on = spec::everywhere;  ///< architectures that the row is about
  Measured measured = {};
  suites::Assignment readings = {};  ///< that the outcome follows in place of defaults
};

class Differences;
/// What the reference predicts of the case otherwise than it was measured. Throws RowError for what such a
/// case has not.
void compare(const RowCase&, const spec::Readings&, Differences&);
/// The same of a tensor copy's transaction bytes and sources.
void compare_copy(const RowCase&, const spec::Readings&, Differences&);

/// Runs rows of vector files on one device, judged by the default readings of its architecture.
class RowRunner {
 public:
  explicit RowRunner(Device&);
  /// Of a row that the reference gives. It runs nothing where its architecture leaves open what the case
  /// does, or lacks the instruction: the result says why.
  void run(const RowCase&, RowResult&);

 private:
  std::optional<std::string> why_not(const RowCase&, const suites::Property&) const;

  Device& device_;
  const spec::Arch arch_;
  suites::ReadingSet readings_;
  suites::CaseRunner runner_;
};

/// A line of JSON: a case file's members, `id`, `kind`, `measured`, and where they are needed `on` (names of
/// architectures) and `open` (why nothing gates). With a runner the case is run too.
void check_case_row(std::string_view line, RowRunner*, RowResult&);

/// A vector file with columns of its own, whose rows are no cases. Known by its first line.
struct FileFormat {
  std::span<const std::string_view> header;
  /// Fills kind, verdict and detail of a row that has as many cells as the header. May throw RowError.
  void (*check)(const CsvRow& row, RowResult& result);
};
/// Null when no format has this first line.
const FileFormat* find_file_format(const std::vector<std::string>& first_line);

/// The cell under a column of the format.
const std::string& cell(const FileFormat& format, const CsvRow& row, std::string_view column);

extern const FileFormat descriptors_format;
extern const FileFormat wgmma_format;
extern const FileFormat sheet_format;
extern const FileFormat mbarrier_format;
extern const FileFormat raw_map_format;
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

/// Copies values into the first entries of an array. Throws RowError when there are more.
template <typename Array>
void assign(Array& array, const std::vector<typename Array::value_type>& values, std::string_view key) {
  if (values.size() > array.size())
    throw RowError{std::string(key) + " has " + std::to_string(values.size()) + " entries; the maximum is " +
                   std::to_string(array.size())};
  for (size_t i = 0; i < values.size(); ++i) array[i] = values[i];
}
/// The same of a list; throws RowError also for a number that does not fit an entry.
template <typename Array>
void assign(Array& array, const Pairs& params, std::string_view key) {
  assign(array, params.list<typename Array::value_type>(key), key);
}

/// Source of a destination byte that is filled, and of one that is not written.
inline constexpr int64_t from_fill = -1, not_written = -2;

/// Where each byte that a load writes comes from: entry i is for shared byte tile_offset + i, relative to the
/// tensor's address.
struct LoadMap {
  std::vector<int64_t> source;
  uint32_t transaction_bytes = 0;
  bool stays_inside = true;  ///< nothing before or behind the operand is written
};
/// Throws RowError where the copy does not run, or its tensor is larger than 16 MiB.
LoadMap map_load(const TensorCopyCase&, const spec::Readings&);
/// CRC-32 of them as 64-bit numbers.
std::string crc_of(const std::vector<int64_t>& sources);

}  // namespace assay::vectors
