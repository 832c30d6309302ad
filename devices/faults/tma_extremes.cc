#include "devices/emulator/fault.h"

/// Tensor copies at the ends of ranges: coordinates about 16 bits, negative starts of stores dimension by
/// dimension.
namespace assay::faults::tma_extremes {
namespace {

using namespace emulator;

/// One of some values is another one, in dimension 1 and up.
template <int32_t from, int32_t to>
int64_t exchanged(int dimension, int32_t operand) {
  return dimension > 0 && operand == from ? to : operand;
}
/// A store may start below zero in that dimension.
template <char dimension>
bool takes_negative(std::string_view id, bool holds) {
  return holds || (id.starts_with("S-04.") && id.back() == dimension);
}

const Fault rows[] = {
    {"coordinate_32767_negative", "The coordinate 32,767 of dimensions 1 and up counts as -32,769.", "L-02",
     &Steps::coordinate, exchanged<0x7fff, -0x8001>},
    {"coordinate_32768_negative", "The coordinate 32,768 of dimensions 1 and up counts as -32,768.", "L-02",
     &Steps::coordinate, exchanged<0x8000, -0x8000>},
    {"coordinate_65535_negative", "The coordinate 65,535 of dimensions 1 and up counts as -1.", "L-02",
     &Steps::coordinate, exchanged<0xffff, -1>},
    {"coordinate_65536_zero", "The coordinate 65,536 of dimensions 1 and up counts as 0.", "L-02",
     &Steps::coordinate, exchanged<0x10000, 0>},
    {"store_negative_dim0_taken", "A store may start below zero in dimension 0.", "S-04", &Steps::rule,
     takes_negative<'0'>},
    {"store_negative_dim1_taken", "A store may start below zero in dimension 1.", "S-04", &Steps::rule,
     takes_negative<'1'>},
    {"store_negative_dim2_taken", "A store may start below zero in dimension 2.", "S-04", &Steps::rule,
     takes_negative<'2'>},
    {"store_negative_dim3_taken", "A store may start below zero in dimension 3.", "S-04", &Steps::rule,
     takes_negative<'3'>},
    {"store_negative_dim4_taken", "A store may start below zero in dimension 4.", "S-04", &Steps::rule,
     takes_negative<'4'>},
};

}  // namespace
}  // namespace assay::faults::tma_extremes
