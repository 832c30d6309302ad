#include "suites/arena.h"

#include <cstring>
#include <vector>

#include "kernels/params/tiled_copy.h"

namespace assay::suites {

std::span<const std::byte> arena() {
  static const auto bytes = [] {
    std::vector<std::byte> made(params::arena_bytes);
    for (uint64_t i = 0; i < params::arena_bytes / 8; ++i) {
      const uint64_t word = params::arena_word(i);
      std::memcpy(made.data() + 8 * i, &word, 8);
    }
    return made;
  }();
  return bytes;
}

}  // namespace assay::suites
