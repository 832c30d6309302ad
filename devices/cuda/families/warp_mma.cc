// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/families/probe_launch.h"
#include "kernels/forms/records.h"
#include "kernels/params/arena.h"
#include "kernels/params/mma_sync.h"
#include "kernels/params/mma_sync_f64.h"
#include "kernels/params/mma_sync_kind.h"
#include "kernels/params/wgmma.h"

namespace assay::cuda {
namespace {

using params::MmaSyncRecord;

const char* wrong_mma_sync(const MmaSyncRecord& r, const MmaSyncRecord&, const BatchView&) {
  if (forms::opcode_of(r) == forms::Forms::none) return "the probes have no such form of mma.sync";
  if (r.opcode != forms::opcode_of(r)) return "opcode must be that of the form";
  if (r.b_words != params::mma_sync_b_words(r.form)) return "b_words must be those of the form";
  if (r.tiles < 1 || r.tiles > params::mma_sync_most_tiles) return "tiles must be 1 to 256";
  if (r.output_bytes != 128 * r.tiles * 4 * params::mma_sync_d_registers(r.form))
    return "output_bytes must be those of the registers of D in 128 threads, tile after tile";
  return nullptr;
}

const RegisterFamily mma_sync(family_of<MmaSyncRecord, wrong_mma_sync>("mma_sync", declines_before_9_0,
                                                                       run_alike<MmaSyncRecord>));

using params::MmaSyncF64Record;

const char* wrong_mma_sync_f64(const MmaSyncF64Record& r, const MmaSyncF64Record&, const BatchView&) {
  if (forms::opcode_of(r) == forms::Forms::none)
    return "mma.sync on f64 has the shapes m8n8k4, m16n8k4, m16n8k8 and m16n8k16";
  if (r.opcode != forms::opcode_of(r)) return "opcode must be that of the shape";
  if (r.tiles < 1 || r.tiles > params::mma_sync_f64_most_tiles) return "tiles must be 1 to 64";
  if (r.output_bytes != 128 * r.tiles * 8 * (r.m / 4))
    return "output_bytes must be those of the registers of D in 128 threads, tile after tile";
  return nullptr;
}

const RegisterFamily mma_sync_f64(family_of<MmaSyncF64Record, wrong_mma_sync_f64>(
    "mma_sync_f64", declines_before_9_0, run_alike<MmaSyncF64Record>));

using params::MmaSyncKindRecord;

const char* wrong_mma_sync_kind(const MmaSyncKindRecord& r, const MmaSyncKindRecord&, const BatchView&) {
  if (forms::opcode_of(r) == forms::Forms::none)
    return "mma.sync and mma.sp have no such kind with these elements and this scale vector";
  if (r.opcode != forms::opcode_of(r))
    return "opcode must be that of kind, elements, scale vector and sparsity";
  if (r.tiles < 1 || r.tiles > params::mma_sync_kind_most_tiles) return "tiles must be 1 to 256";
  if (r.output_bytes != 128 * r.tiles * (r.d_is_f16 != 0 ? 8 : 16))
    return "output_bytes must be those of the registers of D in 128 threads, tile after tile";
  return nullptr;
}

const RegisterFamily mma_sync_kind(family_of<MmaSyncKindRecord, wrong_mma_sync_kind>(
    "mma_sync_kind", declines_where_absent<&spec::Architecture::has_mma_kinds>,
    run_alike<MmaSyncKindRecord>));

using params::WgmmaRecord;

const char* wrong_wgmma(const WgmmaRecord& r, const WgmmaRecord&, const BatchView&) {
  if (forms::opcode_of(r) == forms::Forms::none) return "the probes have no such form of wgmma";
  if (r.opcode != forms::opcode_of(r)) return "opcode must be that of the form";
  if (r.warpgroup > 1) return "warpgroup must be 0 or 1";
  if (r.window_bytes % 16 || r.window_bytes > params::max_operand_window_bytes)
    return "window_bytes must be a multiple of 16 up to 226 KiB";
  if (r.split % 16 || r.split > r.window_bytes) return "split must be a multiple of 16 inside the window";
  if (r.output_bytes != 128 * 4 * params::wgmma_d_registers(r.form))
    return "output_bytes must be those of the registers of D in 128 threads";
  return nullptr;
}

const RegisterFamily wgmma(family_of<WgmmaRecord, wrong_wgmma>(
    "wgmma", declines_where_absent<&spec::Architecture::has_wgmma>, run_alike<WgmmaRecord>));

}  // namespace
}  // namespace assay::cuda
