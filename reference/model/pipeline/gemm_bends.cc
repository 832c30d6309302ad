// SPDX-License-Identifier: Apache-2.0
#include "reference/model/bend.h"
#include "reference/model/pipeline/gemm.h"
#include "reference/spec/rules.h"

/// Bends of the production pipeline: what a wait that is missing, or returns too early, puts in doubt. Of how
/// the stages of a pipeline meet nothing more is known than which products need them; both halves of tensor
/// memory are in use whatever the product, since one launch makes many. Of what goes wrong on the way only
/// that scales and metadata come from another CTA.
namespace assay::model {
namespace {

using spec::rule;

/// Tiles that the pipeline makes one after the other on each cluster.
constexpr uint32_t cluster_m = 256, clusters = 2, stages = 4;
uint32_t rounds_of(const GemmCase& c) {
  const uint32_t cluster_n = c.tile_n * c.cta_group;
  const uint32_t tiles = (c.m + cluster_m - 1) / cluster_m * ((c.n + cluster_n - 1) / cluster_n);
  return (tiles + clusters - 1) / clusters;
}
uint32_t stages_of(const GemmCase& c) {
  return stages_of_row(c) * rounds_of(c);
}
bool always(const GemmCase&) {
  return true;
}
/// Its tiles are handed out to clusters as others are cancelled.
bool is_launch_controlled(const GemmCase& c) {
  return c.launch_control;
}
bool uses_a_stage_again(const GemmCase& c) {
  return stages_of(c) > stages;
}
/// A warp has two boxes of 32 columns to store from.
bool uses_a_box_again(const GemmCase& c) {
  return c.tile_n / 32 * rounds_of(c) > 2;
}

// clang-format off
constexpr Bend rows[] = {
    {.rule = rule("CLC-R03"), .words = "an answer named another cluster",
     .program = {.spoils = is_launch_controlled}},
    {.rule = rule("CLC-R02"), .words = "an answer told the reverse of what was cancelled",
     .program = {.spoils = is_launch_controlled}},
    {.rule = rule("CLC-R01"), .words = "a cluster that was cancelled ran",
     .program = {.spoils = is_launch_controlled}},
    {.rule = rule("SYNC-R01"), .words = "D were read before its products were complete",
     .program = {.spoils = always}},
    {.rule = rule("MBAR-R11"), .words = "a stage were used before its loads were complete",
     .program = {.spoils = always}},
    {.rule = rule("MBAR-R11"), .words = "a stage were loaded again before its products were complete",
     .program = {.spoils = uses_a_stage_again}},
    {.rule = rule("SYNC-R02"), .words = "an accumulator were written anew before it was read",
     .program = {.spoils = always}},
    {.rule = rule("TCP-R08"), .words = "the CTAs of a pair were swapped",
     .tmem_copy = {.source_cta = [](uint32_t, int right) { return right ^ 1; }}},
    {.rule = rule("TCP-R08"), .words = "both CTAs copied from the even one",
     .tmem_copy = {.source_cta = [](uint32_t, int) { return 0; }}},
    {.rule = rule("TCP-R08"), .words = "both CTAs copied from the odd one",
     .tmem_copy = {.source_cta = [](uint32_t, int) { return 1; }}},
    {.rule = rule("TILE-R56"), .words = "what is reduced took the place of what is there",
     .reduction = {.result = [](const spec::Reduction&, uint64_t, uint64_t operand, uint64_t) {
         return operand; }}},
    {.rule = rule("TILE-R56"), .words = "a reduction did nothing",
     .reduction = {.result = [](const spec::Reduction&, uint64_t old, uint64_t, uint64_t) { return old; }}},
    {.rule = rule("SYNC-R03"), .words = "a box were written anew before it was stored",
     .program = {.spoils = uses_a_box_again}},
};
// clang-format on

}  // namespace

std::span<const Bend> gemm_bends() {
  return rows;
}

}  // namespace assay::model
