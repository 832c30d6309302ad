// SPDX-License-Identifier: Apache-2.0
#include "fuzz/target.h"

#include <algorithm>
#include <cstring>

namespace assay::fuzz {
namespace {

uint64_t draw(void* state) {
  return static_cast<gen::Random*>(state)->next();
}

}  // namespace

uint64_t read_word(const uint8_t* data, size_t size, size_t bytes, size_t at) {
  uint64_t word = 0;
  for (size_t i = 0; i < bytes && at + i < size; ++i) word |= uint64_t{data[at + i]} << (8 * i);
  return word;
}

void write_word(uint8_t* data, size_t bytes, uint64_t word) {
  for (size_t i = 0; i < bytes; ++i) data[i] = static_cast<uint8_t>(word >> (8 * i));
}

size_t mutate_descriptor(const spec::Descriptor& descriptor, size_t tail, uint8_t* data, size_t size,
                         size_t max_size, unsigned seed) {
  const size_t bytes = static_cast<size_t>(descriptor.bits) / 8, whole = bytes + tail;
  if (max_size < whole) return std::min(size, max_size);
  if (size < whole) std::fill(data + size, data + whole, uint8_t{0});
  gen::Random random(seed);
  if (tail != 0 && random.one_in(8)) {
    data[bytes + random.below(static_cast<uint32_t>(tail))] = static_cast<uint8_t>(random.next());
  } else {
    write_word(data, bytes, spec::mutate(descriptor, read_word(data, bytes, bytes), draw, &random));
  }
  return whole;
}

size_t cross_descriptors(const spec::Descriptor& descriptor, size_t tail, const uint8_t* one, size_t one_size,
                         const uint8_t* other, size_t other_size, uint8_t* out, size_t max_size,
                         unsigned seed) {
  const size_t bytes = static_cast<size_t>(descriptor.bits) / 8;
  if (max_size < bytes + tail) return 0;
  gen::Random random(seed);
  uint64_t word = read_word(one, one_size, bytes);
  const uint64_t from = read_word(other, other_size, bytes);
  for (const spec::Field& field : descriptor.fields)
    if (random.one_in(2)) word = spec::with_raw(word, field, spec::get_raw(from, field));
  write_word(out, bytes, word);
  for (size_t i = bytes; i < bytes + tail; ++i)
    out[i] = static_cast<uint8_t>(random.one_in(2) ? read_word(one, one_size, 1, i)
                                                   : read_word(other, other_size, 1, i));
  return bytes + tail;
}

void mutate_fields(std::span<std::byte> object, std::span<const spec::Field> fields, gen::Random& random) {
  const auto any = [&]() -> const spec::Field& {
    return fields[random.below(static_cast<uint32_t>(fields.size()))];
  };
  const spec::Field& field = any();
  const uint64_t raw = spec::get_raw(object, field), all = spec::low_bits(field.width());
  const uint64_t ends[] = {0, 1, field.max_raw / 2, field.max_raw - 1, field.max_raw, field.max_raw + 1, all};
  switch (random.below(6)) {
    case 0:
      return spec::put_raw(object, field, ends[random.below(std::size(ends))] & all);
    case 1:
      return spec::put_raw(object, field, (raw + 1) & all);
    case 2:
      return spec::put_raw(object, field, (raw - 1) & all);
    case 3:
      return spec::put_raw(object, field, spec::get_raw(object, any()) & all);
    case 4:
      return spec::put_raw(object, field, (random.next() >> random.below(64)) & all);
    default:
      return spec::put_raw(object, field, raw ^ uint64_t{1} << random.below(field.width()));
  }
}

}  // namespace assay::fuzz
