// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_copy/family.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "reference/spec/tensor_map.h"
#include "reference/spec/tensor_map_bits.h"
#include "suites/run/family.h"
#include "suites/run/property.h"

namespace assay::suites {
namespace {

/// "u8[3, -1] is": {3, -1}.
std::vector<int64_t> coordinates(const std::string& text) {
  std::stringstream list(text.substr(text.find('[') + 1, text.find(']') - text.find('[') - 1));
  std::vector<int64_t> read;
  for (std::string one; std::getline(list, one, ',');) read.push_back(std::stoll(one));
  return read;
}

uint64_t address_of(const TensorCopyCase& c, const std::vector<int64_t>& at, uint32_t bytes) {
  uint64_t address = c.map.global_address + at[0] * bytes;
  for (size_t i = 1; i < at.size(); ++i) address += at[i] * c.map.global_stride[i - 1];
  return address;
}

ExpectedOutput honest(const Property& property, const Case& c, spec::Arch arch, Expected& e,
                      Scratch& scratch) {
  property.family().predict(c, spec::Readings(arch), scratch, e);
  return property.family().expected_output(c, e);
}

/// The reference copies a tensor in which the one element that the words name is altered: the byte of the
/// tile is altered too, and besides it only those that are said to be copies of the same element.
TEST(TiledWords, NameTheElementOfALoadThatTheByteWasCopiedFrom) {
  constexpr spec::Arch arch = spec::Arch::sm_90;
  const Property& property = *find_property("tma.tiled.load");
  Scratch scratch;
  std::vector<std::byte> memory;
  int named = 0, swizzled = 0;
  for (uint64_t index = 0; index < 800; ++index) {
    Case any;
    property.generate(5, property.name, index, arch, any);
    const TensorCopyCase& c = any.as<TensorCopyCase>();
    Expected e;
    const ExpectedOutput whole = honest(property, any, arch, e, scratch);
    if (e.end != model::End::done || c.map.global_address + 4096 > arena().size()) continue;
    const uint64_t byte = c.tile_offset + index * 37 % 512;
    if (byte >= whole.bytes.size()) continue;
    std::vector<uint8_t> observed = whole.bytes;
    observed[byte] ^= 0x40;
    const Diagnosis d = property.family().diagnose(any, spec::Readings(arch), whole, observed, byte);
    if (d.first.empty() || d.lines[0].find("outside") != std::string::npos) continue;
    const spec::DataType& type = *spec::find_data_type(c.map.data_type);
    if (type.tf32 || type.name.ends_with(".ftz")) continue;  // may change what they carry
    const uint32_t bytes = type.bits / 8;
    const uint64_t element = address_of(c, coordinates(d.first), bytes);
    ASSERT_LE(element + bytes, arena().size()) << d.first;
    if (memory.empty()) memory.assign(arena().begin(), arena().end());
    std::byte& changed = memory[element + byte % bytes];
    changed ^= std::byte{0x40};
    std::vector<std::byte> window(c.window_bytes), mask(c.window_bytes);
    std::copy_n(arena().data() + c.fill_offset, window.size(), window.begin());
    model::predict_load(c, spec::Readings(arch), memory, window, mask);
    changed ^= std::byte{0x40};
    // Where strides let rows overlap, several bytes of the tile are copies of one.
    for (size_t i = 0; i < window.size(); ++i) {
      if (whole.defined[i] == 0 || std::to_integer<uint8_t>(window[i]) == whole.bytes[i]) continue;
      const Diagnosis also = property.family().diagnose(any, spec::Readings(arch), whole, observed, i);
      EXPECT_EQ(address_of(c, coordinates(also.first), bytes), element)
          << also.first << " and " << d.first << " of case " << index;
    }
    EXPECT_NE(std::to_integer<uint8_t>(window[byte]), whole.bytes[byte]) << d.first << " of case " << index;
    ++named;
    if (c.map.swizzle != 0) {
      ++swizzled;
      EXPECT_NE(d.lines[1].find("without a swizzle"), std::string::npos);
    }
  }
  EXPECT_GT(named, 30);
  EXPECT_GT(swizzled, 10);
}

/// Of a store: the byte of the slot is the one at the element's address.
TEST(TiledWords, NameTheElementOfAStore) {
  constexpr spec::Arch arch = spec::Arch::sm_90;
  const Property& property = *find_property("tma.tiled.store");
  Scratch scratch;
  int named = 0;
  for (uint64_t index = 0; index < 300; ++index) {
    Case any;
    property.generate(6, property.name, index, arch, any);
    const TensorCopyCase& c = any.as<TensorCopyCase>();
    Expected e;
    const ExpectedOutput whole = honest(property, any, arch, e, scratch);
    for (uint64_t byte = c.map.global_address; byte < std::min<uint64_t>(whole.bytes.size(), 1 << 16);
         byte += 61) {
      std::vector<uint8_t> observed = whole.bytes;
      observed[byte] ^= 1;
      const Diagnosis d = property.family().diagnose(any, spec::Readings(arch), whole, observed, byte);
      if (d.first.empty()) continue;
      const uint32_t bytes = spec::find_data_type(c.map.data_type)->bits / 8;
      EXPECT_EQ(address_of(c, coordinates(d.first), bytes), byte / bytes * bytes) << d.first;
      ++named;
    }
  }
  EXPECT_GT(named, 100);
}

TEST(TiledWords, NameTheFieldOfATensorMap) {
  ExpectedOutput expected;
  expected.bytes.assign(128, 0);
  expected.defined.assign(128, 0xff);
  const auto with = [&](const spec::Field& field, uint64_t value) {
    std::vector<uint8_t> map = expected.bytes;
    spec::put(std::as_writable_bytes(std::span(map)), field, value);
    return map;
  };
  for (const spec::Field& field : spec::tensor_map::tiled_fields) {
    if (field.kind == spec::FieldKind::reserved) continue;
    const auto observed = with(field, field.value_of(1));
    size_t byte = 0;
    while (byte < 128 && observed[byte] == 0) ++byte;
    ASSERT_LT(byte, 128u) << field.name;
    const std::string first = diagnose_tensor_map(expected, observed, byte).first;
    EXPECT_EQ(first.substr(0, field.name.size()), field.name) << first;
    if (field.index >= 0) {
      EXPECT_NE(first.find("[" + std::to_string(field.index) + "] is "), std::string::npos) << first;
    }
  }
}

}  // namespace
}  // namespace assay::suites
