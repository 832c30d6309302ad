#include <string_view>

#include "devices/emulator/fault.h"

/// mma.sp with the kinds of sm_120: what its metadata name, and what a scale counts for.
namespace assay::faults::mma_sync_sparse_kind {
namespace {

using namespace emulator;

/// Replaces what each kept element meets: at(group, element of the group) is its place in the chunk of eight
/// elements, where elements are packed, or of four.
template <typename At>
void meet_again(const KindRow& row, uint32_t* met, At at) {
  const uint32_t k = row.form.k, kept = row.form.is_packed() ? 4 : 2;
  for (uint32_t column = 0; column < 8; ++column)
    for (uint32_t i = 0; i < k; ++i)
      met[column * k + i] = row.b[column * 2 * k + i / kept * kept * 2 + at(i / kept, i % kept)];
}
/// What a code names.
uint32_t place(bool is_packed, uint32_t code, uint32_t i) {
  return is_packed ? (code >> i / 2 * 2 & 3) * 2 + i % 2 : code >> 2 * i & 3;
}
/// As the codes say, each changed.
template <typename Change>
void with_codes(const KindRow& row, uint32_t* met, Change change) {
  meet_again(row, met,
             [&](uint32_t group, uint32_t i) { return place(row.form.is_packed(), change(group), i); });
}
bool is_nvf4(const KindRow& row) {
  return row.form.scale != nullptr && row.form.scale->name == "ue4m3";
}

FragmentScale of_sparse(FragmentScaleRequest request, void (*change)(FragmentScaleRequest&)) {
  if (request.is_sparse) change(request);
  return fragment_scale(request);
}

const Fault rows[] = {
    {"mma_sp_kind_pairs_as_elements",
     "mma.sp of packed elements takes the places of pairs for those of elements.",
     "SPARSE-R04",
     &TensorSteps::kind_met,
     [](const KindRow& row, uint32_t* met) {
       if (row.form.is_packed())
         meet_again(row, met, [&](uint32_t group, uint32_t i) {
           return (row.codes[group] >> i % 2 * 2 & 3) + i / 2 * 4;
         });
     },
     {.device = "sm_120a"}},
    {"mma_sp_kind_pair_in_other_order",
     "The two elements of a kept pair of mma.sp meet those of B in the other order.",
     "SPARSE-R04",
     &TensorSteps::kind_met,
     [](const KindRow& row, uint32_t* met) {
       if (row.form.is_packed())
         meet_again(row, met,
                    [&](uint32_t group, uint32_t i) { return place(true, row.codes[group], i) ^ 1; });
     },
     {.device = "sm_120a"}},
    {"mma_sp_kind_places_exchanged_in_nvf4",
     "Only with scales of ue4m3 the halves of a code of mma.sp are exchanged.",
     "SPARSE-R04",
     &TensorSteps::kind_met,
     [](const KindRow& row, uint32_t* met) {
       if (is_nvf4(row))
         with_codes(row, met,
                    [&](uint32_t group) { return (row.codes[group] << 2 | row.codes[group] >> 2) & 0xf; });
     },
     {.device = "sm_120a"}},
    {"mma_sp_kind_e2m1_in_bytes_in_pairs",
     "mma.sp with an A of e2m1 in bytes keeps two of every four pairs, as where elements are packed.",
     "KIND-R08",
     &TensorSteps::kind_met,
     [](const KindRow& row, uint32_t* met) {
       if (row.form.is_packed() || row.form.a->name != "e2m1") return;
       const uint32_t k = row.form.k;
       for (uint32_t column = 0; column < 8; ++column)
         for (uint32_t i = 0; i < k; ++i)
           met[column * k + i] = row.b[column * 2 * k + i / 4 * 8 + place(true, row.codes[i / 4], i % 4)];
     },
     {.device = "sm_120a"}},
    {"mma_sp_kind_second_half_as_first",
     "The codes of the second half of K of mma.sp with a kind are those of the first.",
     "SPARSE-R13",
     &TensorSteps::kind_met,
     [](const KindRow& row, uint32_t* met) {
       with_codes(row, met, [&](uint32_t group) { return row.codes[group % 8]; });
     },
     {.device = "sm_120a"}},
    {"mma_sp_kind_last_code_of_last_row",
     "The last code of the last row of mma.sp with a kind is the one before.",
     "SPARSE-R13",
     &TensorSteps::kind_met,
     [](const KindRow& row, uint32_t* met) {
       if (row.row == 15)
         with_codes(row, met, [&](uint32_t group) { return row.codes[group == 15 ? 14 : group]; });
     },
     {.device = "sm_120a"}},
    {"mma_sp_kind_nan_that_is_not_met",
     "A NaN of B that the metadata do not name reaches D of mma.sp with a kind.",
     "SPARSE-R01",
     &TensorSteps::kind_met,
     [](const KindRow& row, uint32_t* met) {
       const uint32_t k = row.form.k, magnitude = static_cast<uint32_t>(row.form.b->sign_bit()) - 1;
       if (row.form.b->name != "e4m3") return;
       for (uint32_t at = 0; at < 8 * 2 * k; ++at)
         if ((row.b[at] & magnitude) == magnitude) met[at / (2 * k) * k] = magnitude;
     },
     {.device = "sm_120a"}},
    {"mma_sp_kind_scales_of_dense_blocks",
     "A scale of B counts for as many elements of K as in mma.sync: the second is taken for the third.",
     "KIND-R07",
     &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       FragmentScale at = fragment_scale(r);
       if (r.is_sparse && !r.is_a) at.byte = (r.byte_id + 2 * r.block) % 4;
       return at;
     },
     {.device = "sm_120a"}},
    {"mma_sp_kind_thread_id_a_ignored",
     "The scales of A of mma.sp are those of the first pair of threads, whatever thread-id-a says.",
     "KIND-R03",
     &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       return of_sparse(r, [](FragmentScaleRequest& x) { x.thread_id = x.is_a ? 0 : x.thread_id; });
     },
     {.device = "sm_120a"}},
    {"mma_sp_kind_byte_id_b_ignored",
     "The scales of B of mma.sp begin in byte 0, whatever byte-id-b says.",
     "KIND-R05",
     &TensorSteps::scale,
     [](const FragmentScaleRequest& r) {
       return of_sparse(r, [](FragmentScaleRequest& x) { x.byte_id = x.is_a ? x.byte_id : 0; });
     },
     {.device = "sm_120a"}},
    {"mma_sp_kind_rounds_every_quarter",
     "The kept products of mma.sp with a kind are four sums, each rounded before the next.",
     "KIND-R09",
     &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.is_sparse) rules.fused = product.k / 4;
     },
     {.device = "sm_120a"}},
};

}  // namespace
}  // namespace assay::faults::mma_sync_sparse_kind
