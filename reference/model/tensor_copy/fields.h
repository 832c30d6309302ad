// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/rig.h"
#include "reference/model/spelling.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_map/fields.h"

/// The members of tensor copies.
namespace assay {

constexpr const auto& spellings_of(CopyDirection) {
  return copy_direction_names;
}
constexpr const auto& spellings_of(CopyMode) {
  return copy_mode_names;
}

// Beside the type, where the templates of case_fields.h find it.
template <typename Copy, typename Visit>
requires std::same_as<std::remove_const_t<Copy>, TensorCopyCase>
void visit_fields(Copy& copy, const Visit& visit) {
  ASSAY_FIELD(visit, copy, barrier_offset, .unit = "bytes", .most = rig::max_window_bytes, .multiple = 8,
              .called = "mbarrier at");
  ASSAY_FIELD(visit, copy, cache_hint, .called = "cache hint", .yes = "evict_first");
  ASSAY_FIELD(visit, copy, cluster_size, .values = cluster_sizes, .told = elsewhere, .shrinks = false);
  ASSAY_FIELD(visit, copy, coord, .told = elsewhere);
  ASSAY_FIELD(visit, copy, cta_group, .values = written_cta_groups, .called = "cta_group", .shrinks = false);
  ASSAY_FIELD(visit, copy, cta_mask, .told = elsewhere, .shows = as_hex, .shrinks = false);
  ASSAY_FIELD(visit, copy, destination_cta, .called = "destination", .yes = "shared::cta");
  ASSAY_FIELD(visit, copy, direction, .told = elsewhere);
  ASSAY_FIELD(visit, copy, fill_offset, .unit = "bytes", .most = rig::arena_bytes, .multiple = 16,
              .told = elsewhere);
  ASSAY_FIELD(visit, copy, in_a_row, .called = "copies", .yes = "by one thread, one behind the other");
  ASSAY_FIELD(visit, copy, instruction_rank, .told = elsewhere, .shrinks = false);
  ASSAY_FIELD(visit, copy, is_tile_instruction, .called = "instruction mode", .yes = "tile");
  ASSAY_FIELD(visit, copy, issuer_rank, .most = 15, .told = elsewhere, .shrinks = false);
  ASSAY_FIELD(visit, copy, issuer_thread, .most = 127, .called = "issuing thread");
  ASSAY_FIELD(visit, copy, lane_pitch, .unit = "bytes", .called = "from tile to tile of lanes",
              .shrinks = false);
  ASSAY_FIELD(visit, copy, lane_step, .called = "from box to box of lanes");
  ASSAY_FIELD(visit, copy, lanes, .least = 1, .most = 32, .shrinks = false);
  ASSAY_FIELD(visit, copy, map, .told = elsewhere);
  ASSAY_FIELD(visit, copy, mode, .told = elsewhere);
  ASSAY_FIELD(visit, copy, offset, .called = "offsets");
  ASSAY_FIELD(visit, copy, other_map_address, .unit = "bytes", .called = "other map begins later by",
              .shrinks = false);
  ASSAY_FIELD(visit, copy, other_map_lanes, .called = "lanes with the other map", .shows = as_hex,
              .shrinks = false);
  ASSAY_FIELD(visit, copy, other_map_less, .unit = "elements", .called = "other map is shorter by",
              .shrinks = false);
  ASSAY_FIELD(visit, copy, peer_barrier, .called = "mbarrier", .yes = "of the peer");
  ASSAY_FIELD(visit, copy, prefetch_alone, .called = "prefetch", .yes = "in place of the load");
  ASSAY_FIELD(visit, copy, prefetch_first, .called = "prefetch", .yes = "before the load");
  ASSAY_FIELD(visit, copy, reduction, .told = elsewhere);
  ASSAY_FIELD(visit, copy, slot_bytes, .unit = "bytes", .most = rig::max_slot_bytes, .multiple = 16,
              .called = "slot", .shrinks = false);
  ASSAY_FIELD(visit, copy, slot_fill_offset, .unit = "bytes", .most = rig::arena_bytes, .multiple = 16,
              .told = elsewhere);
  ASSAY_FIELD(visit, copy, spelling, .most = most_spellings - 1);
  // Further on lies other CTAs' memory, or nothing: no document says which fault comes first there.
  ASSAY_FIELD(visit, copy, tile_offset, .unit = "bytes", .most = rig::max_window_bytes - 1, .told = elsewhere,
              .shrinks = false);
  ASSAY_FIELD(visit, copy, transaction_delta, .unit = "bytes", .called = "armed bytes off by",
              .shrinks = false);
  ASSAY_FIELD(visit, copy, unicast, .called = "receiver", .yes = "one CTA, without a mask");
  ASSAY_FIELD(visit, copy, w_halo, .unit = "pixels", .called = "wHalo");
  ASSAY_FIELD(visit, copy, w_offset, .unit = "pixels", .called = "wOffset");
  ASSAY_FIELD(visit, copy, window_bytes, .unit = "bytes", .most = rig::max_window_bytes, .multiple = 16,
              .told = always, .called = "window", .shrinks = false);
}

}  // namespace assay
