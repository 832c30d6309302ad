// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/arguments.h"
#include "reference/spec/arch.h"
#include "reference/spec/formats.h"
#include "reference/spec/mma_kind.h"
#include "reference/spec/question.h"
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

class Differences;

/// By the names that the files use: none, 32, 64, 96, 128, 128a32, 128a32f8, 128a64. Throws RowError.
const spec::Swizzle& swizzle_named(std::string_view name);

/// The architecture that a swizzle and a type are looked at on: sm_90 if it has both, else the first that
/// has.
spec::Arch arch_for(const spec::Swizzle&, const spec::DataType&);

/// Reads rank, esize, dims, strides, box, estr, coords, swz, base and, for loads, fill. Throws RowError.
TensorCopyCase tile_case(const Pairs& params, CopyDirection);

/// An unsigned type of so many bytes; with NaN fill a float. Throws RowError.
const spec::DataType& type_of_size(int64_t bytes, bool nan_fill);

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

/// Modes that came with sm_100 are read as its defaults say.
inline const spec::Readings documented(spec::Arch::sm_100);

/// Source of a destination byte that is filled, and of one that is not written.
inline constexpr int64_t from_fill = -1, not_written = -2;

/// Where each byte that a load writes comes from: entry i is for shared byte base + i, relative to the
/// tensor's address.
struct LoadMap {
  std::vector<int64_t> source;
  std::vector<std::byte> fill;  ///< the byte that stands there after the load, whatever its source
  uint32_t transaction_bytes = 0;
  bool stays_inside = true;  ///< nothing before or behind the extent is written
};
LoadMap map_load(const TensorCopyCase&);
/// Of any load: one of this tensor into this window, and the bytes that it signals. `first`: where the
/// operand is in the window.
using LoadOfTensor = std::function<uint32_t(std::span<const std::byte> tensor, std::span<std::byte> window)>;
LoadMap map_load(uint32_t window_bytes, uint32_t first, const model::CopyFootprint&, const LoadOfTensor&);

/// The samples `destination:source` of a row against a load.
void compare_samples(const Pairs& expected, const LoadMap&, Differences&);

/// Which bytes a store writes, in ascending order of global memory: offset from the tensor's address, and of
/// the shared byte from base.
std::vector<std::pair<int64_t, int64_t>> map_store(const TensorCopyCase&);

/// What an instruction does with a map.
enum class MapOperation { load, prefetch, store, reduce };

/// A map made bit by bit and the copy that was tried through it, as vector files of silicon have them.
struct RawRow {
  spec::TensorMapBytes bytes{};  ///< with what no hardware looks at cleared
  model::MapArguments arguments;
  spec::RuleSet broken;
  MapOperation operation = MapOperation::load;
  bool im2col = false;  ///< the instruction
  std::array<int32_t, 5> coord{};
  std::array<uint16_t, 3> offset{};
  uint32_t rank = 0, shared_offset = 0;
};

/// What the hardware lets through that the driver does not: any number of bytes, any interleaved box.
spec::Readings of_hardware();

/// The words 0x00 to 0x3c in hexadecimal. May throw RowError.
spec::TensorMapBytes bytes_of(const std::string& words);
/// Fills map, arguments and broken rules; `operation` is set.
void read_map(RawRow&, const std::string& words);
template <typename Array>
void read_list(Array& to, std::string_view key, const std::string& text) {
  if (text.empty()) return;
  std::vector<typename Array::value_type> values;
  for (const std::string& part : split(text, '|'))
    values.push_back(parse_number<typename Array::value_type>(key, part));
  assign(to, values, key);
}

TensorCopyCase tiled_case(const RawRow&);
TensorCopyCase im2col_case(const RawRow&);

/// "ok", or which faults the rules call for: "ILL", "MIS", "ILL/MIS", "ADR".
std::string predicted_outcome(const RawRow&);
/// Of two rules that are broken one has its fault.
bool is_outcome(const std::string& outcome, const std::string& predicted);

/// A row of descriptors in hand.
struct DescriptorRow {
  std::string_view name, variant;  ///< "smem", "K_128B"
  const Pairs& params;
  uint64_t word;
  /// Of a parameter. Throws RowError where the row has none of that name, or more than 32 bits of it.
  uint32_t number(std::string_view key) const { return narrow<uint32_t>(key, params.number(key)); }
};

/// The tcgen05.mma that reads a matrix through the word, or has it as its instruction descriptor or mask: its
/// other operands are small exact numbers. Nothing where no instruction could have it, or no window holds
/// what it leads to. Throws RowError where the case that was made has another word.
std::optional<RowCase> descriptor_as_case(const DescriptorRow&);

/// One dot product as the files of the adder write it: types by name, codes in hexadecimal, "-" for what is
/// not there.
struct DotText {
  std::string family, param_set, k, a_type, b_type, d_type, scale_type, scale_block, a, b, c, scales_a,
      scales_b, d;
  std::string metadata = {};  ///< of a sparse A: a digit a code, "-" or empty without
  uint32_t selector = 0;
  bool is_ordered = false;
};

/// Codes in hexadecimal with blanks between them; "-" is none.
std::vector<uint32_t> codes_of_text(const std::string& text);
/// The code of a type in the instruction descriptor of a kind; nothing where the kind lacks it.
std::optional<uint32_t> type_code(spec::MmaKind kind, bool is_a, std::string_view type);

/// The tcgen05.mma that computes it in every element of D; nothing for other families and for more than 32
/// bytes of an operand.
std::optional<RowCase> tcgen05_dot_as_case(const DotText& dot);

/// The wgmma or mma.sync that computes a dot product in every element of D, of a sparse A too, with a kind on
/// sm_120 alone; nothing for other families. Throws NoCase for types or depths that they lack.
std::optional<RowCase> warp_dot_as_case(const DotText& dot);

/// All registers of a warp before and after mma.sp, lane by lane as rows of files have them.
struct FragmentText {
  std::string a_type, b_type, d_type;
  bool saturates = false;
  uint32_t k = 0;  ///< of the instruction
  uint32_t selector = 0;
  bool is_ordered = false;
  std::vector<uint32_t> a, b, c, d, metadata;  ///< as many a lane as the instruction takes
};
/// The mma.sp that has these registers. Throws NoCase for types or depths that it lacks.
RowCase warp_fragment_as_case(const FragmentText& fragment);

}  // namespace assay::vectors
