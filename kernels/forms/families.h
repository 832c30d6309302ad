// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>

#include "kernels/forms/form.h"

/// The families, each with its rows in a file of its own; families.cc lists them.
namespace assay::forms {

extern const Family tcgen05_mma, tcgen05_mma_pair, tcgen05_mma_ws;
extern const Family tcgen05_mma_scaled, tcgen05_mma_scaled_pair;
extern const Family pipeline_mma, pipeline_mma_pair;
extern const Family tcgen05_ld, tcgen05_st, tcgen05_ld_red;
extern const Family tcgen05_cp, tcgen05_cp_pair;
extern const Family tcgen05_ld_columns, tcgen05_ld_columns_wait_st, tcgen05_ld_columns_st;
extern const Family tcgen05_ld_cells, tcgen05_st_cells, tcgen05_mma_cells, tcgen05_shift_cells;
extern const Family wgmma;
extern const Family mma_sync, mma_sync_f64, mma_sync_kind, mma_sync_block_scale;
extern const Family tensor_load, tensor_load_cluster, tensor_store, tensor_prefetch;
extern const Family replace_in_global, replace_in_shared;
extern const Family fence_release, fence_acquire, cp_fenceproxy;
extern const Family bulk_copy, bulk_wait_group;
extern const Family swizzle_96b, tcgen05_commit, mbarrier, screen_chain;

/// "d0, d1, d2": `count` names of registers from `first` on.
std::string register_list(std::string_view name, uint32_t count, uint32_t first = 0);

/// Opcodes that are needed of each family; of one that is not listed none is.
using Needed = std::map<std::string_view, std::set<uint32_t>>;

}  // namespace assay::forms
