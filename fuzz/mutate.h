// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "generators/random.h"
#include "reference/spec/descriptor.h"

namespace assay::fuzz {

/// A target of one word of `bytes` bytes, little-endian, with `tail` more bytes that say how it is used.
/// Shorter inputs stand for zeros, longer ones are cut.
uint64_t read_word(const uint8_t* data, size_t size, size_t bytes, size_t at = 0);
void write_word(uint8_t* data, size_t bytes, uint64_t word);

/// Changes one meaning of a descriptor's word, or one of the `tail` bytes behind it. The new size, at most
/// max_size.
size_t mutate_descriptor(const spec::Descriptor& descriptor, size_t tail, uint8_t* data, size_t size,
                         size_t max_size, unsigned seed);

/// Takes every field, and every byte of the tail, from one of two inputs.
size_t cross_descriptors(const spec::Descriptor& descriptor, size_t tail, const uint8_t* one, size_t one_size,
                         const uint8_t* other, size_t other_size, uint8_t* out, size_t max_size,
                         unsigned seed);

/// Changes one field of an object of many words: to an end, a neighbour, another field's bits, anything, or
/// by one bit.
void mutate_fields(std::span<std::byte> object, std::span<const spec::Field> fields, gen::Random& random);

}  // namespace assay::fuzz
