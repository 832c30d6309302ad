#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

TmemCell twice(const TmemForm& form, uint32_t thread, uint32_t number) {
  TmemForm doubled = form;
  if (form.is_halved) doubled.split *= 2;
  return tmem_cell(doubled, thread, number);
}

const Fault fault("tcgen05_16x32bx2_split_doubled",
                  "The immediate of 16x32bx2 counts pairs of columns with .pack::16b and .unpack::16b.",
                  "TMEM-R10", [](Tcgen05Steps& steps) { steps.cell = twice; });

}  // namespace
}  // namespace assay::faults
