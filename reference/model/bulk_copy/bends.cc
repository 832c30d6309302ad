// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <vector>

#include "reference/model/bulk_copy/case.h"
#include "reference/spec/rules.h"

/// Bends of plain bulk copies.
namespace assay::suites {
namespace {

using model::Bend;
using model::End;
using spec::rule;
using C = BulkCase;

uint32_t all_ranks(const C& c) {
  return (1u << c.cluster_size) - 1;
}
bool is_multicast(const C& c) {
  return c.op == BulkOp::multicast;
}
bool is_to_one(const C& c) {
  return c.op == BulkOp::load_cluster || c.op == BulkOp::peer || c.op == BulkOp::reduce_cluster;
}
/// The rank that the address of the barrier names.
uint32_t named(const C& c, uint32_t right) {
  return is_to_one(c) && c.names_own_barrier ? 1u << c.issuer_rank : right;
}
uint32_t issuer_of_loads(const C& c, uint32_t right) {
  return c.op == BulkOp::load_cluster ? 1u << c.issuer_rank : right;
}
End faults(End right, bool holds, End fault) {
  return right == End::done && holds ? fault : right;
}

Bend signalled(spec::RuleIndex rule, std::string_view words, int64_t (*signalled)(const C&, int64_t)) {
  return {.rule = rule, .words = words, .bulk = {.signalled = signalled}};
}
Bend moved(std::string_view words, uint32_t (*moved)(uint32_t, uint32_t)) {
  return {.rule = rule("BULK-R06"), .words = words, .bulk = {.moved = moved}};
}
Bend received(std::string_view words, uint32_t (*receivers)(const C&, uint32_t)) {
  return {.rule = rule("BULK-R04"), .words = words, .bulk = {.receivers = receivers}};
}
Bend told(spec::RuleIndex rule, std::string_view words, uint32_t (*ranks)(const C&, uint32_t)) {
  return {.rule = rule, .words = words, .bulk = {.signalled_ranks = ranks}};
}
Bend masked(std::string_view words, uint16_t (*mask)(const C&, uint16_t)) {
  return {.rule = rule("BULK-R12"), .words = words, .bulk = {.byte_mask = mask}};
}
Bend unchecked(spec::RuleIndex rule) {
  return {.rule = rule, .words = "it were not checked", .is_left_out = true};
}
Bend issued(spec::RuleIndex rule, std::string_view words, End (*issue)(const C&, End)) {
  return {.rule = rule, .words = words, .bulk = {.issue = issue}};
}

// clang-format off
std::vector<Bend> made() {
  std::vector<Bend> list{
      {.rule = rule("BULK-R01"), .words = "other bytes were moved", .bulk = {.data_is_open = true}},
      {.rule = rule("BULK-R01"), .words = "bytes beside the destination were written too",
       .bulk = {.rest_is_open = true}},
      {.rule = rule("BULK-R01"), .words = "a load to another CTA went to the one that issues it",
       .bulk = {.receivers = issuer_of_loads, .signalled_ranks = issuer_of_loads}},
      signalled(rule("BULK-R02"), "fewer bytes were signalled",
        [](const C&, int64_t right) { return right - 16; }),
      signalled(rule("BULK-R02"), "more bytes were signalled",
        [](const C&, int64_t right) { return right + 16; }),
      signalled(rule("BULK-R02"), "nothing were signalled", [](const C&, int64_t) { return int64_t{0}; }),
      signalled(rule("BULK-R02"), "the size were signalled as the operand has it",
        [](const C& c, int64_t) { return int64_t{c.size % (1u << 20)}; }),
      signalled(rule("BULK-R02"), "a reduction signalled nothing",
        [](const C& c, int64_t right) { return is_reduction(c.op) ? 0 : right; }),
      signalled(rule("BULK-R04"), "a multicast signalled fewer bytes",
        [](const C& c, int64_t right) { return is_multicast(c) ? right - 16 : right; }),
      signalled(rule("BULK-R04"), "a multicast signalled more bytes",
        [](const C& c, int64_t right) { return is_multicast(c) ? right + 16 : right; }),
      received("the CTA that issues received too",
        [](const C& c, uint32_t right) { return is_multicast(c) ? right | 1u << c.issuer_rank : right; }),
      received("the CTA that issues received alone",
        [](const C& c, uint32_t right) { return is_multicast(c) ? 1u << c.issuer_rank : right; }),
      received("every CTA received",
        [](const C& c, uint32_t right) { return is_multicast(c) ? all_ranks(c) : right; }),
      received("the highest rank of the mask were left out",
        [](const C& c, uint32_t right) { return is_multicast(c) && right != 0 ? right & ~std::bit_floor(right)
          : right; }),
      received("the lowest rank of the mask were left out",
        [](const C& c, uint32_t right) { return is_multicast(c) ? right & (right - 1) : right; }),
      told(rule("BULK-R04"), "the CTA that issues were signalled alone",
        [](const C& c, uint32_t right) { return is_multicast(c) ? right & 1u << c.issuer_rank : right; }),
      told(rule("BULK-R04"), "every CTA were signalled",
        [](const C& c, uint32_t right) { return is_multicast(c) ? all_ranks(c) : right; }),
      told(rule("BULK-R04"), "the highest rank of the mask were not signalled",
        [](const C& c, uint32_t right) { return is_multicast(c) && right != 0 ? right & ~std::bit_floor(right)
          : right; }),
      told(rule("BULK-R05"), "the CTA that the barrier's address names were signalled", named),
      moved("sizes were rounded up", [](uint32_t size, uint32_t) { return (size + 15) / 16 % 65536 * 16; }),
      moved("sizes were not rounded", [](uint32_t size, uint32_t) { return size % (1u << 20); }),
      moved("sizes had 16 bits", [](uint32_t, uint32_t right) { return right % 65536; }),
      moved("sizes of 8 KiB and more lost 16",
        [](uint32_t, uint32_t right) { return right >= 8192 ? right - 16 : right; }),
      moved("sizes of a page and 16 were those of the page",
        [](uint32_t, uint32_t right) { return right > 4096 && right % 4096 == 16 ? right - 16 : right; }),
      moved("sizes had 19 bits", [](uint32_t, uint32_t right) { return right % (1u << 19); }),
      moved("sizes had 21 bits", [](uint32_t size, uint32_t) { return size / 16 * 16 % (1u << 21); }),
      moved("all bits of sizes counted", [](uint32_t size, uint32_t) { return size / 16 * 16; }),
      issued(rule("BULK-R06"), "a size that is no multiple of 16 faulted",
        [](const C& c, End right) { return faults(right, c.size % 16 != 0, End::illegal_instruction); }),
      unchecked(rule("BULK-R08")), unchecked(rule("BULK-R09")), unchecked(rule("BULK-R10")),
      issued(rule("BULK-R08"), "addresses had to be multiples of 32",
        [](const C& c, End right) {
          return faults(right, c.source_offset % 32 != 0
            || c.target_offset % 32 != 0, End::misaligned_address); }),
      issued(rule("BULK-R11"), "a prefetch of what is not mapped faulted",
        [](const C& c, End right) {
          return faults(right, c.op == BulkOp::prefetch && c.unmapped, End::illegal_address); }),
      masked("the mask were ignored", [](const C&, uint16_t) { return uint16_t{0xffff}; }),
      masked("the mask were inverted",
        [](const C& c, uint16_t right) { return c.byte_mask == 0xffff ? right
          : static_cast<uint16_t>(~right); }),
      masked("the bits of the mask were swapped",
        [](const C&, uint16_t right) { return static_cast<uint16_t>(right >> 8 | right << 8); }),
  };
  for (const auto part : {model::reduction_bends(), model::arming_bends()})
    list.insert(list.end(), part.begin(), part.end());
  return list;
}
// clang-format on

}  // namespace

std::span<const Bend> bulk_bends() {
  static const std::vector<Bend> bends = made();
  return bends;
}

}  // namespace assay::suites
