#include "reference/layout/tmem_access.h"

namespace assay::layout {

TmemRegisterPlace tmem_register_place(uint32_t shape, int thread, int r, int spread, int split) {
  const int row = thread / 4;
  switch (shape) {
    case 0:
      return {row + 8 * (thread % 2), spread * (2 * r + thread / 2 % 2)};
    case 1:
      return {row + 8 * (r % 2), spread * (4 * (r / 2) + thread % 4)};
    case 2:
      return {row + 8 * (r / 2 % 2), spread * (8 * (r / 4) + 2 * (thread % 4) + r % 2)};
    case 3:
      return {thread, spread * r};
    default:
      return {thread % 16, spread * r + (thread >= 16 ? split : 0)};
  }
}

int tmem_access_columns(uint32_t shape, int count, int spread, int split) {
  constexpr int per_count[] = {2, 4, 8, 1, 1};
  return per_count[shape] * count * spread + (shape == 4 ? split : 0);
}

}  // namespace assay::layout
