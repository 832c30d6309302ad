#include "devices/emulator/fault.h"

/// Tensor copies that several lanes of a warp issue at once.
namespace assay::faults::tma_lanes {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"tensor_lanes_acquire_first_map",
     "Of the maps that several lanes acquire at once that of the first is fetched anew.",
     "REPL-R18",
     &Steps::acquired_map_of,
     [](int, int first) -> int { return first; },
     {.device = "sm_90a,schedule=lazy"}},
    {"tensor_lanes_share_map", "Several lanes that copy at once all copy by the map of the first.",
     "TILE-R01", &Steps::map_of, [](int, int first) -> int { return first; }},
};

}  // namespace
}  // namespace assay::faults::tma_lanes
