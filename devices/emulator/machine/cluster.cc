// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/cluster.h"

#include <cstring>
#include <sstream>

#include "devices/emulator/async/mbarrier.h"
#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/runner.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/tma/steps.h"

namespace assay::emulator {

Warp::Warp() = default;

Cluster::Cluster(Launch& launch, Runner& runner, uint64_t index)
    : launch(launch),
      runner(&runner),
      index(index),
      async(launch.settings.completion, launch.settings.seed ^ (index * 0x9e3779b97f4a7c15),
            launch.settings.seed % 8 == 3),
      log(launch.open_log(*this)),
      shuffle_(async.seed()) {
  if (!launch.settings.strict) return;
  strict = std::make_unique<StrictMode>(*this);
  async.on_issue = [this](const AsyncOperation& operation) { strict->issued(operation); };
  async.on_read = [this](const AsyncOperation& operation) { strict->source_read(operation); };
  async.on_written = [this](const AsyncOperation& operation) { strict->destination_written(operation); };
}

Cluster::~Cluster() = default;

const Settings& Cluster::settings() const {
  return launch.settings;
}

bool Cluster::ends_wait_early() {
  return settings().completion == Completion::random ? dice() % 4 == 0 : runner->ends_waits_early;
}

Cta* Cluster::cta_at(uint32_t address) const {
  const uint32_t rank = address >> shared_rank_shift;
  return rank < ctas.size() ? ctas[rank].get() : nullptr;
}

std::byte* Cluster::shared(uint32_t address, size_t bytes) const {
  Cta* cta = cta_at(address);
  const uint32_t offset = address & shared_offset_mask;
  if (cta == nullptr || offset < shared_reserved_bytes || offset + bytes > cta->shared.size()) return nullptr;
  return cta->shared.data() + offset;
}

std::byte* Cluster::async_write(uint32_t address, size_t bytes, const Issuer& issuer) {
  std::byte* found = shared(address, bytes);
  if (found == nullptr) return nullptr;
  Cta& cta = *cta_at(address);
  std::memset(cta.written.data() + (address & shared_offset_mask), 1, bytes);
  if (strict) strict->remote_access(cta, issuer);
  ++progress;
  return found;
}

const std::byte* Cluster::async_read(uint32_t address, size_t bytes, const Issuer& issuer,
                                     bool reaches_output) {
  const std::byte* found = shared(address, bytes);
  if (found == nullptr || !reaches_output) return found;
  const uint8_t* written = cta_at(address)->written.data() + (address & shared_offset_mask);
  if (const void* hole = std::memchr(written, 0, bytes)) {
    std::ostringstream message;
    message << "a copy to global memory reads shared memory at 0x" << std::hex
            << address + (static_cast<const uint8_t*>(hole) - written)
            << " that was never written, or with a value computed from such memory";
    runner->uninitialised_read(*this, issuer, message.str());
  }
  return found;
}

std::byte* Cluster::global(uint64_t address, size_t bytes) const {
  if (std::byte* found = launch.memory.find(address, bytes)) return found;
  const auto inside = [&](const std::byte* block, size_t size) {
    const uint64_t begin = reinterpret_cast<uint64_t>(block);
    return address >= begin && address - begin <= size && size - (address - begin) >= bytes;
  };
  if (inside(launch.params(), launch.params_bytes())) return reinterpret_cast<std::byte*>(address);
  return nullptr;
}

const std::byte* Cluster::tensor_map(uint64_t address, const Issuer& issuer) {
  if (strict) strict->tensor_map_used(address, issuer);
  const std::byte* const memory = global(address, sizeof(TensorMapBytes));
  if (memory == nullptr) return nullptr;
  const uint32_t multiprocessor = launch.multiprocessor(*ctas[issuer.cta_rank]);
  return runner->maps
      .fetch(multiprocessor, address, memory, settings().completion, [this] { return async.random(); })
      .data();
}

void Cluster::acquire_tensor_map(uint64_t address, const Issuer& issuer, race::Scope scope) {
  if (strict) strict->tensor_map_acquire(address, issuer, scope);
  runner->maps.acquire(launch.multiprocessor(*ctas[issuer.cta_rank]), address,
                       steps_for(settings()).acquires);
}

Mbarrier* Cluster::barrier_at(uint32_t address, const Issuer& issuer) {
  Cta& cta = *cta_at(address);
  const uint32_t offset = address & shared_offset_mask;
  auto at = cta.mbarriers.find(offset);
  const bool is_new = at == cta.mbarriers.end();
  if ((is_new || !at->second.is_live) && DeviceReadings(settings()).is({"MBAR-AMB-01", "faults"}))
    return nullptr;
  if (is_new) {
    // Nothing is known of bits that nobody wrote.
    const uint8_t* const written = cta.written.data() + offset;
    if (std::memchr(written, 0, sizeof(uint64_t)) != nullptr) return nullptr;
    at = cta.mbarriers.try_emplace(offset).first;
    if (strict) strict->barrier_without_init(address, issuer);
  }
  MbarrierObject& object = at->second;
  if (object.was_ended && strict) strict->barrier_used_after_inval(issuer);
  if (!object.is_live) {
    uint64_t word;
    std::memcpy(&word, cta.shared.data() + offset, sizeof word);
    object = {Mbarrier::decode(word), true, object.was_ended};
  }
  return &object.state;
}

void Cluster::change_barrier(uint32_t address, const Issuer& issuer,
                             const std::function<std::string_view(Mbarrier&)>& change) {
  if (address % 8 != 0)
    trap(Diagnostic::Kind::misaligned_address,
         "the mbarrier of an asynchronous operation is not 8-byte aligned");
  if (shared(address, 8) == nullptr)
    trap(Diagnostic::Kind::illegal_address,
         "the mbarrier of an asynchronous operation lies outside shared memory");
  Cta& cta = *cta_at(address);
  Mbarrier* const barrier = barrier_at(address, issuer);
  if (barrier == nullptr)
    trap(Diagnostic::Kind::launch_failed,
         "an asynchronous operation completes on an mbarrier that is not initialised");
  if (strict) strict->remote_access(cta, issuer);
  const bool phase = barrier->phase;
  if (strict) strict->races.completes_on(address, async.running_id());
  if (const std::string_view wrong = change(*barrier); !wrong.empty())
    trap(Diagnostic::Kind::launch_failed, std::string(wrong));
  if (barrier->phase != phase) {
    launch.note_barrier(BarrierEvent::Kind::complete, cta, address & shared_offset_mask,
                        BarrierEvent::no_warp, phase);
    if (strict) strict->races.order.mbarrier_completes(address);
  }
  ++progress;
}

void Cluster::complete_tx(uint32_t address, uint32_t bytes, const Issuer& issuer) {
  change_barrier(address, issuer, [&, &steps = steps_for(settings())](Mbarrier& barrier) {
    const Mbarrier before = barrier;
    auto& phase = cta_at(address)->mbarriers.at(address & shared_offset_mask).bytes_of_phase();
    phase.delivered += bytes, phase.delivered_line = issuer.line;
    const std::string_view wrong = barrier.complete(bytes);
    steps.bytes_arrived(before, barrier);
    return wrong;
  });
}

void Cluster::arrive(uint32_t address, const Issuer& issuer) {
  if (const Cta* cta = cta_at(address))
    launch.note_barrier(BarrierEvent::Kind::arrive, *cta, address & shared_offset_mask, BarrierEvent::no_warp,
                        1);
  change_barrier(address, issuer, [](Mbarrier& barrier) { return barrier.arrive(1, false); });
}

void Step::set_wide(const Operand& operand, int lane, uint64_t low, uint64_t high, bool tainted) const {
  if (operand.kind == Operand::Kind::sink) return;
  set(operand, lane, low, tainted);
  Operand upper = operand;
  ++upper.column.index;
  set(upper, lane, high, tainted);
}

uint32_t Step::shared_address(uint64_t value, bool is_generic, int lane) const {
  if (!is_generic) return static_cast<uint32_t>(value);
  if (!cluster.is_generic_shared(value))
    fail(Diagnostic::Kind::illegal_address, lane,
         "a generic address is not one of shared memory of this cluster");
  return static_cast<uint32_t>(value - cluster.generic_window());
}

}  // namespace assay::emulator
