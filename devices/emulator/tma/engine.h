// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "devices/emulator/async/async.h"
#include "devices/emulator/gpu.h"

namespace assay::emulator {

enum class ReduceOp : uint8_t { add, min, max, inc, dec, bit_and, bit_or, bit_xor };
enum class ReduceType : uint8_t { u32, s32, u64, s64, b32, b64, f16, bf16, f32, f32_ftz, f64 };

/// What an asynchronous reduction does to each element of its destination.
struct Reduction {
  ReduceOp op = ReduceOp::add;
  ReduceType type = ReduceType::u32;
};

uint32_t bytes_of(ReduceType);
std::optional<ReduceOp> find_reduce_op(std::string_view name);
/// A type of cp.reduce.async.bulk by its name in PTX: not f32_ftz, which tensor maps alone have.
std::optional<ReduceType> find_reduce_type(std::string_view name);

/// The new element, in the low bits; `operand` is the element of shared memory. Rounding, subnormals and NaN
/// as the asynchronous engine of an H200 has them (R-01 to R-06, BR-02 to BR-04).
uint64_t reduced(const Reduction&, uint64_t old, uint64_t operand);

/// Whether the operation exists on the type, by cp.reduce.async.bulk with that destination (ptxas: BR-01).
bool is_bulk_reduction(const Reduction&, bool to_shared);
/// The same by cp.reduce.async.bulk.tensor through a map (H200: TMA-AMB-24). Logical operations ask for the
/// type of the map, not for b32 or b64.
bool is_tensor_reduction(const Reduction&);

/// The 128 bytes of a tensor map as memory holds them.
using TensorMapBytes = std::array<std::byte, 128>;

enum class TensorCopyKind { load, store, prefetch };
/// Of the instruction; a map of another one faults. im2col_no_offs is im2col of a store; gather4 and scatter4
/// take tiled maps.
enum class TensorCopyMode { tile, im2col, im2col_w, im2col_w_128, gather4, scatter4 };
constexpr bool is_wide(TensorCopyMode mode) {
  return mode == TensorCopyMode::im2col_w || mode == TensorCopyMode::im2col_w_128;
}
constexpr bool is_of_four_rows(TensorCopyMode mode) {
  return mode == TensorCopyMode::gather4 || mode == TensorCopyMode::scatter4;
}

struct TensorCopyRequest {
  TensorMapBytes map;
  TensorCopyKind kind;
  int rank;                      ///< of the instruction, 1..5
  std::array<int32_t, 5> coord;  ///< of gather4 and scatter4: the column and four rows
  uint32_t
      shared_address;  ///< inside the CTA's shared window (absolute, 24 bits); not looked at by a prefetch
  Target target;
  uint32_t sm = 0;  ///< multiprocessor of the thread that asks
  TensorCopyMode mode = TensorCopyMode::tile;
  std::array<uint16_t, 3>
      offset{};  ///< im2col loads: W, H, D as the instruction has them; wide ones: wHalo, wOffset
  std::optional<ReduceOp> reduction;  ///< of a store that reduces what is there
};

struct TensorCopyFault {
  Diagnostic::Kind kind;
  std::string message;
};

/// The memory that a copy touches, as the machine offers it. Null: the range is not accessible.
class CopyMemory {
 public:
  virtual ~CopyMemory() = default;
  virtual std::byte* global(uint64_t address, size_t bytes) = 0;
  /// Shared memory of the CTA that the copy is for; tells the machine what is about to be read or written.
  virtual std::byte* shared_for_write(uint32_t address, size_t bytes) = 0;
  virtual const std::byte* shared_for_read(uint32_t address, size_t bytes) = 0;
};

/// Bytes that a copy moves and that lie together on both sides.
struct TensorCopyPiece {
  uint64_t global_address;  ///< 0 when the piece is fill
  uint32_t shared_address;  ///< absolute in the CTA window, swizzled
  uint32_t bytes;  ///< on the shared side; a plan that packs 6-bit elements has pieces of 16, stored as 12
  bool is_fill;
};

/// Of words that become tf32 (TMA-AMB-07).
enum class Tf32Rounding : uint8_t { nearest_even, nearest_away, truncated, none };

/// What happens to each 32-bit word of a copy that converts.
struct WordConversion {
  bool to_tf32 = false;
  bool flushes_subnormals = false;
  Tf32Rounding rounding = Tf32Rounding::nearest_even;
  bool exists() const { return to_tf32 || flushes_subnormals; }
};

/// What a tensor copy will do, worked out from the 128 bytes and the shared address alone. Byte i of a fill
/// piece is fill[(shared_address + i) % 8].
struct TensorCopyPlan {
  TensorCopyKind kind = TensorCopyKind::load;
  std::optional<TensorCopyFault> fault;
  uint32_t transaction_bytes = 0;  ///< what the mbarrier of each receiving CTA is told; 0 unless it is a load
  uint64_t base_address =
      0;  ///< tensor base: must be mapped even if nothing is read; a prefetch does not look
  std::array<std::byte, 8> fill{};
  WordConversion conversion;
  std::optional<Reduction> reduction;
  bool packs_6bit = false;  ///< stored groups: 16 bytes of one element each become 12 bytes
  SwizzleKind swizzle = SwizzleKind::none;
  std::vector<TensorCopyPiece> pieces;
};

/// `settings` carries fault and readings. Pure: no memory is touched.
TensorCopyPlan plan_tensor_copy(const TensorCopyRequest&, const Settings& settings);

/// Moves the bytes of a plan without fault. Returns the fault that the memory caused, if any; bytes moved
/// until then stay moved.
std::optional<TensorCopyFault> apply_tensor_copy(const TensorCopyPlan&, CopyMemory&, const Settings&);

/// Applies the load conversion of tf32 maps to one 32-bit word, as `settings` says.
uint32_t round_tf32(uint32_t word, const Settings& settings);

}  // namespace assay::emulator
