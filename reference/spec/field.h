// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::spec {

/// Where a fact comes from: a key of SOURCES.md and a place in that document. Empty key: unused entry.
struct Cite {
  std::string_view document;
  std::string_view place;
};

/// Bits of a little-endian object: bit 0 is the lowest bit of byte 0. A part lies inside one 64-bit word.
struct BitRange {
  uint16_t lsb = 0;
  uint16_t width = 0;
};

enum class FieldKind : uint8_t {
  number,    ///< value = (raw + bias) * unit
  coded,     ///< raw is one of 0..max_raw, each with a meaning of its own
  reserved,  ///< always written 0
};

/// What the hardware does with the bits (measured; see the cite of the row).
enum class HardwareUse : uint8_t { reads, ignores, never_reads };

/// A field of a descriptor: a row from which it is written, read, shown and checked.
struct Field {
  std::string_view name;
  int index = -1;  ///< position in an array of like fields, or -1
  FieldKind kind = FieldKind::number;
  std::array<BitRange, 2> parts{};  ///< low bits first; the second is empty unless the field is split
  uint64_t bias = 0;
  uint64_t unit = 1;
  uint64_t max_raw = 0;  ///< largest legal raw value
  HardwareUse hardware = HardwareUse::reads;
  std::string_view note = {};  ///< what the hardware or the driver does with it, in words
  Cite cite = {};

  constexpr int width() const { return parts[0].width + parts[1].width; }
  constexpr uint64_t value_of(uint64_t raw) const { return (raw + bias) * unit; }
  constexpr uint64_t raw_of(uint64_t value) const { return value / unit - bias; }
  constexpr bool allows(uint64_t raw) const {
    return kind == FieldKind::reserved ? raw == 0 : raw <= max_raw;
  }
};

constexpr uint64_t low_bits(int width) {
  return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
}

constexpr Field number(std::string_view name, int index, BitRange low, BitRange high = {}) {
  Field field{name, index, FieldKind::number, {low, high}};
  field.max_raw = low_bits(field.width());
  return field;
}
constexpr Field coded(std::string_view name, BitRange bits, uint64_t max_raw) {
  Field field{name, -1, FieldKind::coded, {bits, {}}};
  field.max_raw = max_raw;
  return field;
}
constexpr Field reserved(BitRange bits) {
  return {"reserved", -1, FieldKind::reserved, {bits, {}}};
}

namespace field_detail {
constexpr uint64_t load_word(std::span<const std::byte> object, size_t word) {
  uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value |= static_cast<uint64_t>(object[word * 8 + i]) << (8 * i);
  return value;
}
constexpr void store_word(std::span<std::byte> object, size_t word, uint64_t value) {
  for (int i = 0; i < 8; ++i) object[word * 8 + i] = static_cast<std::byte>(value >> (8 * i));
}
}  // namespace field_detail

/// The bits of a field as they stand.
constexpr uint64_t get_raw(std::span<const std::byte> object, const Field& field) {
  uint64_t raw = 0;
  int at = 0;
  for (const BitRange& part : field.parts) {
    if (part.width == 0) continue;
    const uint64_t bits =
        field_detail::load_word(object, part.lsb / 64) >> (part.lsb % 64) & low_bits(part.width);
    raw |= bits << at;
    at += part.width;
  }
  return raw;
}
/// What the field says: elements, bytes, or the code of a coded field.
constexpr uint64_t get(std::span<const std::byte> object, const Field& field) {
  return field.value_of(get_raw(object, field));
}
/// Writes the low bits of raw; bits beyond the field's width are dropped.
constexpr void put_raw(std::span<std::byte> object, const Field& field, uint64_t raw) {
  for (const BitRange& part : field.parts) {
    if (part.width == 0) continue;
    const uint64_t mask = low_bits(part.width) << (part.lsb % 64);
    const uint64_t word = field_detail::load_word(object, part.lsb / 64);
    field_detail::store_word(object, part.lsb / 64, (word & ~mask) | (raw << (part.lsb % 64) & mask));
    raw = part.width >= 64 ? 0 : raw >> part.width;
  }
}
/// Writes a value in the field's own units; what does not fit is dropped as tensormap.replace drops it.
constexpr void put(std::span<std::byte> object, const Field& field, uint64_t value) {
  put_raw(object, field, field.raw_of(value));
}

/// True when the fields cover bits [0, bits) exactly once and no part straddles a 64-bit word.
template <size_t N>
constexpr bool tiles(const std::array<Field, N>& fields, int bits) {
  int covered = 0;
  for (const Field& field : fields)
    for (const BitRange& part : field.parts) {
      if (part.width == 0) continue;
      if (part.lsb / 64 != (part.lsb + part.width - 1) / 64 || part.lsb + part.width > bits) return false;
      covered += part.width;
      for (const Field& other : fields)
        for (const BitRange& rival : other.parts)
          if (&rival != &part && rival.width != 0 && part.lsb < rival.lsb + rival.width &&
              rival.lsb < part.lsb + part.width)
            return false;
    }
  return covered == bits;
}

/// A field whose bits are not legal.
struct Violation {
  const Field* field;
  uint64_t raw;
};
inline std::vector<Violation> violations(std::span<const std::byte> object, std::span<const Field> fields) {
  std::vector<Violation> found;
  for (const Field& field : fields)
    if (const uint64_t raw = get_raw(object, field); !field.allows(raw)) found.push_back({&field, raw});
  return found;
}

/// "name" or "name[index]"; reserved fields with their bit position.
inline std::string label(const Field& field) {
  if (field.kind == FieldKind::reserved) return "reserved@" + std::to_string(field.parts[0].lsb);
  std::string text(field.name);
  if (field.index >= 0) text += "[" + std::to_string(field.index) + "]";
  return text;
}

/// One line: "name=value ..."; illegal fields are marked with '!', reserved ones appear only when not zero.
inline std::string show(std::span<const std::byte> object, std::span<const Field> fields) {
  std::string text;
  for (const Field& field : fields) {
    const uint64_t raw = get_raw(object, field);
    if (field.kind == FieldKind::reserved && raw == 0) continue;
    if (!text.empty()) text += ' ';
    text +=
        label(field) + "=" + std::to_string(field.kind == FieldKind::reserved ? raw : field.value_of(raw));
    if (!field.allows(raw)) text += '!';
  }
  return text;
}

}  // namespace assay::spec
