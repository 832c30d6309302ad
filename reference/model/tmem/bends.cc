// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/bends.h"
#include "reference/model/as_if.h"
#include "reference/model/tmem/scale_copy.h"

/// Bends of tensor memory: where D lies, which lanes are written, and what a register stands for.
namespace assay::model {
namespace {

using layout::DLayoutRow;
using layout::TmemRegisterPlace;
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

constexpr Bend layout_rows[] = {
    as_if("TMEM-R02", "the halves of N were swapped", &MmaBend::fold, fold_of<'B', 1>),
    as_if("TMEM-R02", "the even CTA supplied the upper half of B", &MmaBend::cta_of_b,
          [](int half) { return half ^ 1; }),
    as_if("TMEM-R01", "rows of D lay in the other half of the lanes", &MmaBend::lane, lane_of_d<'A', 64>),
    as_if("TMEM-R03", "the other 16 lanes of every 32 were used", &MmaBend::lane, lane_of_d<'F', 16>),
    as_if("TMEM-R04", "rows of D lay in the other half of the lanes", &MmaBend::lane, lane_of_d<'D', 64>),
    as_if("TMEM-R04", "neighbouring rows of D were swapped", &MmaBend::lane, lane_of_d<'D', 1>),
    as_if("TMEM-R05", "the halves of N were swapped", &MmaBend::fold, fold_of<'E', 1>),
    as_if("TMEM-R06", "the quarters of N came in reverse order", &MmaBend::fold, fold_of<'G', 3>),
    as_if("TMEM-R06", "the halves of N were swapped", &MmaBend::fold, fold_of<'G', 2>),
    as_if("TMEM-R06", "neighbouring quarters of N were swapped", &MmaBend::fold, fold_of<'G', 1>),
    as_if("TMEM-R14", "A were left as it was", &MmaBend::shifts_a, [](int) { return false; }),
    as_if("TMEM-R14", "the last 32 lanes of A were left as they were", &MmaBend::shifts_a,
          [](int lane) { return lane < 96; }),
    as_if("TMEM-R12", "all lanes were written", &MmaBend::disabled_bit, [](int, int) { return -1; }),
    as_if("TMEM-R12", "the words came in reverse order", &MmaBend::disabled_bit,
          [](int bit, int bits) { return (bits / 32 - 1 - bit / 32) * 32 + bit % 32; }),
    as_if("TMEM-R12", "the bits of a word came in reverse order", &MmaBend::disabled_bit,
          [](int bit, int) { return bit ^ 31; }),
    as_if("TMEM-R12", "the words of the CTAs were swapped", &MmaBend::disabled_bit,
          [](int bit, int bits) { return bits == 256 ? bit ^ 128 : bit; }),
};
constexpr Bend sync_rows[] = {
    as_if("SYNC-R01", "D were read before its products were complete", &ProgramBend::spoils, any_product),
    as_if("SYNC-R01", "the mbarrier were never told", &ProgramBend::never_ends, true),
    as_if("MBAR-R06", "a phase did not complete", &ProgramBend::never_ends, true),
    as_if("TMEM-R15", "tcgen05.alloc returned columns of another allocation", &ProgramBend::spoils,
          any_product),
    as_if("TMEM-R16", "tcgen05.dealloc gave back other columns", &ProgramBend::spoils, any_product),
};
constexpr Bend access_rows[] = {
    as_if("TMEM-R10", "the upper lanes of .16x64b came first", &MmaBend::cell, moved<0, 8, 0>),
    as_if("TMEM-R10", "neighbouring columns of .16x64b were swapped", &MmaBend::cell, moved<0, 0, 1>),
    as_if("TMEM-R10", "the upper lanes of .16x128b came first", &MmaBend::cell, moved<1, 8, 0>),
    as_if("TMEM-R10", "neighbouring fours of columns of .16x128b were swapped", &MmaBend::cell,
          moved<1, 0, 4>),
    as_if("TMEM-R10", "the upper lanes of .16x256b came first", &MmaBend::cell, of_register<2, 2>),
    as_if("TMEM-R10", "neighbouring registers of .16x256b were swapped", &MmaBend::cell, of_register<2, 1>),
    as_if("TMEM-R10", "neighbouring registers of .32x32b were swapped", &MmaBend::cell, of_register<3, 1>),
    as_if("TMEM-R10", "the immediate of .16x32bx2 counted pairs of columns", &MmaBend::cell,
          split_counts_pairs),
    as_if("TMEM-R10", "the immediate of .16x32bx2 counted twice", &MmaBend::cell, split_of<2, 1>),
    as_if("TMEM-R10", "the immediate of .16x32bx2 were ignored", &MmaBend::cell, split_of<0, 1>),
    as_if("TMEM-R10", "registers stood for other cells", &MmaBend::cells_are_open, true),
    as_if("TMEM-R17", "all warps accessed the lanes that the address names", &MmaBend::cell, as_addressed),
    as_if("TMEM-R11", "the first column went to the upper half", &MmaBend::pack,
          [](uint32_t low, uint32_t high) { return low << 16 | (high & 0xffff); }),
    as_if("TMEM-R11", "the second column were forgotten", &MmaBend::pack,
          [](uint32_t low, uint32_t) { return low; }),
    as_if("TMEM-R11", "the second column were zero", &MmaBend::pack,
          [](uint32_t low, uint32_t) { return low & 0xffff; }),
    as_if("TMEM-R11", "the first column were forgotten", &MmaBend::pack,
          [](uint32_t, uint32_t high) { return high; }),
    as_if("TMEM-R11", "the upper half of a register were forgotten", &MmaBend::unpack,
          [](uint32_t word, int half) { return half == 0 ? word & 0xffff : 0; }),
    as_if("TMEM-R11", "the halves of a register were swapped", &MmaBend::unpack,
          [](uint32_t word, int half) { return half == 0 ? word >> 16 : word & 0xffff; }),
    as_if("TMEM-R11", "a register were not split", &MmaBend::unpack,
          [](uint32_t word, int half) { return half == 0 ? word : word >> 16; }),
};

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
