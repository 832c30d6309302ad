// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/jit_logs.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace assay::emulator {
namespace {

void copy(const std::string& text, char* out, unsigned bytes) {
  if (out == nullptr || bytes == 0) return;
  const size_t length = std::min<size_t>(text.size(), bytes - 1);
  std::memcpy(out, text.data(), length);
  out[length] = '\0';
}

}  // namespace

JitLogs::JitLogs(unsigned count, const abi::JitOption* options, void** values) {
  for (unsigned i = 0; i < count; ++i) {
    const auto size = static_cast<unsigned>(reinterpret_cast<uintptr_t>(values[i]));
    if (options[i] == abi::jit_error_log) error_ = static_cast<char*>(values[i]);
    if (options[i] == abi::jit_error_log_size) error_bytes_ = size;
    if (options[i] == abi::jit_info_log) info_ = static_cast<char*>(values[i]);
    if (options[i] == abi::jit_info_log_size) info_bytes_ = size;
  }
}

void JitLogs::write(const std::string& error) const {
  copy(error, error_, error_bytes_);
  copy("", info_, info_bytes_);
}

}  // namespace assay::emulator
