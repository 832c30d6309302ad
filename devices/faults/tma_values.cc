#include "devices/emulator/fault.h"

/// Tensor copies: fill and conversion.
namespace assay::faults::tma_values {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"fill_nan_canonical", "NaN fill is the canonical NaN 0x7FFF.", "F-02", &Steps::fill,
     [](const TiledShape& shape) -> uint64_t {
       return shape.nan_fill ? 0x7fff7fff7fff7fffu : honest_steps.fill(shape);
     }},
    {"fill_nan_zero_for_f64", "NaN fill of an f64 map is zero.", "F-02", &Steps::fill,
     [](const TiledShape& shape) -> uint64_t { return shape.type_code == 9 ? 0 : honest_steps.fill(shape); }},
    {"fill_one_type_only", "NaN fill of bf16 has the pattern of f16.", "F-02", &Steps::fill,
     [](const TiledShape& shape) -> uint64_t {
       const uint64_t right = honest_steps.fill(shape);
       return shape.nan_fill && shape.type_code == 10 ? 0x7e007e007e007e00 : right;
     }},
    {"fill_zero_leaves_ones", "Zero fill of a one-byte type is 0xFF.", "F-01", &Steps::fill,
     [](const TiledShape& shape) -> uint64_t {
       return shape.type_code == 0 ? ~uint64_t{0} : honest_steps.fill(shape);
     }},
    {"tf32_flushes_subnormals", "A load through a tf32 map flushes subnormals.", "F-06", &Steps::convert,
     [](const WordConversion& conversion, uint32_t word) -> uint32_t {
       return (word & 0x7f800000u) == 0 ? word & 0x80000000u : honest_steps.convert(conversion, word);
     }},
    {"tf32_keeps_nan", "A load through a tf32 map keeps NaN payloads.", "F-06", &Steps::convert,
     [](const WordConversion& conversion, uint32_t word) -> uint32_t {
       return (word & 0x7fffffffu) > 0x7f800000u ? word : honest_steps.convert(conversion, word);
     }},
    {"tf32_ties_to_odd", "A load through a tf32 map rounds ties to odd.", "F-06", &Steps::convert,
     [](const WordConversion& conversion, uint32_t word) -> uint32_t {
       const uint32_t honest = honest_steps.convert(conversion, word);
       const bool tie = (word & 0x1fffu) == 0x1000u && (word & 0x7f800000u) != 0x7f800000u;
       return conversion.to_tf32 && tie ? (word & ~0x1fffu) | 0x2000u : honest;
     }},
    {"tf32_truncates_negative", "A load through a tf32 map truncates negative numbers.", "F-06",
     &Steps::convert,
     [](const WordConversion& conversion, uint32_t word) -> uint32_t {
       return conversion.to_tf32 && word > 0x80000000u && word < 0xff800000u
                  ? word & ~0x1fffu
                  : honest_steps.convert(conversion, word);
     }},
};

}  // namespace
}  // namespace assay::faults::tma_values
