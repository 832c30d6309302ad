// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/params/arena.h"
#include "kernels/params/batch.h"
#include "kernels/params/bulk_copy.h"
#include "kernels/params/gemm.h"
#include "kernels/params/map_program.h"
#include "kernels/params/mma_sync.h"
#include "kernels/params/mma_sync_f64.h"
#include "kernels/params/mma_sync_kind.h"
#include "kernels/params/screen.h"
#include "kernels/params/sequence.h"
#include "kernels/params/tcgen05.h"
#include "kernels/params/tensor_copy.h"
#include "kernels/params/tmem_copy.h"
#include "kernels/params/tmem_ld_red.h"
#include "kernels/params/wgmma.h"

/// How the kernel of a record is launched, said once: the device side launches many records together, a
/// stand-alone program one, and `assay describe` shows it.
namespace assay::forms {

struct KernelLaunch {
  const char* module;  ///< kernels/MODULE.cu
  const char* kernel;  ///< its entry
  uint32_t cluster_size = 1;
  uint32_t threads = params::probe_threads;  ///< of a CTA
  uint32_t shared_bytes = 0;                 ///< dynamic; of several records the most
};

/// Dynamic shared memory with a window in it, which begins at a multiple of params::window_alignment.
constexpr uint32_t with_window(uint32_t bytes) {
  return bytes + params::window_alignment;
}

KernelLaunch launch_of(const params::BulkCopyRecord&);
KernelLaunch launch_of(const params::GemmRecord&);
KernelLaunch launch_of(const params::Im2colCopyRecord&);
KernelLaunch launch_of(const params::MapProgramRecord&);
KernelLaunch launch_of(const params::MmaSyncRecord&);
KernelLaunch launch_of(const params::MmaSyncF64Record&);
KernelLaunch launch_of(const params::MmaSyncKindRecord&);
KernelLaunch launch_of(const params::ScreenRecord&);
KernelLaunch launch_of(const params::ScreenTilesRecord&);
KernelLaunch launch_of(const params::ScreenBothRecord&);
KernelLaunch launch_of(const params::SequenceRecord&);
KernelLaunch launch_of(const params::Tcgen05MmaRecord&);
KernelLaunch launch_of(const params::TiledCopyRecord&);
KernelLaunch launch_of(const params::TmemAccessRecord&);
KernelLaunch launch_of(const params::TmemCopyRecord&);
KernelLaunch launch_of(const params::TmemLdRedRecord&);
KernelLaunch launch_of(const params::WgmmaRecord&);
/// Of a copy whose barrier tcgen05.commit tells: always the kernel of clusters.
KernelLaunch commit_launch_of(const params::TiledCopyRecord&);

}  // namespace assay::forms
