#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

TmemCell cell(const TmemForm& form, uint32_t thread, uint32_t number) {
  TmemCell right = tmem_cell(form, thread, number);
  if (form.shape == TmemShape::s32x32b && number == 127) --right.column;
  return right;
}

const Fault fault("tcgen05_32x32b_last_register",
                  "The last register of 32x32b.x128 stands for the column before.",
                  "(ptx, tcgen05.ld: fragments of the shapes)",
                  [](Tcgen05Steps& steps) { steps.cell = cell; });

}  // namespace
}  // namespace assay::faults
