#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void pack_6bit(const std::byte* shared, std::byte* global) {
  std::byte reversed[16];
  for (int group = 0; group < 16; ++group) reversed[group] = shared[(group & ~3) + 3 - (group & 3)];
  honest_steps.pack_6bit(reversed, global);
}

const Fault fault("packed_6bit_order", "Stored 6-bit elements are packed with the first one highest.",
                  "PTX 5.5.1.1, b6p2x16", [](Steps& steps) { steps.pack_6bit = pack_6bit; },
                  {.device = "sm_100a"});

}  // namespace
}  // namespace assay::faults
