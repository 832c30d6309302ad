// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/families/tensor_copy.h"

/// Copies of mode im2col. The wide ones: loads in modes im2col::w and im2col::w::128, those of mode im2col
/// with .cta_group, and what other instructions do through a wide map.
namespace assay::cuda::tma_im2col_copy {
namespace {

using params::CopyMode;
using params::Im2colCopyRecord;

constexpr uint32_t groups = params::copy_cta_group_1 | params::copy_cta_group_2;

template <uint32_t most_ctas>
const char* wrong_column(const Im2colCopyRecord& r, const Im2colCopyRecord& first, const BatchView&) {
  if (const char* what = wrong_copy(r, first, most_ctas)) return what;
  if (r.instruction_rank < 3) return "instruction_rank must be 3 to 5";
  if (r.map.wide != 0 || r.mode == CopyMode::w || r.mode == CopyMode::w_128)
    return "the map of a copy must come from the plain im2col encoder";
  if (r.cluster_size > 1 && (r.mode != CopyMode::im2col || (r.flags & groups)))
    return "a multicast load is one of im2col mode, without .cta_group";
  return nullptr;
}

const char* wrong_wide(const Im2colCopyRecord& r, const Im2colCopyRecord& first, const BatchView&) {
  if (const char* what = wrong_copy(r, first)) return what;
  if (r.op != params::CopyOp::load) return "a wide copy is a load";
  if (r.instruction_rank < 3) return "instruction_rank must be 3 to 5";
  if (r.cluster_size == 1) return nullptr;
  if (r.mode == CopyMode::tile) return "a load in a cluster is through a map of its own mode";
  if (r.mode == CopyMode::im2col && (r.map.wide != 0 || !(r.flags & groups)))
    return "a load in a cluster is one along W, or has a cta_group and a plain map";
  return nullptr;
}

template <const char* (*wrong)(const Im2colCopyRecord&, const Im2colCopyRecord&, const BatchView&)>
std::optional<WrongBatch> check_batch(const BatchView& batch) {
  return check_records<Im2colCopyRecord>(batch, wrong);
}

std::optional<std::string> declines_wide(const OpenedDriver& opened, bool emulator) {
  if (opened.capability / 10 != 10) return but_has(opened, "requires compute capability 10.0 or 10.3");
  if (opened.driver.encode_im2col_wide == nullptr) return "the driver has no cuTensorMapEncodeIm2colWide";
  return declines_copies(opened, emulator);
}

const Family columns{"tma_im2col_copy", sizeof(Im2colCopyRecord),
                     check_batch<wrong_column<params::portable_cluster>>, declines_copies,
                     run_copies<Im2colCopyRecord>};
const Family in_large_clusters{"tma_im2col_copy_non_portable", sizeof(Im2colCopyRecord),
                               check_batch<wrong_column<params::largest_cluster>>,
                               declines_in_largest_cluster<declines_copies>, run_copies<Im2colCopyRecord>};
const Family wide{"tma_im2col_wide_copy", sizeof(Im2colCopyRecord), check_batch<wrong_wide>, declines_wide,
                  run_copies<Im2colCopyRecord>};
const RegisterFamily registered[] = {RegisterFamily(columns), RegisterFamily(in_large_clusters),
                                     RegisterFamily(wide)};

}  // namespace
}  // namespace assay::cuda::tma_im2col_copy
