// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/provenance.h"

#include <algorithm>

#include "devices/emulator/tma/steps.h"

namespace assay::emulator::race {
namespace {

constexpr std::string_view swizzle_names[] = {"SWIZZLE_NONE",
                                              "SWIZZLE_32B",
                                              "SWIZZLE_64B",
                                              "SWIZZLE_96B",
                                              "SWIZZLE_128B",
                                              "SWIZZLE_128B_ATOM_32B",
                                              "SWIZZLE_128B_ATOM_32B_FLIP_8B",
                                              "SWIZZLE_128B_ATOM_64B"};

std::string swizzle_name(SwizzleKind kind) {
  return std::string(swizzle_names[static_cast<size_t>(kind)]);
}

/// Whether the two put 16 bytes in the same place: all do in the first line of their patterns.
bool is_same_at(uint32_t address, SwizzleKind one, SwizzleKind other) {
  const auto place = [&](SwizzleKind kind) { return honest_steps.swizzle({kind, address, 0, false}); };
  return one == other || place(one) == place(other);
}

}  // namespace

bool Provenance::read(const SharedRange& range, const AsyncOperation& operation, bool was_told) {
  uint32_t address = range.address / unit * unit;
  each(range.address, range.bytes, [&](uint32_t& number) {
    const Copy& copy = copies_[number];
    if (!was_told && range.swizzle && copy.swizzle && !is_same_at(address, *copy.swizzle, *range.swizzle)) {
      was_told = true;
      const bool is_store = operation.group != nullptr && !operation.is_wgmma;
      warn_("swizzle-mismatch", operation.issuer, copy.issuer,
            "bytes written with " + swizzle_name(*copy.swizzle) + " by the copy at PTX line " +
                std::to_string(copy.issuer.line) + " are read with " + swizzle_name(*range.swizzle) +
                " by the " + (is_store ? "tensor store" : "operand descriptor") + " at PTX line " +
                std::to_string(operation.issuer.line));
    }
    note_read(number);
    address += unit;
  });
  return was_told;
}

void Provenance::write(const SharedRange& range, uint32_t number) {
  if (range.bytes == 0) return;
  const size_t cta = range.address >> cta_shift;
  const size_t end = ((range.address & offset_mask) + range.bytes + unit - 1) / unit;
  if (units_.size() <= cta) units_.resize(cta + 1);
  if (units_[cta].size() < end) units_[cta].resize(end);
  each(range.address, range.bytes, [&](uint32_t& copy) { copy = number; });
}

void Provenance::issued(const AsyncOperation& operation) {
  bool was_told = false;
  for (const SharedRange& range : operation.shared_reads) was_told = read(range, operation, was_told);
  if (operation.shared_writes.empty()) return;
  const bool is_copy = operation.is_async_proxy && !operation.is_reduction;
  if (!is_copy) {
    // What is added to is looked at.
    for (const SharedRange& range : operation.shared_writes) {
      if (operation.is_reduction) each(range.address, range.bytes, [&](uint32_t& copy) { note_read(copy); });
      stored(range.address, range.bytes);
    }
    return;
  }
  for (const SharedRange& range : operation.shared_writes)
    overwritten(range.address, range.bytes, operation.issuer);
  if (copies_.size() == most_copies) {
    copies_.resize(1);
    units_.clear();
    unread_ = 0;
  }
  const auto number = static_cast<uint32_t>(copies_.size());
  copies_.push_back({operation.issuer, operation.shared_writes[0].swizzle});
  ++unread_;
  for (const SharedRange& range : operation.shared_writes) write(range, number);
}

void Provenance::overwritten(uint32_t address, uint32_t bytes, const Issuer& issuer) {
  each(address, bytes, [&](uint32_t& number) {
    if (number == 0 || copies_[number].is_read) return;
    warn_("unread-tile", issuer, copies_[number].issuer,
          "what the copy at PTX line " + std::to_string(copies_[number].issuer.line) +
              " brought to shared memory is overwritten at PTX line " + std::to_string(issuer.line) +
              ", and nothing of it has been read");
    note_read(number);  // once is enough
  });
}

}  // namespace assay::emulator::race
