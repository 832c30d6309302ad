// SPDX-License-Identifier: Apache-2.0
#include "reference/model/bulk_copy/case.h"

#include <algorithm>
#include <bit>

#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"

namespace assay {

using nlohmann::json;

std::string reduction_name(const spec::Reduction& what) {
  return std::string(spec::reduce_op_names[static_cast<size_t>(what.op)]) + "." +
         std::string(spec::reduce_types[static_cast<size_t>(what.type)].name);
}

uint32_t receivers_of(const BulkCase& c) {
  if (!signals(c.op)) return 0;
  if (c.op == BulkOp::multicast) return c.cta_mask;
  return 1u << (c.op == BulkOp::load_cta ? c.issuer_rank : c.target_rank);
}

uint32_t issuers_of(const BulkCase& c) {
  return 1u << c.issuer_rank | (c.op == BulkOp::reduce_global ? c.cta_mask : 0u);
}

std::string what_is_wrong(const BulkCase& c) {
  const auto field = [](const char* name, uint64_t value, const std::string& why) {
    return "field '" + std::string(name) + "' of the case is " + std::to_string(value) + "; " + why + ".";
  };
  if (std::string wrong = model::fields::wrong_field(c); !wrong.empty()) return wrong;
  // What moves, whatever the readings: of a copy that touches nothing any address will do, and any receiver.
  const uint64_t moved = c.size / 16 % 65536 * 16;
  // On the H200 such a copy ends the launch as a failure (BC-07), which no record has a place for.
  if (c.cta_mask >> c.cluster_size != 0 && (moved != 0 || c.op != BulkOp::multicast))
    return field("cta_mask", c.cta_mask, "the cluster has no such CTA");
  if (c.issuer_rank >= c.cluster_size || c.target_rank >= c.cluster_size)
    return field("issuer_rank", std::max(c.issuer_rank, c.target_rank), "the cluster has no such CTA");
  if (c.issuer_thread % 32 + c.lanes > 32)
    return field("issuer_thread", c.issuer_thread, "the lanes that issue are of one of four warps");
  const uint64_t windows = uint64_t{c.window_bytes} * c.cluster_size;
  if (c.fill_offset > rig::arena_bytes - windows)
    return field("fill_offset", c.fill_offset, "what the windows hold before lies in the arena");
  if (c.slot_fill_offset > rig::arena_bytes - c.slot_bytes)
    return field("slot_fill_offset", c.slot_fill_offset, "what the slot holds before lies in the arena");
  if (c.op == BulkOp::reduce_global && std::popcount(issuers_of(c)) > 4)
    return field("cta_mask", c.cta_mask, "at most four CTAs reduce the same elements");
  if (c.byte_mask != 0xffff && c.op != BulkOp::store)
    return field("byte_mask", c.byte_mask, "only a store has one");
  if (c.pieces > 1 && (c.size % 16 != 0 || c.size / 16 < c.pieces || c.size > most_bytes_in_pieces))
    return field("pieces", c.pieces, "each is a multiple of 16 bytes, and all have 2048 at most");
  const uint32_t last = 1u << (c.pieces - 1);
  if (c.group_ends < last || c.group_ends >= 2 * last)
    return field("group_ends", c.group_ends, "the last piece ends a group, and none comes behind it");
  if (c.lanes > c.pieces) return field("lanes", c.lanes, "each has a piece");
  if (c.lanes > 1 && (c.group_ends != 2 * last - 1 || c.ends_empty || c.pending != 0))
    return field("lanes", c.lanes, "several wait for all of their groups, one for each piece");
  if (c.early_waits >> c.pieces != 0)
    return field("early_waits", c.early_waits, "a wait comes behind a piece");
  // Further on lies other CTAs' memory, or nothing: no document says which fault comes first there.
  for (const auto& [name, offset, shared] :
       {std::tuple{"source_offset", c.source_offset, reads_shared(c.op)},
        std::tuple{"target_offset", c.target_offset, !writes_global(c.op) && c.op != BulkOp::prefetch}})
    if (shared && offset >= (uint64_t{1} << (moved == 0 ? 32 : 18)))
      return field(
          name, offset,
          moved == 0 ? "an address of shared memory has 32 bits" : "shared memory ends below 262144");
  if (!c.unmapped && moved != 0 && !reads_shared(c.op) && c.source_offset + moved > rig::arena_bytes)
    return field("source_offset", c.source_offset, "the copy leaves the arena");
  if (!c.unmapped && moved != 0 && writes_global(c.op) && c.target_offset + moved > c.slot_bytes)
    return field("target_offset", c.target_offset, "the copy leaves its slot");
  if (c.op == BulkOp::reduce_cluster && !reduction_of(c).to_shared)
    return "shared memory has no reduction " + reduction_name(reduction_of(c).what) + ".";
  const uint64_t apart = c.source_offset > c.target_offset ? c.source_offset - c.target_offset
                                                           : c.target_offset - c.source_offset;
  if ((c.op == BulkOp::peer || c.op == BulkOp::reduce_cluster) && c.issuer_rank == c.target_rank &&
      apart < moved)
    return field("target_offset", c.target_offset, "a copy within a window would lie on its own source");
  if (c.is_known && c.op == BulkOp::reduce_cluster && c.issuer_rank == c.target_rank)
    return "a reduction of known elements is of another CTA's shared memory, since a window holds one of "
           "them.";
  const int64_t armed = static_cast<int64_t>(moved) + c.transaction_delta;
  if (armed < 0 || armed >= 1 << 20)
    return "transaction_delta would arm the barrier with " + std::to_string(armed) +
           " bytes; it takes 0 to 1048575.";
  return {};
}

}  // namespace assay

namespace assay::model {

ASSAY_CASE_JSON(BulkCase);

}  // namespace assay::model
