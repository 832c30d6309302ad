// SPDX-License-Identifier: Apache-2.0
#include "suites/vectors/file_formats.h"

#include <algorithm>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "suites/vectors/csv.h"

namespace assay::vectors {
namespace {

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

}  // namespace

spec::Readings of_hardware() {
  spec::Readings readings(spec::Arch::sm_90);
  readings.choose({"X-01", "unlimited"}).choose({"X-08", "any_extent"});
  return readings;
}

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

void read_map(RawRow& raw, const std::string& words) {
  raw.bytes = bytes_of(words);
  // The hardware looks at none of these: the bits of later swizzles, and those without a field.
  put_raw(raw.bytes, spec::tensor_map::swizzle_atomicity, 0);
  put_raw(raw.bytes, spec::tensor_map::swizzle_96B, 0);
  if (raw.operation != MapOperation::load) clear_what_loads_look_at(raw.bytes);
  raw.arguments = model::arguments_of(raw.bytes);
  raw.broken = model::broken_rules_of_map(raw.bytes, of_hardware());
}

TensorCopyCase tiled_case(const RawRow& raw) {
  TensorCopyCase copy;
  copy.map = raw.arguments.map;
  copy.coord = raw.coord;
  copy.instruction_rank = raw.rank;
  copy.tile_offset = raw.operation == MapOperation::prefetch ? 0 : raw.shared_offset;
  if (raw.operation == MapOperation::store || raw.operation == MapOperation::reduce)
    copy.direction = CopyDirection::store;
  if (raw.operation == MapOperation::reduce) copy.reduction = TensorReduction::add;
  return copy;
}

TensorCopyCase im2col_case(const RawRow& raw) {
  TensorCopyCase copy;
  copy.mode = CopyMode::im2col;
  copy.map = raw.arguments.map;
  copy.coord = raw.coord;
  copy.offset = raw.offset;
  copy.instruction_rank = raw.rank;
  copy.is_tile_instruction = !raw.im2col;
  copy.tile_offset = raw.operation == MapOperation::prefetch ? 0 : raw.shared_offset;
  if (raw.operation == MapOperation::store || raw.operation == MapOperation::reduce)
    copy.direction = CopyDirection::store;
  return copy;
}

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
    const model::End end = raw.im2col ? model::end_of_issue(im2col_case(raw), of_hardware(), rules)
                                      : model::end_of_issue(tiled_case(raw), of_hardware(), rules);
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

bool is_outcome(const std::string& outcome, const std::string& predicted) {
  return outcome == predicted || (predicted == "ILL/MIS" && (outcome == "ILL" || outcome == "MIS")) ||
         (outcome == "ILL/MIS" && (predicted == "ILL" || predicted == "MIS"));
}

// Maps made bit by bit, and what a load through each did on silicon: held against what the rules say of the
// arguments that the bits stand for.

namespace {

constexpr std::string_view raw_map_header[] = {
    "id",      "mutation", "instruction", "rank",
    "coords",  "offsets",  "smem_offset", "map_w00_w3c_address_relative",
    "outcome", "rules",    "tx",          "image_bytes_end",
    "map_crc", "samples",  "silicon_sm90"};

constexpr uint32_t map_guard = 1024;

/// What tells no byte's source from another's is left out: the rounding of tf32, the place of the tensor.
void simplify(TensorMapArgs& map) {
  if (map.data_type == spec::host_type::tf32) map.data_type = 7;
  if (map.data_type == spec::host_type::tf32_ftz) map.data_type = 10;
  map.global_address = 0;
}

RawRow read_row(const FileFormat& format, const CsvRow& row) {
  RawRow raw;
  const std::string& mode = cell(format, row, "instruction");
  if (mode != "im2col" && mode != "tile") throw RowError{"'" + mode + "' is not a mode of an instruction"};
  raw.im2col = mode == "im2col";
  raw.rank = parse_number<uint32_t>("rank", cell(format, row, "rank"));
  if (raw.rank < (raw.im2col ? 3u : 1u) || raw.rank > 5)
    throw RowError{"rank " + std::to_string(raw.rank) + " is not one of such an instruction"};
  read_list(raw.coord, "coords", cell(format, row, "coords"));
  read_list(raw.offset, "offsets", cell(format, row, "offsets"));
  raw.shared_offset = parse_number<uint32_t>("smem_offset", cell(format, row, "smem_offset"));
  read_map(raw, cell(format, row, "map_w00_w3c_address_relative"));
  return raw;
}

LoadMap map_of(const RawRow& raw, uint32_t end) {
  const spec::Readings readings = of_hardware();
  const auto require_done = [](const model::CopyPrediction& prediction) {
    if (prediction.end != model::End::done) throw RowError{"the copy does not run by the rules"};
    return prediction.transaction_bytes;
  };
  const auto with = [&](auto& copy, TensorMapArgs& map) {
    simplify(map);
    const model::CopyFootprint bytes = model::footprint(copy, readings);
    copy.window_bytes = std::max(end, raw.shared_offset + bytes.shared_bytes) + map_guard;
    return map_load(copy.window_bytes, raw.shared_offset, bytes,
                    [&](std::span<const std::byte> tensor, std::span<std::byte> window) {
                      return require_done(model::predict_load(copy, readings, tensor, window, {}));
                    });
  };
  if (!raw.im2col) {
    TensorCopyCase copy = tiled_case(raw);
    return with(copy, copy.map);
  }
  TensorCopyCase copy = im2col_case(raw);
  // Channels do nothing in an interleaved map, and the rules of the encoder look at them all the same.
  if (copy.map.interleave != 0) copy.map.channels = 128 / spec::data_types[copy.map.data_type].bits;
  return with(copy, copy.map);
}

void check_raw_map(const CsvRow& row, RowResult& result) {
  const FileFormat& format = raw_map_format;
  result.kind = cell(format, row, "instruction");
  const RawRow raw = read_row(format, row);
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
    Crc32 crc;
    for (const int64_t source : map.source) crc.add(source);
    differences.compare("tx", parse_number<int64_t>("tx", cell(format, row, "tx")), map.transaction_bytes);
    differences.compare("map_crc", cell(format, row, "map_crc"), crc.text());
  }
  result.detail = differences.text();
  result.verdict = result.detail.empty() ? RowVerdict::pass : RowVerdict::fail;
}

}  // namespace

const FileFormat raw_map_format{"raw maps", raw_map_header, check_raw_map};

}  // namespace assay::vectors
