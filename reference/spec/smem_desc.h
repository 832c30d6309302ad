// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "reference/spec/arch.h"
#include "reference/spec/descriptor.h"

namespace assay::spec {

/// The 64-bit descriptor through which tcgen05.mma and tcgen05.cp read a matrix in shared memory, and the
/// older one of wgmma. Same start, strides and base offset; the swizzle code of tcgen05 is twice that of
/// wgmma, with one bit more below.
///
///   63    61 60        53 52  51 49 48 46 45       32 31 30 29       16 15 14 13        0
///   | swizz |     0      |abs| base | 001 |   SBO/16  | 0 |   LBO/16  | 0 | address/16 |    tcgen05
///   | sw |       ignored      | base | ig. |   SBO/16  |ig.|   LBO/16  |ig.| address/16 |    wgmma
namespace smem {

inline constexpr Cite tcgen05_cite{"ptx", "tcgen05, shared memory descriptor"};
inline constexpr Cite wgmma_cite{"ptx", "wgmma, matrix descriptor"};
inline constexpr Cite wgmma_bits_cite{"h200", "wgmma descriptor, reserved bits"};

constexpr Field bytes(std::string_view name, uint16_t lsb) {
  Field field = number(name, -1, {lsb, 14});
  field.unit = 16;
  field.note = "bytes";
  field.cite = tcgen05_cite;
  return field;
}
constexpr Field cited(Field field, Cite cite) {
  field.cite = cite;
  return field;
}
constexpr Field ignored(uint16_t lsb, uint16_t width) {
  Field field = cited(reserved({lsb, width}), wgmma_bits_cite);
  field.hardware = HardwareUse::ignores;
  return field;
}

inline constexpr Field start = bytes("start", 0);
inline constexpr Field leading_offset = bytes("leading_offset", 16);
inline constexpr Field stride_offset = bytes("stride_offset", 32);
inline constexpr Field version = cited(coded("version", {46, 3}, 7), tcgen05_cite);
inline constexpr Field base_offset = cited(number("base_offset", -1, {49, 3}), tcgen05_cite);
inline constexpr Field leading_mode = cited(coded("leading_mode", {52, 1}, 1), tcgen05_cite);
inline constexpr Field swizzle = cited(coded("swizzle", {61, 3}, 7), tcgen05_cite);
inline constexpr Field wgmma_swizzle = cited(coded("swizzle", {62, 2}, 3), wgmma_cite);

inline constexpr std::array tcgen05_fields{
    start,
    cited(reserved({14, 2}), tcgen05_cite),
    leading_offset,
    cited(reserved({30, 2}), tcgen05_cite),
    stride_offset,
    version,
    base_offset,
    leading_mode,
    cited(reserved({53, 8}), tcgen05_cite),
    swizzle,
};
static_assert(tiles(tcgen05_fields, 64));

inline constexpr std::array wgmma_fields{
    start,          ignored(14, 2), leading_offset,  ignored(30, 2), stride_offset,
    ignored(46, 3), base_offset,    ignored(52, 10), wgmma_swizzle,
};
static_assert(tiles(wgmma_fields, 64));

}  // namespace smem

/// A swizzle of the shared memory descriptor: what happens to the address of a byte, and the block of 8 lines
/// (4 for 32-byte atoms) in which the layouts repeat.
struct SmemSwizzle {
  std::string_view name;
  uint32_t tcgen05_code;
  std::optional<uint32_t> wgmma_code;
  uint32_t width;       ///< bytes of a row that swizzle together; 16 without swizzle
  uint32_t phase_mask;  ///< address bits 7.. taken for the pattern
  uint32_t shift;       ///< the address bit from which on they are xored
  uint32_t lines;       ///< k (MN-major) per step of the stride that counts them
  uint32_t alignment;   ///< bytes at which the pattern repeats: where base offset 0 is right
  Cite cite;
};
inline constexpr std::array smem_swizzles{
    // name      tcgen05 wgmma width mask shift lines repeats
    SmemSwizzle{"none", 0, 0, 16, 0, 4, 8, 16, smem::tcgen05_cite},
    SmemSwizzle{"32B", 6, 3, 32, 1, 4, 8, 256, smem::tcgen05_cite},
    SmemSwizzle{"64B", 4, 2, 64, 3, 4, 8, 512, smem::tcgen05_cite},
    SmemSwizzle{"128B", 2, 1, 128, 7, 4, 8, 1024, smem::tcgen05_cite},
    SmemSwizzle{"128B_atom32B",
                1,
                std::nullopt,
                128,
                3,
                5,
                4,
                512,
                {"cutlass", "mma_traits_sm100.hpp, layout atoms"}},
};
/// Codes of tcgen05 that rules and cases name.
namespace smem_swizzle {
inline constexpr uint32_t none = 0, by_128B_atom32B = 1, by_128B = 2, by_64B = 4, by_32B = 6;
/// Those of 16-byte atoms, from the narrowest on.
inline constexpr std::array<uint32_t, 4> of_16_bytes{none, by_32B, by_64B, by_128B};
static_assert(smem_swizzles[0].tcgen05_code == none && smem_swizzles[1].tcgen05_code == by_32B &&
              smem_swizzles[2].tcgen05_code == by_64B && smem_swizzles[3].tcgen05_code == by_128B &&
              smem_swizzles[4].tcgen05_code == by_128B_atom32B);
}  // namespace smem_swizzle

/// Null for codes 3, 5 and 7.
constexpr const SmemSwizzle* find_smem_swizzle(uint64_t tcgen05_code) {
  for (const SmemSwizzle& row : smem_swizzles)
    if (row.tcgen05_code == tcgen05_code) return &row;
  return nullptr;
}
constexpr const SmemSwizzle* find_wgmma_swizzle(uint64_t code) {
  for (const SmemSwizzle& row : smem_swizzles)
    if (row.wgmma_code == code) return &row;
  return nullptr;
}
constexpr const SmemSwizzle* find_smem_swizzle(std::string_view name) {
  for (const SmemSwizzle& row : smem_swizzles)
    if (row.name == name) return &row;
  return nullptr;
}

extern const Descriptor smem_desc;        ///< tcgen05
extern const Descriptor wgmma_smem_desc;  ///< wgmma

/// What a descriptor says, in bytes. `swizzle` is never null in a word that decodes.
struct SmemMatrix {
  uint32_t start = 0, leading_offset = 0, stride_offset = 0;
  uint32_t base_offset = 0;
  bool leading_is_absolute = false;
  const SmemSwizzle* swizzle = &smem_swizzles[0];
};
/// Values are multiples of 16 below 2^18; higher bits are dropped, as the documents' encoding does.
uint64_t encode_smem_desc(const SmemMatrix& matrix);
/// Nothing when the swizzle code has no meaning; other violations do not keep a word from being read.
std::optional<SmemMatrix> decode_smem_desc(uint64_t word);
uint64_t encode_wgmma_smem_desc(const SmemMatrix& matrix);
SmemMatrix decode_wgmma_smem_desc(uint64_t word);

/// How an instruction uses a descriptor, as far as it is known.
struct SmemUse {
  std::optional<Arch> arch;
  std::optional<int> element_bits;  ///< 4, 6, 8, 16 or 32
  std::optional<bool> mn_major;
};
std::span<const DescriptorRule<SmemUse>> smem_desc_rules();
std::vector<RuleBroken> smem_desc_violations(uint64_t word, const SmemUse& use);
/// The same by places in smem_desc_rules(), bit 0 the first.
uint64_t smem_desc_rules_broken(uint64_t word, const SmemUse& use);

/// A legal word for this use: any start, strides and base offset, every swizzle that the use allows.
uint64_t random_smem_desc(const SmemUse& use, uint64_t (*random)(void* state), void* state);

}  // namespace assay::spec
