// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "reference/model/bend.h"
#include "reference/model/bulk_copy/case.h"
#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"
#include "reference/model/reduction.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::suites {
namespace {

using model::End;
using spec::ReduceOp;
using spec::ReduceType;
using spec::rule;

/// What the bend of the readings changes; nothing without one.
const model::BulkBend& bend_of(const spec::Readings& readings) {
  static constexpr model::BulkBend none;
  return readings.bend() == nullptr ? none : readings.bend()->bulk;
}

/// The reduction as a reading has it.
spec::Reduction read_as(const BulkCase& c, const spec::Readings& readings) {
  spec::Reduction what = reduction_of(c).what;
  if (what.type == ReduceType::f32 && readings.is({"BULK-AMB-02", "flushes"}))
    what.type = ReduceType::f32_ftz;
  return what;
}

void name_rules(const spec::Reduction& what, spec::RuleSet& rules) {
  const bool is_half = what.type == ReduceType::f16 || what.type == ReduceType::bf16;
  const bool is_single = what.type == ReduceType::f32 || what.type == ReduceType::f32_ftz;
  if (is_single) rules.set(rule("BULK-R15"));
  if (is_half && what.op != ReduceOp::add)
    rules.set(rule("BULK-R17"));
  else if (is_half || is_single || what.type == ReduceType::f64)
    rules.set(rule("BULK-R14")).set(rule("BULK-R16"));
  else
    rules.set(rule("BULK-R13"));
}

/// Whether `bytes` at an offset of a window leave it: to where the CTA may have memory, or to where no CTA
/// has.
End end_of_window(const BulkCase& c, uint64_t offset, uint32_t bytes) {
  const uint64_t end = offset + bytes;
  if (end <= c.window_bytes) return End::done;
  return end <= model::shared_memory_bytes ? End::undefined : End::illegal_address;
}

End end_of_addresses(const BulkCase& c, const spec::Readings& readings, uint32_t bytes,
                     spec::RuleSet& rules) {
  // What an unchecked address then does is not known.
  const auto misaligned = [&](spec::RuleIndex index) {
    return model::is_left_out(readings, index) ? End::undefined : End::misaligned_address;
  };
  rules.set(rule("BULK-R08"));
  if (c.source_offset % 16 != 0) return misaligned(rule("BULK-R08"));
  if (c.op == BulkOp::prefetch) return End::done;
  if (c.target_offset % 16 != 0) return misaligned(rule("BULK-R08"));
  if (signals(c.op)) rules.set(rule("BULK-R09"));
  if (signals(c.op) && c.barrier_shift % 8 != 0) return misaligned(rule("BULK-R09"));
  if (signals(c.op) && c.barrier_shift >= model::shared_memory_bytes) return End::illegal_address;
  rules.set(rule("BULK-R10"));
  if (c.unmapped && c.op != BulkOp::peer && c.op != BulkOp::reduce_cluster)
    return model::is_left_out(readings, rule("BULK-R10")) ? End::undefined : End::illegal_address;
  if (reads_shared(c.op))
    if (const End end = end_of_window(c, c.source_offset, bytes); end != End::done) return end;
  return writes_global(c.op) ? End::done : end_of_window(c, c.target_offset, bytes);
}

/// How the wait ends for bytes that were armed and bytes that came.
End end_of_wait(const BulkCase& c, const spec::Readings& readings, uint32_t moved, spec::RuleSet& rules) {
  if (receivers_of(c) == 0) return End::done;
  if (c.transaction_delta != 0) rules.set(rule("BULK-R03"));
  const int64_t armed = model::expected_bytes(int64_t{moved_bytes(c.size)} + c.transaction_delta, readings);
  const model::BulkBend& bend = bend_of(readings);
  const int64_t told = bend.signalled == nullptr ? moved : bend.signalled(c, moved);
  if (bend.signalled_ranks != nullptr) {
    const uint32_t waiting = receivers_of(c), ranks = bend.signalled_ranks(c, waiting);
    if ((waiting & ~ranks) != 0) return End::never_completes;
    if ((ranks & ~waiting) != 0) return End::early_surplus;
  }
  if (armed == told) return End::done;
  return armed > told ? End::never_completes : End::early_surplus;
}

void put(const BulkCase& c, const spec::Readings& readings, std::span<std::byte> to,
         std::span<const std::byte> from, spec::RuleSet& rules) {
  if (!is_reduction(c.op)) {
    if (c.byte_mask != 0xffff) rules.set(rule("BULK-R12"));
    const auto bent_mask = bend_of(readings).byte_mask;
    const uint16_t mask = bent_mask == nullptr ? c.byte_mask : bent_mask(c, c.byte_mask);
    for (size_t i = 0; i < from.size(); ++i)
      if (mask >> (i % 16) & 1) to[i] = from[i];
    return;
  }
  const spec::Reduction what = read_as(c, readings);
  name_rules(what, rules);
  const uint32_t bytes = spec::bytes_of(what.type);
  for (size_t at = 0; at < from.size(); at += bytes)
    model::store_element(&to[at],
                         model::bent_reduction(what, model::load_element(&to[at], bytes),
                                               model::load_element(&from[at], bytes), readings),
                         bytes);
}

void name_rules(const BulkCase& c, spec::RuleSet& rules) {
  if (!is_reduction(c.op) && c.op != BulkOp::prefetch) rules.set(rule("BULK-R01"));
  if (signals(c.op)) rules.set(rule("BULK-R02"));
  if (c.op == BulkOp::multicast) rules.set(rule("BULK-R04"));
  if (c.op == BulkOp::prefetch) rules.set(rule("BULK-R11"));
  const bool to_one = c.op == BulkOp::load_cluster || c.op == BulkOp::peer || c.op == BulkOp::reduce_cluster;
  if (to_one && c.target_rank != c.issuer_rank) rules.set(rule("BULK-R05"));
}

/// The part of a rank's window that a copy reads or writes.
template <typename Span>
Span part_of(const Span& windows, const BulkCase& c, uint32_t rank, uint64_t offset, uint32_t bytes) {
  return windows.subspan(uint64_t{rank} * c.window_bytes + offset, bytes);
}

}  // namespace

uint32_t moved_bytes(uint32_t size) {
  return size / 16 % 65536 * 16;
}

BulkPrediction predict_bulk(const BulkCase& c, const spec::Readings& readings, const BulkMemory& memory) {
  BulkPrediction prediction;
  spec::RuleSet& rules = prediction.rules;
  const model::BulkBend& bend = bend_of(readings);
  uint32_t bytes = moved_bytes(c.size);
  if (bend.moved != nullptr) bytes = bend.moved(c.size, bytes);
  if (bytes != c.size) rules.set(rule("BULK-R06"));
  if (c.size % 16 != 0 && readings.is({"BULK-AMB-01", "faults"})) {
    prediction.end = End::illegal_instruction;
    return prediction;
  }
  const bool between_windows = c.op == BulkOp::peer || c.op == BulkOp::reduce_cluster;
  if (between_windows && c.cluster_size == 1 && readings.is({"BULK-AMB-03", "faults"})) {
    prediction.end = End::illegal_instruction;
    return prediction;
  }
  if (bytes == 0) {
    rules.set(rule("BULK-R07"));
    prediction.end = end_of_wait(c, readings, bytes, rules);
    return prediction;
  }
  prediction.end = end_of_addresses(c, readings, bytes, rules);
  if (bend.issue != nullptr) prediction.end = bend.issue(c, prediction.end);
  // Which addresses a multicast to nobody looks at was never measured.
  if (prediction.end != End::done && c.op == BulkOp::multicast && c.cta_mask == 0)
    prediction.end = End::undefined;
  if (prediction.end != End::done) return prediction;
  name_rules(c, rules);
  prediction.end = end_of_wait(c, readings, bytes, rules);
  if (c.op == BulkOp::prefetch) return prediction;
  const uint32_t issuers = issuers_of(c);
  const uint32_t receivers = bend.receivers == nullptr ? receivers_of(c) : bend.receivers(c, receivers_of(c));
  // Only a bend moves so much that it leaves what is there.
  const bool fits = (reads_shared(c.op) ? c.source_offset + bytes <= c.window_bytes
                                        : c.source_offset + bytes <= memory.arena.size()) &&
                    c.target_offset + bytes <= (writes_global(c.op) ? c.slot_bytes : c.window_bytes);
  if (!fits) {
    prediction.end = End::undefined;
    return prediction;
  }
  if ((issuers & (issuers - 1)) != 0) rules.set(rule("BULK-R18"));
  for (uint32_t issuer = 0; issuer < c.cluster_size; ++issuer) {
    if ((issuers >> issuer & 1) == 0) continue;
    const std::span<const std::byte> from =
        reads_shared(c.op)
            ? part_of(std::span<const std::byte>(memory.windows), c, issuer, c.source_offset, bytes)
            : memory.arena.subspan(c.source_offset, bytes);
    if (writes_global(c.op)) {
      put(c, readings, memory.slot.subspan(c.target_offset, bytes), from, rules);
      continue;
    }
    for (uint32_t rank = 0; rank < c.cluster_size; ++rank)
      if (receivers >> rank & 1)
        put(c, readings, part_of(memory.windows, c, rank, c.target_offset, bytes), from, rules);
  }
  return prediction;
}

std::vector<OpenElement> open_elements(const BulkCase& c, const spec::Readings& readings,
                                       std::span<const std::byte> slot, std::span<const std::byte> windows) {
  std::vector<OpenElement> open;
  const uint32_t issuers = issuers_of(c), bytes = moved_bytes(c.size);
  if (c.op != BulkOp::reduce_global || (issuers & (issuers - 1)) == 0) return open;
  const spec::Reduction what = read_as(c, readings);
  if (!model::is_order_dependent(what)) return open;
  const uint32_t size = spec::bytes_of(what.type);
  std::vector<uint64_t> operands;
  for (uint32_t at = 0; at < bytes; at += size) {
    operands.clear();
    for (uint32_t rank = 0; rank < c.cluster_size; ++rank)
      if (issuers >> rank & 1)
        operands.push_back(model::load_element(&part_of(windows, c, rank, c.source_offset, bytes)[at], size));
    const auto to = static_cast<uint32_t>(c.target_offset + at);
    auto allowed =
        model::reduced_in_any_order(what, model::load_element(&slot[to], size), operands, readings);
    if (allowed.size() > 1) open.push_back({to, std::move(allowed)});
  }
  return open;
}

}  // namespace assay::suites

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
