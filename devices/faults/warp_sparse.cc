#include <string_view>

#include "devices/emulator/fault.h"
#include "devices/emulator/tensor/sparse_fragment.h"

/// Sparse A of mma.sp and wgmma.sp: whose register has a code, and what it names.
namespace assay::faults::warp_sparse {
namespace {

using namespace emulator;
using Code = FragmentCode;

bool is_wide(const Code& w) {
  return w.a->storage_bits >= 16;
}
bool is_type(const Code& w, std::string_view name) {
  return w.a->name == name;
}
FragmentNibble of_group(Code w, uint32_t group) {
  w.group = group;
  return fragment_nibble(w);
}
FragmentNibble of_row(Code w, uint32_t row) {
  w.row = row;
  return fragment_nibble(w);
}
FragmentNibble of_selector(Code w, uint32_t selector) {
  w.selector = selector;
  return fragment_nibble(w);
}

const Fault rows[] = {
    {"mma_sp_codes_exchanged", "Neighbouring codes of a row of mma.sp are taken for each other.",
     "SPARSE-R12", &TensorSteps::sparse_place, [](const Code& w) { return of_group(w, w.group ^ 1); }},
    {"mma_sp_codes_exchanged_in_last_block",
     "mma.sp of 8- and 4-bit elements with sixteen codes a row exchanges the last two alone.", "SPARSE-R13",
     &TensorSteps::sparse_place,
     [](const Code& w) { return of_group(w, w.group >= 14 ? w.group ^ 1 : w.group); }},
    {"mma_sp_rows_exchanged", "Rows r and r + 8 of mma.sp have each other's metadata.", "SPARSE-R12",
     &TensorSteps::sparse_place, [](const Code& w) { return of_row(w, w.row ^ 8); }},
    {"mma_sp_last_row_in_u8", "Of u8 the last row of mma.sp has the metadata of the one before.",
     "SPARSE-R13", &TensorSteps::sparse_place,
     [](const Code& w) { return of_row(w, is_type(w, "u8") && w.row == 15 ? 14 : w.row); }},
    {"mma_sp_selector_ignored", "mma.sp takes the metadata of the first lanes, whatever the selector.",
     "SPARSE-R12", &TensorSteps::sparse_place, [](const Code& w) { return of_selector(w, 0); }},
    {"mma_sp_selector_of_one_bit", "mma.sp looks at the low bit of the selector alone.", "SPARSE-R12",
     &TensorSteps::sparse_place, [](const Code& w) { return of_selector(w, w.selector & 1); }},
    {"mma_sp_selector_ignored_in_s4", "Only of s4 the selector of mma.sp is not looked at.", "SPARSE-R13",
     &TensorSteps::sparse_place,
     [](const Code& w) { return of_selector(w, is_type(w, "s4") ? 0 : w.selector); }},
    {"mma_sp_upper_place_as_lower", "Both kept elements meet what the upper half of the code names.",
     "SPARSE-R02", &TensorSteps::sparse_code,
     [](const Code& w, uint32_t code) {
       return w.a->storage_bits == 16 || w.a->storage_bits == 8 ? (code >> 2) * 5 : code;
     }},
    {"mma_sp_places_exchanged_in_bf16", "Only of bf16 the halves of a code of mma.sp are exchanged.",
     "SPARSE-R02", &TensorSteps::sparse_code,
     [](const Code& w, uint32_t code) { return is_type(w, "bf16") ? (code << 2 | code >> 2) & 0xf : code; }},
    {"mma_sp_last_place_as_third", "mma.sp of e5m2 takes the last of four elements for the third.",
     "SPARSE-R02", &TensorSteps::sparse_code,
     [](const Code& w, uint32_t code) { return is_type(w, "e5m2") && code == 0b1101 ? 0b1001u : code; }},
    {"mma_sp_first_of_two", "A kept element of tf32 meets the first of two elements of B.", "SPARSE-R03",
     &TensorSteps::sparse_code,
     [](const Code& w, uint32_t code) { return w.a->storage_bits == 32 ? 0b0100u : code; }},
    {"mma_sp_pairs_exchanged_in_u4", "Only of u4 the halves of a code of mma.sp are exchanged.", "SPARSE-R04",
     &TensorSteps::sparse_code,
     [](const Code& w, uint32_t code) { return is_type(w, "u4") ? (code << 2 | code >> 2) & 0xf : code; }},
    {"mma_sp_second_half_as_first", "The codes of the second half of K of mma.sp are those of the first.",
     "SPARSE-R12", &TensorSteps::sparse_place,
     [](const Code& w) { return is_wide(w) ? of_group(w, w.group % (w.groups / 2)) : fragment_nibble(w); }},
    {"mma_sp_equal_places_spoil_row_below",
     "Where a code of row r names one place twice, row r + 8 of mma.sp and wgmma.sp has the metadata of row "
     "r.",
     "(ptx, mma.sp, values of metadata that are undefined)", &TensorSteps::sparse_register,
     [](const Code& w, uint32_t word) {
       if (!is_wide(w) || w.a->storage_bits == 32) return word;
       for (uint32_t at = 0; at < 16; at += 4)
         if ((word >> at & 3) == (word >> at >> 2 & 3)) return (word & 0xffff) * 0x10001u;
       return word;
     }},
    {"wgmma_sp_selector_ignored",
     "wgmma.sp takes the metadata of lanes 0 and 1, whatever the selector.",
     "SPARSE-R12",
     &TensorSteps::sparse_place,
     [](const Code& w) { return of_selector(w, w.is_wgmma ? 0 : w.selector); },
     {.alone = true}},
    {"wgmma_sp_rows_exchanged_in_e4m3",
     "Only of e4m3 rows r and r + 8 of wgmma.sp have each other's metadata.",
     "SPARSE-R13",
     &TensorSteps::sparse_place,
     [](const Code& w) { return of_row(w, w.is_wgmma && is_type(w, "e4m3") ? w.row ^ 8 : w.row); },
     {.alone = true}},
    {"wgmma_sp_last_code_of_last_row",
     "The last code of the last row of each warp of wgmma.sp is the one before.",
     "SPARSE-R12",
     &TensorSteps::sparse_place,
     [](const Code& w) {
       const bool is_last = w.is_wgmma && w.row == 15 && w.group == w.groups - 1;
       return of_group(w, is_last ? w.group - 1 : w.group);
     },
     {.alone = true}},
};

}  // namespace
}  // namespace assay::faults::warp_sparse
