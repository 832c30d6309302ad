// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "generators/random.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/spec/arch.h"

/// Case i of each property of tiled copies. A case depends on (seed, property, index, architecture) alone.
/// Loads and stores: the first indexes walk every reachable coverage cell once, in a scattered order and with
/// the rarer corners (Twist) in turn; later ones draw cell and corner.
namespace assay::gen {

/// What decides a case.
struct CaseId {
  uint64_t seed;
  std::string_view property;
  uint64_t index;
  spec::Arch arch;
  Random random() const { return Random(case_stream(seed, property, index)); }
};

void make_tiled_load(const CaseId& id, TensorCopyCase& c);
void make_tiled_store(const CaseId& id, TensorCopyCase& c);

/// Clusters of 2, 4 and 8, the same for 256 indexes in a row; any mask, 0 among them, any issuer.
void make_tiled_load_multicast(const CaseId& id, TensorCopyCase& c);
/// The same in clusters of 16.
void make_tiled_load_non_portable(const CaseId& id, TensorCopyCase& c);

/// The same with .cta_group::1 or ::2, the mbarrier that of the issuer or of its peer, a third of them to one
/// CTA without multicast; clusters change every 16 indexes.
void make_tiled_load_cta_group(const CaseId& id, TensorCopyCase& c);

/// Small loads whose barrier is armed with the right count, with the bytes in bounds alone, or with more, in
/// turn.
void make_tiled_load_transaction(const CaseId& id, TensorCopyCase& c);

/// Loads and stores that break one run-time rule: shared alignment, start on 16 bytes, rank of the
/// instruction, extent above 2^31, (stores) a negative start; kinds in turn.
void make_tiled_load_fault(const CaseId& id, TensorCopyCase& c);
void make_tiled_store_fault(const CaseId& id, TensorCopyCase& c);

}  // namespace assay::gen
