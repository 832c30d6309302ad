// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/assembler/tables.h"

/// tcgen05.alloc, dealloc, relinquish_alloc_permit, commit, wait and fence (PTX ISA, Tensor Memory Allocation
/// and Management Instructions; tcgen05.commit; tcgen05.wait; tcgen05.fence).
namespace assay::forms {
namespace {

constexpr Choice groups[] = {{".cta_group::1", 1}, {".cta_group::2", 2}, {"", 0}};
constexpr Choice syncs[] = {{".sync.aligned", 1}, {".sync", 0}, {".aligned", 0}, {"", 0}};
constexpr Choice types[] = {{".b32", 1}, {".b64", 0}, {"", 0}};

/// The value is 1 where the place is legal, 2 where it wants an address of 64 bits.
constexpr Choice places[] = {{".shared::cta", 1}, {"", 2}, {".shared::cluster", 0}};
constexpr Choice counts[] = {{"r1", 1}, {"32", 1}, {"64", 1}, {"128", 1}, {"256", 1}, {"512", 1},
                             {"0", 0},  {"1", 0},  {"16", 0}, {"33", 0},  {"96", 0},  {"1024", 0}};
constexpr Axis alloc_axes[] = {
    {"group", groups}, {"sync", syncs}, {"place", places}, {"type", types}, {"count", counts}};

Legality alloc_legality(Picks picks, Targets target) {
  for (const Choice* choice : picks)
    if (choice->value == 0) return Legality::illegal;
  return legal_if(has_tcgen05(target));
}
std::string alloc_slot(std::string_view, Picks picks) {
  return picks[2]->value == 2 ? "l0" : "r0";
}
constexpr Family alloc{.name = "asked.tcgen05.alloc",
                       .text = "tcgen05.alloc<group><sync><place><type> [<address>], <count>;",
                       .axes = alloc_axes,
                       .slot = alloc_slot};

/// (ptxas) Of dealloc an immediate is not looked at; no document says so.
constexpr Choice freed[] = {{"r1", 1}, {"32", 1}, {"512", 1}, {"96", 2}};
constexpr Choice verbs[] = {{"dealloc", 1}, {"relinquish_alloc_permit", 2}};
constexpr Axis dealloc_axes[] = {
    {"verb", verbs}, {"group", groups}, {"sync", syncs}, {"type", types}, {"count", freed}};

/// relinquish_alloc_permit has neither type nor operands.
bool dealloc_exists(Picks picks) {
  return picks[0]->value == 1 || (picks[4]->text == "r1" && picks[3]->value == 0);
}
Legality dealloc_legality(Picks picks, Targets target) {
  if (!has_tcgen05(target) || picks[1]->value == 0 || picks[2]->value == 0) return Legality::illegal;
  if (picks[0]->value == 2) return legal_if(picks[3]->text.empty());
  if (picks[3]->value == 0) return Legality::illegal;
  return picks[4]->value == 2 ? Legality::open : Legality::legal;
}
std::string dealloc_slot(std::string_view, Picks picks) {
  return picks[0]->value == 2 ? "" : " r0, <count>";
}
constexpr Family dealloc{.name = "asked.tcgen05.dealloc",
                         .text = "tcgen05.<verb><group><sync><type><operands>;",
                         .axes = dealloc_axes,
                         .exists = dealloc_exists,
                         .slot = dealloc_slot};

enum Place : uint32_t { generic = 1, cluster = 2, cta = 0 };
constexpr Choice barrier_places[] = {{"", generic}, {".shared::cluster", cluster}, {".shared::cta", cta}};
constexpr Choice multicasts[] = {{"", 0}, {".multicast::cluster", 1}};
constexpr Choice masks[] = {{"", 0}, {", h0", 1}, {", r3", 2}};
constexpr Choice signals[] = {{".mbarrier::arrive::one", 1}, {"", 0}};
constexpr Choice words[] = {{".b64", 1}, {".b32", 0}, {"", 0}};
constexpr Axis commit_axes[] = {{"group", groups},         {"signal", signals}, {"place", barrier_places},
                                {"multicast", multicasts}, {"type", words},     {"mask", masks}};

Legality commit_legality(Picks picks, Targets target) {
  if (!has_tcgen05(target) || picks[0]->value == 0 || picks[1]->value == 0 || picks[2]->value == cta)
    return Legality::illegal;
  return legal_if(picks[4]->value == 1 && picks[5]->value == picks[3]->value);
}
std::string commit_slot(std::string_view, Picks picks) {
  return picks[2]->value == generic ? "l0" : "r0";
}
constexpr Family commit{.name = "asked.tcgen05.commit",
                        .text = "tcgen05.commit<group><signal><place><multicast><type> [<address>]<mask>;",
                        .axes = commit_axes,
                        .slot = commit_slot};

constexpr Choice waits[] = {{"wait::ld", 1},
                            {"wait::st", 1},
                            {"wait::cp", 0},
                            {"fence::before_thread_sync", 2},
                            {"fence::after_thread_sync", 2}};
constexpr Axis wait_axes[] = {{"what", waits}, {"sync", syncs}};

Legality wait_legality(Picks picks, Targets target) {
  if (!has_tcgen05(target) || picks[0]->value == 0) return Legality::illegal;
  return legal_if(picks[0]->value == 1 ? picks[1]->value == 1 : picks[1]->text.empty());
}
constexpr Family wait{.name = "asked.tcgen05.wait", .text = "tcgen05.<what><sync>;", .axes = wait_axes};

}  // namespace

constexpr SpellingTable asked_tcgen05_alloc{"tcgen05_sync", &alloc, alloc_legality,
                                            "PTX ISA, tcgen05.alloc; ptxas 13.0"};
constexpr SpellingTable asked_tcgen05_dealloc{"tcgen05_sync", &dealloc, dealloc_legality,
                                              "PTX ISA, tcgen05.dealloc; ptxas 13.0"};
constexpr SpellingTable asked_tcgen05_commit{"tcgen05_sync", &commit, commit_legality,
                                             "PTX ISA, tcgen05.commit; ptxas 13.0"};
constexpr SpellingTable asked_tcgen05_wait{"tcgen05_sync", &wait, wait_legality,
                                           "PTX ISA, tcgen05.wait, tcgen05.fence"};

}  // namespace assay::forms
