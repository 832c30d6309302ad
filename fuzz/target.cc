// SPDX-License-Identifier: Apache-2.0
#include "fuzz/target.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace assay::fuzz {
namespace {

Hooks& registered() {
  static Hooks one;
  return one;
}

}  // namespace

void found(std::string_view claim, const std::string& details) {
  std::fprintf(stderr, "FINDING: %.*s\n%s%s", static_cast<int>(claim.size()), claim.data(), details.c_str(),
               details.empty() ? "" : "\n");
  std::fflush(stderr);
  std::abort();
}

RegisteredHooks::RegisteredHooks(Hooks hooks) {
  registered() = hooks;
}

const Hooks& hooks() {
  return registered();
}

namespace {

// The engine looks at every byte after every input, so there are few: cells share them.
constexpr uint32_t engine_counters = 4096;
__attribute__((used, section("__libfuzzer_extra_counters"))) uint8_t extra_counters[engine_counters];

bool reached[cell_limit];  // the same for good, without the sharing

Counts* place_counts() {
  static Counts own;
  const char* path = std::getenv("ASSAY_FUZZ_COUNTS");
  if (path == nullptr) return &own;
  const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return &own;
  void* shared = ftruncate(file, sizeof(Counts)) == 0
                     ? mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                     : MAP_FAILED;
  close(file);
  return shared == MAP_FAILED ? &own : new (shared) Counts;
}

}  // namespace

Counts& counts() {
  static Counts* const placed = place_counts();
  return *placed;
}

void hit_cell(uint32_t cell) {
  cell %= cell_limit;
  extra_counters[cell % engine_counters] = 1;
  if (reached[cell]) return;
  reached[cell] = true;
  ++counts().cells;
}

}  // namespace assay::fuzz
