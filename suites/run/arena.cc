#include "suites/run/arena.h"

#include "kernels/params/arena_image.h"

namespace assay::suites {

std::span<const std::byte> arena() {
  static const auto bytes = params::arena_image();
  return bytes;
}

}  // namespace assay::suites
