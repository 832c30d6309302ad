// Maps made bit by bit, and what a load through each did on silicon: held against what the rules say of the
// arguments that the bits stand for.
#include <algorithm>
#include <array>

#include "reference/model/im2col.h"
#include "reference/model/legality.h"
#include "reference/model/map_arguments.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "suites/vectors/crc32.h"
#include "suites/vectors/file_formats.h"
#include "suites/vectors/kinds.h"
#include "suites/vectors/tile_case.h"

namespace assay::vectors {
namespace {

constexpr std::string_view header[] = {"id",      "mutation", "instruction", "rank",
                                       "coords",  "offsets",  "smem_offset", "map_w00_w3c_address_relative",
                                       "outcome", "rules",    "tx",          "image_bytes_end",
                                       "map_crc", "samples",  "silicon_sm90"};

constexpr uint32_t guard = 1024;

/// Encoder rules that the hardware has too (h200, sections 9 and 12; MF-01 to MF-03): breaking one faults
/// with illegal instruction, of the last two with misaligned address.
constexpr spec::RuleIndex enforced[] = {spec::rule("V-02"), spec::rule("V-03"),    spec::rule("V-04"),
                                        spec::rule("V-14"), spec::rule("V-21"),    spec::rule("V-23"),
                                        spec::rule("V-27"), spec::rule("TILE-R25")};
constexpr spec::RuleIndex enforced_without_interleave[] = {spec::rule("V-16"), spec::rule("V-35")};
constexpr spec::RuleIndex misaligned[] = {spec::rule("V-05"), spec::rule("V-06")};

/// What the hardware lets through that the driver does not: any number of bytes, any interleaved box.
spec::Readings of_hardware() {
  spec::Readings readings(spec::Arch::sm_90);
  readings.choose(spec::question("X-01"), 'A').choose(spec::question("X-08"), 'A');
  return readings;
}

struct RawRow {
  model::MapArguments arguments;
  spec::RuleSet broken;
  bool im2col = false;  ///< the instruction
  std::array<int32_t, 5> coord{};
  std::array<uint16_t, 3> offset{};
  uint32_t rank = 0, shared_offset = 0;
};

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

template <typename Array>
void read_list(Array& to, std::string_view key, const std::string& text) {
  if (text.empty()) return;
  std::vector<typename Array::value_type> values;
  for (const std::string& part : split(text, '|'))
    values.push_back(parse_number<typename Array::value_type>(key, part));
  assign(to, values, key);
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
  spec::TensorMapBytes map = bytes_of(cell(format, row, "map_w00_w3c_address_relative"));
  // The hardware looks at none of these: the bits of later swizzles, and those without a field.
  put_raw(map, spec::tensor_map::swizzle_atomicity, 0);
  put_raw(map, spec::tensor_map::swizzle_96B, 0);
  raw.arguments = model::arguments_of(map);
  raw.broken = model::broken_rules_of_map(map, of_hardware());
  return raw;
}

TiledCase tiled_case(const RawRow& raw) {
  TiledCase copy;
  copy.map = raw.arguments.map.base;
  copy.coord = raw.coord;
  copy.instruction_rank = raw.rank;
  copy.tile_offset = raw.shared_offset;
  return copy;
}

Im2colCase im2col_case(const RawRow& raw) {
  Im2colCase copy;
  copy.map = raw.arguments.map;
  copy.coord = raw.coord;
  copy.offset = raw.offset;
  copy.instruction_rank = raw.rank;
  copy.is_tile_instruction = !raw.im2col;
  copy.tile_offset = raw.shared_offset;
  return copy;
}

/// "ok", or which faults the rules call for: "ILL", "MIS", "ILL/MIS".
std::string predicted_outcome(const RawRow& raw) {
  const auto breaks = [&](const auto& rules) {
    return std::any_of(std::begin(rules), std::end(rules),
                       [&](spec::RuleIndex rule) { return raw.broken[rule]; });
  };
  const bool mode_differs = raw.im2col != raw.arguments.is_im2col;
  bool illegal = breaks(enforced) || mode_differs ||
                 (raw.arguments.map.base.interleave == 0 && breaks(enforced_without_interleave));
  bool moved = breaks(misaligned);
  if (!illegal) {
    spec::RuleSet rules;
    const model::End end = raw.im2col ? model::end_of_issue(im2col_case(raw), of_hardware(), rules)
                                      : model::end_of_issue(tiled_case(raw), of_hardware(), rules);
    illegal = end == model::End::illegal_instruction;
    moved |= end == model::End::misaligned_address;
    // Of a tiled copy a rank that differs leaves open what coordinates it takes: it faults all the same.
    if (end == model::End::undefined) illegal = true;
  }
  if (illegal) return moved ? "ILL/MIS" : "ILL";
  return moved ? "MIS" : "ok";
}

/// What tells no byte's source from another's is left out: the rounding of tf32, the place of the tensor.
void simplify(TensorMapArgs& map) {
  if (map.data_type == 11) map.data_type = 7;
  if (map.data_type == 12) map.data_type = 10;
  map.global_address = 0;
}

LoadMap map_of(const RawRow& raw, uint32_t end) {
  const spec::Readings readings = of_hardware();
  const auto require_done = [](const model::TiledPrediction& prediction) {
    if (prediction.end != model::End::done) throw RowError{"the copy does not run by the rules"};
    return prediction.transaction_bytes;
  };
  const auto with = [&](auto& copy, TensorMapArgs& map) {
    simplify(map);
    const model::TiledFootprint bytes = model::footprint(copy, readings);
    copy.window_bytes = std::max(end, raw.shared_offset + bytes.shared_bytes) + guard;
    return map_load(copy.window_bytes, raw.shared_offset, bytes,
                    [&](std::span<const std::byte> tensor, std::span<std::byte> window) {
                      return require_done(model::predict_load(copy, readings, tensor, window, {}));
                    });
  };
  if (!raw.im2col) {
    TiledCase copy = tiled_case(raw);
    return with(copy, copy.map);
  }
  Im2colCase copy = im2col_case(raw);
  // Channels do nothing in an interleaved map, and the rules of the encoder look at them all the same.
  if (copy.map.base.interleave != 0) copy.map.channels = 128 / spec::data_types[copy.map.base.data_type].bits;
  return with(copy, copy.map.base);
}

void check_raw_map(const CsvRow& row, RowResult& result) {
  const FileFormat& format = raw_map_format;
  result.kind = cell(format, row, "instruction");
  const RawRow raw = read_row(format, row);
  Differences differences;
  const std::string& outcome = cell(format, row, "outcome");
  const std::string predicted = predicted_outcome(raw);
  // Of two rules that are broken one has its fault.
  const bool same = outcome == predicted ||
                    (predicted == "ILL/MIS" && (outcome == "ILL" || outcome == "MIS")) ||
                    (outcome == "ILL/MIS" && (predicted == "ILL" || predicted == "MIS"));
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

const FileFormat raw_map_format{"raw maps", header, check_raw_map};

}  // namespace assay::vectors
