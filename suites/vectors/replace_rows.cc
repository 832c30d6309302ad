// SPDX-License-Identifier: Apache-2.0
// tensormap.replace as an H200 executed it (vectors_tensormap_replace.csv), and maps with one defect each
// (vectors_map_faults.csv).
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/program_case.h"
#include "reference/model/tensor_map/program_model.h"
#include "reference/model/tensor_map/replace.h"
#include "reference/spec/questions.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

constexpr std::string_view replace_header[] = {
    "id", "field", "space", "new_val", "before_w00_w3c", "after_w00_w3c", "words_40_7c", "silicon_sm90"};
constexpr std::string_view fault_header[] = {"id",      "defect",      "mode",          "operation",
                                             "rank",    "coords",      "shared_offset", "map_w00_w3c",
                                             "outcome", "silicon_sm90"};

std::string words_text(const spec::TensorMapBytes& map) {
  std::string text;
  for (size_t at = 0; at < 64; at += 4) {
    uint32_t word;
    std::memcpy(&word, &map[at], sizeof word);
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x", word);
    text += (at == 0 ? "" : " ") + std::string(digits);
  }
  return text;
}

/// "rank", "box_dim[3]" or "elemtype=11".
model::MapReplacement read_replacement(const std::string& field, const std::string& value) {
  model::MapReplacement what;
  const size_t end = field.find_first_of("[=");
  const std::string name = field.substr(0, end);
  const auto* at = std::find(model::map_field_names.begin(), model::map_field_names.end(), name);
  if (at == model::map_field_names.end())
    throw RowError{"'" + name + "' is not a field of tensormap.replace"};
  what.field = static_cast<model::MapField>(at - model::map_field_names.begin());
  const bool has_index = end != std::string::npos && field[end] == '[' && field.back() == ']';
  if (has_index != model::has_ordinal(what.field)) throw RowError{"the field '" + field + "' cannot be read"};
  if (has_index) {
    what.ordinal = parse_number<uint32_t>("field", field.substr(end + 1, field.size() - end - 2));
    if (what.ordinal >= model::map_ordinals)
      throw RowError{"the field '" + field + "' has an ordinal above 4"};
  }
  const bool has_value = end != std::string::npos && field[end] == '=';
  what.value = has_value ? parse_number<uint64_t>("field", field.substr(end + 1))
                         : parse_number<uint64_t>("new_val", value);
  const uint32_t largest = model::largest_immediate(what.field, spec::Arch::sm_90);
  if (largest != 0 && what.value > largest)
    throw RowError{"the operand of '" + field + "' is above " + std::to_string(largest)};
  // The others take 32 bits of a register.
  if (what.field != model::MapField::global_address && what.field != model::MapField::global_stride)
    what.value &= 0xffffffff;
  return what;
}

/// Bytes 0x40 to 0x7F of a row were those that stand before.
spec::TensorMapBytes read_before(const CsvRow& row) {
  return bytes_of(cell(tensormap_replace_format, row, "before_w00_w3c"));
}

void check_replace(const CsvRow& row, RowResult& result) {
  const FileFormat& format = tensormap_replace_format;
  const std::string& space = cell(format, row, "space");
  if (space != "global" && space != "shared::cta") throw RowError{"'" + space + "' is not a space of a map"};
  result.kind = cell(format, row, "field");
  spec::TensorMapBytes map = read_before(row);
  const spec::TensorMapBytes before = map;
  spec::RuleSet rules;
  model::replace(map, read_replacement(result.kind, cell(format, row, "new_val")),
                 spec::Readings(spec::Arch::sm_90), rules);
  Differences differences;
  differences.compare("after_w00_w3c", cell(format, row, "after_w00_w3c"), words_text(map));
  const bool stays = std::equal(map.begin() + 64, map.end(), before.begin() + 64);
  differences.compare("words_40_7c", cell(format, row, "words_40_7c"), stays ? "unchanged" : "changed");
  result.detail = differences.text();
  result.verdict = result.detail.empty() ? RowVerdict::pass : RowVerdict::fail;
}

std::array<uint32_t, 32> words_of(const spec::TensorMapBytes& map) {
  std::array<uint32_t, 32> words{};
  std::memcpy(words.data(), map.data(), map.size());
  return words;
}

std::optional<RowCase> replace_as_case(const CsvRow& row) {
  const model::MapReplacement what = read_replacement(cell(tensormap_replace_format, row, "field"),
                                                      cell(tensormap_replace_format, row, "new_val"));
  MapProgramCase c;
  c.start = MapStart::words;
  c.words = words_of(read_before(row));
  c.is_absolute = true;
  c.in_shared = cell(tensormap_replace_format, row, "space") != "global";
  c.step[c.steps++] = {static_cast<MapOp>(what.field), static_cast<uint8_t>(what.ordinal), 0, what.value};
  if (c.in_shared) c.step[c.steps++] = {MapOp::copy_fence, 0, 2, 0};
  return RowCase{"tma.map.replace", c};
}

RawRow read_fault(const CsvRow& row) {
  const FileFormat& format = map_faults_format;
  constexpr std::pair<std::string_view, MapOperation> operations[] = {{"load", MapOperation::load},
                                                                      {"prefetch", MapOperation::prefetch},
                                                                      {"store", MapOperation::store},
                                                                      {"reduce", MapOperation::reduce}};
  RawRow raw;
  const std::string& mode = cell(format, row, "mode");
  if (mode != "im2col" && mode != "tile") throw RowError{"'" + mode + "' is not a mode of an instruction"};
  raw.im2col = mode == "im2col";
  const std::string& operation = cell(format, row, "operation");
  const auto* known = std::find_if(std::begin(operations), std::end(operations),
                                   [&](const auto& one) { return one.first == operation; });
  if (known == std::end(operations)) throw RowError{"'" + operation + "' is not an operation on a map"};
  raw.operation = known->second;
  raw.rank = parse_number<uint32_t>("rank", cell(format, row, "rank"));
  if (raw.rank < (raw.im2col ? 3u : 1u) || raw.rank > 5)
    throw RowError{"rank " + std::to_string(raw.rank) + " is not one of such an instruction"};
  read_list(raw.coord, "coords", cell(format, row, "coords"));
  raw.shared_offset = parse_number<uint32_t>("shared_offset", cell(format, row, "shared_offset"));
  read_map(raw, cell(format, row, "map_w00_w3c"));
  return raw;
}

void check_fault(const CsvRow& row, RowResult& result) {
  const FileFormat& format = map_faults_format;
  result.kind = cell(format, row, "mode") + " " + cell(format, row, "operation");
  Differences differences;
  const std::string predicted = predicted_outcome(read_fault(row));
  const std::string& outcome = cell(format, row, "outcome");
  if (!is_outcome(outcome, predicted)) differences.compare("outcome", outcome, predicted);
  result.detail = differences.text();
  result.verdict = result.detail.empty() ? RowVerdict::pass : RowVerdict::fail;
}

/// The instruction of a program on maps, if they have it: no prefetch, and no reduction in im2col mode.
std::optional<MapInstruction> instruction_of(const RawRow& raw) {
  switch (raw.operation) {
    case MapOperation::load:
      return raw.im2col ? MapInstruction::im2col_load : MapInstruction::load;
    case MapOperation::store:
      return raw.im2col ? MapInstruction::im2col_store : MapInstruction::store;
    case MapOperation::reduce:
      return raw.im2col ? std::nullopt : std::optional(MapInstruction::add);
    case MapOperation::prefetch:
      break;
  }
  return std::nullopt;
}

std::optional<RowCase> fault_as_case(const CsvRow& row) {
  const RawRow raw = read_fault(row);
  const auto instruction = instruction_of(raw);
  if (!instruction) return std::nullopt;
  // No memory of the arena lies there, and none of a program's rules says which fault comes.
  if (cell(map_faults_format, row, "outcome") == "ADR") return std::nullopt;
  MapProgramCase c;
  c.start = MapStart::words;
  c.words = words_of(bytes_of(cell(map_faults_format, row, "map_w00_w3c")));
  c.tile_offset = raw.shared_offset;
  c.window_bytes = 16384;
  c.step[c.steps++] = {MapOp::use};
  c.use[c.uses++] = {raw.coord, raw.rank, *instruction, raw.offset};
  if (!c.use[0].is_load()) {
    constexpr uint32_t slot = 64 << 10;
    c.slot_bytes = slot;
    if (!model::stays_in_slot(c)) return std::nullopt;
  }
  return RowCase{c.use[0].is_load() && !raw.im2col ? "tma.map.replace.faults" : "tma.map.use.faults", c};
}

}  // namespace

const FileFormat tensormap_replace_format{"tensormap.replace", replace_header, check_replace,
                                          replace_as_case};
const FileFormat map_faults_format{"defects of maps", fault_header, check_fault, fault_as_case};

}  // namespace assay::vectors
