// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_copy/family.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "generators/tensor_copy/tiled_build.h"
#include "kernels/params/batch.h"
#include "reference/model/barrier/mbarrier.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/copy.h"

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
  for (const spec::Arch arch : spec::all_archs) is_legal |= model::has_legal_map(c, spec::Readings(arch));
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
  if (!model::has_legal_map(c, defaults) || (is_gather(c) && c.map.rank != 2)) return 0;
  return int64_t{c.lanes} * model::transaction_bytes(c, defaults) + c.transaction_delta;
}

void require_possible(const TensorCopyCase& c, uint32_t most_ctas) {
  require_mode(c);
  require_direction(c);
  require_receivers(c, most_ctas);
  require_lanes(c);
  require_memory(c);
}

CellSpace cluster_masks() {
  return {"cluster x mask", 768,
          [](uint32_t cell, spec::Arch) {
            const uint32_t size = 2u << (cell / 256);
            std::string mask;
            for (uint32_t rank = 0; rank < size; ++rank) mask += (cell % 256) >> rank & 1 ? '1' : '0';
            return std::to_string(size) + "/" + mask;
          },
          [](spec::Arch) {
            std::vector<uint32_t> cells;
            for (uint32_t k = 0; k < 3; ++k)
              for (uint32_t mask = 0; mask < 1u << (2u << k); ++mask) cells.push_back(256 * k + mask);
            return cells;
          }};
}

uint32_t cluster_mask_cell(uint32_t cluster_size, uint32_t cta_mask) {
  const uint32_t ranks = (1u << std::min(cluster_size, 8u)) - 1;  // a file may name more
  return (cluster_size <= 2 ? 0u : cluster_size == 4 ? 256u : 512u) + (cta_mask & ranks);
}

CellSpace cluster_members() {
  return {"CTA x in the mask", 2 * params::largest_cluster,
          [](uint32_t cell, spec::Arch) {
            return std::to_string(cell / 2) + (cell % 2 != 0 ? " in it" : " not in it");
          },
          [](spec::Arch) {
            std::vector<uint32_t> cells;
            for (uint32_t cell = 0; cell < 2 * params::largest_cluster; ++cell) cells.push_back(cell);
            return cells;
          }};
}

void cover_members(uint32_t cta_mask, CoverageSink& sink) {
  for (uint32_t rank = 0; rank < params::largest_cluster; ++rank)
    sink.hit(0, 2 * rank + (cta_mask >> rank & 1));
}

CellSpace cta_pairs() {
  return {"cta_group x issuer x mbarrier x pair 0", 32,
          [](uint32_t cell, spec::Arch) {
            constexpr std::string_view pair[] = {"none", "even", "odd", "both"};
            return std::string(cell & 16 ? "2" : "1") + (cell & 8 ? "/odd" : "/even") +
                   (cell & 4 ? "/peer/" : "/own/") + std::string(pair[cell & 3]);
          },
          [](spec::Arch) {
            std::vector<uint32_t> cells;
            for (uint32_t cell = 0; cell < 32; ++cell)
              if ((cell & 16) != 0 || (cell & 4) == 0) cells.push_back(cell);
            return cells;
          }};
}

uint32_t cta_pair_cell(uint32_t cta_group, uint32_t issuer_rank, bool peer_barrier, uint32_t cta_mask) {
  return (cta_group == 2 ? 16u : 0u) + (issuer_rank % 2 != 0 ? 8u : 0u) + (peer_barrier ? 4u : 0u) +
         (cta_mask & 3u);
}

void cover_receivers(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const auto& c = any.as<TensorCopyCase>();
  sink.hit(0, cluster_mask_cell(c.cluster_size, c.cta_mask));
}
void cover_members(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  cover_members(any.as<TensorCopyCase>().cta_mask, sink);
}
void cover_pairs(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const auto& c = any.as<TensorCopyCase>();
  sink.hit(0, cta_pair_cell(c.cta_group, c.issuer_rank, c.peer_barrier, c.cta_mask));
}

std::optional<std::string> needs_group(spec::Arch arch) {
  if (spec::has_tcgen05(arch)) return std::nullopt;
  return ".cta_group " + spec::requires_capability(&spec::Architecture::has_tcgen05);
}

void require_cluster(uint32_t ctas, uint32_t most) {
  if (std::has_single_bit(ctas) && ctas <= most) return;
  throw std::runtime_error("field 'cluster_size' of the case is " + std::to_string(ctas) +
                           ", not a power of two up to " + std::to_string(most) + ".");
}

void require_one_receiver(bool is_unicast, uint32_t ctas, uint32_t cta_mask) {
  if (!is_unicast || (ctas > 1 && std::has_single_bit(cta_mask))) return;
  throw std::runtime_error(
      "field 'unicast' of the case is true; such a load has a cluster and a mask of one CTA.");
}

}  // namespace assay::suites
