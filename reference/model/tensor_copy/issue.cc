// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "reference/model/bend.h"
#include "reference/model/tensor_copy/column.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/mode.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

/// How copies end before any byte moves.
namespace assay::model {
namespace {

/// Multiples of these elements may a copy start at.
int64_t channel_quantum(const spec::DataType& type, const spec::Readings& readings) {
  if (type.is_dense_packed()) return readings.is({"TMA-AMB-34", "even_ones"}) ? 2 : 32;
  return type.is_packed() ? 128 : 128 / static_cast<int64_t>(type.bits);
}

/// A corner as the bend of the readings has it.
int64_t corner_of(const TensorCopyCase& copy, const spec::Readings& readings, uint32_t axis, bool upper) {
  const int64_t right = upper ? copy.map.upper[axis] : copy.map.lower[axis];
  const Bend* const bend = readings.bend();
  if (bend == nullptr || bend->im2col.corner == nullptr) return right;
  return bend->im2col.corner(copy, axis, upper, right);
}

bool starts_in_box(const TensorCopyCase& copy, const spec::Readings& readings) {
  for (uint32_t k = 0; k < spatial_axes(copy.map.rank); ++k) {
    const uint32_t dimension = dimension_of_axis(copy.map, k);
    const auto extent = static_cast<int64_t>(copy.map.global_dim[dimension]);
    const int64_t start = copy.coord[dimension];
    if (start < corner_of(copy, readings, k, false) ||
        start > extent - 1 + corner_of(copy, readings, k, true))
      return false;
  }
  return true;
}

bool stays_in_images(const TensorCopyCase& copy, const spec::Readings& readings) {
  for (uint32_t k = 0; k < spatial_axes(copy.map.rank); ++k)
    if (corner_of(copy, readings, k, false) < 0 || corner_of(copy, readings, k, true) > 0) return false;
  return true;
}

/// What a broken rule comes to.
struct Breach {
  bool illegal = false, undefined = false;
};
/// What wOffset adds to an end of the walk along W.
int64_t moved_by(const TensorCopyCase& copy, const spec::Readings& readings, WideEnd end) {
  const int64_t right = copy.w_offset;
  const Bend* const bend = readings.bend();
  return bend == nullptr || bend->wide.offset == nullptr ? right : bend->wide.offset(copy, end, right);
}

/// Of an instruction along W alone, or of any other through a map of the wide encoder.
Breach end_of_wide(const TensorCopyCase& copy, const spec::Readings& readings, spec::RuleSet& rules) {
  Breach end;
  const bool wants_128 = copy.mode == CopyMode::w_128;
  if (copy.map.wide != is_wide(copy)) {
    rules.set(spec::rule("IM2W-R11"));
    (is_left_out(readings, spec::rule("IM2W-R11")) ? end.undefined : end.illegal) = true;
    return end;
  }
  if ((copy.map.wide_mode == 1) != wants_128) {
    rules.set(spec::rule("IM2W-R11"));
    const bool is_open = is_left_out(readings, spec::rule("IM2W-R11"));
    end.illegal = readings.is({"TMA-AMB-43", "faults"}) && !is_open;
    end.undefined = !wants_128 || is_open;  // nothing says what count a map of mode W128 holds
  }
  if (copy.w_halo >= (wants_128 ? 32 : 512) || copy.w_offset >= 32) {
    rules.set(spec::rule("IM2W-R12"));
    end.undefined = true;
  }
  if (!end.illegal && copy.coord[1] + moved_by(copy, readings, WideEnd::start) >
                          box_of(copy.map, 0).upper + moved_by(copy, readings, WideEnd::upper)) {
    rules.set(spec::rule("IM2W-R07"));
    const bool faults =
        readings.is({"TMA-AMB-30", "faults"}) && !is_left_out(readings, spec::rule("IM2W-R07"));
    (faults ? end.illegal : end.undefined) = true;
  }
  return end;
}

/// Whether a reduction exists on the type; nobody has tried packed ones.
Breach end_of_reduction(const TensorCopyCase& copy, spec::RuleSet& rules) {
  Breach end;
  rules.set(spec::rule("TILE-R55"));
  if (type_of(copy).is_packed())
    end.undefined = true;
  else
    end.illegal = !tensor_reduction(copy.reduction, copy.map.data_type).has_value();
  return end;
}

bool start_is_aligned(const TensorCopyCase& copy, const spec::DataType& type, const spec::Readings& readings,
                      spec::RuleSet& rules) {
  const int64_t c0 = copy.coord[0];
  if (!type.is_packed()) {
    rules.set(spec::rule("TILE-R23"));
    return c0 * type.bits % 128 == 0;
  }
  rules.set(spec::rule("TILE-R52"));
  if (type.is_dense_packed()) {
    if (c0 % 32 == 0) return true;
    return c0 % 2 == 0 && readings.is({"TMA-AMB-34", "even_ones"});
  }
  const bool half = copy.direction == CopyDirection::store && takes_half_a_box(&type, readings.arch());
  return c0 % (half ? 64 : 128) == 0;
}

}  // namespace

End end_of_tile_issue(const TensorCopyCase& copy, const spec::Readings& readings, spec::RuleSet& rules) {
  const TensorMapArgs& map = copy.map;
  const spec::DataType& type = *spec::find_data_type(map.data_type);
  const bool interleaved = map.interleave != 0;
  bool illegal = false, misaligned = false, undefined = false;

  rules.set(spec::rule("TILE-R24"));
  if (copy.instruction_rank != map.rank) {
    illegal = !is_left_out(readings, spec::rule("TILE-R24"));
    undefined = !illegal;  // nothing says what coordinates it then takes
  }
  for (uint32_t i = 0; i < map.rank; ++i)
    if (map.global_dim[i] > spec::max_usable_global_dim) {
      rules.set(spec::rule("TILE-R25"));
      if (readings.is({"X-06", "faults"}) && !is_left_out(readings, spec::rule("TILE-R25"))) illegal = true;
    }
  const bool counts_slices = interleaved && !readings.is({"TMA-AMB-12", "counts_elements"});
  if (counts_slices)
    rules.set(spec::rule("TILE-R37"));
  else if (!start_is_aligned(copy, type, readings, rules) &&
           (type.is_packed() || readings.is({"TMA-AMB-08", "faults"})) &&
           !is_left_out(readings, spec::rule("TILE-R23")) && !is_left_out(readings, spec::rule("TILE-R52")))
    illegal = true;
  if (copy.direction == CopyDirection::store) {
    const bool negative =
        std::any_of(copy.coord.begin(), copy.coord.begin() + map.rank, [](int32_t c) { return c < 0; });
    if (negative) {
      rules.set(spec::rule("TILE-R26"));
      if (readings.is({"TMA-AMB-19", "faults"}) && !is_left_out(readings, spec::rule("TILE-R26")))
        illegal = true;
      if (readings.is({"TMA-AMB-19", "anything"})) undefined = true;
    }
    if (type.host == spec::host_type::b4x16_p64) {
      rules.set(spec::rule("TILE-R54"));
      undefined = true;
    }
    if (copy.reduction != TensorReduction::none) {
      rules.set(spec::rule("TILE-R55"));
      if (type.is_packed())
        undefined = true;  // nobody has tried
      else if (!tensor_reduction(copy.reduction, map.data_type))
        (is_left_out(readings, spec::rule("TILE-R55")) ? undefined : illegal) = true;
    }
  } else if (type.host == spec::host_type::b6x16_p32 && map.swizzle == spec::host_swizzle::by_128B_atom64B &&
             readings.is({"TMA-AMB-15", "b6_stores_only"})) {
    undefined = true;
  }
  rules.set(spec::rule("TILE-R22"));
  if (copy.tile_offset % spec::shared_operand_alignment != 0) {
    const bool may_do = map.swizzle == 0 && copy.tile_offset % 16 == 0;
    if (!may_do || readings.is({"TMA-AMB-16", "aligned_to_128"}))
      misaligned = !is_left_out(readings, spec::rule("TILE-R22"));
  }
  if (undefined || (illegal && misaligned)) return End::undefined;
  if (illegal) return End::illegal_instruction;
  if (misaligned) return End::misaligned_address;
  return End::done;
}

End end_of_column_issue(const TensorCopyCase& copy, const spec::Readings& readings, spec::RuleSet& rules) {
  const TensorMapArgs& map = copy.map;
  bool illegal = false, misaligned = false, undefined = false;
  if (copy.is_tile_instruction) {
    rules.set(spec::rule("IM2C-R15"));
    (is_left_out(readings, spec::rule("IM2C-R15")) ? undefined : illegal) = true;
  }
  if (copy.instruction_rank != map.rank) {
    rules.set(spec::rule("TILE-R24"));
    (is_left_out(readings, spec::rule("TILE-R24")) ? undefined : illegal) = true;
  }
  for (uint32_t i = 0; i < map.rank; ++i)
    if (map.global_dim[i] > spec::max_usable_global_dim) {
      rules.set(spec::rule("TILE-R25"));
      illegal |= readings.is({"X-06", "faults"}) && !is_left_out(readings, spec::rule("TILE-R25"));
    }
  const bool is_aligned =
      map.interleave != 0 || copy.coord[0] % channel_quantum(type_of(copy), readings) == 0;
  if (!is_aligned) {
    rules.set(spec::rule("TILE-R23"));
    illegal |= (readings.is({"TMA-AMB-08", "faults"}) || type_of(copy).is_packed()) &&
               !is_left_out(readings, spec::rule("TILE-R23"));
  }
  if (is_wide(copy) || copy.map.wide) {
    const Breach end = end_of_wide(copy, readings, rules);
    illegal |= end.illegal;
    undefined |= end.undefined;
  } else if (!illegal && !starts_in_box(copy, readings)) {
    rules.set(spec::rule("IM2C-R12"));
    const bool faults =
        readings.is({"TMA-AMB-30", "faults"}) && !is_left_out(readings, spec::rule("IM2C-R12"));
    (faults ? illegal : undefined) = true;
  }
  if (copy.reduction != TensorReduction::none) {
    const Breach end = end_of_reduction(copy, rules);
    illegal |= end.illegal;
    undefined |= end.undefined;
  }
  if (copy.direction == CopyDirection::store) {
    if (!stays_in_images(copy, readings)) {
      rules.set(spec::rule("IM2C-R13"));
      illegal |= !is_left_out(readings, spec::rule("IM2C-R13"));
    }
    if (std::any_of(copy.coord.begin(), copy.coord.begin() + map.rank, [](int32_t c) { return c < 0; })) {
      rules.set(spec::rule("TILE-R26"));
      illegal |= readings.is({"TMA-AMB-19", "faults"}) && !is_left_out(readings, spec::rule("TILE-R26"));
      undefined |= readings.is({"TMA-AMB-19", "anything"});
    }
  }
  if (copy.tile_offset % spec::shared_operand_alignment != 0) {
    rules.set(spec::rule("TILE-R22"));
    const bool may_do = map.swizzle == 0 && copy.tile_offset % 16 == 0;
    misaligned = (!may_do || readings.is({"TMA-AMB-16", "aligned_to_128"})) &&
                 !is_left_out(readings, spec::rule("TILE-R22"));
  }
  if (illegal && misaligned) return End::undefined;
  if (illegal) return End::illegal_instruction;
  if (misaligned) return End::misaligned_address;
  return undefined ? End::undefined : End::done;
}

}  // namespace assay::model
