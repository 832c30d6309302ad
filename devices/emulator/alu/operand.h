// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "devices/emulator/alu/half.h"
#include "devices/emulator/alu/lanes.h"

/// How comparisons read their operands: load() gives a value that C++ compares as PTX does.
namespace assay::emulator::alu {

template <class T>
struct Integer {
  static T load(uint64_t bits) { return value_of<T>(bits); }
};
struct Float32 {
  static float load(uint64_t bits) { return value_of<float>(bits); }
};
struct Float32Flushed {
  static float load(uint64_t bits) { return flushed(value_of<float>(bits)); }
};
struct Float64 {
  static double load(uint64_t bits) { return value_of<double>(bits); }
};
struct Float16 {
  static float load(uint64_t bits) { return f16_to_float(static_cast<uint16_t>(bits)); }
};
struct Float16Flushed {
  static float load(uint64_t bits) { return f16_to_float(flushed_f16(static_cast<uint16_t>(bits))); }
};
struct Brain16 {
  static float load(uint64_t bits) { return bf16_to_float(static_cast<uint16_t>(bits)); }
};

}  // namespace assay::emulator::alu
