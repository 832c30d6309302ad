// SPDX-License-Identifier: Apache-2.0
#include "suites/vectors/raw_map.h"

#include <algorithm>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/reduce.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

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

}  // namespace assay::vectors
