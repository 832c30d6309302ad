// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/forms/assembler/tables.h"

/// Forms of PTX 9.2 to 9.5 (PTX ISA 9.4, chapters of the instructions; CCCL's generated headers; ptxas 13.5
/// for each target). Each is asked twice: in a module that declares the version that has it, and in one that
/// declares one version less.
namespace assay::forms {
namespace {

/// The last axis of each table.
constexpr Choice declarations[] = {{"", 0}, {"one version less", 1}};
constexpr Axis declares{"declares", declarations};

bool declares_less(Picks picks) {
  return picks.back()->value != 0;
}
uint8_t latest(Picks picks) {
  uint8_t version = 0;
  for (const Choice* choice : picks) version = std::max(version, choice->ptx);
  return version;
}
uint8_t declared(Picks picks, Targets target) {
  return declares_less(picks) ? latest(picks) - 1 : std::max(latest(picks), ptx_of(target));
}
/// What all rows have in common: the targets of each choice, and the declaration.
bool may_be_legal(Picks picks, Targets target) {
  return !declares_less(picks) && std::all_of(picks.begin(), picks.end(), [&](const Choice* choice) {
    return (choice->targets & target) != 0;
  });
}
/// A spelling that is as old as 9.0 is in other tables.
bool is_later(Picks picks) {
  return latest(picks) > 90;
}

// ---- cp.async.bulk and cp.async.bulk.tensor with a mask of a given width
constexpr Choice copies[] = {{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes<multicast> "
                              "[r0], [l0], r1, [r2]<mask>;",
                              0},
                             {"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                              "bytes<multicast> [r0], [l0, {r3, "
                              "r4}], [r2]<mask>;",
                              1},
                             {"cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::"
                              "bytes<multicast> [r0], [l0, {r3, "
                              "r4, r5}], [r2], {h1}<mask>;",
                              2},
                             {"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                              "bytes<multicast>.cta_group::2 [r0], "
                              "[l0, {r3, r4}], [r2]<mask>;",
                              3, with_tcgen05}};
constexpr Choice widths[] = {{".multicast::cluster::16b", 16, every_target, 94},
                             {".multicast::cluster::32b", 32, with_32_ctas, 94}};
constexpr Choice masks[] = {{", h0", 16}, {", r7", 32}, {"", 0}};
constexpr Axis copy_axes[] = {{"copy", copies}, {"multicast", widths}, {"mask", masks}, declares};
Legality copy_legality(Picks picks, Targets target) {
  return legal_if(may_be_legal(picks, target) && picks[1]->value == picks[2]->value);
}
constexpr Family copy{.name = "asked.later.multicast", .text = "<copy>", .axes = copy_axes};

// ---- cp.async.bulk with bytes that may lie outside of an allocation
constexpr Choice places[] = {{".shared::cta", 1}, {".shared::cluster", 0}};
constexpr Choice ignores[] = {{".ignore_oob", 1, every_target, 92}};
constexpr Choice ignored[] = {{", r2, r3", 1}, {", 3, 15", 1}, {", 3, 16", 0}, {", r2", 0}, {"", 0}};
/// Bit 0: the qualifier is there; bit 1: the operand.
constexpr Choice hints[] = {{"", 0}, {"hint", 3}, {"qualifier alone", 1}, {"operand alone", 2}};
constexpr Axis ignore_axes[] = {
    {"place", places}, {"ignore", ignores}, {"ignored", ignored}, {"hint", hints}, declares};
std::string hint_slot(std::string_view name, Picks picks) {
  const uint32_t hint = picks[3]->value;
  if (name == "hint_qualifier") return hint & 1 ? ".L2::cache_hint" : "";
  return hint & 2 ? ", l1" : "";
}
Legality ignore_legality(Picks picks, Targets target) {
  const bool has_half_a_hint = picks[3]->value == 1 || picks[3]->value == 2;
  return legal_if(may_be_legal(picks, target) && picks[0]->value == 1 && picks[2]->value == 1 &&
                  !has_half_a_hint);
}
constexpr Family ignore_oob{
    .name = "asked.later.ignore_oob",
    .text =
        "cp.async.bulk<place>.global.mbarrier::complete_tx::bytes<hint_qualifier><ignore> "
        "[r0], [l0], r1<ignored>, [r4]<hint_operand>;",
    .axes = ignore_axes,
    .slot = hint_slot};

// ---- st.async of 128 bits
constexpr Choice orders[] = {{"", 1}, {".weak", 1}, {".relaxed.cluster", 0}};
constexpr Choice spaces_of_stores[] = {{".shared::cluster", 1}, {"", 1}, {".shared::cta", 2}};
constexpr Choice types_of_stores[] = {{".b128", 1, every_target, 92}, {".v2.b128", 0, every_target, 92}};
constexpr Choice stored[] = {{"q0", 1}, {"{q0, q1}", 2}, {"l1", 0}};
constexpr Axis store_axes[] = {
    {"order", orders}, {"space", spaces_of_stores}, {"type", types_of_stores}, {"value", stored}, declares};
Legality store_legality(Picks picks, Targets target) {
  if (!may_be_legal(picks, target) || picks[0]->value != 1 || picks[2]->value != 1 || picks[3]->value != 1)
    return Legality::illegal;
  // The document has no .shared::cta; ptxas takes it.
  return picks[1]->value == 2 ? Legality::open : Legality::legal;
}
constexpr Family store{
    .name = "asked.later.st.async",
    .before = ".reg .b128 q<2>;",
    .text = "st.async<order><space>.mbarrier::complete_tx::bytes<type> [r0], <value>, [r1];",
    .axes = store_axes};

// ---- layouts of an mbarrier
constexpr Choice layout_verbs[] = {{"init", 0}, {"check_layout", 1}};
constexpr Choice layouts[] = {{".layout::v0", 1, every_target, 93},
                              {".layout::v1", 1, every_target, 93},
                              {".layout::v2", 0, every_target, 93}};
constexpr Choice spaces[] = {{".shared::cta", 1}, {".shared", 1}, {"", 2}, {".shared::cluster", 0}};
constexpr Choice layout_operands[] = {{"[<address>], r1", 0}, {"p0, [<address>]", 1}};
constexpr Axis layout_axes[] = {
    {"verb", layout_verbs}, {"layout", layouts}, {"space", spaces}, {"operands", layout_operands}, declares};
std::string address_slot(std::string_view, Picks picks) {
  return picks[2]->value == 2 ? "l0" : "r0";
}
Legality layout_legality(Picks picks, Targets target) {
  return legal_if(may_be_legal(picks, target) && picks[0]->value == picks[3]->value && picks[1]->value == 1 &&
                  picks[2]->value != 0);
}
constexpr Family layout{.name = "asked.later.mbarrier.layout",
                        .text = "mbarrier.<verb><layout><space>.b64 <operands>;",
                        .axes = layout_axes,
                        .slot = address_slot};

// ---- waits for a kind of phase
constexpr Choice wait_verbs[] = {{"test_wait", 0}, {"try_wait", 1}};
constexpr Choice parities[] = {{".parity", 1}, {"", 0}};
enum Phase : uint32_t { primary, conditional };
constexpr Choice phases[] = {{".phase_type::primary", primary, every_target, 93},
                             {".phase_type::conditional", conditional, every_target, 93}};
constexpr Choice wait_orders[] = {{"", 1}, {".acquire.cluster", 1}, {".relaxed.cta", 1}, {".acquire", 0}};
enum Report : uint32_t { none, predicate, predicate_and_value, value_alone };
constexpr Choice reports[] = {
    {"p0", none}, {"p0|p1", predicate}, {"p0|p1, b0", predicate_and_value}, {"p0, b0", value_alone}};
constexpr Axis wait_axes[] = {{"verb", wait_verbs},   {"parity", parities}, {"phase", phases},
                              {"order", wait_orders}, {"report", reports},  declares};
std::string wait_slot(std::string_view, Picks picks) {
  return picks[1]->value != 0 ? "r1" : "l0";
}
Legality wait_legality(Picks picks, Targets target) {
  const uint32_t report = picks[4]->value;
  const bool is_primary = picks[2]->value == primary;
  if (!may_be_legal(picks, target) || picks[3]->value == 0) return Legality::illegal;
  if (!is_primary) return legal_if(picks[1]->value != 0 && report == none);
  // The document writes the value behind the predicate of the report alone; ptxas takes it without.
  return report == value_alone ? Legality::open : Legality::legal;
}
constexpr Family wait{
    .name = "asked.later.mbarrier.wait",
    .before = ".reg .b8 b<1>;",
    .text = "mbarrier.<verb><parity><phase><order>.shared::cta.b64 <report>, [r0], <waited>;",
    .axes = wait_axes,
    .slot = wait_slot};

// ---- tensor memory of a CTA alone on its multiprocessor
enum AllocVerb : uint32_t { alloc_shared, alloc_generic, dealloc };
constexpr Choice alloc_verbs[] = {{"alloc", alloc_shared}, {"alloc", alloc_generic}, {"dealloc", dealloc}};
constexpr Choice exclusives[] = {{".exclusive", 1, with_tcgen05, 94}};
constexpr Choice alloc_groups[] = {{".cta_group::1", 1}, {".cta_group::2", 2}, {"", 0}};
constexpr Choice alloc_columns[] = {{"r1", 0},    {"32", 32},   {"96", 96}, {"512", 512}, {"544", 544},
                                    {"576", 576}, {"608", 608}, {"48", 48}, {"0", 1}};
constexpr Axis alloc_axes[] = {{"verb", alloc_verbs},
                               {"exclusive", exclusives},
                               {"group", alloc_groups},
                               {"columns", alloc_columns},
                               declares};
std::string alloc_slot(std::string_view name, Picks picks) {
  const uint32_t verb = picks[0]->value;
  if (name == "space") return verb == alloc_shared ? ".shared::cta" : "";
  return verb == alloc_shared ? "[r0]" : verb == alloc_generic ? "[l0]" : "r0";
}
Legality alloc_legality(Picks picks, Targets target) {
  if (!may_be_legal(picks, target) || picks[2]->value == 0) return Legality::illegal;
  const uint32_t columns = picks[3]->value;
  // The document gives 512 columns, and 576 of sm_107; ptxas looks at the multiple alone.
  if (columns % 32 != 0 || columns == 1) return Legality::illegal;
  return columns <= ((target & with_32_ctas) != 0 ? 576u : 512u) ? Legality::legal : Legality::open;
}
constexpr Family exclusive{
    .name = "asked.later.tcgen05.exclusive",
    .text = "tcgen05.<verb><exclusive><group>.sync.aligned<space>.b32 <place>, <columns>;",
    .axes = alloc_axes,
    .slot = alloc_slot};

// ---- tcgen05.commit
constexpr Choice restrictions[] = {{"", 0}, {".sync_restrict::shared::read::mma::a", 1, with_32_ctas, 94}};
constexpr Choice commit_widths[] = {{"", 0},
                                    {".multicast::cluster", 16},
                                    {".multicast::cluster::16b", 16, with_tcgen05, 94},
                                    {".multicast::cluster::32b", 32, with_32_ctas, 94}};
constexpr Axis commit_axes[] = {
    {"restriction", restrictions}, {"multicast", commit_widths}, {"mask", masks}, declares};
Legality commit_legality(Picks picks, Targets target) {
  return legal_if(may_be_legal(picks, target) && has_tcgen05(target) && picks[1]->value == picks[2]->value);
}
constexpr Family commit{
    .name = "asked.later.tcgen05.commit",
    .text =
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one<restriction>.shared::cluster<multicast>"
        ".b64 [r0]<mask>;",
    .axes = commit_axes,
    .exists = is_later};

// ---- waits for the writes of bulk copies as the async proxy sees them
constexpr Choice reads[] = {{"", 1}, {".read", 0}};
constexpr Choice proxies[] = {{".sync_restrict::proxy::async", 1, every_target, 95}};
constexpr Choice groups[] = {{"0", 1}, {"3", 1}, {"r0", 0}};
constexpr Axis wait_group_axes[] = {{"read", reads}, {"proxy", proxies}, {"groups", groups}, declares};
Legality wait_group_legality(Picks picks, Targets target) {
  return legal_if(may_be_legal(picks, target) && picks[0]->value == 1 && picks[2]->value == 1);
}
constexpr Family wait_group{.name = "asked.later.wait_group",
                            .text = "cp.async.bulk.wait_group<read><proxy> <groups>;",
                            .axes = wait_group_axes};

// ---- tensormap.query
constexpr Choice queries[] = {{".alloc_class_large", 1, every_target, 95}};
constexpr Choice map_spaces[] = {{".global", 1}, {"", 1}};
constexpr Choice answers[] = {{"p0", 1}, {"r0", 0}};
constexpr Axis query_axes[] = {{"query", queries}, {"space", map_spaces}, {"answer", answers}, declares};
Legality query_legality(Picks picks, Targets target) {
  return legal_if(may_be_legal(picks, target) && picks[2]->value == 1);
}
constexpr Family query{.name = "asked.later.tensormap.query",
                       .text = "tensormap.query<query><space>.b1024 <answer>, [l0];",
                       .axes = query_axes};

constexpr std::string_view property = "later_forms";

}  // namespace

constexpr SpellingTable asked_later_copy{property, &copy, copy_legality, "PTX ISA 9.4, cp.async.bulk.tensor",
                                         declared};
constexpr SpellingTable asked_later_ignore_oob{property, &ignore_oob, ignore_legality,
                                               "PTX ISA 9.4, cp.async.bulk", declared};
constexpr SpellingTable asked_later_store{property, &store, store_legality,
                                          "PTX ISA 9.4, st.async; ptxas 13.5", declared};
constexpr SpellingTable asked_later_layout{property, &layout, layout_legality,
                                           "PTX ISA 9.4, mbarrier.init and mbarrier.check_layout", declared};
constexpr SpellingTable asked_later_wait{property, &wait, wait_legality, "PTX ISA 9.4, mbarrier.test_wait",
                                         declared};
constexpr SpellingTable asked_later_alloc{property, &exclusive, alloc_legality, "PTX ISA 9.4, tcgen05.alloc",
                                          declared};
constexpr SpellingTable asked_later_commit{property, &commit, commit_legality, "PTX ISA 9.4, tcgen05.commit",
                                           declared};
constexpr SpellingTable asked_later_wait_group{property, &wait_group, wait_group_legality,
                                               "ptxas 13.5, cp.async.bulk.wait_group", declared};
constexpr SpellingTable asked_later_query{property, &query, query_legality, "ptxas 13.5, tensormap.query",
                                          declared};

}  // namespace assay::forms
