// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_map/encode.h"

#include <algorithm>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {
namespace {

using spec::question;
using spec::rule;
namespace bits = spec::tensor_map;

/// Tensors below this size have been treated apart for bit 21 (TMA-AMB-28).
constexpr uint64_t small_tensor_bytes = 131072;
/// Ranks up to here have been seen to be refused in an orderly way; 0xffffffff ends the process (h200: V-03).
constexpr uint32_t largest_rank_seen_refused = 31;

/// What the tensor spans by its largest dimension. Dimension 0 of an interleaved map counts slices
/// (TILE-R33).
unsigned __int128 tensor_bytes(const TensorMapArgs& map) {
  const uint32_t unit_bits = map.interleave != 0 ? 8 * spec::find_interleave(map.interleave)->slice_bytes
                                                 : spec::data_types[map.data_type].bits;
  unsigned __int128 bytes = static_cast<unsigned __int128>(map.global_dim[0]) * unit_bits / 8;
  for (uint32_t i = 1; i < map.rank; ++i)
    bytes = std::max(bytes, static_cast<unsigned __int128>(map.global_dim[i]) * map.global_stride[i - 1]);
  return bytes;
}

/// Where it is known what becomes of the map: not of null pointers, of ranks above 5, of a pointer that is
/// refused.
bool was_examined(const EncodeTiledCase& call, const spec::RuleSet& broken) {
  return call.null_mask == 0 && call.map.rank <= spec::max_rank && !broken[rule("V-01")];
}

/// The driver looks for zeros before anything else and then leaves the output alone.
bool is_refused_for_a_zero(const EncodeTiledCase& call, const spec::Readings& readings) {
  bool zero = call.map.rank == 0;
  for (uint32_t i = 0; i < call.map.rank; ++i) {
    const bool is_looked_at = i != 0 || call.map.interleave != 0 || !readings.is({"X-09", "ignored"});
    zero |= call.map.global_dim[i] == 0 || call.map.box_dim[i] == 0 ||
            (call.map.element_stride[i] == 0 && is_looked_at);
  }
  return zero;
}

/// Measured: the multiple of 16 is all that is asked for, whatever the map. No case has a multiple of 16
/// alone for a map that documents want 32 for, where nothing was measured.
spec::RuleSet broken_by_replacement(const EncodeTiledCase& call, const spec::Readings& readings) {
  spec::RuleSet broken;
  if (!call.replaces) return broken;
  if (call.replacement == 0 || call.replacement % 16 != 0)
    broken.set(rule("V-42"), !is_left_out(readings, rule("V-42")));
  if (call.replacement >= spec::global_address_end)
    broken.set(rule("V-49"), !is_left_out(readings, rule("V-49")));
  return broken;
}

/// Every rule on arguments that the architecture has.
spec::RuleSet argument_rules(spec::Arch arch) {
  spec::RuleSet set;
  for (size_t i = 0; i < spec::tensor_map_rules.size(); ++i)
    if (spec::tensor_map_rules[i].applies[static_cast<int>(arch)]) set.set(i);
  for (const spec::Rule& row : spec::map_field_rules)
    if (row.applies[static_cast<int>(arch)]) set.set(*spec::find_rule(row.id));
  return set.reset(rule("V-44")).reset(rule("V-45")).reset(rule("V-50")).reset(rule("V-42"));
}

/// Of a call that must not be: what the map would hold is not known where an argument has no meaning.
bool has_meaning(const TensorMapArgs& map) {
  return spec::find_data_type(map.data_type) != nullptr && spec::find_swizzle(map.swizzle) != nullptr &&
         spec::find_interleave(map.interleave) != nullptr && map.rank >= 1 && map.rank <= spec::max_rank;
}

/// What a bend leaves open of an accepted call.
void bend_map(const EncodeTiledCase& call, const Bend& bend, EncodePrediction& prediction) {
  if (bend.encode.refuses != nullptr && bend.encode.refuses(call)) prediction.accepted = false;
  for (const spec::Field& field : bits::tiled_fields)
    bend_field(bend.encode, field, prediction.map, prediction.defined);
  if (bend.encode.opens_beside_replaced && call.replaces) {
    spec::TensorMapBytes address_alone{};
    put_raw(address_alone, bits::global_address, ~uint64_t{0} >> (64 - bits::global_address.width()));
    for (size_t i = 0; i < address_alone.size(); ++i) prediction.defined[i] &= address_alone[i];
  }
}

}  // namespace

void put_shared_fields(spec::TensorMapBytes& bytes, const TensorMapArgs& map,
                       const spec::Readings& readings) {
  const spec::DataType& type = *spec::find_data_type(map.data_type);
  const spec::Swizzle& swizzle = *spec::find_swizzle(map.swizzle);
  put(bytes, bits::global_address, map.global_address);
  put(bytes, bits::rank, map.rank);
  put_raw(bytes, bits::type, type.code);
  put_raw(bytes, bits::tf32, type.tf32);
  put_raw(bytes, bits::interleave, map.interleave);
  put_raw(bytes, bits::swizzle_width, swizzle.width_code);
  put_raw(bytes, bits::swizzle_atomicity, swizzle.atomicity_code);
  put_raw(bytes, bits::fill, map.oob_fill);
  put_raw(bytes, bits::l2_promotion, map.l2_promotion);
  for (uint32_t i = 0; i < map.rank; ++i) {
    put(bytes, bits::global_dim[i], map.global_dim[i]);
    put(bytes, bits::element_stride[i], map.element_stride[i]);
    if (i + 1 < map.rank) put(bytes, bits::global_stride[i], map.global_stride[i]);
  }
  put(bytes, bits::swizzle_period, swizzle.period_bytes);
  if (spec::question_table[question("TMA-AMB-28")].settled[static_cast<int>(readings.arch())] &&
      tensor_bytes(map) >= small_tensor_bytes && readings.is({"TMA-AMB-28", "set_from_128_kib"}))
    bytes[0x0a] |= std::byte{1 << (21 - 16)};
}

spec::TensorMapBytes encode_tiled_map(const TensorMapArgs& map, const spec::Readings& readings) {
  spec::TensorMapBytes bytes{};
  put_shared_fields(bytes, map, readings);
  for (uint32_t i = 0; i < map.rank; ++i) put(bytes, bits::box_dim[i], map.box_dim[i]);
  put(bytes, bits::box_bytes, counted_box_bytes(map));
  return bytes;
}

EncodePrediction predict_encode(const EncodeTiledCase& call, const spec::Readings& readings) {
  EncodePrediction prediction;
  const spec::RuleSet broken = broken_rule_set(call, readings);
  prediction.may_crash = call.map.rank > largest_rank_seen_refused;
  if (broken.any()) {
    prediction.rules = broken;
    if (spec::rule_table[rule("V-50")].applies[static_cast<int>(readings.arch())] &&
        was_examined(call, broken)) {
      prediction.map_untouched = is_refused_for_a_zero(call, readings) || keeps_refused_map(readings);
      prediction.map_emptied = !prediction.map_untouched;
      if (prediction.map_emptied && !opens_refused_map(readings))
        prediction.defined = spec::bits_without_field;
      prediction.rules.set(rule("V-50"));
    }
    return prediction;
  }
  if (readings.bend() != nullptr && !has_meaning(call.map)) {
    prediction.accepted = true;
    return prediction;
  }
  prediction.map = encode_tiled_map(call.map, readings);
  if (const spec::RuleSet refused = broken_by_replacement(call, readings); refused.any()) {
    prediction.rules = refused;
    return prediction;
  }
  prediction.accepted = true;
  if (call.replaces) put(prediction.map, bits::global_address, call.replacement);
  prediction.defined.fill(std::byte{0xff});
  if (!spec::question_table[question("TMA-AMB-28")].settled[static_cast<int>(readings.arch())]) {
    // Bit 21 has a meaning of its own there, and nobody has looked at the driver's book-keeping behind 0x40.
    prediction.defined[0x0a] &= ~std::byte{1 << (21 - 16)};
    std::fill(prediction.defined.begin() + 0x40, prediction.defined.end(), std::byte{0});
  }
  static const auto accepted_rules = [] {
    std::array<spec::RuleSet, spec::arch_count> sets;
    for (int arch = 0; arch < spec::arch_count; ++arch)
      sets[arch] = argument_rules(static_cast<spec::Arch>(arch));
    return sets;
  }();
  prediction.rules = accepted_rules[static_cast<int>(readings.arch())];
  if (call.replaces) prediction.rules.set(rule("V-42"));
  if (readings.bend() != nullptr) bend_map(call, *readings.bend(), prediction);
  return prediction;
}

namespace {

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
  for (const spec::Field& field : bits::im2col_fields<4>)
    if (field.kind == spec::FieldKind::reserved || field.name == "mode" || field.name == "swizzle_96B" ||
        field.name == "lower_corner" || field.name == "upper_corner" || field.name == "pixels" ||
        field.name == "box_bytes")
      put_raw(defined, field, 0);
}

/// What a bend leaves open of an accepted call.
void bend_map(const EncodeIm2colCase& call, const Bend& bend, EncodePrediction& prediction) {
  const EncodeBend& change = bend.encode;
  if (change.refuses_im2col != nullptr && change.refuses_im2col(call.map)) prediction.accepted = false;
  for (const spec::Field& field : bits::im2col_fields_of(static_cast<int>(call.map.rank)))
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
  put_raw(bytes, bits::mode, 1);
  put(bytes, bits::channels, map.channels);
  put(bytes, bits::pixels, map.pixels);
  for (uint32_t k = 0; k < spatial_axes(map.rank); ++k) {
    if (map.wide && k > 0) break;  // the wide encoder has corners for W alone
    put_raw(bytes, bits::corner_at(rank, static_cast<int>(k), false), static_cast<uint32_t>(map.lower[k]));
    put_raw(bytes, bits::corner_at(rank, static_cast<int>(k), true), static_cast<uint32_t>(map.upper[k]));
  }
  put(bytes, bits::box_bytes, column_bytes(map));
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
