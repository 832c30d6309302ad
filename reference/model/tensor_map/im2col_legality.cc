// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_map/legality.h"

#include <algorithm>

#include "reference/model/bend.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::model {
namespace {

/// Adds the rules that an im2col map alone can break to those it shares with tiled ones.
class PixelBox {
 public:
  PixelBox(const Im2colMapArgs& map, const spec::Readings& readings, spec::RuleSet& broken)
      : map_(map),
        base_(map),
        readings_(readings),
        broken_(broken),
        type_(spec::find_data_type(map.data_type)),
        swizzle_(spec::find_swizzle(map.swizzle)) {
    is_missing_ = map.wide && spec::capability(readings.arch()) < 100 && readings.is({"X-12", "refused"});
    as_written_ = map.wide && !is_missing_ && readings.is({"X-13", "as_written"});
  }

  void examine() {
    demand(base_.rank >= 3 && base_.rank <= spec::max_rank, spec::rule("V-03"));
    // No enumerator, and tensormap.replace has no im2col form.
    demand(base_.swizzle != spec::host_swizzle_96B, spec::rule("V-22"));
    if (map_.wide) wide();
    corners();
    channels();
    const bool counts_pixels = !(as_written_ && map_.wide_mode == 1);
    if (counts_pixels) demand(map_.pixels >= 1 && map_.pixels <= 1024, spec::rule("V-33"));
    if (counts_pixels && column_bytes(map_) > spec::max_box_bytes)
      demand(readings_.is({"X-01", "unlimited"}), spec::rule("V-48"));
  }

 private:
  void demand(bool holds, spec::RuleIndex rule) {
    if (!holds) broken_.set(rule);
  }

  void wide() {
    demand(!is_missing_, spec::rule("V-36"));
    demand(map_.wide_mode <= 1, spec::rule("V-40"));
    if (!as_written_) return;
    // Enumerators that there are not break V-21 and V-22 already.
    if (base_.interleave < spec::interleaves.size()) demand(base_.interleave == 0, spec::rule("V-39"));
    if (swizzle_ != nullptr && base_.swizzle <= spec::host_swizzle::by_128B_atom64B)
      demand(
          base_.swizzle >= spec::host_swizzle::by_64B && base_.swizzle <= spec::host_swizzle::by_128B_atom32B,
          spec::rule("V-38"));
  }

  void corners() {
    const uint32_t axes = spatial_axes(base_.rank);
    for (uint32_t k = 0; k < (map_.wide ? std::min(axes, 1u) : axes); ++k) {
      const int bits = as_written_ ? 16 : spec::tensor_map::corner_bits(static_cast<int>(base_.rank));
      const int32_t end = 1 << (bits - 1);
      const bool fits =
          map_.lower[k] >= -end && map_.lower[k] < end && map_.upper[k] >= -end && map_.upper[k] < end;
      demand(fits, as_written_ ? spec::rule("V-37") : spec::rule("V-31"));
      if (!fits) return;  // what else the box would be is not looked at
    }
    for (uint32_t k = 0; k < axes; ++k) {
      if (k > 0 && as_written_) return;  // one pixel high and deep
      const int64_t lower = map_.wide && k > 0 ? 0 : map_.lower[k],
                    upper = map_.wide && k > 0 ? 0 : map_.upper[k];
      const uint64_t extent = base_.global_dim[dimension_of_axis(base_, k)];
      if (extent > spec::max_global_dim) continue;  // V-09
      const int64_t exact = static_cast<int64_t>(extent) + upper;
      const int64_t wrapped = static_cast<int32_t>(static_cast<uint32_t>(exact));
      if ((exact > lower) == (wrapped > lower))
        demand(exact > lower, spec::rule("V-34"));
      else
        demand(readings_.is({"X-07", "exactly"}) ? exact > lower : wrapped > lower, spec::rule("V-34"));
    }
  }

  void channels() {
    const bool is_padded = type_ != nullptr && type_->is_packed() && type_->group_shared_bytes == 16;
    demand(map_.channels >= 1 && map_.channels <= 256 && (!is_padded || map_.channels == 128),
           spec::rule("V-32"));
    if (type_ == nullptr) return;
    const uint64_t bits = uint64_t{map_.channels} * type_->bits;
    demand(bits % 128 == 0, spec::rule("V-35"));
    if (swizzle_ != nullptr && swizzle_->span_bytes != 0 && base_.interleave == 0)
      demand(bits <= uint64_t{8} * swizzle_->span_bytes, spec::rule("V-23"));
  }

  const Im2colMapArgs& map_;
  const TensorMapArgs& base_;
  const spec::Readings& readings_;
  spec::RuleSet& broken_;
  const spec::DataType* type_;
  const spec::Swizzle* swizzle_;
  bool is_missing_ = false;  ///< this device has no wide encoder
  bool as_written_ = false;  ///< a wide map under the documents' rules
};

spec::RuleSet broken_by_map(const Im2colMapArgs& map, const spec::Readings& readings, bool is_call) {
  spec::RuleSet broken = broken_shared_rules(map, readings, is_call);
  PixelBox(map, readings, broken).examine();
  return broken;
}

spec::RuleSet but_the_bent_one(spec::RuleSet broken, const spec::Readings& readings) {
  const Bend* const bend = readings.bend();
  return bend != nullptr && bend->is_left_out ? broken.reset(bend->rule) : broken;
}

}  // namespace

uint64_t column_bytes(const Im2colMapArgs& map) {
  const spec::DataType* type = spec::find_data_type(map.data_type);
  return type == nullptr ? 0 : uint64_t{map.channels} * map.pixels * type->bits / 8;
}

spec::RuleSet broken_column_map_rules(const Im2colMapArgs& map, const spec::Readings& readings) {
  return but_the_bent_one(broken_by_map(map, readings, false), readings);
}

spec::RuleSet broken_rule_set(const EncodeIm2colCase& call, const spec::Readings& readings) {
  spec::RuleSet broken = broken_by_map(call.map, readings, true);
  constexpr uint32_t corners = 8 | 32, others = 1 | 2 | 4 | 16;
  if ((call.null_mask & (call.map.wide ? others : others | corners)) != 0) broken.set(spec::rule("V-43"));
  if (call.map_offset % spec::tensor_map_pointer_alignment != 0 && readings.is({"X-03", "multiple_of_64"}))
    broken.set(spec::rule("V-01"));
  return but_the_bent_one(broken, readings);
}

}  // namespace assay::model
