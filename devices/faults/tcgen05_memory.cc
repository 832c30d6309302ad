#include "devices/emulator/fault.h"
#include "devices/emulator/machine/tmem.h"

/// Tensor memory: allocation, loads and stores.
namespace assay::faults::tcgen05_memory {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"tcgen05_16x128b_second_pair",
     "From x8 on the 16x128b shape exchanges the columns of neighbouring repetitions.", "TMEM-R10",
     &Tcgen05Steps::cell,
     [](const TmemForm& form, uint32_t thread, uint32_t number) -> TmemCell {
       TmemCell right = tmem_cell(form, thread, number);
       if (form.shape == TmemShape::s16x128b && form.count >= 8) right.column ^= 4;
       return right;
     }},
    {"tcgen05_16x256b_register_order", "The two rows of a 16x256b fragment are in the wrong registers.",
     "TMEM-R10", &Tcgen05Steps::cell,
     [](const TmemForm& form, uint32_t thread, uint32_t number) -> TmemCell {
       return tmem_cell(form, thread, form.shape == TmemShape::s16x256b ? number ^ 2 : number);
     }},
    {"tcgen05_16x32bx2_split_doubled",
     "The immediate of 16x32bx2 counts pairs of columns with .pack::16b and .unpack::16b.", "TMEM-R10",
     &Tcgen05Steps::cell,
     [](const TmemForm& form, uint32_t thread, uint32_t number) -> TmemCell {
       TmemForm doubled = form;
       if (form.is_halved) doubled.split *= 2;
       return tmem_cell(doubled, thread, number);
     }},
    {"tcgen05_16x64b_lanes_off", "The 16x64b shape takes the lanes 8 to 15 before the lanes 0 to 7.",
     "TMEM-R10", &Tcgen05Steps::cell,
     [](const TmemForm& form, uint32_t thread, uint32_t number) -> TmemCell {
       TmemCell right = tmem_cell(form, thread, number);
       if (form.shape == TmemShape::s16x64b) right.lane ^= 8;
       return right;
     }},
    {"tcgen05_32x32b_last_register", "The last register of 32x32b.x128 stands for the column before.",
     "TMEM-R10", &Tcgen05Steps::cell,
     [](const TmemForm& form, uint32_t thread, uint32_t number) -> TmemCell {
       TmemCell right = tmem_cell(form, thread, number);
       if (form.shape == TmemShape::s32x32b && number == 127) --right.column;
       return right;
     }},
    {"tcgen05_alloc_tells_other_column",
     "tcgen05.alloc of 32 columns tells a column 32 away from those that it took.", "TMEM-R15",
     &Tcgen05Steps::allocated,
     [](uint32_t first, uint32_t count, bool) -> uint32_t { return count == 32 ? first ^ 32 : first; }},
    {"tcgen05_alloc_of_128_tells_even_block",
     "tcgen05.alloc of 128 columns tells the first of the 256 columns in which its own lie.", "TMEM-R15",
     &Tcgen05Steps::allocated,
     [](uint32_t first, uint32_t count, bool) -> uint32_t { return count == 128 ? first & ~255u : first; }},
    {"tcgen05_alloc_of_pair_odd_32_low",
     "tcgen05.alloc.cta_group::2 tells the odd CTA a column that is 32 too low, unless it is the first.",
     "TMEM-R15", &Tcgen05Steps::allocated,
     [](uint32_t first, uint32_t, bool is_odd) -> uint32_t {
       return is_odd && first >= 32 ? first - 32 : first;
     }},
    {"tcgen05_dealloc_of_32_wraps_at_256",
     "tcgen05.dealloc of 32 columns from column 256 on gives back those 256 columns before.", "TMEM-R16",
     &Tcgen05Steps::released,
     [](uint32_t first, uint32_t count) -> uint32_t {
       return count == 32 && first >= 256 ? first - 256 : first;
     }},
    {"tcgen05_alloc_generic_writes_nothing",
     "tcgen05.alloc without a state space allocates, but writes no address.", "TMEM-R15",
     &Tcgen05Steps::alloc_writes, [](bool is_generic) { return !is_generic; }},
    {"tcgen05_alloc_does_not_wait", "tcgen05.alloc that has to wait tells column 0 at once, whoever has it.",
     "TMEM-R15", &Tcgen05Steps::alloc_waits, false},
    {"tcgen05_alloc_of_256_tells_first", "tcgen05.alloc of 256 columns always tells column 0.", "TMEM-R15",
     &Tcgen05Steps::allocated,
     [](uint32_t first, uint32_t count, bool) -> uint32_t { return count == 256 ? 0 : first; }},
    {"tcgen05_dealloc_frees_neighbour", "tcgen05.dealloc gives back the columns below those that it names.",
     "TMEM-R16", &Tcgen05Steps::released,
     [](uint32_t first, uint32_t count) -> uint32_t { return first >= count ? first - count : first; }},
    {"tcgen05_dealloc_of_64_frees_first", "tcgen05.dealloc of 64 columns gives back those from column 0 on.",
     "TMEM-R16", &Tcgen05Steps::released,
     [](uint32_t first, uint32_t count) -> uint32_t { return count == 64 ? 0 : first; }},
    {"tcgen05_ld_pack_halves_swapped", "tcgen05.ld.pack::16b puts the first column into the upper half.",
     "TMEM-R11", &Tcgen05Steps::pack,
     [](uint32_t first, uint32_t second) -> uint32_t { return first << 16 | (second & 0xffff); }},
    {"tcgen05_ld_pack_upper_kept", "tcgen05.ld.pack::16b forgets the second column.", "TMEM-R11",
     &Tcgen05Steps::pack, [](uint32_t first, uint32_t) -> uint32_t { return first; }},
    {"tcgen05_lanes_as_addressed",
     "tcgen05.ld and st take the lanes that the address names, whichever warp asks.", "TMEM-R17",
     &Tcgen05Steps::window,
     [](const TmemForm&, uint32_t, uint32_t lane) -> uint32_t {
       return lane % TensorMemory::lanes / 32 * 32;
     }},
    {"tcgen05_lanes_of_warps_from_4_on",
     "tcgen05.ld and st of 16 lanes have those of the first warp in warps from 4 on.", "TMEM-R17",
     &Tcgen05Steps::window,
     [](const TmemForm& form, uint32_t warp, uint32_t) -> uint32_t {
       return warp >= 4 && form.lanes() == 16 ? 0 : warp % 4 * 32;
     }},
    {"tcgen05_lanes_of_warps_from_8_on",
     "tcgen05.ld and st of 16 lanes have those of the first warp in warps from 8 on.", "TMEM-R17",
     &Tcgen05Steps::window,
     [](const TmemForm& form, uint32_t warp, uint32_t) -> uint32_t {
       return warp >= 8 && form.lanes() == 16 ? 0 : warp % 4 * 32;
     }},
    {"tcgen05_lanes_of_last_warp",
     "tcgen05.ld and st of the last of four warps have the lanes of the warp before, where the address names "
     "lane 0.",
     "TMEM-R17", &Tcgen05Steps::window,
     [](const TmemForm&, uint32_t warp, uint32_t lane) -> uint32_t {
       return (warp % 4 == 3 && lane < 32 ? 2 : warp % 4) * 32;
     }},
    {"tcgen05_st_unpack_upper_lost", "tcgen05.st.unpack::16b forgets the upper half of a register.",
     "TMEM-R11", &Tcgen05Steps::unpack,
     [](uint32_t word, uint32_t half) -> uint32_t { return half == 0 ? word & 0xffff : 0; }},
};

}  // namespace
}  // namespace assay::faults::tcgen05_memory
