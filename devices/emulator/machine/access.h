// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "devices/emulator/machine/step.h"

namespace assay::emulator {

enum class Space : uint8_t { generic, global, shared_cta, shared_cluster, local, param, constant };

/// The state space that an opcode names, generic if none.
Space space_of(const Opcode& opcode);

/// A place in memory that a lane may access: checked, and for shared memory with its shadow.
struct Place {
  std::byte* bytes = nullptr;
  uint8_t* written = nullptr;   ///< shared memory: one byte a byte
  uint32_t shared_address = 0;  ///< of shared memory
  bool is_shared() const { return written != nullptr; }
};

/// Resolves an access of a lane. Traps misaligned_address and illegal_address with a sentence that names the
/// address. `alignment` is in bytes.
Place resolve(const Step& step, int lane, Space space, uint64_t address, uint32_t bytes, uint32_t alignment,
              bool is_write);

/// Reads and writes through a place, with what the shadow and the strict mode need. note_store() goes with
/// every change of memory: it makes waiting lanes look again.
bool holds_unwritten(const Place& place, uint32_t bytes);
void note_load(const Step& step, int lane, const Place& place, uint32_t bytes);
void note_store(const Step& step, int lane, const Place& place, uint32_t bytes, bool is_tainted);

}  // namespace assay::emulator
