#include "reference/numerics/fast_operands.h"

namespace assay::numerics {
namespace {

/// All codes of a narrow format, so that each element is one look-up. Empty for wide formats.
using Table = std::vector<Element>;

Table table_of_codes(const spec::Format& format, bool at_emin) {
  Table table;
  const Decoder decoder(format, at_emin);
  if (format.storage_bits <= 8)
    for (uint32_t code = 0; code <= format.code_mask(); ++code) table.push_back(decoder(code));
  return table;
}

const Table& table_of(const spec::Format& format, bool at_emin) {
  static const auto tables = [] {
    std::vector<Table> all;
    for (const spec::Format& row : spec::formats)
      for (const bool emin : {false, true}) all.push_back(table_of_codes(row, emin));
    return all;
  }();
  return tables[static_cast<size_t>(&format - spec::formats.data()) * 2 + (at_emin ? 1 : 0)];
}

template <class Fetch>
void fill(Operand& to, const Fetch& fetch, std::span<const uint32_t> codes, int lines,
          std::span<const int> order, int padded, Operand::Wanted wanted) {
  const int k = static_cast<int>(order.size());
  for (int line = 0; line < lines; ++line) {
    const uint32_t* source = codes.data() + static_cast<size_t>(line) * k;
    uint8_t special = 0;
    for (int i = 0; i < k; ++i) {
      const Element element = fetch(source[order[i]]);
      const size_t at =
          padded != 0 ? static_cast<size_t>(i) * padded + line : static_cast<size_t>(line) * k + i;
      if (wanted.value32) to.value32[at] = static_cast<float>(element.value);
      if (wanted.value64) to.value64[at] = element.value;
      if (wanted.plain) to.plain[at] = element.plain;
      to.exponent[at] = static_cast<int16_t>(element.exponent);
      special |= element.special ? 1 : 0;
    }
    to.special[line] = special;
    to.any_special = to.any_special || special != 0;
  }
}

}  // namespace

void Operand::decode(const spec::Format& format, bool subnormals_align_at_emin,
                     std::span<const uint32_t> codes, int lines, std::span<const int> order, int padded,
                     Wanted wanted) {
  const size_t size = order.size() * (padded != 0 ? padded : lines);
  if (wanted.value32) value32.assign(size, 0);
  if (wanted.value64) value64.assign(size, 0);
  if (wanted.plain) plain.assign(size, 0);
  exponent.assign(size, no_exponent);
  special.assign(lines, 0);
  any_special = false;
  if (const Table& table = table_of(format, subnormals_align_at_emin); !table.empty()) {
    const Element* elements = table.data();
    const auto mask = static_cast<uint32_t>(format.code_mask());
    fill(
        *this, [=](uint32_t code) { return elements[code & mask]; }, codes, lines, order, padded, wanted);
  } else {
    fill(*this, Decoder(format, subnormals_align_at_emin), codes, lines, order, padded, wanted);
  }
}

}  // namespace assay::numerics
