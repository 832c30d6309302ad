// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_map/replace.h"

#include "reference/model/bend.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {
namespace {

using spec::rule;
namespace bits = spec::tensor_map;

/// What a number modulo `range` stands for where 0 stands for the whole of it: extents count from 1.
uint64_t from_one(uint64_t value, uint64_t range) {
  const uint64_t rest = value % range;
  return rest == 0 ? range : rest;
}

/// The four strides have their bits 39:36 side by side in one word, over which the fifth would lie.
void write_fifth_stride(spec::TensorMapBytes& map, uint64_t bytes) {
  const uint64_t sixteens = bytes / 16, top = sixteens >> 32 & 0xf;
  for (uint32_t k = 0; k < 4; ++k) {
    const uint64_t below = get(map, bits::global_stride[k]) % (uint64_t{1} << 36);
    put(map, bits::global_stride[k], below + ((sixteens >> (4 * k) & 0xf) << 36));
  }
  const uint64_t rest = (sixteens >> 16 & 0xfff0) | top;
  map[0x1e] = static_cast<std::byte>(rest);
  map[0x1f] = static_cast<std::byte>(rest >> 8);
}

spec::RuleIndex rule_of(const MapReplacement& what) {
  switch (what.field) {
    case MapField::global_address:
      return rule("REPL-R01");
    case MapField::rank:
      return rule("REPL-R02");
    case MapField::box_dim:
      return rule("REPL-R03");
    case MapField::global_dim:
      return rule("REPL-R04");
    case MapField::global_stride:
      return what.ordinal == 4 ? rule("REPL-R15") : rule("REPL-R05");
    case MapField::element_stride:
      return rule("REPL-R06");
    case MapField::elemtype:
      return what.value == 11 || what.value == 12 ? rule("REPL-R07") : rule("REPL-R08");
    case MapField::interleave_layout:
      return rule("REPL-R09");
    case MapField::swizzle_mode:
      return what.value == 4 ? rule("REPL-R11") : rule("REPL-R10");
    case MapField::swizzle_atomicity:
      return rule("REPL-R12");
    case MapField::fill_mode:
      return rule("REPL-R13");
  }
  return rule("REPL-R14");
}

void replace_type(spec::TensorMapBytes& map, uint64_t elemtype, const spec::Readings& readings) {
  for (const spec::DataType& type : spec::data_types) {
    if (type.elemtype != elemtype) continue;
    put_raw(map, bits::type, type.code);
    if (type.tf32)
      put_raw(map, bits::tf32, 1);
    else if (get_raw(map, bits::tf32) != 0 && readings.is({"TMA-AMB-27", "flag_cleared"}))
      put_raw(map, bits::tf32, 0);
  }
}

void replace_swizzle(spec::TensorMapBytes& map, uint64_t mode, const spec::Readings& readings) {
  const bool is_96B = mode == 4;
  put_raw(map, bits::swizzle_width, is_96B ? 0 : mode);
  if (is_96B || get_raw(map, bits::swizzle_96B) == 0)
    put_raw(map, bits::swizzle_96B, is_96B);
  else if (spec::row_of(readings.arch()).has_swizzle_96B || readings.is({"REPL-AMB-01", "clears_bit"}))
    put_raw(map, bits::swizzle_96B, 0);
}

}  // namespace

uint32_t largest_immediate(MapField field, spec::Arch arch) {
  switch (field) {
    case MapField::elemtype:
      return !spec::has_tcgen05(arch) ? 12 : 15;
    case MapField::interleave_layout:
      return 2;
    case MapField::swizzle_mode:
      return spec::row_of(arch).has_swizzle_96B ? 4 : 3;
    case MapField::swizzle_atomicity:
      return 3;
    case MapField::fill_mode:
      return 1;
    default:
      return 0;
  }
}

bool exists(MapField field, spec::Arch arch) {
  return field != MapField::swizzle_atomicity || spec::has_tcgen05(arch);
}

void replace(spec::TensorMapBytes& map, const MapReplacement& what, const spec::Readings& readings,
             spec::RuleSet& rules) {
  const spec::TensorMapBytes before = map;
  rules.set(rule_of(what)).set(rule("REPL-R14"));
  switch (what.field) {
    case MapField::global_address:
      put(map, bits::global_address, what.value);
      break;
    case MapField::rank:
      put(map, bits::rank, from_one(what.value + 1, 8));
      break;
    case MapField::box_dim:
      put(map, bits::box_dim[what.ordinal], from_one(what.value, 256));
      break;
    case MapField::global_dim:
      put(map, bits::global_dim[what.ordinal], from_one(what.value, uint64_t{1} << 32));
      break;
    case MapField::global_stride:
      if (what.ordinal < 4)
        put(map, bits::global_stride[what.ordinal], what.value / 16 * 16 % (uint64_t{1} << 40));
      else if (readings.is({"REPL-AMB-02", "over_high_parts"}))
        write_fifth_stride(map, what.value);
      break;
    case MapField::element_stride:
      put(map, bits::element_stride[what.ordinal], from_one(what.value, 8));
      break;
    case MapField::elemtype:
      replace_type(map, what.value, readings);
      break;
    case MapField::interleave_layout:
      put_raw(map, bits::interleave, what.value);
      break;
    case MapField::swizzle_mode:
      replace_swizzle(map, what.value, readings);
      break;
    case MapField::swizzle_atomicity:
      put_raw(map, bits::swizzle_atomicity, what.value);
      break;
    case MapField::fill_mode:
      put_raw(map, bits::fill, what.value);
      break;
  }
  if (const Bend* bend = readings.bend(); bend != nullptr && bend->maps.replaced != nullptr)
    bend->maps.replaced(what, before, map);
}

}  // namespace assay::model
