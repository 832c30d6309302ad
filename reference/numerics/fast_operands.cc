#include "reference/numerics/fast_operands.h"

#include <algorithm>

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

/// Calls store(position, element) for every element. The column form goes along lines, so that it writes from
/// front to back.
template <class Fetch, class Store>
void walk(Operand& to, const OperandSource& source, const Fetch& fetch, const Store& store) {
  const size_t k = source.order.size(), lines = static_cast<size_t>(source.lines);
  const uint32_t* codes = source.codes.data();
  int16_t* exponents = to.exponent.data();
  uint8_t* special = to.special.data();
  const auto visit = [&](size_t at, size_t code) {
    const Element element = fetch(codes[code]);
    store(at, element);
    exponents[at] = static_cast<int16_t>(element.exponent);
    return static_cast<uint8_t>(element.special);
  };
  for (size_t i = 0; source.padded != 0 && i < k; ++i) {
    const size_t from = static_cast<size_t>(source.order[i]), row = i * static_cast<size_t>(source.padded);
    for (size_t line = 0; line < lines; ++line) special[line] |= visit(row + line, line * k + from);
  }
  for (size_t line = 0; source.padded == 0 && line < lines; ++line) {
    uint8_t any = 0;
    for (size_t i = 0; i < k; ++i)
      any |= visit(line * k + i, line * k + static_cast<size_t>(source.order[i]));
    special[line] |= any;
  }
}

template <class Fetch>
void walk_all(Operand& to, const OperandSource& source, const Fetch& fetch, Operand::Wanted wanted) {
  if (wanted.value32)
    walk(to, source, fetch, [values = to.value32.data()](size_t at, const Element& element) {
      values[at] = static_cast<float>(element.value);
    });
  if (wanted.value64)
    walk(to, source, fetch,
         [values = to.value64.data()](size_t at, const Element& element) { values[at] = element.value; });
  if (wanted.plain)
    walk(to, source, fetch,
         [values = to.plain.data()](size_t at, const Element& element) { values[at] = element.plain; });
}

/// As many elements as needed; what is padding stays at what it was filled with.
template <class T>
void make_room(std::vector<T>& values, size_t size, const OperandSource& source, T padding) {
  values.resize(size);
  if (source.padded == 0 || source.padded == source.lines) return;
  for (size_t row = 0; row < size; row += source.padded)
    std::fill(values.begin() + row + source.lines, values.begin() + row + source.padded, padding);
}

}  // namespace

void Operand::decode(const OperandSource& source, Wanted wanted) {
  const size_t size =
      source.order.size() * static_cast<size_t>(source.padded != 0 ? source.padded : source.lines);
  if (wanted.value32) make_room(value32, size, source, 0.0f);
  if (wanted.value64) make_room(value64, size, source, 0.0);
  if (wanted.plain) make_room(plain, size, source, 0.0);
  make_room(exponent, size, source, no_exponent);
  special.assign(source.lines, 0);
  if (const Table& table = table_of(*source.format, source.subnormals_align_at_emin); !table.empty()) {
    const Element* elements = table.data();
    const auto mask = static_cast<uint32_t>(source.format->code_mask());
    walk_all(
        *this, source, [=](uint32_t code) -> const Element& { return elements[code & mask]; }, wanted);
  } else {
    walk_all(*this, source, Decoder(*source.format, source.subnormals_align_at_emin), wanted);
  }
  any_special = std::find(special.begin(), special.end(), 1) != special.end();
  if (source.zero_exponent != no_exponent)
    for (int16_t& value : exponent)
      if (value == no_exponent) value = source.zero_exponent;
}

const Operand& DecodedOperands::decode(const OperandSource& source, Operand::Wanted wanted) {
  for (const Entry& entry : entries_) {
    const OperandSource& made = entry.source;
    if (made.format == source.format && made.subnormals_align_at_emin == source.subnormals_align_at_emin &&
        made.zero_exponent == source.zero_exponent && made.lines == source.lines &&
        made.padded == source.padded && entry.wanted == wanted &&
        std::ranges::equal(entry.order, source.order) && std::ranges::equal(entry.codes, source.codes))
      return entry.operand;
  }
  Entry& entry = entries_[next_];
  next_ = (next_ + 1) % kept;
  entry.codes.assign(source.codes.begin(), source.codes.end());
  entry.order.assign(source.order.begin(), source.order.end());
  entry.source = source;
  entry.source.codes = entry.codes;
  entry.source.order = entry.order;
  entry.wanted = wanted;
  entry.operand.decode(source, wanted);
  return entry.operand;
}

}  // namespace assay::numerics
