// SPDX-License-Identifier: Apache-2.0
// Random kernels of the supported subset, run by the emulated GPU: each loads, and ends in a result or in a
// named error inside its limit of instructions; a second run of it does the same. Input: schedule,
// strictness, then the bytes of fuzz/kernel_text.h.
#include <cstring>

#include "devices/emulator/gpu.h"
#include "fuzz/kernel_text.h"
#include "fuzz/target.h"

namespace assay::fuzz {
namespace {

constexpr size_t buffer_bytes = 512;
constexpr uint64_t instruction_limit = 20'000;

struct Ended {
  std::optional<emulator::Diagnostic> how;
  std::vector<std::byte> buffer;
};

Ended launch(emulator::Gpu& gpu, emulator::Kernel* kernel, std::byte* host, uint64_t buffer) {
  std::memset(host, 0x11, buffer_bytes);
  std::vector<std::byte> params(kernel->param_bytes());
  std::memcpy(params.data(), &buffer, sizeof buffer);
  Ended ended{gpu.launch({kernel, {2, 1, 1}, {40, 1, 1}, {0, 0, 0}, 0, params}), {}};
  ended.buffer.assign(host, host + buffer_bytes);
  return ended;
}

void check(std::span<const uint8_t> input) {
  const uint8_t mode = input.empty() ? 0 : input[0];
  const std::string text = kernel_text(input.empty() ? input : input.subspan(1));
  emulator::Settings settings;
  settings.completion = static_cast<emulator::Completion>(mode % 3);
  settings.strict = (mode & 4) != 0;
  settings.seed = mode;
  settings.instruction_limit = instruction_limit;
  const auto gpu = emulator::Gpu::create(settings);
  const auto loaded = gpu->load(text);
  if (const auto* refused = std::get_if<emulator::Diagnostic>(&loaded))
    found("a kernel of the supported subset loads",
          refused->message + " in line " + std::to_string(refused->line) + " of\n" + text);
  ++counts().past_parser;
  emulator::Kernel* kernel = std::get<0>(loaded)->find_kernel("k");
  const uint64_t buffer = gpu->memory().allocate(buffer_bytes);
  std::byte* host = gpu->memory().find(buffer, buffer_bytes);

  const uint64_t before = gpu->instructions_executed();
  const Ended first = launch(*gpu, kernel, host, buffer);
  // A warp's step may go beyond the limit by its own lanes.
  require(gpu->instructions_executed() - before <= instruction_limit + 32'000, "a launch ends at its limit");
  uint32_t end = 0;
  if (first.how) {
    require(!first.how->message.empty(), "an error has a sentence");
    require(first.how->kernel == "k", "an error names its kernel");
    end = 1 + static_cast<uint32_t>(first.how->kind);
  }
  for (size_t i = 1; i < input.size() && i < 64; ++i)
    hit_cell(static_cast<uint32_t>(statement_of(input[i])) * 16 + end);

  const Ended second = launch(*gpu, kernel, host, buffer);
  const bool same_end =
      first.how.has_value() == second.how.has_value() &&
      (!first.how || (first.how->kind == second.how->kind && first.how->line == second.how->line));
  if (!same_end) found("a kernel ends the same way when it runs again", text);
  if (!first.how && first.buffer != second.buffer) found("a kernel writes the same when it runs again", text);
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ++assay::fuzz::counts().inputs;
  assay::fuzz::check({data, size});
  return 0;
}
