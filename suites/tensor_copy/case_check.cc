// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_copy/case_check.h"

#include <stdexcept>
#include <string>

#include "generators/tensor_copy/tiled_geometry.h"
#include "reference/model/barrier/mbarrier.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/copy.h"
#include "suites/tensor_copy/cluster.h"

namespace assay::suites {
namespace {

using model::Mbarrier;

[[noreturn]] void refuse(const std::string& field, uint64_t value, const std::string& why) {
  throw std::runtime_error("field '" + field + "' of the case is " + std::to_string(value) + why);
}

/// Throws where a member is set that has no meaning in the mode of the case.
void require_mode(const TensorCopyCase& c) {
  const bool is_tile = c.mode == CopyMode::tile;
  const struct {
    const char* field;
    bool is_set, is_of_mode;
  } members[] = {
      {"prefetch_alone", c.prefetch_alone, is_tile},
      {"offset", c.offset != decltype(c.offset){}, c.mode == CopyMode::im2col},
      {"w_halo", c.w_halo != 0, is_wide(c)},
      {"w_offset", c.w_offset != 0, is_wide(c)},
      {"is_tile_instruction", c.is_tile_instruction, is_column(c)},
      {"map.wide", c.map.wide, is_column(c)},
      {"map.box_dim", c.map.box_dim != decltype(c.map.box_dim){}, !is_column(c)},
      {"other_map_less", c.other_map_less != 0, !is_column(c)},
  };
  for (const auto& member : members)
    if (member.is_set && !member.is_of_mode)
      throw std::runtime_error("field '" + std::string(member.field) +
                               "' of the case is set; it has no meaning in mode " +
                               std::string(copy_mode_names[static_cast<size_t>(c.mode)]) + ".");
  if (is_gather(c) && c.reduction != TensorReduction::none)
    throw std::runtime_error("field 'reduction' of the case is set; scattered rows are not reduced.");
  if (is_gather(c) && c.map.swizzle == swizzle_96B)
    throw std::runtime_error("field 'map.swizzle' of the case is the 96B one, which has no case here.");
  if (is_gather(c) && c.instruction_rank != 2)
    refuse("instruction_rank", c.instruction_rank, "; gather4 and scatter4 have rank 2.");
  if (is_column(c) && (c.instruction_rank < 3 || c.instruction_rank > 5))
    refuse("instruction_rank", c.instruction_rank, "; im2col instructions have rank 3 to 5.");
}

/// The same of what stores and loads do not have.
void require_direction(const TensorCopyCase& c) {
  if (c.reduction != TensorReduction::none && !is_store(c))
    throw std::runtime_error("field 'reduction' of the case is set; it belongs to a store.");
  if (c.barrier_offset != 0 && (is_store(c) || c.barrier_offset < c.window_bytes))
    refuse("barrier_offset", c.barrier_offset, "; the mbarrier of a load lies behind the window.");
  if (c.prefetch_alone && (is_store(c) || c.cluster_size > 1))
    throw std::runtime_error("field 'prefetch_alone' of the case is true; it is of a load by one CTA.");
}

void require_receivers(const TensorCopyCase& c, uint32_t most_ctas) {
  require_cluster(c.cluster_size, most_ctas);
  require_one_receiver(c.unicast, c.cluster_size, c.cta_mask);
  if (c.cta_group != 0 && (is_store(c) || c.cluster_size == 1))
    refuse("cta_group", c.cta_group, "; it is for loads in a cluster of at least 2 CTAs.");
  if (c.peer_barrier && c.cta_group != 2)
    throw std::runtime_error("field 'peer_barrier' of the case is true; it belongs to .cta_group::2.");
  // On the H200 such a copy ends the launch as a failure (K-03), which no record has a place for.
  if (c.cluster_size > 1 && (c.cta_mask >> c.cluster_size) != 0)
    refuse("cta_mask", c.cta_mask, "; it names CTAs of a cluster of " + std::to_string(c.cluster_size) + ".");
}

void require_lanes(const TensorCopyCase& c) {
  if (c.issuer_thread % 32 + c.lanes > 32)
    throw std::runtime_error("fields 'issuer_thread' and 'lanes' of the case are " +
                             std::to_string(c.issuer_thread) + " and " + std::to_string(c.lanes) +
                             "; 1 to 32 lanes of one of four warps issue a copy.");
  if (c.lanes > 1 && (c.transaction_delta != 0 || c.map.swizzle == swizzle_96B || !gen::fits_rig(c)))
    refuse("lanes", c.lanes,
           "; with several lanes the barrier is armed with the exact count, no map has 96B swizzle, and what "
           "the copies write lies inside the window or the slot and, unless they reduce tiles, does not "
           "overlap.");
  if (!gen::other_map_fits(c))
    throw std::runtime_error(
        "fields 'other_map_lanes', 'other_map_address' and 'other_map_less' of the case are " +
        std::to_string(c.other_map_lanes) + ", " + std::to_string(c.other_map_address) + " and " +
        std::to_string(c.other_map_less) +
        "; the lanes must issue copies, the address must be a multiple of 32 bytes, and the map must keep at "
        "least one element of its outermost dimension.");
  if (c.in_a_row && c.lanes == 1)
    throw std::runtime_error("field 'in_a_row' of the case is true; it is of the copies of several lanes.");
}

/// The same of a tensor that lies outside of its memory, and of barriers that hold no such count.
void require_memory(const TensorCopyCase& c) {
  const uint64_t room = is_store(c) ? c.slot_bytes : rig::arena_bytes;
  bool is_legal = false;  // somewhere; what is refused copies nothing
  for (const spec::Arch arch : spec::all_archs)
    is_legal |= model::broken_map_rules(c, spec::Readings(arch)).none();
  if (is_legal && c.map.global_address >= room)
    refuse("map.global_address", c.map.global_address,
           ", outside the tensor memory of " + std::to_string(room) + " bytes.");
  const int64_t most = Mbarrier::most_bytes / (c.cta_group == 2 ? 2 : 1);  // of a pair twice as many
  for (const spec::Arch arch : {spec::Arch::sm_90, spec::arch_with_every_map})
    if (const int64_t bytes = is_store(c) ? 0 : asked_bytes(c, spec::Readings(arch));
        bytes < 0 || bytes > most)
      throw std::runtime_error("transaction_delta would arm the barrier with " + std::to_string(bytes) +
                               " bytes a destination; it takes 0 to " + std::to_string(most));
}

}  // namespace

int64_t asked_bytes(const TensorCopyCase& c, const spec::Readings& defaults) {
  if (model::broken_map_rules(c, defaults).any() || (is_gather(c) && c.map.rank != 2)) return 0;
  return int64_t{c.lanes} * model::transaction_bytes(c, defaults) + c.transaction_delta;
}

void require_possible(const TensorCopyCase& c, uint32_t most_ctas) {
  require_mode(c);
  require_direction(c);
  require_receivers(c, most_ctas);
  require_lanes(c);
  require_memory(c);
}

}  // namespace assay::suites
