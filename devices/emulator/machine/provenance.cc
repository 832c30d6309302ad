// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/provenance.h"

#include <algorithm>
#include <map>
#include <utility>

#include "devices/emulator/machine/cluster.h"
#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/strict.h"
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
  const bool is_store = operation.group != nullptr && !operation.is_wgmma;
  const auto warn = [&](std::string_view clause, const Copy& copy, const std::string& what) {
    was_told = true;
    warn_(clause, operation.issuer, copy.issuer, what);
  };
  each(range.address, range.bytes, [&](uint32_t& one) {
    const Copy& copy = copies_[one & number_mask];
    const std::string by = " by the copy at PTX line " + std::to_string(copy.issuer.line);
    const std::string at = " at PTX line " + std::to_string(operation.issuer.line);
    if (!was_told && range.swizzle && copy.swizzle && !is_same_at(address, *copy.swizzle, *range.swizzle))
      warn("swizzle-mismatch", copy,
           "bytes written with " + swizzle_name(*copy.swizzle) + by + " are read with " +
               swizzle_name(*range.swizzle) + " by the " +
               (is_store ? "tensor store" : "operand descriptor") + at);
    if (!was_told && is_other_order(range, copy))
      warn("scale-order", copy,
           "the tcgen05.cp" + at + " takes 512 bytes for scale factors of 128 rows, and" + by +
               " they are rows of " + std::to_string(copy.run) + " bytes that lie apart in global memory");
    note_read(one, !is_store);
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
  each(range.address, range.bytes, [&](uint32_t& one) { one = number; });
}

void Provenance::issued(const AsyncOperation& operation) {
  bool was_told = false;
  for (const SharedRange& range : operation.shared_reads) was_told = read(range, operation, was_told);
  if (operation.shared_writes.empty()) return;
  const bool is_copy = operation.is_async_proxy && !operation.is_reduction;
  if (!is_copy) {
    // What is added to is looked at.
    for (const SharedRange& range : operation.shared_writes) {
      if (operation.is_reduction) loaded(range.address, range.bytes);
      stored(range.address, range.bytes);
    }
    return;
  }
  for (const SharedRange& range : operation.shared_writes) {
    rows_overwritten(range.address, range.bytes, operation.issuer);
    overwritten(range.address, range.bytes, operation.issuer);
  }
  if (copies_.size() == most_copies) {
    copies_.resize(1);
    units_.clear();
  }
  const auto number = static_cast<uint32_t>(copies_.size());
  const auto& from = operation.global_reads;
  const uint64_t run = from.size() > 1 ? from[0].bytes : 0;
  copies_.push_back({operation.issuer, operation.shared_writes[0].swizzle, static_cast<uint32_t>(run)});
  for (const SharedRange& range : operation.shared_writes) write(range, number);
}

void Provenance::overwritten(uint32_t address, uint32_t bytes, const Issuer& issuer) {
  each(address, bytes, [&](uint32_t& one) {
    const Copy& copy = copies_[one & number_mask];
    if (one == 0 || copy.is_read) return;
    warn_("unread-tile", issuer, copy.issuer,
          "what the copy at PTX line " + std::to_string(copy.issuer.line) +
              " brought to shared memory is overwritten at PTX line " + std::to_string(issuer.line) +
              ", and nothing of it has been read");
    note_read(one);  // once is enough
  });
}

void Provenance::rows_overwritten(uint32_t address, uint32_t bytes, const Issuer& issuer) {
  std::map<uint32_t, uint32_t> left;  // units, by copy
  each(address, bytes, [&](uint32_t& one) {
    if (one != 0 && one <= number_mask && copies_[one].is_operand) ++left[one];
  });
  for (const auto& [number, units] : left) {
    Copy& copy = copies_[number];
    if (std::exchange(copy.was_told, true)) continue;
    warn_("unread-tile", issuer, copy.issuer,
          std::to_string(units * unit) + " bytes of the tile that the copy at PTX line " +
              std::to_string(copy.issuer.line) + " brought to shared memory are overwritten at PTX line " +
              std::to_string(issuer.line) +
              ", and no descriptor of the operands that read the rest led there");
  }
}

}  // namespace assay::emulator::race

namespace assay::emulator {

void StrictMode::scales_differ(const Issuer& issuer) {
  if (provenance)
    cluster_.launch.warn("scale-order", cluster_, issuer, nullptr,
                         "the scale factors of B are not the same in each 32 lanes of tensor memory");
}

void StrictMode::rows_overlap(uint64_t bytes, const Issuer& issuer) {
  if (provenance)
    cluster_.launch.warn("overlapping-rows", cluster_, issuer, nullptr,
                         "the tensor store writes " + std::to_string(bytes) +
                             " bytes of global memory more than once: rows of its box overlap there");
}

}  // namespace assay::emulator
