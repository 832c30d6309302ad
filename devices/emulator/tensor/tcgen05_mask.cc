// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/tcgen05_mask.h"

#include <algorithm>
#include <sstream>

#include "devices/emulator/tensor/field.h"
#include "reference/spec/zero_column_mask.h"

namespace assay::emulator {
std::variant<ColumnMask, std::string> decode_column_mask(uint64_t word) {
  using namespace spec::zcm;
  for (const spec::Field& one : fields)
    if (one.kind == spec::FieldKind::reserved && field(word, one) != 0) {
      std::ostringstream out;
      out << "the zero-column mask 0x" << std::hex << word << " is not 0 in its reserved bits from "
          << std::dec << one.parts[0].lsb;
      return out.str();
    }
  ColumnMask mask;
  for (size_t i = 0; i < 4; ++i) {
    mask.start_count[i] = field(word, start_count[i]);
    mask.starts_zeroed[i] = field(word, first_span[i]) != 0;
  }
  mask.bit_39 = field(word, generate) != 0;
  mask.skip_span = field(word, skip_span) + 1;
  mask.use_span = field(word, use_span) + 1;
  mask.shift = field(word, column_shift);
  return mask;
}

std::vector<uint8_t> zeroed_columns(const ColumnMask& mask, uint32_t m, uint32_t n,
                                    const DeviceReadings& readings) {
  std::vector<uint8_t> zeroed(n, 0);
  if (mask.bit_39 != readings.is({"AMB-02", "set_generates"})) return zeroed;
  const uint32_t parts = 128 / m, length = n / parts;
  // The examples zero the skip spans, the table's words the use spans.
  uint32_t zeros = mask.skip_span, used = mask.use_span;
  if (readings.is({"AMB-01", "use_spans_zeroed"})) std::swap(zeros, used);
  for (uint32_t part = 0; part < parts; ++part) {
    const uint32_t first = mask.starts_zeroed[part] ? zeros : used;
    uint32_t left = mask.start_count[part];
    if (readings.is({"AMB-03", "span_less_one"})) left = std::min(left, first - 1);
    bool is_zeroed = mask.starts_zeroed[part];
    // Runs follow one another; the first columns of the sequence are gone already.
    uint32_t run = first;
    for (left %= zeros + used; left >= run; run = is_zeroed ? zeros : used) {
      left -= run;
      is_zeroed = !is_zeroed;
    }
    run -= left;
    for (uint32_t column = 0; column < length; ++column) {
      zeroed[part * length + column] = is_zeroed;
      if (--run != 0) continue;
      is_zeroed = !is_zeroed;
      run = is_zeroed ? zeros : used;
    }
  }
  return zeroed;
}

}  // namespace assay::emulator
