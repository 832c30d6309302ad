#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "devices/emulator/gpu.h"
#include "devices/emulator/tensor/tcgen05_readings.h"
#include "reference/spec/formats.h"

namespace assay::emulator {

/// .kind of tcgen05.mma, without the block-scaled ones.
enum class MmaKind : uint8_t { f16, tf32, f8f6f4, i8 };

/// What an opcode of tcgen05.mma says.
struct MmaForm {
  MmaKind kind = MmaKind::f16;
  uint32_t cta_group = 1;
  bool is_ws = false;
  bool a_in_tmem = false;
  bool shifts_a = false;  ///< .ashift
  bool reuses_b = false;  ///< .collector::bN::use or ::lastuse
};

/// A decoded instruction descriptor.
struct InstructionDescriptor {
  const spec::Format* a = nullptr;
  const spec::Format* b = nullptr;
  const spec::Format* d = nullptr;
  uint32_t m = 0, n = 0;
  bool transpose_a = false, transpose_b = false, negate_a = false, negate_b = false;
  bool saturates = false;
  uint32_t max_shift = 0;  ///< columns
  /// Products of one instruction: 32 bytes of each operand as it is stored.
  uint32_t k() const { return 256 / (a->storage_bits < 8 ? 8u : static_cast<uint32_t>(a->storage_bits)); }
};

/// Which field of a word is wrong for a form. Words are refused by the million and the sentence is seldom
/// read: it is made when it is.
struct DescriptorRefusal {
  uint32_t word;
  std::string_view what;  ///< '#': the next of the numbers
  std::array<uint32_t, 2> numbers{};
  std::string sentence() const;
};

/// The descriptor, or what is wrong with it for this form.
std::variant<InstructionDescriptor, DescriptorRefusal> decode_instruction_descriptor(
    uint32_t word, const MmaForm& form, const Tcgen05Readings& readings);

}  // namespace assay::emulator
