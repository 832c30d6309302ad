// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "reference/model/as_if.h"
#include "reference/model/tensor_map/replace.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"

/// Bends of maps that kernels rewrite.
namespace assay::model {
namespace {
namespace maps_bent {

using spec::rule;
using spec::TensorMapBytes;
namespace bits = spec::tensor_map;

const spec::Field& field_of(const MapReplacement& what) {
  static const spec::Field fifth = spec::number("", -1, {8 * 0x1c, 32});
  switch (what.field) {
    case MapField::global_address:
      return bits::global_address;
    case MapField::rank:
      return bits::rank;
    case MapField::box_dim:
      return bits::box_dim[what.ordinal];
    case MapField::global_dim:
      return bits::global_dim[what.ordinal];
    case MapField::global_stride:
      return what.ordinal < 4 ? bits::global_stride[what.ordinal] : fifth;
    case MapField::element_stride:
      return bits::element_stride[what.ordinal];
    case MapField::elemtype:
      return bits::type;
    case MapField::interleave_layout:
      return bits::interleave;
    case MapField::swizzle_mode:
      return bits::swizzle_width;
    case MapField::swizzle_atomicity:
      return bits::swizzle_atomicity;
    case MapField::fill_mode:
      return bits::fill;
  }
  return bits::mode;
}

/// The field is not written.
template <MapField field, uint32_t ordinal = ~0u>
void keep(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  if (what.field == field && (ordinal == ~0u || what.ordinal == ordinal)) after = before;
}
/// The operand is written as it stands.
template <MapField field>
void unbiased(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  if (what.field != field || (field == MapField::global_stride && what.ordinal == 4)) return;
  after = before;
  put_raw(after, field_of(what), what.value);
}
/// The largest value that the field can say stands for all that are too large.
template <MapField field>
void saturated(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  if (what.field != field || (field == MapField::global_stride && what.ordinal == 4)) return;
  const spec::Field& to = field_of(what);
  const uint64_t largest = to.width() >= 64 ? ~uint64_t{0} : (uint64_t{1} << to.width()) - 1;
  if (what.value / to.unit >= to.bias && what.value / to.unit - to.bias <= largest) return;
  after = before;
  put_raw(after, to, what.value == 0 ? 0 : largest);
}
void strides_up_to_8(const MapReplacement& what, const TensorMapBytes&, TensorMapBytes& after) {
  if (what.field == MapField::element_stride && what.value > 8) put(after, field_of(what), 8);
}
void first_warp_alone(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  if (what.thread >= 32) after = before;
}
/// The value goes to the next dimension's field, or to the one before the last.
template <MapField field>
void next_dimension(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  const uint32_t last = field == MapField::global_stride ? 3 : 4;
  if (what.field != field || what.ordinal > last) return;
  after = before;
  MapReplacement other = what;
  other.ordinal = what.ordinal == last ? last - 1 : what.ordinal + 1;
  put(after, field_of(other), what.value);
}
/// The part of a stride above 2^36 stays what it was.
void low_stride_alone(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  if (what.field == MapField::global_stride && what.ordinal < 4)
    after[0x1c] = before[0x1c], after[0x1d] = before[0x1d];
}
void stride_rounded_up(const MapReplacement& what, const TensorMapBytes&, TensorMapBytes& after) {
  if (what.field == MapField::global_stride && what.ordinal < 4 && what.value % 16 != 0)
    put(after, field_of(what), what.value + 15);
}
void low_address_alone(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  if (what.field == MapField::global_address)
    for (size_t i = 4; i < 8; ++i) after[i] = before[i];
}
void narrow_address(const MapReplacement& what, const TensorMapBytes&, TensorMapBytes& after) {
  if (what.field == MapField::global_address)
    put_raw(after, bits::global_address, what.value & ((uint64_t{1} << 57) - 1));
}
void flag_lost(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  if (what.field == MapField::elemtype) put_raw(after, bits::tf32, get_raw(before, bits::tf32));
}
void flag_cleared(const MapReplacement& what, const TensorMapBytes&, TensorMapBytes& after) {
  if (what.field == MapField::elemtype && what.value != 11 && what.value != 12) put_raw(after, bits::tf32, 0);
}
/// The numbering of the driver in the place of that of PTX.
void host_type(const MapReplacement& what, const TensorMapBytes&, TensorMapBytes& after) {
  if (what.field != MapField::elemtype || what.value >= spec::data_types.size()) return;
  put_raw(after, bits::type, spec::data_types[what.value].code);
}
void keeps_96B(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  if (what.field == MapField::swizzle_mode && what.value != 4)
    put_raw(after, bits::swizzle_96B, get_raw(before, bits::swizzle_96B));
}
void width_kept_by_96B(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  if (what.field == MapField::swizzle_mode && what.value == 4)
    put_raw(after, bits::swizzle_width, get_raw(before, bits::swizzle_width));
}
void clears_atomicity(const MapReplacement& what, const TensorMapBytes&, TensorMapBytes& after) {
  if (what.field == MapField::swizzle_mode) put_raw(after, bits::swizzle_atomicity, 0);
}
void atomicity_of_two_bits(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  if (what.field == MapField::swizzle_atomicity)
    put_raw(after, bits::swizzle_atomicity, (get_raw(before, bits::swizzle_atomicity) & 4) | what.value);
}
void book_keeping_cleared(const MapReplacement&, const TensorMapBytes&, TensorMapBytes& after) {
  for (size_t i = 0x40; i < after.size(); ++i) after[i] = std::byte{0};
}
void swizzle_period_derived(const MapReplacement& what, const TensorMapBytes&, TensorMapBytes& after) {
  if (what.field != MapField::swizzle_mode) return;
  for (const spec::Swizzle& swizzle : spec::swizzles)
    if (swizzle.width_code == what.value && swizzle.atomicity_code == 0 && !swizzle.is_96B)
      put(after, bits::swizzle_period, swizzle.period_bytes);
}
void mode_cleared(const MapReplacement&, const TensorMapBytes&, TensorMapBytes& after) {
  put_raw(after, bits::mode, 0);
}
void l2_cleared(const MapReplacement& what, const TensorMapBytes&, TensorMapBytes& after) {
  if (what.field == MapField::fill_mode || what.field == MapField::elemtype)
    put_raw(after, bits::l2_promotion, 0);
}
template <size_t bytes>
void copied_in_part(const TensorMapBytes& before, TensorMapBytes& after) {
  for (size_t i = bytes; i < after.size(); ++i) after[i] = before[i];
}
void upper_half_alone(const TensorMapBytes& before, TensorMapBytes& after) {
  for (size_t i = 0; i < 64; ++i) after[i] = before[i];
}

/// Of one dimension.
template <MapField field, uint32_t ordinal>
void unbiased_in(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  if (what.ordinal == ordinal) unbiased<field>(what, before, after);
}
void extent_of_31_bits(const MapReplacement& what, const TensorMapBytes&, TensorMapBytes& after) {
  if (what.field == MapField::global_dim) put(after, field_of(what), what.value & 0x7fffffff);
}
/// Two dimensions change places.
template <MapField field, uint32_t a, uint32_t b>
void exchanged(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  if (what.field != field || (what.ordinal != a && what.ordinal != b)) return;
  after = before;
  MapReplacement other = what;
  other.ordinal = what.ordinal == a ? b : a;
  put(after, field_of(other), what.value);
}
template <uint32_t ordinal>
void low_stride_of(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  if (what.field != MapField::global_stride || what.ordinal != ordinal) return;
  const spec::Field top = spec::number("", -1, {8 * 0x1c + 4 * ordinal, 4});
  put_raw(after, top, get_raw(before, top));
}
void fifth_without_top(const MapReplacement& what, const TensorMapBytes&, TensorMapBytes& after) {
  if (what.field == MapField::global_stride && what.ordinal == 4)
    put_raw(after, spec::number("", -1, {8 * 0x1c, 32}), what.value / 16);
}
void one_bit_of_interleave(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  if (what.field == MapField::interleave_layout)
    put_raw(after, bits::interleave, (what.value & 1) | (get_raw(before, bits::interleave) & 2));
}
template <MapField field>
void kept_in_shared(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  if (what.field == field && what.in_shared) after = before;
}
void kept_in_shared_always(const MapReplacement& what, const TensorMapBytes& before, TensorMapBytes& after) {
  if (what.in_shared) after = before;
}
/// Another field becomes zeros or ones, where the operand is not 0.
template <MapField field, uint32_t other, bool ones>
void spoils(const MapReplacement& what, const TensorMapBytes&, TensorMapBytes& after) {
  static const spec::Field others[] = {bits::tf32,       bits::fill,          bits::l2_promotion,
                                       bits::interleave, bits::swizzle_width, bits::type};
  if (what.field == field && what.value != 0) put_raw(after, others[other], ones ? ~uint64_t{0} : 0);
}
template <MapField field>
void add_spoils(std::vector<Bend>& list) {
  constexpr std::string_view zeroed = "a replacement of another field cleared it",
                             filled = "a replacement of another field filled it with ones";
  const auto add = [&](std::string_view words, auto replaced) {
    list.push_back(as_if("REPL-R14", words, &MapReplaceBend::replaced, replaced));
  };
  if (field != MapField::elemtype) add(zeroed, spoils<field, 0, false>), add(filled, spoils<field, 0, true>);
  if (field != MapField::fill_mode) add(zeroed, spoils<field, 1, false>), add(filled, spoils<field, 1, true>);
  add(zeroed, spoils<field, 2, false>), add(filled, spoils<field, 2, true>);
  if (field != MapField::interleave_layout) add(zeroed, spoils<field, 3, false>);
  if (field != MapField::swizzle_mode) add(zeroed, spoils<field, 4, false>);
  if (field != MapField::elemtype) add(zeroed, spoils<field, 5, false>);
}

Bend edited(spec::RuleIndex rule, std::string_view words,
            void (*replaced)(const MapReplacement&, const TensorMapBytes&, TensorMapBytes&)) {
  return {.rule = rule, .words = words, .maps = {.replaced = replaced}};
}

std::vector<Bend> made() {
  std::vector<Bend> list{
      edited(rule("REPL-R01"), "the upper half of the address were kept", low_address_alone),
      edited(rule("REPL-R01"), "bits 63:57 of the address were dropped", narrow_address),
      edited(rule("REPL-R01"), "the address were kept", keep<MapField::global_address>),
      edited(rule("REPL-R01"), "warps from 1 on replaced nothing", first_warp_alone),
      edited(rule("REPL-R02"), "the rank were kept", keep<MapField::rank>),
      edited(rule("REPL-R02"), "the rank were held at the largest that fits", saturated<MapField::rank>),
      edited(rule("REPL-R03"), "box extents were kept", keep<MapField::box_dim>),
      edited(rule("REPL-R03"), "the box extent of dimension 0 were kept", keep<MapField::box_dim, 0>),
      edited(rule("REPL-R03"), "the box extent of dimension 4 were kept", keep<MapField::box_dim, 4>),
      edited(rule("REPL-R03"), "box extents were written without the 1 less", unbiased<MapField::box_dim>),
      edited(rule("REPL-R03"), "box extents were held at the largest that fits",
             saturated<MapField::box_dim>),
      edited(rule("REPL-R03"), "box extents went to the next dimension", next_dimension<MapField::box_dim>),
      edited(rule("REPL-R04"), "extents were kept", keep<MapField::global_dim>),
      edited(rule("REPL-R04"), "the extent of dimension 4 were kept", keep<MapField::global_dim, 4>),
      edited(rule("REPL-R04"), "extents were written without the 1 less", unbiased<MapField::global_dim>),
      edited(rule("REPL-R04"), "an extent of 0 were 1", saturated<MapField::global_dim>),
      edited(rule("REPL-R04"), "extents had 31 bits", extent_of_31_bits),
      edited(rule("REPL-R04"), "the extent of dimension 0 were written without the 1 less",
             unbiased_in<MapField::global_dim, 0>),
      edited(rule("REPL-R04"), "the extent of dimension 1 were written without the 1 less",
             unbiased_in<MapField::global_dim, 1>),
      edited(rule("REPL-R04"), "the extent of dimension 2 were written without the 1 less",
             unbiased_in<MapField::global_dim, 2>),
      edited(rule("REPL-R04"), "the extent of dimension 3 were written without the 1 less",
             unbiased_in<MapField::global_dim, 3>),
      edited(rule("REPL-R04"), "the extent of dimension 4 were written without the 1 less",
             unbiased_in<MapField::global_dim, 4>),
      edited(rule("REPL-R03"), "box extents of dimensions 0 and 1 were swapped",
             exchanged<MapField::box_dim, 0, 1>),
      edited(rule("REPL-R04"), "extents of dimensions 0 and 1 were swapped",
             exchanged<MapField::global_dim, 0, 1>),
      edited(rule("REPL-R05"), "ordinals 0 and 1 were swapped", exchanged<MapField::global_stride, 0, 1>),
      edited(rule("REPL-R05"), "ordinals 1 and 2 were swapped", exchanged<MapField::global_stride, 1, 2>),
      edited(rule("REPL-R05"), "ordinals 2 and 3 were swapped", exchanged<MapField::global_stride, 2, 3>),
      edited(rule("REPL-R05"), "bits 39:36 of ordinal 0 were kept", low_stride_of<0>),
      edited(rule("REPL-R05"), "bits 39:36 of ordinal 1 were kept", low_stride_of<1>),
      edited(rule("REPL-R05"), "bits 39:36 of ordinal 2 were kept", low_stride_of<2>),
      edited(rule("REPL-R05"), "bits 39:36 of ordinal 3 were kept", low_stride_of<3>),
      edited(rule("REPL-R09"), "its upper bit were kept", one_bit_of_interleave),
      edited(rule("REPL-R15"), "bits 19:16 were left out", fifth_without_top),
      edited(rule("REPL-R16"), "a map in shared memory were not changed", kept_in_shared_always),
      edited(rule("REPL-R16"), "box extents in shared memory were kept", kept_in_shared<MapField::box_dim>),
      edited(rule("REPL-R16"), "extents in shared memory were kept", kept_in_shared<MapField::global_dim>),
      edited(rule("REPL-R16"), "strides in shared memory were kept", kept_in_shared<MapField::global_stride>),
      edited(rule("REPL-R16"), "traversal strides in shared memory were kept",
             kept_in_shared<MapField::element_stride>),
      edited(rule("REPL-R16"), "the address in shared memory were kept",
             kept_in_shared<MapField::global_address>),
      edited(rule("REPL-R16"), "the type in shared memory were kept", kept_in_shared<MapField::elemtype>),
      edited(rule("REPL-R04"), "extents went to the next dimension", next_dimension<MapField::global_dim>),
      edited(rule("REPL-R05"), "strides were kept", keep<MapField::global_stride>),
      edited(rule("REPL-R05"), "bits 39:36 of strides were kept", low_stride_alone),
      edited(rule("REPL-R05"), "strides were taken as multiples of 16", unbiased<MapField::global_stride>),
      edited(rule("REPL-R05"), "strides were rounded up", stride_rounded_up),
      edited(rule("REPL-R05"), "strides were held at the largest that fits",
             saturated<MapField::global_stride>),
      edited(rule("REPL-R05"), "strides went to the next dimension", next_dimension<MapField::global_stride>),
      edited(rule("REPL-R06"), "traversal strides were kept", keep<MapField::element_stride>),
      edited(rule("REPL-R06"), "traversal strides were written without the 1 less",
             unbiased<MapField::element_stride>),
      edited(rule("REPL-R06"), "traversal strides were held at the largest that fits",
             saturated<MapField::element_stride>),
      edited(rule("REPL-R06"), "traversal strides above 8 were 8", strides_up_to_8),
      edited(rule("REPL-R06"), "traversal strides went to the next dimension",
             next_dimension<MapField::element_stride>),
      edited(rule("REPL-R07"), "types were kept", keep<MapField::elemtype>),
      edited(rule("REPL-R07"), "types were numbered as the driver numbers them", host_type),
      edited(rule("REPL-R07"), "the tf32 flag were not set", flag_lost),
      edited(rule("REPL-R08"), "the tf32 flag were cleared", flag_cleared),
      edited(rule("REPL-R09"), "the interleave were kept", keep<MapField::interleave_layout>),
      edited(rule("REPL-R10"), "the swizzle were kept", keep<MapField::swizzle_mode>),
      edited(rule("REPL-R10"), "the bit of the 96B swizzle were kept", keeps_96B),
      edited(rule("REPL-R10"), "the atomicity were cleared", clears_atomicity),
      edited(rule("REPL-R11"), "the width were kept", width_kept_by_96B),
      edited(rule("REPL-R12"), "the atomicity were kept", keep<MapField::swizzle_atomicity>),
      edited(rule("REPL-R12"), "its highest bit were kept", atomicity_of_two_bits),
      edited(rule("REPL-R13"), "the fill were kept", keep<MapField::fill_mode>),
      edited(rule("REPL-R14"), "bytes 0x40 to 0x7F were cleared", book_keeping_cleared),
      edited(rule("REPL-R14"), "the swizzle's period at 0x48 were derived anew", swizzle_period_derived),
      edited(rule("REPL-R14"), "the mode were cleared", mode_cleared),
      edited(rule("REPL-R14"), "the L2 promotion were cleared", l2_cleared),
      edited(rule("REPL-R15"), "ordinal 4 wrote nothing", keep<MapField::global_stride, 4>),
      as_if("REPL-R17", "it copied 64 bytes", &MapReplaceBend::copied, copied_in_part<64>),
      as_if("REPL-R17", "it copied 60 bytes", &MapReplaceBend::copied, copied_in_part<60>),
      as_if("REPL-R17", "it copied nothing", &MapReplaceBend::copied, copied_in_part<0>),
      as_if("REPL-R17", "it copied bytes 64 to 127", &MapReplaceBend::copied, upper_half_alone),
  };
  for (size_t i = 0; i < spec::rule_table.size(); ++i)
    for (const std::string_view id : {"V-02", "V-03", "V-04", "V-05", "V-06", "V-14", "V-16", "V-23", "V-27"})
      if (spec::rule_table[i].id == id)
        list.push_back({.rule = static_cast<spec::RuleIndex>(i),
                        .words = "a copy did not check it",
                        .is_left_out = true});
  std::ranges::copy_if(tiled_end_bends(), std::back_inserter(list), [](const Bend& bend) {
    return (bend.rule == rule("TILE-R52") || bend.rule == rule("REPL-R23")) && bend.copy.issue != nullptr;
  });
  list.push_back(as_if("REPL-R22", "a store through a legal map faulted", &TiledBend::issue,
                       [](const TensorCopyCase& c, End right) {
                         return is_store(c) && right == End::done ? End::illegal_instruction : right;
                       }));
  add_spoils<MapField::elemtype>(list);
  add_spoils<MapField::interleave_layout>(list);
  add_spoils<MapField::swizzle_mode>(list);
  add_spoils<MapField::fill_mode>(list);
  list.push_back(as_if("REPL-R21", "a map on an odd multiple of 64 bytes were read incorrectly",
                       &MapReplaceBend::misreads, [](uint32_t place, uint32_t) { return place % 128 != 0; }));
  list.push_back(as_if("REPL-R21", "a map in kernel parameters were read incorrectly",
                       &MapReplaceBend::misreads, [](uint32_t, uint32_t memory) { return memory == 1; }));
  list.push_back(as_if("REPL-R21", "a map in constant memory were read incorrectly",
                       &MapReplaceBend::misreads, [](uint32_t, uint32_t memory) { return memory == 2; }));
  list.push_back(as_if("REPL-R23", "a copy looked at what lies behind the bytes that the driver writes",
                       &MapReplaceBend::misreads_bits, [](const spec::TensorMapBytes& map) {
                         return std::any_of(map.begin() + 0x50, map.end(),
                                            [](std::byte byte) { return byte != std::byte{0}; });
                       }));
  list.push_back(as_if("REPL-R18", "the acquire did nothing", &MapReplaceBend::misses_acquire,
                       [](uint32_t, uint32_t, bool) { return true; }));
  list.push_back(as_if("REPL-R18", "an acquire at the scope of the CTA did nothing",
                       &MapReplaceBend::misses_acquire,
                       [](uint32_t, uint32_t scope, bool) { return scope == 0; }));
  list.push_back(as_if("REPL-R18", "an acquire at the scope of the system did nothing",
                       &MapReplaceBend::misses_acquire,
                       [](uint32_t, uint32_t scope, bool) { return scope == 3; }));
  list.push_back(as_if("REPL-R18", "an acquire by several lanes did nothing but for the first",
                       &MapReplaceBend::misses_acquire,
                       [](uint32_t, uint32_t, bool is_first) { return !is_first; }));
  list.push_back(as_if(
      "REPL-R18", "an acquire by several lanes did nothing but for the first, and the map stayed",
      &MapReplaceBend::misses_acquire, [](uint32_t, uint32_t, bool is_first) { return !is_first; },
      &MapReplaceBend::finds_as_it_was, true));
  return list;
}

}  // namespace maps_bent
}  // namespace

std::span<const Bend> map_replace_bends() {
  static const std::vector<Bend> bends = maps_bent::made();
  return bends;
}

}  // namespace assay::model
