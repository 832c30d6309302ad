// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_map/encode_im2col.h"

#include <algorithm>
#include <vector>

#include "reference/model/tensor_map/encode.h"
#include "reference/model/tensor_map/im2col_legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::model {
namespace {

namespace map_bits = spec::tensor_map;

/// Ranks up to here have been seen to be refused in an orderly way (h200: V-03).
constexpr uint32_t largest_orderly_rank = 31;
constexpr uint32_t null_corners = 8 | 32;

/// Where it is known what becomes of the map of a refused call: not of null pointers, of ranks above 5, of
/// the wide encoder.
bool is_refusal_examined(const EncodeIm2colCase& call, const spec::RuleSet& broken) {
  return call.null_mask == 0 && call.map.rank <= spec::max_rank && !broken[spec::rule("V-01")] &&
         !call.map.wide;
}

/// The driver looks for zeros first and then leaves the output alone (V-50).
bool has_a_zero(const Im2colMapArgs& map) {
  bool zero = map.rank == 0 || map.channels == 0 || map.pixels == 0;
  for (uint32_t i = 0; i < map.rank; ++i) zero |= map.global_dim[i] == 0 || map.element_stride[i] == 0;
  return zero;
}

/// Every rule that an accepted call keeps, wide ones apart.
spec::RuleSet rules_kept(spec::Arch arch, bool wide) {
  constexpr std::string_view of_copies[] = {"V-42", "V-44", "V-45", "V-47", "V-50"};
  constexpr std::string_view of_boxes[] = {"V-04", "V-15", "V-16", "V-17", "MAP-R02", "MAP-R11"};
  constexpr std::string_view of_wide_maps[] = {"V-36", "V-37", "V-38", "V-39", "V-40"};
  constexpr std::string_view measured_of_plain_maps[] = {"V-31", "MAP-R14", "MAP-R16", "MAP-R17"};
  const auto is_in = [](std::string_view id, auto& list) {
    return std::find(std::begin(list), std::end(list), id) != std::end(list);
  };
  spec::RuleSet set;
  for (size_t i = 0; i < spec::rule_table.size(); ++i) {
    const spec::Rule& row = spec::rule_table[i];
    if (!row.id.starts_with("V-") && !row.id.starts_with("MAP-")) continue;
    if (!row.applies[static_cast<int>(arch)] || is_in(row.id, of_copies) || is_in(row.id, of_boxes)) continue;
    if (!wide && is_in(row.id, of_wide_maps)) continue;
    if (wide && !spec::row_of(arch).is_measured && is_in(row.id, measured_of_plain_maps)) continue;
    set.set(i);
  }
  return set;
}

/// What nobody has looked at: on later architectures bit 21 and the driver's book-keeping behind 0x40, and of
/// wide maps that are none of the plain ones all that may tell them apart.
void leave_open(const EncodeIm2colCase& call, const spec::Readings& readings,
                std::array<std::byte, 128>& defined) {
  if (!spec::question_table[spec::question("TMA-AMB-28")].settled[static_cast<int>(readings.arch())]) {
    defined[0x0a] &= ~std::byte{1 << (21 - 16)};
    std::fill(defined.begin() + 0x40, defined.end(), std::byte{0});
  }
  if (!call.map.wide || readings.is({"X-13", "as_plain_im2col"})) return;
  for (const spec::Field& field : map_bits::im2col_fields<4>)
    if (field.kind == spec::FieldKind::reserved || field.name == "mode" || field.name == "swizzle_96B" ||
        field.name == "lower_corner" || field.name == "upper_corner" || field.name == "pixels" ||
        field.name == "box_bytes")
      put_raw(defined, field, 0);
}

/// What a bend leaves open of an accepted call.
void bend_map(const EncodeIm2colCase& call, const Bend& bend, EncodePrediction& prediction) {
  const EncodeBend& change = bend.encode;
  if (change.refuses_im2col != nullptr && change.refuses_im2col(call.map)) prediction.accepted = false;
  for (const spec::Field& field : map_bits::im2col_fields_of(static_cast<int>(call.map.rank)))
    bend_field(change, field, prediction.map, prediction.defined);
}

bool names_a_map(const Im2colMapArgs& map) {
  return spec::find_data_type(map.data_type) != nullptr && spec::find_swizzle(map.swizzle) != nullptr &&
         spec::find_interleave(map.interleave) != nullptr && spatial_axes(map.rank) != 0;
}

}  // namespace

spec::TensorMapBytes encode_im2col_map(const Im2colMapArgs& map, const spec::Readings& readings) {
  spec::TensorMapBytes bytes{};
  put_shared_fields(bytes, map, readings);
  const auto rank = static_cast<int>(map.rank);
  put_raw(bytes, map_bits::mode, 1);
  put(bytes, map_bits::channels, map.channels);
  put(bytes, map_bits::pixels, map.pixels);
  for (uint32_t k = 0; k < spatial_axes(map.rank); ++k) {
    if (map.wide && k > 0) break;  // the wide encoder has corners for W alone
    put_raw(bytes, map_bits::corner_at(rank, static_cast<int>(k), false),
            static_cast<uint32_t>(map.lower[k]));
    put_raw(bytes, map_bits::corner_at(rank, static_cast<int>(k), true), static_cast<uint32_t>(map.upper[k]));
  }
  put(bytes, map_bits::box_bytes, column_bytes(map));
  return bytes;
}

EncodePrediction predict_encode(const EncodeIm2colCase& call, const spec::Readings& readings) {
  EncodePrediction prediction;
  const spec::RuleSet broken = broken_rule_set(call, readings);
  prediction.may_crash =
      call.map.rank > largest_orderly_rank || (!call.map.wide && (call.null_mask & null_corners) != 0);
  if (broken.any()) {
    prediction.rules = broken;
    if (spec::rule_table[spec::rule("V-50")].applies[static_cast<int>(readings.arch())] &&
        is_refusal_examined(call, broken)) {
      prediction.map_untouched = has_a_zero(call.map) || keeps_refused_map(readings);
      prediction.map_emptied = !prediction.map_untouched;
      if (prediction.map_emptied && !opens_refused_map(readings))
        prediction.defined = spec::bits_without_im2col_field;
      prediction.rules.set(spec::rule("V-50"));
    }
    return prediction;
  }
  prediction.accepted = true;
  if (!names_a_map(call.map)) return prediction;  // a bend let it through: what it would be is not known
  prediction.map = encode_im2col_map(call.map, readings);
  prediction.defined.fill(std::byte{0xff});
  leave_open(call, readings, prediction.defined);
  static const auto kept = [] {
    std::array<std::array<spec::RuleSet, 2>, spec::arch_count> sets;
    for (int arch = 0; arch < spec::arch_count; ++arch)
      for (const bool wide : {false, true})
        sets[arch][wide] = rules_kept(static_cast<spec::Arch>(arch), wide);
    return sets;
  }();
  prediction.rules = kept[static_cast<int>(readings.arch())][call.map.wide];
  if (readings.bend() != nullptr) bend_map(call, *readings.bend(), prediction);
  return prediction;
}

}  // namespace assay::model
