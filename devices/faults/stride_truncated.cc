#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t source(const TiledShape& shape, const std::array<int64_t, 5>& index) {
  TiledShape wrong = shape;
  for (uint64_t& stride : wrong.stride) stride &= 0xfff;
  return honest_steps.source(wrong, index);
}

const Fault fault("stride_truncated", "Strides keep 12 bits.", "L-08",
                  [](Steps& steps) { steps.source = source; });

}  // namespace
}  // namespace assay::faults
