#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

TmemCell cell(const TmemForm& form, uint32_t thread, uint32_t number) {
  TmemCell right = tmem_cell(form, thread, number);
  if (form.shape == TmemShape::s16x64b) right.lane ^= 8;
  return right;
}

const Fault fault("tcgen05_16x64b_lanes_off",
                  "The 16x64b shape takes the lanes 8 to 15 before the lanes 0 to 7.",
                  "(ptx, tcgen05.ld: fragments of the shapes)",
                  [](Tcgen05Steps& steps) { steps.cell = cell; });

}  // namespace
}  // namespace assay::faults
