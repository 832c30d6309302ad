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

/// A shared-memory descriptor of wgmma, decoded; lengths in bytes. Bits that are not named here have no
/// influence (H200: sections 1 and 2).
struct WgmmaDescriptor {
  uint32_t start = 0;        ///< bits 0..13, times 16
  uint32_t leading = 0;      ///< bits 16..29, times 16
  uint32_t stride = 0;       ///< bits 32..45, times 16
  uint32_t base_offset = 0;  ///< bits 49..51
  uint32_t width = 16;  ///< bytes of a swizzled row: codes 0 to 3 of bits 62..63 are 16 (none), 128, 64, 32
  bool is_swizzled() const { return width != 16; }
};
WgmmaDescriptor decode_wgmma_descriptor(uint64_t word);

/// Sixteen bytes of a matrix: eight bytes and more of one row, or elements of neighbouring rows at one k.
struct WgmmaChunk {
  uint32_t run;      ///< where the bytes that are fetched together begin
  uint32_t address;  ///< of the sixteen bytes, swizzled
};

/// A matrix in shared memory as wgmma reads it: `rows` (m of A, n of B) by k elements, 32 bytes, or of B with
/// a sparse A 64.
struct WgmmaOperand {
  WgmmaDescriptor descriptor;
  const spec::Format* format = nullptr;
  uint32_t rows = 0, k = 0;
  bool is_mn_major = false;

  /// K-major: bytes [x, x + 16) of row mn, x a multiple of 16.
  WgmmaChunk k_major(uint32_t mn, uint32_t x) const;
  /// MN-major, 16-bit elements: rows [mn, mn + 8) at k, mn a multiple of 8.
  WgmmaChunk mn_major(uint32_t mn, uint32_t k) const;

  /// Codes row after row into `codes`; `is_unwritten[row]` says whether never-written memory is among them.
  /// Traps illegal_address where a run begins past the end of the CTA's memory; bytes of a run that sticks
  /// out are not defined (H200: section 5).
  void read(const Cta& cta, char side, std::vector<uint32_t>& codes,
            std::vector<uint8_t>& is_unwritten) const;
  /// What read() looks at of rows [first, end), as shared::cluster addresses. `warps`: that read them.
  std::vector<SharedRange> ranges(const Cta& cta, uint32_t first, uint32_t end, uint8_t warps) const;

 private:
  uint32_t swizzled(uint32_t linear) const;
  template <typename F>
  void for_chunks(F f) const;
};

}  // namespace assay::emulator
