// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/fragment.h"

namespace assay::emulator {

FragmentNibble fragment_nibble(const FragmentCode& w) {
  const uint32_t first = w.row % 8 * 4, is_lower = w.row / 8;
  if (w.a->storage_bits >= 16)  // four codes of both rows that a lane has
    return {first + (w.groups == 4 ? w.selector : 2 * w.selector + w.group / 4), is_lower * 4 + w.group % 4};
  return {first + 2 * w.selector + is_lower + w.group / 8 * 2, w.group % 8};
}

uint32_t kept_of_code(const spec::Format& a) {
  return a.storage_bits == 4 ? 4 : a.storage_bits == 32 ? 1 : 2;
}

void meet_row(const spec::Format& a, uint32_t k, const uint32_t* codes, const uint32_t* b, uint32_t columns,
              uint32_t* met) {
  const uint32_t kept = kept_of_code(a);
  for (uint32_t column = 0; column < columns; ++column)
    for (uint32_t at = 0; at < k; ++at) {
      const uint32_t code = codes[at / kept], inside = at % kept;
      const uint32_t* of_group = b + column * 2 * k + at / kept * kept * 2;
      const auto half = [&](uint32_t h) { return of_group[h / 2] >> h % 2 * 16 & 0xffff; };
      uint32_t& to = met[column * k + at];
      if (a.storage_bits == 32)
        to = half(code >> 2) << 16 | half(code & 3);
      else if (a.storage_bits == 4)
        to = of_group[(code >> inside / 2 * 2 & 3) * 2 + inside % 2];
      else
        to = of_group[code >> inside * 2 & 3];
    }
}

}  // namespace assay::emulator
