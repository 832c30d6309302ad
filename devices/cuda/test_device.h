// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dirent.h>
#include <sys/types.h>
#include <unistd.h>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "devices/device.h"
#include "kernels/forms/records.h"
#include "kernels/params/tensor_copy.h"

namespace assay::cuda {

/// The device that tests of this room run on: ASSAY_TEST_DEVICE, else the emulator.
std::string test_device_spec();

/// A batch filled, run and read by one thread.
struct Ran {
  std::vector<RecordEnd> ends;
  std::vector<std::byte> output;
  std::vector<std::string> notes;
};

/// The record, its opcodes those of the instruction that its other members describe.
template <typename Record>
Record with_opcode(Record record) {
  if constexpr (requires { forms::opcode_of(record); }) record.opcode = forms::opcode_of(record);
  if constexpr (requires { forms::filling_opcode_of(record); })
    record.filling_opcode = forms::filling_opcode_of(record);
  if constexpr (requires { record.prefetch_opcode; })
    record.prefetch_opcode = forms::prefetch_opcode_of(forms::form_of(record));
  return record;
}

template <typename Record>
Ran run_batch(Device& device, std::string_view family, const std::vector<Record>& records) {
  Batch& batch = device.acquire();
  batch.family = family;
  batch.count = static_cast<uint32_t>(records.size());
  auto* const to = reinterpret_cast<Record*>(batch.records.data());
  for (size_t i = 0; i < records.size(); ++i) to[i] = with_opcode(records[i]);
  device.submit(batch);
  device.wait(batch);
  Ran ran{{batch.ends.begin(), batch.ends.begin() + batch.count},
          {batch.output.begin(), batch.output.end()},
          batch.notes};
  device.release(batch);
  return ran;
}

/// The arena's byte at an offset.
std::byte arena_byte(uint64_t offset);

/// A legal tiled copy of a dense tensor of bytes (UINT8), to be altered by a test: no interleave, no swizzle,
/// fill zero, one CTA, window and slot filled from different places of the arena.
params::TiledCopyRecord byte_copy(params::CopyOp, std::vector<uint64_t> dims, std::vector<uint32_t> box,
                                  std::vector<int32_t> coord);

/// What a multicast to the CTAs of the mask signals: each of them once.
constexpr uint32_t signals_of(uint32_t mask) {
  uint32_t signals = 0;
  for (uint32_t rank = 0; rank < 8; ++rank) signals |= (mask >> rank & 1) << (2 * rank);
  return signals;
}

/// Processes of devices that this one started.
inline std::vector<pid_t> workers() {
  std::vector<pid_t> found;
  DIR* processes = opendir("/proc");
  while (const dirent* entry = readdir(processes)) {
    const std::string folder = std::string("/proc/") + entry->d_name;
    std::ifstream stat(folder + "/stat");
    std::ifstream command(folder + "/cmdline");
    std::string text, arguments;
    std::getline(stat, text);
    std::getline(command, arguments);
    const size_t name_end = text.rfind(')');
    if (name_end == std::string::npos || arguments.find("device-worker") == std::string::npos) continue;
    char state;
    int parent;
    if (std::sscanf(text.c_str() + name_end + 1, " %c %d", &state, &parent) == 2 && parent == getpid())
      found.push_back(std::stoi(entry->d_name));
  }
  closedir(processes);
  return found;
}

}  // namespace assay::cuda
