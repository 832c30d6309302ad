// SPDX-License-Identifier: Apache-2.0
#include "generators/mma/cases.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <type_traits>

#include "generators/simpler_cases.h"
#include "reference/layout/tmem.h"
#include "reference/model/mma/mma.h"
#include "reference/model/tmem/access.h"
#include "reference/model/tmem/scale_copy.h"

namespace assay::gen {
namespace {

template <typename Case>
SimplerCases<Case> steps_from(const Case& c) {
  return {c, [fits = model::fits_rig(c)](const Case& s) { return !fits || model::fits_rig(s); }};
}

/// The window cut to what the operands need, B moved down behind A.
void refit_window(Tcgen05MmaCase& c) {
  const uint32_t a_end = c.a_in_tmem ? 0 : model::shared_end(c, 0);
  const uint32_t split = (a_end + 1023) / 1024 * 1024;
  const uint32_t in_period = c.b.start % 1024;
  if (split + in_period <= c.b.start && !c.b.leading_is_absolute)
    c.b.start = split + in_period, c.split = split;
  c.window_bytes = std::max({16u, model::shared_end(c, 1), a_end});
  if (c.by_tma) c.window_bytes = (c.window_bytes + 1023) / 1024 * 1024;
}

void refit_allocation(Tcgen05MmaCase& c) {
  const layout::DLayoutRow* layout = model::d_layout_of(c);
  if (layout == nullptr) return;
  uint32_t end = c.d_column + static_cast<uint32_t>(layout::d_columns(*layout, static_cast<int>(c.n)));
  if (c.a_in_tmem) {
    c.a_column = end;
    c.tmem_split = end;
    end += c.a_step * (c.steps - 1) + model::a_columns(c);
  }
  if (c.second_column != 0) {
    c.second_column = end;
    end += static_cast<uint32_t>(layout::d_columns(*layout, static_cast<int>(c.n)));
  }
  c.metadata.columns = c.sparse ? model::filled_metadata_columns(c) : 0;
  if (c.sparse) {
    c.metadata.column = (end + 3) / 4 * 4;
    end = c.metadata.column + c.metadata.columns;
  }
  for (const bool is_a : {true, false}) {
    if (!model::is_block_scaled(c)) break;
    ScalesInTensorMemory& scales = is_a ? c.a_scales : c.b_scales;
    scales.columns = model::filled_scale_columns(c, is_a);
    scales.column = (end + 3) / 4 * 4;
    end = scales.column + scales.columns;
  }
  c.alloc_columns = std::clamp(std::bit_ceil(end), 32u, 512u);
  if (!c.a_in_tmem) c.tmem_split = c.alloc_columns;
}

void offer_matrix(SimplerCases<Tcgen05MmaCase>& steps, const Tcgen05MmaCase& c,
                  MatrixInShared Tcgen05MmaCase::*matrix) {
  const MatrixInShared& now = c.*matrix;
  const auto change = [&](auto how) {
    steps.offer([&](Tcgen05MmaCase& s) {
      how(s.*matrix);
      refit_window(s);
    });
  };
  if (now.base_offset != 0) change([](MatrixInShared& m) { m.base_offset = 0; });
  if (now.leading_is_absolute)
    change([](MatrixInShared& m) { m.leading_is_absolute = false, m.leading_offset = 16; });
  if (now.swizzle != 0 && now.swizzle != spec::smem_swizzle::by_128B_atom32B && !now.leading_is_absolute)
    change([](MatrixInShared& m) { m.swizzle = 0; });
  if (now.start % 1024 != 0) change([](MatrixInShared& m) { m.start = m.start / 1024 * 1024; });
  for (uint32_t MatrixInShared::*stride : {&MatrixInShared::leading_offset, &MatrixInShared::stride_offset}) {
    if (now.leading_is_absolute) break;
    const uint32_t value = now.*stride;
    if (value > 16) change([&](MatrixInShared& m) { m.*stride = 16; });
    if (value > 128) change([&](MatrixInShared& m) { m.*stride = value > 1024 ? 1024 : 128; });
    if (value % 128 != 0 && value > 128) change([&](MatrixInShared& m) { m.*stride = value / 128 * 128; });
  }
}

void offer_shape(SimplerCases<Tcgen05MmaCase>& steps, const Tcgen05MmaCase& c) {
  const auto change = [&](auto how) {
    steps.offer([&](Tcgen05MmaCase& s) {
      how(s);
      refit_window(s);
      refit_allocation(s);
    });
  };
  if (c.steps > 1) {
    change([](Tcgen05MmaCase& s) { s.steps = 1; });
    change([](Tcgen05MmaCase& s) { --s.steps; });
  }
  if (c.cta_group == 2)
    change([](Tcgen05MmaCase& s) {
      s.cta_group = 1, s.n /= 2, s.odd_cta_issues = s.scale_halves = false;
      if (!model::is_block_scaled(s)) s.m /= 2;
      if (model::is_block_scaled(s)) s.m = 128, s.n = std::max(s.n, s.k96 ? 16u : 8u);
      for (size_t i = 4; i < 8; ++i) s.disabled_lanes[i] = 0;
    });
  if (c.ws && !c.has_mask)
    change([](Tcgen05MmaCase& s) { s.ws = false, s.collector_buffer = 0, s.m = std::max(64u, s.m); });
  if (c.ashift) change([](Tcgen05MmaCase& s) { s.ashift = false; });
  if (c.a_in_tmem)
    change([](Tcgen05MmaCase& s) {
      s.a_in_tmem = false;
      s.a = s.b, s.a_step = s.b_step, s.a.start = 0, s.transpose_a = s.transpose_b;
      s.a_column = 0;
    });
  const uint32_t least_n = c.ws ? 64 : c.k96 ? 16 : 8 * c.cta_group;
  if (c.n > least_n) {
    change([&](Tcgen05MmaCase& s) { s.n = least_n; });
    change([&](Tcgen05MmaCase& s) { s.n = std::max(least_n, std::bit_floor(c.n - 1)); });
    if (!c.ws) change([&](Tcgen05MmaCase& s) { s.n -= least_n; });
  }
  if (c.m > (model::is_block_scaled(c) ? 128u : 64u)) change([](Tcgen05MmaCase& s) { s.m /= 2; });
  if (c.d_column != 0) change([](Tcgen05MmaCase& s) { s.d_column = 0; });
  if (c.second_column != 0) change([](Tcgen05MmaCase& s) { s.second_column = 0; });
  change([](Tcgen05MmaCase&) {});
}

void offer_scales(SimplerCases<Tcgen05MmaCase>& steps, const Tcgen05MmaCase& c) {
  if (!model::is_block_scaled(c)) return;
  const auto change = [&](auto how) {
    steps.offer([&](Tcgen05MmaCase& s) {
      how(s);
      refit_allocation(s);
    });
  };
  for (ScalesInTensorMemory Tcgen05MmaCase::*scales :
       {&Tcgen05MmaCase::a_scales, &Tcgen05MmaCase::b_scales}) {
    if ((c.*scales).id != 0) change([scales](Tcgen05MmaCase& s) { (s.*scales).id = 0; });
    const OperandPattern& fill = (c.*scales).fill;
    const uint32_t one = c.scale_type == spec::type_code::ue8m0 ? 0x7f7f7f7f : 0x38383838;
    if (fill.special_bits != 0)
      change([scales](Tcgen05MmaCase& s) {
        OperandPattern& of = (s.*scales).fill;
        of.special_bits = of.special_rate = 0, of.special = {};
      });
    if (fill.keep != 0 || fill.set != one)
      change([&](Tcgen05MmaCase& s) { (s.*scales).fill = {.seed = 1, .keep = 0, .set = one}; });
    if (fill.seed > 1) change([scales](Tcgen05MmaCase& s) { (s.*scales).fill.seed = 1; });
  }
  if (c.scales_copied) change([](Tcgen05MmaCase& s) { s.scales_copied = s.scales_refilled = false; });
  if (c.scales_refilled) change([](Tcgen05MmaCase& s) { s.scales_refilled = false; });
  if (c.scale_halves) change([](Tcgen05MmaCase& s) { s.scale_halves = false; });
}

void offer_sparsity(SimplerCases<Tcgen05MmaCase>& steps, const Tcgen05MmaCase& c) {
  if (!c.sparse) return;
  const auto change = [&](auto how) {
    steps.offer([&](Tcgen05MmaCase& s) {
      how(s);
      refit_window(s);
      refit_allocation(s);
    });
  };
  change([](Tcgen05MmaCase& s) { s.sparse = s.metadata_copied = false, s.metadata = {}; });
  const MetadataInTensorMemory& now = c.metadata;
  if (now.selector != 0) change([](Tcgen05MmaCase& s) { s.metadata.selector = 0; });
  if (now.strange_rate != 0)
    change([](Tcgen05MmaCase& s) { s.metadata.strange_rate = s.metadata.strange_codes = 0; });
  // One code everywhere: the first one, or another of the list.
  for (uint32_t i = 0; i < 8; ++i)
    if (now.codes != (now.codes >> 4 * i & 0xf) * 0x11111111u)
      change([&](Tcgen05MmaCase& s) { s.metadata.codes = (now.codes >> 4 * i & 0xf) * 0x11111111u; });
  if (now.codes != 0x44444444) change([](Tcgen05MmaCase& s) { s.metadata.codes = 0x44444444; });
  if (now.seed > 1) change([](Tcgen05MmaCase& s) { s.metadata.seed = 1; });
  if (c.metadata_copied) change([](Tcgen05MmaCase& s) { s.metadata_copied = false; });
}

void offer_mask(SimplerCases<Tcgen05MmaCase>& steps, const Tcgen05MmaCase& c) {
  if (!c.has_mask) return;
  steps.offer([](Tcgen05MmaCase& s) {
    s.has_mask = false, s.mask = {}, s.max_shift = 0, s.mask_flip = 0;
    refit_window(s);
  });
  if (c.mask.generate) steps.offer([](Tcgen05MmaCase& s) { s.mask = {.column_shift = s.mask.column_shift}; });
  if (c.mask.column_shift != 0) {
    steps.offer([](Tcgen05MmaCase& s) { s.mask.column_shift = s.max_shift = 0; });
    steps.offer([](Tcgen05MmaCase& s) { s.mask.column_shift = 1; });
  }
  if (c.max_shift != 0) steps.offer([](Tcgen05MmaCase& s) { s.max_shift = 0; });
  for (size_t i = 0; i < 4; ++i) {
    if (c.mask.start_count[i] != 0) steps.offer([i](Tcgen05MmaCase& s) { s.mask.start_count[i] = 0; });
    if (c.mask.start_count[i] > 1) steps.offer([i](Tcgen05MmaCase& s) { --s.mask.start_count[i]; });
    if (c.mask.first_is_zeroed[i]) steps.offer([i](Tcgen05MmaCase& s) { s.mask.first_is_zeroed[i] = false; });
  }
  for (uint32_t ColumnMask::*span : {&ColumnMask::skip_span, &ColumnMask::use_span}) {
    if (c.mask.*span > 1) {
      steps.offer([span](Tcgen05MmaCase& s) { s.mask.*span = 1; });
      steps.offer([span](Tcgen05MmaCase& s) { s.mask.*span /= 2; });
      steps.offer([span](Tcgen05MmaCase& s) { s.mask.*span -= 1; });
    }
  }
}

/// What makes another instruction of the case, or goes with other fields, and has a step of its own where it
/// has one.
constexpr std::string_view no_single_steps[] = {"a_in_tmem",
                                                "ashift",
                                                "collector_filled",
                                                "enable_input_d",
                                                "has_disabled_lanes",
                                                "has_mask",
                                                "has_scale_input_d",
                                                "k96",
                                                "metadata_copied",
                                                "scale_halves",
                                                "scales_copied",
                                                "sparse",
                                                "transpose_a",
                                                "transpose_b",
                                                "ws"};

void offer_booleans(SimplerCases<Tcgen05MmaCase>& steps, const Tcgen05MmaCase& c) {
  visit_fields(c, [&](const model::fields::Field& field, const auto& value) {
    const std::string_view name = field.name;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, bool>)
      if (value && std::ranges::find(no_single_steps, name) == std::end(no_single_steps))
        steps.offer([name](Tcgen05MmaCase& s) {
          visit_fields(s, [name](const model::fields::Field& other, auto& member) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, bool>)
              if (other.name == name) member = false;
          });
        });
  });
}

}  // namespace

std::vector<Tcgen05MmaCase> simpler(const Tcgen05MmaCase& c) {
  SimplerCases<Tcgen05MmaCase> steps = steps_from(c);
  offer_booleans(steps, c);
  if (c.spelling != 0) steps.offer([](Tcgen05MmaCase& s) { s.spelling = 0; });
  if (c.issuing_thread != 0) steps.offer([](Tcgen05MmaCase& s) { s.issuing_thread = 0; });
  if (c.collector != Collector::none)
    steps.offer([](Tcgen05MmaCase& s) {
      s.collector = Collector::none, s.collector_buffer = 0, s.collector_filled = false;
    });
  if (c.has_disabled_lanes) {
    steps.offer([](Tcgen05MmaCase& s) { s.has_disabled_lanes = false, s.disabled_lanes = {}; });
    for (size_t i = 0; i < 8; ++i)
      if (c.disabled_lanes[i] != 0) {
        steps.offer([i](Tcgen05MmaCase& s) { s.disabled_lanes[i] = 0; });
        steps.offer([i](Tcgen05MmaCase& s) { s.disabled_lanes[i] &= s.disabled_lanes[i] - 1; });
      }
  }
  if (c.has_scale_input_d)
    steps.offer([](Tcgen05MmaCase& s) { s.has_scale_input_d = false, s.scale_input_d = 0; });
  if (c.enable_input_d && !c.has_scale_input_d)
    steps.offer([](Tcgen05MmaCase& s) { s.enable_input_d = false; });
  offer_shape(steps, c);
  offer_mask(steps, c);
  offer_scales(steps, c);
  offer_sparsity(steps, c);
  if (c.lane != 0) steps.offer([](Tcgen05MmaCase& s) { s.lane = 0; });
  if (!c.a_in_tmem) offer_matrix(steps, c, &Tcgen05MmaCase::a);
  offer_matrix(steps, c, &Tcgen05MmaCase::b);
  steps.offer([](Tcgen05MmaCase& s) { refit_allocation(s); });
  for (OperandPattern Tcgen05MmaCase::*fill : {&Tcgen05MmaCase::a_fill, &Tcgen05MmaCase::b_fill,
                                               &Tcgen05MmaCase::d_fill, &Tcgen05MmaCase::tmem_a_fill})
    steps.offer_pattern(fill);
  return std::move(steps.made);
}

std::vector<TmemAccessCase> simpler(const TmemAccessCase& c) {
  SimplerCases<TmemAccessCase> steps = steps_from(c);
  if (c.same_address) steps.offer([](TmemAccessCase& s) { s.same_address = false, s.named_warp = 0; });
  if (c.named_warp != 0) steps.offer([](TmemAccessCase& s) { s.named_warp = 0; });
  if (c.warps != 4) steps.offer([](TmemAccessCase& s) { s.warps = 4; });
  if (c.packs) steps.offer([](TmemAccessCase& s) { s.packs = false; });
  if (c.count > 1) {
    steps.offer([](TmemAccessCase& s) { s.count = 1; });
    steps.offer([](TmemAccessCase& s) { s.count /= 2; });
  }
  if (c.lane != 0) steps.offer([](TmemAccessCase& s) { s.lane = 0; });
  if (c.column != 0) {
    steps.offer([](TmemAccessCase& s) { s.column = 0; });
    steps.offer([](TmemAccessCase& s) { s.column /= 2; });
  }
  if (c.split > 1) steps.offer([](TmemAccessCase& s) { s.split /= 2; });
  if (c.alloc_columns > 32) {
    steps.offer([](TmemAccessCase& s) { s.alloc_columns = 32; });
    steps.offer([](TmemAccessCase& s) { s.alloc_columns /= 2; });
  }
  steps.offer_pattern(&TmemAccessCase::d_fill);
  steps.offer_pattern(&TmemAccessCase::register_fill);
  return std::move(steps.made);
}

}  // namespace assay::gen
