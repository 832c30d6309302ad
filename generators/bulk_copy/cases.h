// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/bulk_copy/case.h"

/// Case i of each property of bulk copies. A case depends on (seed, property, index, architecture) alone; the
/// size of the cluster is the same for a block of indexes, since it is that of a batch.
namespace assay::suites {

void make_bulk_load(const gen::CaseId&, BulkCase&);  ///< all three instructions that read global memory
void make_bulk_non_portable(const gen::CaseId&, BulkCase&);  ///< what CTAs of a cluster of 16 are sent
void make_bulk_store(const gen::CaseId&, BulkCase&);         ///< with .cp_mask where the architecture has it
void make_bulk_peer(const gen::CaseId&, BulkCase&);          ///< to another CTA of the cluster, or to itself
void make_bulk_prefetch(const gen::CaseId&, BulkCase&);      ///< of mapped and of unmapped memory
/// Barriers armed with the right count, with more and with less, in equal parts.
void make_bulk_transaction(const gen::CaseId&, BulkCase&);
/// Sizes that are no multiple of 16, or 2^20 and more; those that stand for no byte with any address.
void make_bulk_odd_size(const gen::CaseId&, BulkCase&);
/// One address wrong: the device's process ends.
void make_bulk_fault(const gen::CaseId&, BulkCase&);
void make_bulk_reduce_global(const gen::CaseId&, BulkCase&);
void make_bulk_reduce_shared(const gen::CaseId&, BulkCase&);
void make_bulk_reduce_conflict(const gen::CaseId&, BulkCase&);  ///< several CTAs reduce the same elements

/// Classes of sizes, for coverage: 16, up to 128, 1 KiB, 8 KiB, 64 KiB, more.
inline constexpr uint32_t bulk_size_classes = 6;
uint32_t bulk_size_class(uint32_t bytes);

std::vector<BulkCase> simpler(const BulkCase&);

}  // namespace assay::suites
