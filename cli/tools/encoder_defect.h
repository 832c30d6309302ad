// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace assay::cli {

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
