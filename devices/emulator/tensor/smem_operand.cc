// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/smem_operand.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <sstream>

#include "devices/emulator/machine/program.h"
#include "devices/emulator/tensor/tcgen05_desc.h"
#include "reference/spec/smem_desc.h"

namespace assay::emulator {
namespace {

constexpr uint32_t chunk_bytes = 16;  ///< what moves as one under every swizzle

std::optional<SmemSwizzle> swizzle_of(uint32_t code) {
  switch (code) {
    case 0:
      return SmemSwizzle::none;
    case 1:
      return SmemSwizzle::w128_atom_32;
    case 2:
      return SmemSwizzle::w128;
    case 4:
      return SmemSwizzle::w64;
    case 6:
      return SmemSwizzle::w32;
    default:
      return std::nullopt;
  }
}

uint32_t width_of(SmemSwizzle swizzle) {
  switch (swizzle) {
    case SmemSwizzle::none:
      return 16;
    case SmemSwizzle::w32:
      return 32;
    case SmemSwizzle::w64:
      return 64;
    case SmemSwizzle::w128:
    case SmemSwizzle::w128_atom_32:
      return 128;
  }
  return 16;
}

uint32_t swizzled(const SmemMatrix& matrix, uint32_t linear) {
  const uint32_t base = matrix.descriptor.base_offset, line = linear >> 7;
  const uint32_t phase = matrix.base_offset == SmemMatrix::BaseOffset::exclusive_or ? line ^ base
                         : matrix.base_offset == SmemMatrix::BaseOffset::added      ? line + base
                                                                                    : line - base;
  switch (matrix.descriptor.swizzle) {
    case SmemSwizzle::none:
      return linear;
    case SmemSwizzle::w32:
      return linear ^ (phase & 1) << 4;
    case SmemSwizzle::w64:
      return linear ^ (phase & 3) << 4;
    case SmemSwizzle::w128:
      return linear ^ (phase & 7) << 4;
    case SmemSwizzle::w128_atom_32:
      return linear ^ (phase & 3) << 5;
  }
  return linear;
}

/// Byte x of row `mn`, K-major, before the swizzle.
uint32_t k_major(const SmemMatrix& matrix, uint32_t mn, uint32_t x) {
  const SmemDescriptor& d = matrix.descriptor;
  const uint32_t width = width_of(d.swizzle);
  const uint32_t rows = mn % 8 * width + mn / 8 * d.stride;
  if (d.swizzle == SmemSwizzle::none) return d.start + rows + x % 16 + x / 16 * d.leading;
  if (d.swizzle == SmemSwizzle::w32 && matrix.halves_are_apart)
    return d.start + rows + x % 32 + x / 32 * d.leading;
  if (!d.leading_is_absolute) return d.start + rows + x;
  const uint32_t in_row = (d.start & 0x7f) + x;
  return in_row < 128 ? d.start + rows + x : d.leading + rows + in_row - 128;
}

/// Byte x along the rows at `k`, MN-major, before the swizzle.
uint32_t mn_major(const SmemMatrix& matrix, uint32_t x, uint32_t k) {
  const SmemDescriptor& d = matrix.descriptor;
  if (d.swizzle == SmemSwizzle::none)
    return d.start + x % 16 + x / 16 * d.stride + k % 8 * 16 + k / 8 * d.leading;
  const uint32_t width = width_of(d.swizzle);
  const uint32_t lines = d.swizzle == SmemSwizzle::w128_atom_32 ? matrix.lines_of_atom_32 : 8;
  return d.start + x % width + x / width * d.leading + k % lines * width + k / lines * d.stride;
}

/// Calls f(address, bytes, row, k, x): 16 bytes or fewer that lie together. K-major they are bytes x.. of
/// `row`; MN-major they start with element `row` at `k`.
template <typename F>
void visit_chunks(const SmemMatrix& matrix, F f) {
  const uint32_t bits = matrix.stored_bits();
  if (!matrix.is_mn_major) {
    const uint32_t row_bytes = matrix.k * bits / 8;
    for (uint32_t row = 0; row < matrix.rows; ++row)
      for (uint32_t x = 0; x < row_bytes; x += chunk_bytes)
        f(swizzled(matrix, k_major(matrix, matrix.first_row + row, x)), std::min(chunk_bytes, row_bytes - x),
          row, 0u, x);
    return;
  }
  const uint32_t bytes = bits / 8, end = (matrix.first_row + matrix.rows) * bytes;
  for (uint32_t k = 0; k < matrix.k; ++k)
    for (uint32_t x = matrix.first_row * bytes; x < end;) {
      const uint32_t next = std::min((x / chunk_bytes + 1) * chunk_bytes, end);
      f(swizzled(matrix, mn_major(matrix, x, k)), next - x, x / bytes - matrix.first_row, k, x);
      x = next;
    }
}

uint32_t element(const std::byte* bytes, uint32_t size) {
  uint32_t code = 0;
  std::memcpy(&code, bytes, size);
  return code;
}

/// The codes of a row that lies in order.
void unpack_row(const SmemMatrix& matrix, const std::byte* row, uint32_t* codes) {
  const uint32_t width = static_cast<uint32_t>(matrix.format->storage_bits);
  if (width >= 8) {
    for (uint32_t k = 0; k < matrix.k; ++k) codes[k] = element(row + k * width / 8, width / 8);
    return;
  }
  // Groups of 16 elements start at the low end of 16 bytes, or follow one another.
  const uint32_t group = matrix.is_packed ? 16 * width / 8 : chunk_bytes;
  for (uint32_t k = 0; k < matrix.k; ++k) {
    const uint32_t bit = k % 16 * width;
    const std::byte* at = row + k / 16 * group + bit / 8;
    uint32_t word = std::to_integer<uint32_t>(at[0]);
    if (bit % 8 + width > 8) word |= std::to_integer<uint32_t>(at[1]) << 8;
    codes[k] = word >> bit % 8 & ((1u << width) - 1);
  }
}

[[noreturn]] void refuse(const Cta& cta, uint32_t address, uint32_t bytes) {
  std::ostringstream out;
  out << "a matrix descriptor leads to " << bytes << " bytes at 0x" << std::hex << address
      << " of the shared memory of CTA " << std::dec << cta.rank << " of the cluster, which ends at 0x"
      << std::hex << cta.shared.size();
  trap(Diagnostic::Kind::illegal_address, out.str());
}

}  // namespace

std::variant<SmemDescriptor, std::string> decode_smem_descriptor(uint64_t word, Target target) {
  using namespace spec::smem;
  const auto wrong = [&](std::string_view what) {
    std::ostringstream out;
    out << "the matrix descriptor 0x" << std::hex << word << " " << what;
    return out.str();
  };
  if (field(word, version) != 1) return wrong("does not hold 0b001 in bits 46 to 48");
  for (const spec::Field& one : tcgen05_fields)
    if (one.kind == spec::FieldKind::reserved && field(word, one) != 0)
      return wrong("is not 0 in its reserved bits from " + std::to_string(one.parts[0].lsb));
  const std::optional<SmemSwizzle> code = swizzle_of(field(word, swizzle));
  if (!code)
    return wrong("has swizzle code " + std::to_string(field(word, swizzle)) + ", which does not exist");
  SmemDescriptor d;
  d.start = field(word, start) << 4;
  d.leading = field(word, leading_offset) << 4;
  d.stride = field(word, stride_offset) << 4;
  d.base_offset = field(word, base_offset);
  d.leading_is_absolute = field(word, leading_mode) != 0;
  d.swizzle = *code;
  if (d.leading_is_absolute && !facts_of(target).has_absolute_leading)
    return wrong("has an absolute leading address (bit 52), which requires sm_103a");
  if (d.leading_is_absolute && (d.swizzle != SmemSwizzle::w128 || d.base_offset != 0))
    return wrong("has an absolute leading address without 128B swizzle, or with a base offset");
  return d;
}

void SmemMatrix::choose(const DeviceReadings& readings) {
  base_offset = readings.is({"AMB-05", "exclusive_or"}) ? BaseOffset::exclusive_or
                : readings.is({"AMB-05", "added"})      ? BaseOffset::added
                                                        : BaseOffset::subtracted;
  lines_of_atom_32 = readings.is({"AMB-32", "steps_8_k"}) ? 8 : 4;
  is_packed = readings.is({"AMB-22", "packed"});
  halves_are_apart = readings.is({"AMB-46", "leads_to_second_half"});
}

uint32_t SmemMatrix::stored_bits() const {
  const uint32_t bits = static_cast<uint32_t>(format->storage_bits);
  return bits >= 8 || is_packed ? bits : 8;
}

std::string wrong_combination(const SmemMatrix& matrix, const DeviceReadings& readings) {
  const int bits = matrix.format->storage_bits;
  const bool is_atom_32 = matrix.descriptor.swizzle == SmemSwizzle::w128_atom_32;
  if (!matrix.is_mn_major)
    return is_atom_32 && readings.is({"AMB-08", "refused"})
               ? "128B swizzle with 32-byte atoms is not supported for K-major matrices"
               : "";
  if (matrix.descriptor.leading_is_absolute) return "an absolute leading address requires a K-major matrix";
  if (bits < 8) return "elements of 4 and 6 bits are K-major only: the transpose bit must be 0";
  if (bits == 32 && !is_atom_32)
    return "an MN-major matrix of 32-bit elements requires 128B swizzle with 32-byte atoms";
  if (bits != 32 && is_atom_32)
    return "128B swizzle with 32-byte atoms is not supported for MN-major matrices of 8- and 16-bit elements";
  return {};
}

void read_matrix(const SmemMatrix& matrix, const Cta& cta, const SmemCodes& into) {
  std::fill(into.is_unwritten.begin(), into.is_unwritten.end(), uint8_t{0});
  const uint32_t size = static_cast<uint32_t>(cta.shared.size());
  const auto find = [&](uint32_t address, uint32_t bytes) {
    if (address < shared_reserved_bytes || address > size || bytes > size - address)
      refuse(cta, address, bytes);
    return cta.shared.data() + address;
  };
  const auto is_unwritten = [&](uint32_t address, uint32_t bytes) {
    return std::memchr(cta.written.data() + address, 0, bytes) != nullptr;
  };
  if (!matrix.is_mn_major) {
    std::array<std::byte, 128> row_bytes;
    const uint32_t end = matrix.k * matrix.stored_bits() / 8;
    // Of 16 bytes that 16 elements of 4 or 6 bits take the last are padding, which TMA leaves as it was.
    const auto bits = static_cast<uint32_t>(matrix.format->storage_bits);
    const uint32_t used = bits < matrix.stored_bits() ? 16 * bits / 8 : 16;
    visit_chunks(matrix, [&](uint32_t address, uint32_t bytes, uint32_t row, uint32_t, uint32_t x) {
      std::memcpy(row_bytes.data() + x, find(address, bytes), bytes);
      for (uint32_t i = 0; i < bytes; i += 16)
        if (is_unwritten(address + i, std::min(used, bytes - i))) into.is_unwritten[row] = 1;
      if (!into.unwritten_bytes.empty())
        std::transform(cta.written.data() + address, cta.written.data() + address + bytes,
                       into.unwritten_bytes.begin() + static_cast<ptrdiff_t>(row) * end + x,
                       [](uint8_t written) { return written == 0; });
      if (x + bytes == end)
        unpack_row(matrix, row_bytes.data(), into.codes.data() + static_cast<size_t>(row) * matrix.k);
    });
    return;
  }
  const uint32_t size_of_one = matrix.stored_bits() / 8;
  visit_chunks(matrix, [&](uint32_t address, uint32_t bytes, uint32_t row, uint32_t k, uint32_t) {
    const std::byte* at = find(address, bytes);
    const bool unwritten = is_unwritten(address, bytes);
    for (uint32_t i = 0; i * size_of_one < bytes; ++i) {
      into.codes[static_cast<size_t>(row + i) * matrix.k + k] = element(at + i * size_of_one, size_of_one);
      if (unwritten) into.is_unwritten[row + i] = 1;
    }
  });
}

std::vector<SharedRange> matrix_ranges(const SmemMatrix& matrix, uint32_t cta_rank) {
  constexpr SwizzleKind kinds[] = {SwizzleKind::none, SwizzleKind::span_32, SwizzleKind::span_64,
                                   SwizzleKind::span_128, SwizzleKind::span_128_atom_32};
  const SwizzleKind kind = kinds[static_cast<size_t>(matrix.descriptor.swizzle)];
  std::vector<SharedRange> chunks;
  visit_chunks(matrix, [&](uint32_t address, uint32_t bytes, uint32_t, uint32_t, uint32_t) {
    if (address <= shared_offset_mask)
      chunks.push_back({cta_rank << shared_rank_shift | address, bytes, kind});
  });
  std::sort(chunks.begin(), chunks.end(),
            [](const SharedRange& a, const SharedRange& b) { return a.address < b.address; });
  std::vector<SharedRange> merged;
  for (const SharedRange& one : chunks) {
    if (!merged.empty() && merged.back().address + merged.back().bytes >= one.address) {
      SharedRange& last = merged.back();
      last.bytes = std::max(last.bytes, one.address + one.bytes - last.address);
    } else {
      merged.push_back(one);
    }
  }
  return merged;
}

}  // namespace assay::emulator
