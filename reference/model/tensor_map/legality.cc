// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_map/legality.h"

#include <algorithm>
#include <optional>

#include "reference/model/bend.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::rule;

static_assert(swizzle_96B == spec::host_swizzle_96B);

/// Collects broken rules over one set of arguments.
class Examination {
 public:
  Examination(const TensorMapArgs& map, const spec::Readings& readings, bool is_call,
              CopyDirection direction = CopyDirection::load)
      : map_(map),
        readings_(readings),
        is_call_(is_call),
        rank_(std::min<uint32_t>(map.rank, spec::max_rank)),
        type_(spec::find_data_type(map.data_type)),
        swizzle_(spec::find_swizzle(map.swizzle)),
        interleaved_(map.interleave != 0 && map.interleave < spec::interleaves.size()) {
    if (is_call && map.swizzle == swizzle_96B) swizzle_ = nullptr;
    aligned_16B_ = type_ != nullptr && type_->is_packed() && type_->group_shared_bytes == 16;
    takes_half_box_ = direction == CopyDirection::store && takes_half_a_box(type_, readings.arch());
  }

  const spec::RuleSet& shared() {
    of_place();
    modes();
    extents();
    strides();
    traversal();
    return broken_;
  }
  const spec::RuleSet& broken() {
    of_place();
    return of_boxes();
  }
  /// The part of broken() that hangs on address, promotion or fill, and the rest of it.
  const spec::RuleSet& of_place() {
    demand(map_.l2_promotion <= 3, rule("V-28"));
    demand(map_.oob_fill <= 1, rule("V-29"));
    if (map_.oob_fill == 1) demand(type_ == nullptr || type_->is_float, rule("V-27"));
    address();
    return broken_;
  }
  const spec::RuleSet& of_boxes() {
    modes();
    extents();
    strides();
    traversal();
    box();
    total();
    return broken_;
  }

 private:
  void demand(bool holds, spec::RuleIndex rule) {
    if (!holds) broken_.set(rule);
  }
  bool is(spec::NamedReading reading) const { return readings_.is(reading); }
  bool on_this(const spec::OnArch& on) const { return on[static_cast<int>(readings_.arch())]; }
  uint64_t inner_bits() const { return uint64_t{map_.box_dim[0]} * type_->bits; }

  void modes() {
    demand(map_.rank >= 1 && map_.rank <= spec::max_rank, rule("V-03"));
    demand(!interleaved_ || map_.rank >= 3, rule("V-04"));
    demand(map_.interleave < spec::interleaves.size(), rule("V-21"));
    if (type_ == nullptr)
      broken_.set(rule("V-02"));
    else if (!on_this(type_->on))
      demand(is({"TMA-AMB-09", "taken"}), rule("V-02"));
    if (swizzle_ == nullptr)
      broken_.set(rule("V-22"));
    else if (!on_this(swizzle_->on))
      demand(!swizzle_->is_96B && is({"TMA-AMB-09", "taken"}),
             swizzle_->is_96B ? rule("V-44") : rule("V-22"));
    if (swizzle_ == nullptr) return;
    // A map gets the 96B swizzle after the driver has encoded it without one.
    if (const uint32_t encoded = swizzle_->is_96B ? 0 : swizzle_->host;
        map_.interleave == spec::host_interleave::by_32B && encoded != spec::host_swizzle::by_32B)
      demand(encoded <= 3 && is({"X-11", "up_to_128b"}), rule("V-24"));
    if (swizzle_->is_96B) demand(!interleaved_ && !aligned_16B_, rule("V-45"));
    if (type_ == nullptr) return;
    demand(type_->host != spec::host_type::b6x16_p32 || !interleaved_, rule("V-25"));
    if (aligned_16B_) wide_packed_swizzle();
  }

  void wide_packed_swizzle() {
    demand(swizzle_->host != spec::host_swizzle::by_128B_atom32B_flip8B, rule("V-46"));
    if (swizzle_->host == spec::host_swizzle::by_32B) broken_.set(rule("V-26"));
    if (swizzle_->host == spec::host_swizzle::by_64B) demand(takes_half_box_, rule("V-26"));
    if (swizzle_->host == spec::host_swizzle::by_128B_atom64B && type_->host == spec::host_type::b4x16_p64)
      demand(is({"TMA-AMB-15", "all_both_ways"}), rule("V-26"));
  }

  void address() {
    const uint64_t address = map_.global_address;
    demand(address % 16 == 0, rule("V-05"));
    demand(map_.interleave != spec::host_interleave::by_32B || address % 32 == 0, rule("V-06"));
    demand(!aligned_16B_ || takes_half_box_ || address % 32 == 0, rule("V-07"));
    // Of the encoder: a map gets the 96B swizzle later.
    const bool is_swizzled = swizzle_ != nullptr && swizzle_->span_bytes != 0 && !swizzle_->is_96B;
    if (is_swizzled && address % 16 == 0 && address % 128 != 0)
      demand(is({"TMA-AMB-17", "multiple_of_16"}), rule("V-05"));
    if (!is_call_) return;
    if (address == 0) demand(is({"X-04", "taken"}), rule("V-08"));
    if (address >= spec::global_address_end) demand(is({"X-05", "taken"}), rule("V-49"));
  }

  void extents() {
    for (uint32_t i = 0; i < rank_; ++i)
      demand(map_.global_dim[i] >= 1 && map_.global_dim[i] <= spec::max_global_dim, rule("V-09"));
    demand(!aligned_16B_ || map_.global_dim[0] % (takes_half_box_ ? 64 : 128) == 0, rule("V-10"));
    demand(type_ == nullptr || !type_->is_dense_packed() || map_.global_dim[0] % 2 == 0, rule("V-11"));
  }

  void strides() {
    for (uint32_t i = 0; i + 1 < rank_; ++i) {
      const uint64_t stride = map_.global_stride[i];
      demand(stride % 16 == 0, rule("V-12"));
      demand(stride < spec::global_stride_end, rule("V-13"));
      if (map_.interleave == spec::host_interleave::by_32B || (aligned_16B_ && !takes_half_box_))
        demand(stride % 32 == 0, rule("V-14"));
    }
    if (type_ != nullptr && !covers_extents()) demand(is({"TMA-AMB-20", "plain_arithmetic"}), rule("V-20"));
  }

  /// Every stride is at least what lies below it.
  bool covers_extents() const {
    const uint64_t slice = interleaved_ ? spec::interleaves[map_.interleave].slice_bytes : 0;
    unsigned __int128 below =
        static_cast<unsigned __int128>(map_.global_dim[0]) * (slice != 0 ? slice * 8 : type_->bits) / 8;
    for (uint32_t i = 0; i + 1 < rank_; ++i) {
      if (map_.global_stride[i] < below) return false;
      below = static_cast<unsigned __int128>(map_.global_stride[i]) * map_.global_dim[i + 1];
    }
    return true;
  }

  void traversal() {
    for (uint32_t i = 0; i < rank_; ++i) {
      const bool in_range = map_.element_stride[i] >= 1 && map_.element_stride[i] <= spec::max_element_stride;
      if (i != 0 || interleaved_)
        demand(in_range, rule("V-18"));
      else if (!in_range)
        demand(is({"X-09", "ignored"}), rule("V-19"));
    }
  }

  void box() {
    for (uint32_t i = 0; i < rank_; ++i)
      demand(map_.box_dim[i] >= 1 && map_.box_dim[i] <= spec::max_box_dim, rule("V-15"));
    if (type_ == nullptr || rank_ == 0) return;
    const bool is_half = takes_half_box_ && map_.box_dim[0] == 64;
    demand(!aligned_16B_ || map_.box_dim[0] == 128 || is_half, rule("V-17"));
    if (inner_bits() % 128 != 0) demand(interleaved_ && is({"X-08", "any_extent"}), rule("V-16"));
    if (swizzle_ == nullptr || swizzle_->span_bytes == 0 || interleaved_) return;
    demand(inner_bits() <= uint64_t{8} * swizzle_->span_bytes,
           swizzle_->is_96B ? rule("V-45") : rule("V-23"));
  }

  void total() {
    if (type_ == nullptr) return;
    uint64_t by_floor = type_->bits, by_ceil = type_->bits;
    for (uint32_t i = 0; i < rank_; ++i) {
      const uint64_t box = map_.box_dim[i], step = map_.element_stride[i];
      if (box < 1 || box > spec::max_box_dim || step < 1 || step > spec::max_element_stride) return;
      by_floor *= step == 1 ? box : box / step;
      by_ceil *= (i == 0 && !interleaved_) || step == 1 ? box : (box + step - 1) / step;
    }
    const bool floor_over = by_floor / 8 > spec::max_box_bytes, ceil_over = by_ceil / 8 > spec::max_box_bytes;
    if (!floor_over && !ceil_over) return;
    if (is({"X-01", "unlimited"})) return;
    if (floor_over != ceil_over)
      demand(is({"X-02", "rounds_down"}) ? !floor_over : !ceil_over, rule("V-48"));
    else
      broken_.set(rule("V-48"));
  }

  const TensorMapArgs& map_;
  const spec::Readings& readings_;
  const bool is_call_;
  const uint32_t rank_;
  const spec::DataType* type_;
  const spec::Swizzle* swizzle_;
  const bool interleaved_;
  bool aligned_16B_ = false, takes_half_box_ = false;
  spec::RuleSet broken_;
};

spec::RuleSet without_left_out(spec::RuleSet broken, const spec::Readings& readings) {
  const Bend* const bend = readings.bend();
  return bend != nullptr && bend->is_left_out ? broken.reset(bend->rule) : broken;
}

}  // namespace

uint64_t counted_box_bytes(const TensorMapArgs& map) {
  const spec::DataType* type = spec::find_data_type(map.data_type);
  if (type == nullptr || map.rank > spec::max_rank) return 0;
  uint64_t bits = type->bits;
  for (uint32_t i = 0; i < map.rank; ++i) {
    // Only where dimension 0's is ignored can a zero get here: it counts as 1.
    const bool is_ignored = i == 0 && map.interleave == 0 && map.element_stride[i] == 0;
    if (map.element_stride[i] == 0 && !is_ignored) return 0;
    bits *= is_ignored ? map.box_dim[i] : map.box_dim[i] / map.element_stride[i];
  }
  return bits / 8;
}

spec::RuleSet broken_shared_rules(const TensorMapArgs& map, const spec::Readings& readings, bool is_call) {
  return Examination(map, readings, is_call).shared();
}

spec::RuleSet broken_map_rules(const TensorMapArgs& map, const spec::Readings& readings,
                               CopyDirection direction) {
  return without_left_out(Examination(map, readings, false, direction).broken(), readings);
}

bool is_legal_wherever(const TensorMapArgs& map, const spec::Readings& readings, CopyDirection direction) {
  return without_left_out(Examination(map, readings, false, direction).of_boxes(), readings).none();
}
bool is_legal_in_place(const TensorMapArgs& map, const spec::Readings& readings, CopyDirection direction) {
  return without_left_out(Examination(map, readings, false, direction).of_place(), readings).none();
}

spec::RuleSet broken_rule_set(const EncodeTiledCase& call, const spec::Readings& readings) {
  spec::RuleSet broken = Examination(call.map, readings, true).broken();
  constexpr uint32_t null_stride = 4, other_null = 1 | 2 | 8 | 16;
  if ((call.null_mask & other_null) != 0 || ((call.null_mask & null_stride) != 0 && call.map.rank != 1))
    broken.set(rule("V-43"));
  else if ((call.null_mask & null_stride) != 0 && readings.is({"X-15", "must_be_given"}))
    broken.set(rule("V-43"));
  if (call.map_offset % spec::tensor_map_pointer_alignment != 0 && readings.is({"X-03", "multiple_of_64"}))
    broken.set(rule("V-01"));
  return without_left_out(broken, readings);
}

std::vector<spec::RuleIndex> broken_rules(const EncodeTiledCase& call, const spec::Readings& readings) {
  const spec::RuleSet set = broken_rule_set(call, readings);
  std::vector<spec::RuleIndex> list;
  for (size_t i = 0; i < spec::rule_table.size(); ++i)
    if (set.test(i)) list.push_back(static_cast<spec::RuleIndex>(i));
  return list;
}

}  // namespace assay::model
