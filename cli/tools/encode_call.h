// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "reference/layout/canonical.h"
#include "reference/model/tensor_copy/case.h"

namespace assay::cli {

/// The arguments of an encoder's call as words of the command line.
class EncodeCall {
 public:
  enum class Encoder { tiled, im2col, im2col_wide };

  void declare(CommandLine&);
  /// The call that the words stand for; of a tiled one the base alone, its box included. Numbers of
  /// enumerators that there are not are taken as they stand. Throws UsageError.
  Im2colMapArgs arguments() const;
  Encoder encoder() const;
  /// "cuTensorMapEncodeTiled of bf16, dims 128,64, strides 256, ...": what was understood, on one line.
  std::string in_words() const;

 private:
  std::string name_, type_, dims_, strides_, box_, element_strides_, lower_, upper_, channels_, pixels_;
  std::string interleave_ = "none", swizzle_ = "none", promotion_ = "none", fill_ = "zero", mode_ = "w",
              address_ = "0x100000000";
};

/// What the rows of a table are called.
template <typename Rows>
std::vector<std::string_view> names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

/// "none 32B 64B".
std::string listed(std::span<const std::string_view> names);

/// Throws UsageError: "'x' is not a tensor map swizzle; the swizzles are none 32B 64B; did you mean ...?"
[[noreturn]] void refuse_name(const std::string& option, const std::string& name, const std::string& one_of,
                              const std::string& all_of, std::span<const std::string_view> names);

/// "4096" or "0x1000"; nothing for any other text, or above 64 bits.
std::optional<uint64_t> parse_number(std::string_view text);

/// "128,64": at least one number. Throws UsageError that names the option.
std::vector<uint64_t> parse_numbers(const std::string& option, std::string_view text);
/// The same of "-1,0".
std::vector<int64_t> parse_signed_numbers(const std::string& option, std::string_view text);

/// How elements of an operand are packed.
struct OperandType {
  int bits = 16;
  layout::Packing packing = layout::Packing::plain;
  bool is_padded() const { return packing != layout::Packing::plain; }
};
/// By the name of a type of tensor maps, or of a format of at least a byte: e4m3. Throws UsageError.
OperandType operand_type(const std::string& name);

/// Whether the encoder of a device's driver has the known defect of bit 85 of a map, the top of the swizzle
/// atomicity: drivers of Blackwell have set it for tensors below 128 KiB, and the hardware then may fetch up
/// to 128 KiB from the address of the tensor.
struct EncoderDefect {
  bool is_known = false;  ///< the encoder answered
  bool is_there = false;
  std::string words;  ///< what it does, or why it is not known; a sentence
};

/// Asks the encoder of the device of that spec (devices/device.h) for maps of small and of large tensors,
/// with and without gaps between their rows. Launches nothing.
EncoderDefect ask_for_bit_85(const std::string& device);

}  // namespace assay::cli
