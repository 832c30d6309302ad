#include <bit>
#include <cmath>

#include "devices/emulator/fault.h"

/// mma.sync of f64 and of 4-bit integers.
namespace assay::faults::warp_mma {
namespace {

using namespace emulator;

double f64(uint64_t code) {
  return std::bit_cast<double>(code);
}
uint64_t code_of(double value) {
  return std::bit_cast<uint64_t>(value);
}
bool is_finite(uint64_t code) {
  return (code << 1) < 0xffe0000000000000;
}

const Fault rows[] = {
    {"mma_sync_f64_product_rounded", "mma.sync of f64 rounds each product before it is added.", "ADD-R21",
     &TensorSteps::fused,
     [](uint64_t a, uint64_t b, uint64_t c, uint64_t right) -> uint64_t {
       const volatile double product = f64(a) * f64(b);
       const double sum = product + f64(c);
       return is_finite(right) && is_finite(code_of(sum)) ? code_of(sum) : right;
     }},
    {"mma_sync_f64_flushes_results", "mma.sync of f64 gives zero for a subnormal.", "ADD-R21",
     &TensorSteps::fused,
     [](uint64_t, uint64_t, uint64_t, uint64_t right) -> uint64_t {
       return (right >> 52 & 0x7ff) == 0 ? right >> 63 << 63 : right;
     }},
    {"mma_sync_f64_nan_of_a_first", "mma.sync of f64 takes the NaN of A before that of the accumulator.",
     "ADD-R21", &TensorSteps::fused,
     [](uint64_t a, uint64_t b, uint64_t, uint64_t right) -> uint64_t {
       const auto is_nan = [](uint64_t code) { return (code << 1) > 0xffe0000000000000; };
       return is_nan(a) && !is_nan(b) ? a | uint64_t{1} << 51 : right;
     }},
    {"mma_sync_i4_wraps", "mma.sync of 4-bit integers wraps where it should clamp.", "ADD-R20",
     &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.a_format->storage_bits == 4) rules.saturates_integers = false;
     }},
    {"mma_sync_i4_last_of_k_lost", "mma.sync.m16n8k64 of 4-bit integers leaves out the last product.",
     "ADD-R07", &TensorSteps::rules,
     [](const TileProduct& product, AdderRules& rules) {
       if (product.a_format->is_integer() && product.a_format->storage_bits == 4 && product.k == 64)
         rules.products = 63;
     }},
};

}  // namespace
}  // namespace assay::faults::warp_mma
