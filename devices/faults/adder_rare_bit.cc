#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

/// Chosen by what is multiplied and where.
uint32_t change(const ElementResult& result) {
  const TileProduct& product = *result.product;
  uint64_t hash = static_cast<uint64_t>(result.row) << 16 | result.column;
  for (uint32_t k = 0; k < product.k; ++k) {
    hash = (hash ^ product.a[result.row * product.k + k]) * 0x9e3779b97f4a7c15;
    hash = (hash ^ hash >> 29 ^ product.b[result.column * product.k + k]) * 0x9e3779b97f4a7c15;
  }
  return (hash ^ hash >> 32) % 10000 == 0 ? result.code ^ 1 : result.code;
}

const Fault fault("adder_rare_bit", "One element of D in 10,000 is wrong in its lowest bit.", "ADD-R01",
                  [](TensorSteps& steps) { steps.result = change; }, {.rare = true});

}  // namespace
}  // namespace assay::faults
