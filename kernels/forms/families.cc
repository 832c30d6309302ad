// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/families.h"

#include <algorithm>
#include <stdexcept>

namespace assay::forms {

std::span<const Family* const> all_families() {
  static constexpr const Family* all[] = {&tcgen05_mma,
                                          &tcgen05_mma_pair,
                                          &tcgen05_mma_ws,
                                          &tcgen05_mma_scaled,
                                          &tcgen05_mma_scaled_pair,
                                          &pipeline_mma,
                                          &pipeline_mma_pair,
                                          &tcgen05_ld,
                                          &tcgen05_st,
                                          &tcgen05_ld_red,
                                          &tcgen05_cp,
                                          &tcgen05_cp_pair,
                                          &tcgen05_ld_cells,
                                          &tcgen05_st_cells,
                                          &tcgen05_mma_cells,
                                          &tcgen05_shift_cells,
                                          &tcgen05_ld_columns,
                                          &tcgen05_ld_columns_wait_st,
                                          &tcgen05_ld_columns_st,
                                          &wgmma,
                                          &mma_sync,
                                          &mma_sync_f64,
                                          &mma_sync_kind,
                                          &mma_sync_block_scale,
                                          &tensor_load,
                                          &tensor_load_cluster,
                                          &tensor_store,
                                          &tensor_prefetch,
                                          &replace_in_global,
                                          &replace_in_shared,
                                          &fence_release,
                                          &fence_acquire,
                                          &cp_fenceproxy,
                                          &bulk_copy,
                                          &bulk_wait_group,
                                          &swizzle_96b,
                                          &mbarrier,
                                          &tcgen05_commit,
                                          &screen_chain};
  return all;
}

std::span<const Forms> all_forms() {
  static const std::vector<Forms> all = [] {
    std::vector<Forms> made;
    for (const Family* family : all_families()) made.emplace_back(*family);
    return made;
  }();
  return all;
}

const Forms* find_forms(std::string_view name, std::span<const Forms> among) {
  const auto found =
      std::find_if(among.begin(), among.end(), [&](const Forms& f) { return f.family().name == name; });
  return found == among.end() ? nullptr : &*found;
}

const Forms& forms(std::string_view name) {
  const Forms* found = find_forms(name);
  if (found == nullptr)
    throw std::invalid_argument("there is no family of forms '" + std::string(name) + "'");
  return *found;
}

std::string register_list(std::string_view name, uint32_t count, uint32_t first) {
  std::string list;
  for (uint32_t i = first; i < first + count; ++i)
    list += (i == first ? "" : ", ") + std::string(name) + std::to_string(i);
  return list;
}

}  // namespace assay::forms
