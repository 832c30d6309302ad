// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_copy/cluster.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "kernels/params/batch.h"
#include "reference/model/tensor_copy/case.h"

namespace assay::suites {

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
