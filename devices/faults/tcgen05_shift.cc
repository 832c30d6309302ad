#include "devices/emulator/fault.h"

/// tcgen05.shift, and what comes after what.
namespace assay::faults::tcgen05_shift {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"tcgen05_cp_overtakes_shift",
     "tcgen05.cp.4x256b does not wait for the shifts that its thread has issued before.",
     "TCP-R10",
     &Tcgen05Steps::is_pipelined,
     [](const IssuedWork& first, const IssuedWork& second, size_t) {
       return first.kind != IssuedWork::Kind::shift && first.is_pipelined_with(second);
     },
     {.device = "sm_100a,schedule=random:1"}},
    {"tcgen05_mma_ashift_ignored", "tcgen05.mma.ashift leaves A as it was.", "TMEM-R14",
     &Tcgen05Steps::shifts_a, [](uint32_t) { return false; }},
    {"tcgen05_mma_ashift_last_partition_lost", "tcgen05.mma.ashift does not shift the last 32 lanes of A.",
     "TMEM-R14", &Tcgen05Steps::shifts_a, [](uint32_t lane) { return lane < 96; }},
    {"tcgen05_shift_columns_aligned", "tcgen05.shift starts at a multiple of 8 columns.", "TCP-R11",
     &Tcgen05Steps::shift, [](TmemShift& shift) { shift.at.column &= ~7u; }},
    {"tcgen05_shift_from_lane_96_skips_first",
     "tcgen05.shift whose address names lane 96 does not shift the first 32 lanes.", "TCP-R11",
     &Tcgen05Steps::shifts_partition,
     [](uint32_t first_lane, const TmemShift& shift, bool shifts) {
       return shifts && !(shift.at.lane == 96 && first_lane == 0);
     }},
    {"tcgen05_shift_last_column_lost", "tcgen05.shift shifts 7 columns.", "TCP-R11", &Tcgen05Steps::shift,
     [](TmemShift& shift) { shift.columns = 7; }},
    {"tcgen05_shift_last_columns_of_all",
     "tcgen05.shift of columns 504 to 511 shifts nothing.",
     "TCP-R11",
     &Tcgen05Steps::shifts_partition,
     [](uint32_t, const TmemShift& shift, bool shifts) { return shifts && shift.at.column != 504; },
     {.rare = true}},
    {"tcgen05_shift_last_partition_lost", "tcgen05.shift does not shift the last 32 lanes.", "TCP-R11",
     &Tcgen05Steps::shifts_partition,
     [](uint32_t first_lane, const TmemShift&, bool shifts) { return shifts && first_lane != 96; }},
    {"tcgen05_shift_overtakes_mma",
     "tcgen05.shift does not wait for the products that its thread has issued before.",
     "TCP-R11",
     &Tcgen05Steps::is_pipelined,
     [](const IssuedWork& first, const IssuedWork& second, size_t) {
       return !(first.kind == IssuedWork::Kind::mma && second.kind == IssuedWork::Kind::shift) &&
              first.is_pipelined_with(second);
     },
     {.device = "sm_100a,schedule=random:7"}},
    {"tcgen05_shift_up", "tcgen05.shift.down shifts towards higher lanes.", "TCP-R11",
     &Tcgen05Steps::shifted_lane, [](uint32_t lane) -> uint32_t { return lane == 0 ? 0 : lane - 1; }},
    {"tcgen05_shift_wraps", "tcgen05.shift gives the last lane what the first one held.", "TCP-R11",
     &Tcgen05Steps::shifted_lane, [](uint32_t lane) -> uint32_t { return (lane + 1) % 32; }},
};

}  // namespace
}  // namespace assay::faults::tcgen05_shift
