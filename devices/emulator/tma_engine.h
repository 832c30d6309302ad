#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "devices/emulator/gpu.h"

namespace assay::emulator {

/// The 128 bytes of a tensor map as memory holds them.
using TensorMapBytes = std::array<std::byte, 128>;

enum class TensorCopyKind { load, store, prefetch };

struct TensorCopyRequest {
  TensorMapBytes map;
  TensorCopyKind kind;
  int rank;                   ///< of the instruction, 1..5
  std::array<int32_t, 5> coord;
  uint32_t shared_address;    ///< inside the CTA's shared window (absolute, 24 bits)
  Target target;
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

/// One contiguous piece of a copy. For a load, source null means `fill`; pieces are at most 16 bytes and never
/// straddle a swizzle chunk.
struct TensorCopyPiece {
  uint64_t global_address;    ///< 0 when the piece is fill
  uint32_t shared_address;    ///< absolute in the CTA window, swizzled
  uint8_t bytes;
  bool is_fill;
};

/// What a tensor copy will do, worked out from the 128 bytes and the shared address alone. `bytes` of pieces that
/// are fill take the pattern fill[i % 8].
struct TensorCopyPlan {
  TensorCopyKind kind = TensorCopyKind::load;
  std::optional<TensorCopyFault> fault;
  uint32_t transaction_bytes = 0;
  uint64_t base_address = 0;  ///< tensor base: must be mapped even if nothing is read
  std::array<std::byte, 8> fill{};
  bool rounds_to_tf32 = false;   ///< loaded 32-bit words are converted (see round_tf32)
  std::vector<TensorCopyPiece> pieces;
};

/// `settings` carries fault and readings. Pure: no memory is touched.
TensorCopyPlan plan_tensor_copy(const TensorCopyRequest&, const Settings& settings);

/// Moves the bytes of a plan without fault. Returns the fault that the memory caused, if any.
std::optional<TensorCopyFault> apply_tensor_copy(const TensorCopyPlan&, CopyMemory&, const Settings&);

/// Applies the load conversion of tf32 maps to one 32-bit word, as `settings` says.
uint32_t round_tf32(uint32_t word, const Settings& settings);

}  // namespace assay::emulator
