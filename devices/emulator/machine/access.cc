// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/step.h"

#include <cstring>
#include <optional>
#include <set>
#include <sstream>

#include "devices/emulator/alu/lanes.h"
#include "devices/emulator/machine/runner.h"
#include "devices/emulator/machine/strict.h"

namespace assay::emulator {
namespace {

std::string_view space_name(Space space) {
  constexpr std::string_view names[] = {"generic", "global", "shared::cta", "shared::cluster",
                                        "local",   "param",  "const"};
  return names[static_cast<int>(space)];
}

[[noreturn]] void refuse(const Step& step, int lane, Diagnostic::Kind kind, Space space, uint64_t address,
                         uint32_t bytes, bool is_write, std::string_view why) {
  std::ostringstream out;
  out << (is_write ? "a write of " : "a read of ") << bytes << " bytes at " << space_name(space)
      << " address 0x" << std::hex << address << " " << why;
  step.fail(kind, lane, out.str());
}

bool inside(uint64_t address, uint32_t bytes, uint64_t begin, uint64_t size) {
  return address >= begin && address - begin <= size && size - (address - begin) >= bytes;
}

std::byte* plain_memory(const Step& step, int lane, uint64_t address, uint32_t bytes, bool is_write) {
  Runner& runner = *step.cluster.runner;
  const auto inside_range = [&](const Memory::Range& range) {
    return range.end - address < bytes ? nullptr : reinterpret_cast<std::byte*>(address);
  };
  if (const Memory::Range* recent = runner.recent_range(address)) return inside_range(*recent);
  const Warp& warp = step.warp;
  if (inside(address, bytes, generic_local_base, warp.local_stride))
    return warp.local_of(lane) + (address - generic_local_base);
  Launch& launch = step.cluster.launch;
  if (inside(address, bytes, reinterpret_cast<uint64_t>(launch.params()), launch.params_bytes()))
    return is_write ? nullptr : reinterpret_cast<std::byte*>(address);
  const Memory::Range* const range = runner.find_range(address);
  return range == nullptr ? nullptr : inside_range(*range);
}

bool is_local(const Step& step, uint64_t address) {
  return address - step.warp.local_base < step.warp.local_stride * warp_lanes;
}

}  // namespace

Space space_of(const Opcode& opcode) {
  if (opcode.has("shared::cluster")) return Space::shared_cluster;
  if (opcode.has("shared") || opcode.has("shared::cta")) return Space::shared_cta;
  if (opcode.has("global")) return Space::global;
  if (opcode.has("local")) return Space::local;
  if (opcode.has("param") || opcode.has("param::entry") || opcode.has("param::func")) return Space::param;
  if (opcode.has("const")) return Space::constant;
  return Space::generic;
}

Place resolve(const Step& step, int lane, Space space, uint64_t address, uint32_t bytes, uint32_t alignment,
              bool is_write) {
  const auto refused = [&](Diagnostic::Kind kind, std::string_view why) {
    refuse(step, lane, kind, space, address, bytes, is_write, why);
  };
  if (address % alignment != 0)
    refused(Diagnostic::Kind::misaligned_address,
            "is not aligned to " + std::to_string(alignment) + " bytes");
  const bool is_window = space == Space::generic && address - generic_shared_base < generic_shared_bytes;
  if (space != Space::shared_cta && space != Space::shared_cluster && !is_window) {
    Place place;
    place.bytes = plain_memory(step, lane, address, bytes, is_write);
    if (place.bytes == nullptr)
      refused(Diagnostic::Kind::illegal_address, "lies " + step.cluster.launch.memory.where(address, bytes));
    return place;
  }
  if (is_window && !step.cluster.is_generic_shared(address))
    refused(Diagnostic::Kind::illegal_address, "is shared memory of another cluster");
  const uint32_t shared = is_window ? static_cast<uint32_t>(address - step.cluster.generic_window())
                                    : static_cast<uint32_t>(address);
  if (space == Space::shared_cta && shared >> shared_rank_shift != step.cta.rank)
    refused(Diagnostic::Kind::illegal_address, "is not in the window of the executing CTA");
  Place place;
  place.bytes = step.cluster.shared(shared, bytes);
  if (place.bytes == nullptr)
    refused(Diagnostic::Kind::illegal_address, "lies outside the CTA's shared memory");
  place.written = step.cluster.cta_at(shared)->written.data() + (shared & shared_offset_mask);
  place.shared_address = shared;
  return place;
}

bool holds_unwritten(const Place& place, uint32_t bytes) {
  return place.is_shared() && std::memchr(place.written, 0, bytes) != nullptr;
}

void note_load(const Step& step, int lane, const Place& place, uint32_t bytes) {
  const uint64_t address = reinterpret_cast<uint64_t>(place.bytes);
  if (step.cluster.strict && !place.is_shared() && !is_local(step, address))
    step.cluster.strict->global_access(step, lane, address, bytes, false);
  note_told_load(step, lane, place, bytes);
}

void note_store(const Step& step, int lane, const Place& place, uint32_t bytes, bool is_tainted) {
  const uint64_t address = reinterpret_cast<uint64_t>(place.bytes);
  if (step.cluster.strict && !place.is_shared() && !is_local(step, address))
    step.cluster.strict->global_access(step, lane, address, bytes, true);
  note_told_store(step, lane, place, bytes, is_tainted);
}

void note_told_load(const Step& step, int lane, const Place& place, uint32_t bytes) {
  StrictMode* strict = step.cluster.strict.get();
  if (strict == nullptr) return;
  if (!place.is_shared()) {
    strict->global_load(reinterpret_cast<uint64_t>(place.bytes), bytes, step.issuer(lane));
    return;
  }
  strict->generic_load(place.shared_address, bytes, step.issuer(lane), step.instruction.order);
  strict->remote_access(*step.cluster.cta_at(place.shared_address), step.issuer(lane));
}

/// Follows registers with never-written values back through the text, to an instruction that brought one from
/// memory; the index of it, or nothing.
static std::optional<size_t> reader_of_unwritten(const Step& step) {
  std::set<uint32_t> wanted;
  const auto add = [&](Column column) {
    // A shuffle brings them from other lanes.
    const bool is_register = column.exists() && (column.index & Column::constant_bank) == 0;
    if (is_register && step.warp.taint[column.index] != 0) wanted.insert(column.index);
  };
  const auto each_column = [](const Operand& operand, const auto& f) {
    f(operand.column);
    for (const Operand& item : operand.items) f(item.column);
  };
  for (const Operand& operand : step.instruction.operands) each_column(operand, add);
  const std::vector<Instruction>& code = step.cluster.launch.program.code;
  for (size_t at = step.warp.executing; at-- > 0 && !wanted.empty();) {
    const Instruction& one = code[at];
    bool is_it = false;
    const auto take = [&](Column column) { is_it |= wanted.erase(column.index) != 0; };
    if (one.lane_op != nullptr) {
      for (const Column column : {one.d, one.d2}) take(column);
      for (int i = 0; is_it && i < one.sources; ++i) add(one.s[i]);
    } else if (!one.operands.empty() && one.operands[0].kind != Operand::Kind::address) {
      each_column(one.operands[0], take);
      if (!is_it) continue;
      bool reads_memory = one.opcode->base == "wgmma";
      for (const Operand& operand : one.operands) reads_memory |= operand.kind == Operand::Kind::address;
      if (reads_memory) return at;
      for (size_t i = 1; i < one.operands.size(); ++i) each_column(one.operands[i], add);
    }
  }
  return std::nullopt;
}

void stores_unwritten(const Step& step, int lane) {
  std::string text = "a value computed from never-written shared or tensor memory is stored to global memory";
  if (const std::optional<size_t> found = reader_of_unwritten(step)) {
    const Instruction& reader = step.cluster.launch.program.code[*found];
    const std::string at = "PTX line " + std::to_string(reader.line);
    if (const Issuer& product = step.warp.accumulated;
        product.line != 0 && reader.opcode->has("ld") && reader.opcode->base == "tcgen05")
      return step.cluster.runner->uninitialised_read(
          step.cluster, product,
          "a product is added to tensor memory that nothing has written since tcgen05.alloc; the sum is read "
          "at " +
              at + " and stored to global memory at PTX line " + std::to_string(step.instruction.line) +
              "; the first product of a sum has enable-input-d false");
    text += "; " + at + " reads it, by " + reader.opcode->text;
  }
  step.cluster.runner->uninitialised_read(step.cluster, step.issuer(lane), std::move(text));
}

void note_told_store(const Step& step, int lane, const Place& place, uint32_t bytes, bool is_tainted) {
  ++step.cluster.progress;
  StrictMode* strict = step.cluster.strict.get();
  if (place.is_shared()) {
    std::memset(place.written, is_tainted ? 0 : 1, bytes);
    if (strict == nullptr) return;
    strict->generic_store(place.shared_address, bytes, step.issuer(lane), step.instruction.order);
    strict->remote_access(*step.cluster.cta_at(place.shared_address), step.issuer(lane));
    return;
  }
  const uint64_t address = reinterpret_cast<uint64_t>(place.bytes);
  if (is_tainted && !is_local(step, address)) stores_unwritten(step, lane);
  if (strict != nullptr && !is_local(step, address)) strict->global_store(address, bytes, step.issuer(lane));
}

void note_order(const Step& step, Space space, const Operand& place, uint32_t bytes, bool reads, bool writes,
                uint32_t repeating) {
  StrictMode* const strict = step.cluster.strict.get();
  if (strict == nullptr) return;
  const race::MemoryOrder& order = step.instruction.order;
  uint32_t left = step.mask;
  while (left != 0) {
    // Lanes at one place do it together.
    const int first = __builtin_ctz(left);
    const uint64_t address = step.address(place, first);
    race::Lanes who = step.lanes_of(0);
    for_lanes(left, [&](int lane) {
      if (step.address(place, lane) == address) who.lanes |= 1u << lane;
    });
    left &= ~who.lanes;
    const Place found = resolve(step, first, space, address, bytes, bytes, writes);
    const uint64_t key = found.is_shared() ? race::Order::shared_place | found.shared_address
                                           : reinterpret_cast<uint64_t>(found.bytes);
    if (reads) strict->races.order.acquires(key, who, order);
    if (writes) strict->races.order.releases(key, who, order, (who.lanes & ~repeating) == 0);
    if (step.cluster.launch.grid_history.streams.may_be_of_host(key)) step.cluster.log.talks_to_host = true;
    // Lanes that change one place do it one after the other, and each knows of those before it. Which these
    // are is not told apart.
    if (reads && writes && (who.lanes & (who.lanes - 1)) != 0) strict->races.order.acquires(key, who, order);
  }
}

namespace {

Window shared_window(const Step& step, Space space, uint64_t address, uint64_t base) {
  const uint32_t shared = static_cast<uint32_t>(address - base);
  const uint32_t rank = shared >> shared_rank_shift;
  if (space == Space::shared_cta && rank != step.cta.rank) return {};
  Cta* const cta = step.cluster.cta_at(shared);
  if (cta == nullptr || cta->shared.size() <= shared_reserved_bytes) return {};
  Window made;
  made.host = cta->shared.data() + shared_reserved_bytes;
  made.written = cta->written.data() + shared_reserved_bytes;
  made.begin = base + (uint64_t{rank} << shared_rank_shift) + shared_reserved_bytes;
  made.bytes = cta->shared.size() - shared_reserved_bytes;
  made.shared_begin = (rank << shared_rank_shift) + shared_reserved_bytes;
  if (base == 0) made.address_mask = 0xffffffff;
  return made;
}

Window plain_window(uint64_t begin, uint64_t end) {
  Window made;
  made.host = reinterpret_cast<std::byte*>(begin);
  made.begin = begin;
  made.bytes = end - begin;
  return made;
}

/// Bounds and alignment of all lanes in one pass without a branch: a lane outside sets the top bit of
/// `outside`, since no window is half as large as the address space.
struct Scan {
  uint64_t outside = 0, low = 0, differs = 0, does_not_rise = 0;
  bool is_inside(uint32_t bytes) const { return outside >> 63 == 0 && (low & (bytes - 1)) == 0; }
};

ASSAY_ALWAYS_INLINE inline Scan scan_all(const Window& window, const uint64_t* __restrict addresses,
                                         uint64_t added, uint32_t bytes, uint64_t* __restrict offset) {
  Scan scan;
  const uint64_t last = window.bytes - bytes, first = addresses[0] + added, mask = window.address_mask;
  const uint64_t begin = window.begin;
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const uint64_t address = addresses[lane] + added;
    const uint64_t at = (address & mask) - begin;
    offset[lane] = at;
    scan.outside |= at | (last - at);
    scan.low |= address;
    scan.differs |= address ^ first;
    scan.does_not_rise |= address ^ (first + static_cast<uint64_t>(lane) * bytes);
  }
  return scan;
}

Scan scan_narrow(const Window& window, const uint64_t* addresses, uint64_t added, uint32_t bytes,
                 uint64_t* offset) {
  return scan_all(window, addresses, added, bytes, offset);
}
ASSAY_WIDE Scan scan_wide(const Window& window, const uint64_t* addresses, uint64_t added, uint32_t bytes,
                          uint64_t* offset) {
  return scan_all(window, addresses, added, bytes, offset);
}

}  // namespace

Window find_window(const Step& step, Space space, uint64_t address, bool is_write) {
  if (space == Space::shared_cta || space == Space::shared_cluster)
    return shared_window(step, space, address & 0xffffffff, 0);
  if (space == Space::generic && address - generic_shared_base < generic_shared_bytes) {
    if (!step.cluster.is_generic_shared(address)) return {};
    return shared_window(step, space, address, step.cluster.generic_window());
  }
  Runner& runner = *step.cluster.runner;
  if (const Memory::Range* range = runner.recent_range(address))
    return plain_window(range->begin, range->end);
  const Warp& warp = step.warp;
  if (address - generic_local_base < warp.local_stride) {
    Window made;
    made.host = warp.local_of(0);
    made.begin = generic_local_base;
    made.bytes = made.lane_stride = warp.local_stride;
    return made;
  }
  const uint64_t params = reinterpret_cast<uint64_t>(step.cluster.launch.params());
  const uint64_t params_bytes = step.cluster.launch.params_bytes();
  if (address - params < params_bytes)
    return is_write ? Window{} : plain_window(params, params + params_bytes);
  if (const Memory::Range* range = runner.find_range(address)) return plain_window(range->begin, range->end);
  return {};
}

bool find_places(const Window& window, const uint64_t* addresses, uint64_t added, uint32_t mask,
                 uint32_t bytes, LanePlaces& places) {
  if (window.bytes < bytes) return false;
  places.order = LanePlaces::Order::scattered;
  if (mask == ~0u) {
    const Scan scan = has_wide_lanes ? scan_wide(window, addresses, added, bytes, places.offset.data())
                                     : scan_narrow(window, addresses, added, bytes, places.offset.data());
    if (!scan.is_inside(bytes)) return false;
    if (window.lane_stride == 0)
      places.order = scan.differs == 0         ? LanePlaces::Order::same
                     : scan.does_not_rise == 0 ? LanePlaces::Order::rising
                                               : LanePlaces::Order::scattered;
  } else {
    Scan scan;
    const uint64_t last = window.bytes - bytes;
    for_lanes(mask, [&](int lane) {
      const uint64_t address = addresses[lane] + added;
      const uint64_t at = (address & window.address_mask) - window.begin;
      places.offset[static_cast<size_t>(lane)] = at;
      scan.outside |= at | (last - at);
      scan.low |= address;
    });
    if (!scan.is_inside(bytes)) return false;
  }
  if (window.lane_stride != 0)
    for_lanes(mask, [&](int lane) {
      places.offset[static_cast<size_t>(lane)] += static_cast<uint64_t>(lane) * window.lane_stride;
    });
  return true;
}

}  // namespace assay::emulator
