// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/families/tensor_copy.h"

/// Copies of boxes, those of loads with .cta_group, and copies of four rows.
namespace assay::cuda::tma_tiled_copy {
namespace {

using params::TiledCopyRecord;

template <uint32_t most_ctas>
const char* wrong_tile(const TiledCopyRecord& r, const TiledCopyRecord& first, const BatchView& batch) {
  if (const char* what = wrong_copy(r, first, most_ctas)) return what;
  if (r.mode != params::CopyMode::tile) return "the mode must be tile";
  if ((r.flags & params::copy_replace_swizzle_96B) && batch.architecture != "sm_103")
    return "the 96-byte swizzle exists on sm_103 only";
  return nullptr;
}

const char* wrong_with_group(const TiledCopyRecord& r, const TiledCopyRecord& first, const BatchView& batch) {
  if (const char* what = wrong_tile<params::portable_cluster>(r, first, batch)) return what;
  const uint32_t group = r.flags & (params::copy_cta_group_1 | params::copy_cta_group_2);
  if (group != params::copy_cta_group_1 && group != params::copy_cta_group_2)
    return "the cta_group must be 1 or 2";
  if (r.flags & (params::copy_prefetch_first | params::copy_destination_cta | params::copy_cache_hint |
                 params::copy_replace_swizzle_96B))
    return "a load with a cta_group has no other qualifiers here";
  return nullptr;
}

template <uint32_t most_ctas>
const char* wrong_rows(const TiledCopyRecord& r, const TiledCopyRecord& first, const BatchView&) {
  if (const char* what = wrong_copy(r, first, most_ctas)) return what;
  if (r.mode != params::CopyMode::gather4) return "the mode must be gather4";
  if (r.flags & params::copy_replace_swizzle_96B) return "copies of four rows have no 96-byte swizzle here";
  return nullptr;
}

template <const char* (*wrong)(const TiledCopyRecord&, const TiledCopyRecord&, const BatchView&)>
std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<TiledCopyRecord>(batch, wrong);
}

std::optional<std::string> declines_group(const OpenedDriver& opened, bool emulator) {
  if (opened.capability / 10 != 10)
    return but_has(opened, ".cta_group requires compute capability 10.0 or 10.3");
  return declines_copies(opened, emulator);
}
std::optional<std::string> declines_rows(const OpenedDriver& opened, bool emulator) {
  if (opened.capability / 10 != 10) return but_has(opened, "requires compute capability 10.0 or 10.3");
  return declines_copies(opened, emulator);
}

const Family copies{"tma_tiled_copy", sizeof(TiledCopyRecord),
                    check_batch<wrong_tile<params::portable_cluster>>, declines_copies,
                    run_copies<TiledCopyRecord>};
const Family in_large_clusters{"tma_tiled_copy_non_portable", sizeof(TiledCopyRecord),
                               check_batch<wrong_tile<params::largest_cluster>>,
                               declines_in_largest_cluster<declines_copies>, run_copies<TiledCopyRecord>};
const Family loads_with_group{"tma_tiled_cta_group", sizeof(TiledCopyRecord), check_batch<wrong_with_group>,
                              declines_group, run_copies<TiledCopyRecord>};
const Family rows{"tma_gather_copy", sizeof(TiledCopyRecord),
                  check_batch<wrong_rows<params::portable_cluster>>, declines_rows,
                  run_copies<TiledCopyRecord>};
const Family rows_in_large_clusters{"tma_gather_copy_non_portable", sizeof(TiledCopyRecord),
                                    check_batch<wrong_rows<params::largest_cluster>>,
                                    declines_in_largest_cluster<declines_rows>, run_copies<TiledCopyRecord>};
const RegisterFamily registered[] = {RegisterFamily(copies), RegisterFamily(in_large_clusters),
                                     RegisterFamily(loads_with_group), RegisterFamily(rows),
                                     RegisterFamily(rows_in_large_clusters)};

}  // namespace
}  // namespace assay::cuda::tma_tiled_copy
