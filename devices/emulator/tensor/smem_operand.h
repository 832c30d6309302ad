// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "devices/emulator/async/async.h"
#include "devices/emulator/gpu.h"
#include "devices/emulator/machine/cluster.h"
#include "devices/emulator/readings.h"
#include "reference/spec/formats.h"

namespace assay::emulator {

/// Which address bits a swizzle exchanges; the names are widths of a swizzled row.
enum class SmemSwizzle : uint8_t { none, w32, w64, w128, w128_atom_32 };

/// A decoded shared-memory descriptor of tcgen05; lengths in bytes.
struct SmemDescriptor {
  uint32_t start = 0, leading = 0, stride = 0;
  uint32_t base_offset = 0;
  bool leading_is_absolute = false;
  SmemSwizzle swizzle = SmemSwizzle::none;
};

/// The descriptor, or a sentence on the field that is wrong on this target.
std::variant<SmemDescriptor, std::string> decode_smem_descriptor(uint64_t word, Target target);

/// A matrix in shared memory as an instruction reads it: rows (m of A, n of B) by k.
struct SmemMatrix {
  SmemDescriptor descriptor;
  const spec::Format* format = nullptr;
  bool is_mn_major = false;  ///< the transpose bit
  uint32_t first_row = 0;    ///< of the descriptor's rows
  uint32_t rows = 0, k = 0;
  /// What the base offset does to the number of a line (AMB-05).
  enum class BaseOffset : uint8_t { subtracted, exclusive_or, added } base_offset{};
  uint32_t lines_of_atom_32 = 4;  ///< that the stride steps over, MN-major with 32-byte atoms (AMB-32)
  bool is_packed = false;         ///< elements of 4 and 6 bits without padding (AMB-22)
  bool halves_are_apart = true;   ///< K-major 32B: the leading offset leads to the second 32 bytes (AMB-46)
  /// What of it is open, by the answers of the device.
  void choose(const DeviceReadings& readings);
  /// Bits that an element takes on average, padding included.
  uint32_t stored_bits() const;
};

/// What does not go together: element size, order and swizzle; empty if all does (ptx, Valid Combinations of
/// Type-Size, Major-ness and Swizzling).
std::string wrong_combination(const SmemMatrix& matrix, const DeviceReadings& readings);

/// The codes of a matrix, row after row, and for each row whether never-written memory is among it; for a
/// K-major one on request the same of each byte.
struct SmemCodes {
  std::span<uint32_t> codes;
  std::span<uint8_t> is_unwritten, unwritten_bytes = {};
};

/// Reads the matrix from a CTA's shared memory. Traps illegal_address where a byte lies outside of it.
void read_matrix(const SmemMatrix& matrix, const Cta& cta, const SmemCodes& into);

/// The bytes that read_matrix() looks at, as shared::cluster addresses.
std::vector<SharedRange> matrix_ranges(const SmemMatrix& matrix, uint32_t cta_rank);

}  // namespace assay::emulator
