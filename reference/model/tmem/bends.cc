// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/bends.h"
#include "reference/model/tmem/scale_copy.h"
#include "reference/spec/rules.h"

/// Bends of tensor memory: where D lies, which lanes are written, and what a register stands for.
namespace assay::model {
namespace {

using layout::DLayoutRow;
using layout::TmemRegisterPlace;
using spec::rule;
using Access = TmemAccessCase;

template <char letter, int flip>
int fold_of(const DLayoutRow& layout, int fold) {
  return layout.letter == letter ? fold ^ flip : fold;
}
template <char letter, int flip>
int lane_of_d(const DLayoutRow& layout, int lane) {
  return layout.letter == letter ? lane ^ flip : lane;
}

/// Places of one shape, or of all.
template <uint32_t shape, int lane_flip, int column_flip>
TmemRegisterPlace moved(const Access& c, int, int, TmemRegisterPlace right) {
  if (c.shape != shape) return right;
  return {right.lane ^ lane_flip, right.column ^ column_flip};
}
/// The register of another number.
template <uint32_t shape, int flip>
TmemRegisterPlace of_register(const Access& c, int thread, int r, TmemRegisterPlace right) {
  const int registers = layout::tmem_shapes[c.shape].registers_per_count * static_cast<int>(c.count);
  if (c.shape != shape || (r ^ flip) >= registers) return right;
  return layout::tmem_register_place(c.shape, thread % 32, r ^ flip, c.packs ? 2 : 1,
                                     static_cast<int>(c.split));
}
template <int numerator, int denominator>
TmemRegisterPlace split_of(const Access& c, int thread, int r, TmemRegisterPlace right) {
  if (c.shape != 4) return right;
  return layout::tmem_register_place(c.shape, thread % 32, r, c.packs ? 2 : 1,
                                     static_cast<int>(c.split) * numerator / denominator);
}
TmemRegisterPlace split_counts_pairs(const Access& c, int thread, int r, TmemRegisterPlace right) {
  return c.packs ? split_of<2, 1>(c, thread, r, right) : right;
}

/// Lanes of one warp in all warps, where all give its address.
TmemRegisterPlace as_addressed(const Access& c, int thread, int, TmemRegisterPlace right) {
  if (!c.same_address) return right;
  return {right.lane + (static_cast<int>(c.named_warp) - thread / 32) * 32, right.column};
}

/// Whatever then comes of it: other values, or an error.
bool any_product(const GemmCase&) {
  return true;
}

// clang-format off
constexpr Bend layout_rows[] = {
    {.rule = rule("TMEM-R02"), .words = "the halves of N were swapped",
     .mma = {.fold = fold_of<'B', 1>}},
    {.rule = rule("TMEM-R02"), .words = "the even CTA supplied the upper half of B",
     .mma = {.cta_of_b = [](int half) { return half ^ 1; }}},
    {.rule = rule("TMEM-R01"), .words = "rows of D lay in the other half of the lanes",
     .mma = {.lane = lane_of_d<'A', 64>}},
    {.rule = rule("TMEM-R03"), .words = "the other 16 lanes of every 32 were used",
     .mma = {.lane = lane_of_d<'F', 16>}},
    {.rule = rule("TMEM-R04"), .words = "rows of D lay in the other half of the lanes",
     .mma = {.lane = lane_of_d<'D', 64>}},
    {.rule = rule("TMEM-R04"), .words = "neighbouring rows of D were swapped",
     .mma = {.lane = lane_of_d<'D', 1>}},
    {.rule = rule("TMEM-R05"), .words = "the halves of N were swapped",
     .mma = {.fold = fold_of<'E', 1>}},
    {.rule = rule("TMEM-R06"), .words = "the quarters of N came in reverse order",
     .mma = {.fold = fold_of<'G', 3>}},
    {.rule = rule("TMEM-R06"), .words = "the halves of N were swapped",
     .mma = {.fold = fold_of<'G', 2>}},
    {.rule = rule("TMEM-R06"), .words = "neighbouring quarters of N were swapped",
     .mma = {.fold = fold_of<'G', 1>}},
    {.rule = rule("TMEM-R14"), .words = "A were left as it was",
     .mma = {.shifts_a = [](int) { return false; }}},
    {.rule = rule("TMEM-R14"), .words = "the last 32 lanes of A were left as they were",
     .mma = {.shifts_a = [](int lane) { return lane < 96; }}},
    {.rule = rule("TMEM-R12"), .words = "all lanes were written",
     .mma = {.disabled_bit = [](int, int) { return -1; }}},
    {.rule = rule("TMEM-R12"), .words = "the words came in reverse order",
     .mma = {.disabled_bit = [](int bit, int bits) { return (bits / 32 - 1 - bit / 32) * 32 + bit % 32; }}},
    {.rule = rule("TMEM-R12"), .words = "the bits of a word came in reverse order",
     .mma = {.disabled_bit = [](int bit, int) { return bit ^ 31; }}},
    {.rule = rule("TMEM-R12"), .words = "the words of the CTAs were swapped",
     .mma = {.disabled_bit = [](int bit, int bits) { return bits == 256 ? bit ^ 128 : bit; }}},
};
constexpr Bend sync_rows[] = {
    {.rule = rule("SYNC-R01"), .words = "D were read before its products were complete",
     .program = {.spoils = any_product}},
    {.rule = rule("SYNC-R01"), .words = "the mbarrier were never told", .program = {.never_ends = true}},
    {.rule = rule("MBAR-R06"), .words = "a phase did not complete", .program = {.never_ends = true}},
    {.rule = rule("TMEM-R15"), .words = "tcgen05.alloc returned columns of another allocation",
     .program = {.spoils = any_product}},
    {.rule = rule("TMEM-R16"), .words = "tcgen05.dealloc gave back other columns",
     .program = {.spoils = any_product}},
};
constexpr Bend access_rows[] = {
    {.rule = rule("TMEM-R10"), .words = "the upper lanes of .16x64b came first",
     .mma = {.cell = moved<0, 8, 0>}},
    {.rule = rule("TMEM-R10"), .words = "neighbouring columns of .16x64b were swapped",
     .mma = {.cell = moved<0, 0, 1>}},
    {.rule = rule("TMEM-R10"), .words = "the upper lanes of .16x128b came first",
     .mma = {.cell = moved<1, 8, 0>}},
    {.rule = rule("TMEM-R10"), .words = "neighbouring fours of columns of .16x128b were swapped",
     .mma = {.cell = moved<1, 0, 4>}},
    {.rule = rule("TMEM-R10"), .words = "the upper lanes of .16x256b came first",
     .mma = {.cell = of_register<2, 2>}},
    {.rule = rule("TMEM-R10"), .words = "neighbouring registers of .16x256b were swapped",
     .mma = {.cell = of_register<2, 1>}},
    {.rule = rule("TMEM-R10"), .words = "neighbouring registers of .32x32b were swapped",
     .mma = {.cell = of_register<3, 1>}},
    {.rule = rule("TMEM-R10"), .words = "the immediate of .16x32bx2 counted pairs of columns",
     .mma = {.cell = split_counts_pairs}},
    {.rule = rule("TMEM-R10"), .words = "the immediate of .16x32bx2 counted twice",
     .mma = {.cell = split_of<2, 1>}},
    {.rule = rule("TMEM-R10"), .words = "the immediate of .16x32bx2 were ignored",
     .mma = {.cell = split_of<0, 1>}},
    {.rule = rule("TMEM-R10"), .words = "registers stood for other cells", .mma = {.cells_are_open = true}},
    {.rule = rule("TMEM-R17"), .words = "all warps accessed the lanes that the address names",
     .mma = {.cell = as_addressed}},
    {.rule = rule("TMEM-R11"), .words = "the first column went to the upper half",
     .mma = {.pack = [](uint32_t low, uint32_t high) { return low << 16 | (high & 0xffff); }}},
    {.rule = rule("TMEM-R11"), .words = "the second column were forgotten",
     .mma = {.pack = [](uint32_t low, uint32_t) { return low; }}},
    {.rule = rule("TMEM-R11"), .words = "the second column were zero",
     .mma = {.pack = [](uint32_t low, uint32_t) { return low & 0xffff; }}},
    {.rule = rule("TMEM-R11"), .words = "the first column were forgotten",
     .mma = {.pack = [](uint32_t, uint32_t high) { return high; }}},
    {.rule = rule("TMEM-R11"), .words = "the upper half of a register were forgotten",
     .mma = {.unpack = [](uint32_t word, int half) { return half == 0 ? word & 0xffff : 0; }}},
    {.rule = rule("TMEM-R11"), .words = "the halves of a register were swapped",
     .mma = {.unpack = [](uint32_t word, int half) { return half == 0 ? word >> 16 : word & 0xffff; }}},
    {.rule = rule("TMEM-R11"), .words = "a register were not split",
     .mma = {.unpack = [](uint32_t word, int half) { return half == 0 ? word : word >> 16; }}},
};
// clang-format on

std::vector<Bend> joined_bends(std::initializer_list<std::span<const Bend>> parts) {
  std::vector<Bend> all;
  for (const auto part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

std::span<const Bend> tmem_layout_bends() {
  return layout_rows;
}
std::span<const Bend> tmem_access_bends() {
  return access_rows;
}
std::span<const Bend> mma_bends() {
  static const auto all =
      joined_bends({adder_bends(), smem_bends(), mask_bends(), tmem_layout_bends(), scale_bends(),
                    scale_copy_bends(), sparse_code_bends(), sparse_place_bends(), sync_rows});
  return all;
}
std::span<const Bend> sparse_kind_bends() {
  static const auto all =
      joined_bends({adder_bends(), sparse_code_bends(), sparse_register_bends(), register_scale_bends()});
  return all;
}
std::span<const Bend> warp_mma_bends() {
  static const auto all =
      joined_bends({adder_bends(), smem_bends(), sparse_code_bends(), sparse_register_bends()});
  return all;
}

}  // namespace assay::model
