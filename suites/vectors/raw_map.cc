// SPDX-License-Identifier: Apache-2.0
// Maps made bit by bit (vectors_rawmap.csv) and maps with one defect each (vectors_map_faults.csv), and what
// a copy through each did on an H200: held against what the rules say of the arguments that the bits stand
// for.
#include <algorithm>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/arguments.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

constexpr std::string_view raw_map_header[] = {
    "id",      "mutation", "instruction", "rank",
    "coords",  "offsets",  "smem_offset", "map_w00_w3c_address_relative",
    "outcome", "rules",    "tx",          "image_bytes_end",
    "map_crc", "samples",  "silicon_sm90"};
constexpr std::string_view fault_header[] = {"id",      "defect",      "mode",          "operation",
                                             "rank",    "coords",      "shared_offset", "map_w00_w3c",
                                             "outcome", "silicon_sm90"};

/// What an instruction does with a map.
enum class MapOperation { load, prefetch, store, reduce };

/// A map and the copy that was tried through it.
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

/// Encoder rules that the hardware has too (h200, sections 9 and 12; MF-01 to MF-03): breaking one faults
/// with illegal instruction, of the last two with misaligned address.
constexpr spec::RuleIndex enforced[] = {spec::rule("V-02"), spec::rule("V-03"),    spec::rule("V-04"),
                                        spec::rule("V-14"), spec::rule("V-21"),    spec::rule("V-23"),
                                        spec::rule("V-27"), spec::rule("TILE-R25")};
constexpr spec::RuleIndex enforced_without_interleave[] = {spec::rule("V-16"), spec::rule("V-35")};
constexpr spec::RuleIndex misaligned[] = {spec::rule("V-05"), spec::rule("V-06")};

/// The measured tensors lie in the first bytes of an arena; nothing is mapped so far behind it.
constexpr uint64_t unmapped_from = uint64_t{1} << 40;

/// What only a load looks at, only a load refuses (MF-01).
void clear_what_loads_look_at(spec::TensorMapBytes& map) {
  namespace bits = spec::tensor_map;
  const auto code = static_cast<uint32_t>(get_raw(map, bits::type));
  if (spec::find_data_type_by_code(code, true) == nullptr) put_raw(map, bits::tf32, 0);
  put_raw(map, bits::fill, 0);
}

/// What the hardware lets through that the driver does not: any number of bytes, any interleaved box.
spec::Readings of_hardware() {
  spec::Readings readings(spec::Arch::sm_90);
  readings.choose({"X-01", "unlimited"}).choose({"X-08", "any_extent"});
  return readings;
}

/// The words 0x00 to 0x3c in hexadecimal. May throw RowError.
spec::TensorMapBytes bytes_of(const std::string& words) {
  const std::vector<std::string> list = split(words, ' ');
  if (list.size() != 16)
    throw RowError{"the map has " + std::to_string(list.size()) + " words instead of 16"};
  spec::TensorMapBytes map{};
  for (size_t i = 0; i < list.size(); ++i) {
    const auto word = parse_number<uint32_t>("map", "0x" + list[i]);
    for (size_t byte = 0; byte < 4; ++byte) map[4 * i + byte] = static_cast<std::byte>(word >> (8 * byte));
  }
  return map;
}

/// Fills map, arguments and broken rules; `operation` is set.
void read_map(RawRow& raw, const std::string& words) {
  raw.bytes = bytes_of(words);
  // The hardware looks at none of these: the bits of later swizzles, and those without a field.
  put_raw(raw.bytes, spec::tensor_map::swizzle_atomicity, 0);
  put_raw(raw.bytes, spec::tensor_map::swizzle_96B, 0);
  if (raw.operation != MapOperation::load) clear_what_loads_look_at(raw.bytes);
  raw.arguments = model::arguments_of(raw.bytes);
  raw.broken = model::broken_rules_of_map(raw.bytes, of_hardware());
}

TensorCopyCase case_of(const RawRow& raw) {
  TensorCopyCase copy;
  copy.map = raw.arguments.map;
  copy.coord = raw.coord;
  copy.instruction_rank = raw.rank;
  copy.tile_offset = raw.operation == MapOperation::prefetch ? 0 : raw.shared_offset;
  if (raw.operation == MapOperation::store || raw.operation == MapOperation::reduce)
    copy.direction = CopyDirection::store;
  if (raw.im2col) {
    copy.mode = CopyMode::im2col;
    copy.offset = raw.offset;
  } else if (raw.operation == MapOperation::reduce) {
    copy.reduction = TensorReduction::add;
  }
  return copy;
}

/// "ok", or which faults the rules call for: "ILL", "MIS", "ILL/MIS", "ADR".
std::string predicted_outcome(const RawRow& raw) {
  const auto breaks = [&](const auto& rules) {
    return std::any_of(std::begin(rules), std::end(rules),
                       [&](spec::RuleIndex rule) { return raw.broken[rule]; });
  };
  const bool mode_differs = raw.im2col != raw.arguments.is_im2col;
  bool illegal = breaks(enforced) || mode_differs ||
                 (raw.arguments.map.interleave == 0 && breaks(enforced_without_interleave));
  bool moved = breaks(misaligned);
  if (!illegal) {
    spec::RuleSet rules;
    const model::End end = model::end_of_issue(case_of(raw), of_hardware(), rules);
    illegal = end == model::End::illegal_instruction;
    moved |= end == model::End::misaligned_address;
    // Of a tiled copy a rank that differs leaves open what coordinates it takes: it faults all the same.
    if (end == model::End::undefined) illegal = true;
    // The element type decides, whatever the mode.
    if (raw.operation == MapOperation::reduce &&
        !model::tensor_reduction(TensorReduction::add, raw.arguments.map.data_type))
      illegal = true;
  }
  if (illegal) return moved ? "ILL/MIS" : "ILL";
  if (moved) return "MIS";
  const bool is_mapped = raw.arguments.map.global_address < unmapped_from;
  return is_mapped || raw.operation == MapOperation::prefetch ? "ok" : "ADR";
}

/// Of two rules that are broken one has its fault.
bool is_outcome(const std::string& outcome, const std::string& predicted) {
  return outcome == predicted || (predicted == "ILL/MIS" && (outcome == "ILL" || outcome == "MIS")) ||
         (outcome == "ILL/MIS" && (predicted == "ILL" || predicted == "MIS"));
}

constexpr uint32_t map_guard = 1024;

/// What tells no byte's source from another's is left out: the rounding of tf32, the place of the tensor.
void simplify(TensorMapArgs& map) {
  if (map.data_type == spec::host_type::tf32) map.data_type = 7;
  if (map.data_type == spec::host_type::tf32_ftz) map.data_type = 10;
  map.global_address = 0;
}

template <typename Array>
void read_list(Array& to, std::string_view key, const std::string& text) {
  std::vector<typename Array::value_type> values;
  for (const std::string& part : split(text, '|'))
    values.push_back(parse_number<typename Array::value_type>(key, part));
  assign(to, values, key);
}

/// The columns that both formats have, by the names of this one; `operation` is set.
void read_copy(const CsvRow& row, const FileFormat& format, std::string_view mode_column,
               std::string_view offset_column, std::string_view map_column, RawRow& raw) {
  const std::string& mode = cell(format, row, mode_column);
  if (mode != "im2col" && mode != "tile") throw RowError{"'" + mode + "' is not a mode of an instruction"};
  raw.im2col = mode == "im2col";
  raw.rank = parse_number<uint32_t>("rank", cell(format, row, "rank"));
  if (raw.rank < (raw.im2col ? 3u : 1u) || raw.rank > 5)
    throw RowError{"rank " + std::to_string(raw.rank) + " is not one of such an instruction"};
  read_list(raw.coord, "coords", cell(format, row, "coords"));
  raw.shared_offset = parse_number<uint32_t>(offset_column, cell(format, row, offset_column));
  read_map(raw, cell(format, row, map_column));
}

LoadMap map_of(const RawRow& raw, uint32_t end) {
  TensorCopyCase copy = case_of(raw);
  simplify(copy.map);
  // Channels do nothing in an interleaved map, and the rules of the encoder look at them all the same.
  if (raw.im2col && copy.map.interleave != 0)
    copy.map.channels = 128 / spec::data_types[copy.map.data_type].bits;
  const uint32_t bytes = model::footprint(copy, of_hardware()).shared_bytes;
  copy.window_bytes = std::max(end, raw.shared_offset + bytes) + map_guard;
  return map_load(copy, of_hardware());
}

void check_raw_map(const CsvRow& row, RowResult& result) {
  const FileFormat& format = raw_map_format;
  result.kind = cell(format, row, "instruction");
  RawRow raw;
  read_copy(row, format, "instruction", "smem_offset", "map_w00_w3c_address_relative", raw);
  read_list(raw.offset, "offsets", cell(format, row, "offsets"));
  Differences differences;
  const std::string& outcome = cell(format, row, "outcome");
  const std::string predicted = predicted_outcome(raw);
  const bool same = is_outcome(outcome, predicted);
  if (!same) differences.compare("outcome", outcome, predicted);
  if (outcome == "ok" && predicted == "ok") {
    const auto end = parse_number<uint32_t>("image_bytes_end", cell(format, row, "image_bytes_end"));
    if (end < raw.shared_offset || end > model::shared_memory_bytes)
      throw RowError{"the image ends at " + std::to_string(end) + ", outside of shared memory"};
    LoadMap map = map_of(raw, end);
    map.source.resize(end - raw.shared_offset, not_written);
    differences.compare("tx", parse_number<int64_t>("tx", cell(format, row, "tx")), map.transaction_bytes);
    differences.compare("map_crc", cell(format, row, "map_crc"), crc_of(map.source));
  }
  result.settle(differences.text());
}

RawRow read_fault(const CsvRow& row) {
  const FileFormat& format = map_faults_format;
  constexpr std::pair<std::string_view, MapOperation> operations[] = {{"load", MapOperation::load},
                                                                      {"prefetch", MapOperation::prefetch},
                                                                      {"store", MapOperation::store},
                                                                      {"reduce", MapOperation::reduce}};
  RawRow raw;
  const std::string& operation = cell(format, row, "operation");
  const auto* known = std::find_if(std::begin(operations), std::end(operations),
                                   [&](const auto& one) { return one.first == operation; });
  if (known == std::end(operations)) throw RowError{"'" + operation + "' is not an operation on a map"};
  raw.operation = known->second;
  read_copy(row, format, "mode", "shared_offset", "map_w00_w3c", raw);
  return raw;
}

void check_fault(const CsvRow& row, RowResult& result) {
  const FileFormat& format = map_faults_format;
  result.kind = cell(format, row, "mode") + " " + cell(format, row, "operation");
  Differences differences;
  const std::string predicted = predicted_outcome(read_fault(row));
  const std::string& outcome = cell(format, row, "outcome");
  if (!is_outcome(outcome, predicted)) differences.compare("outcome", outcome, predicted);
  result.settle(differences.text());
}

}  // namespace

const FileFormat raw_map_format{raw_map_header, check_raw_map};
const FileFormat map_faults_format{fault_header, check_fault};

}  // namespace assay::vectors
