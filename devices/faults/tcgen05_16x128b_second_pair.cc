#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

TmemCell cell(const TmemForm& form, uint32_t thread, uint32_t number) {
  TmemCell right = tmem_cell(form, thread, number);
  if (form.shape == TmemShape::s16x128b && form.count >= 8) right.column ^= 4;
  return right;
}

const Fault fault("tcgen05_16x128b_second_pair",
                  "From x8 on the 16x128b shape exchanges the columns of neighbouring repetitions.",
                  "(ptx, tcgen05.ld: fragments of the shapes)",
                  [](Tcgen05Steps& steps) { steps.cell = cell; });

}  // namespace
}  // namespace assay::faults
