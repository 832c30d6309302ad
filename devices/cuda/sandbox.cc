// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/sandbox.h"

#include <sched.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>

#include "devices/cuda/facts.h"
#include "devices/cuda/families/family.h"

namespace assay::cuda {
namespace {

static_assert(sizeof(RecordEnd) == sizeof(params::ProbeEnd) &&
              offsetof(RecordEnd, cluster_sms) == offsetof(params::ProbeEnd, cluster_sms) &&
              offsetof(RecordEnd, code) == 4 && offsetof(RecordEnd, sm) == 8 &&
              offsetof(RecordEnd, note) == 12);
static_assert(static_cast<int>(Ended::done) == params::probe_done &&
              static_cast<int>(Ended::timed_out) == params::probe_timed_out &&
              static_cast<int>(Ended::surplus) == params::probe_surplus);

int cores() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

/// Processes of a GPU for records that end them. The driver opens contexts one at a time, and with sixteen
/// processes it is always opening or clearing away one (H200: 9.6 faults a second of 715, 2.6 with one
/// process after another). Those that only call the driver make 25 crashes a second each, and never run while
/// others open it (Schedule).
constexpr int sacrifice_lanes = 16, call_lanes = 12;
/// Of a GPU's ordinary process, a thread each: the driver encodes the maps of some while others wait for the
/// GPU.
constexpr int batches_in_flight = 8;

DeviceLimits usable(DeviceLimits limits) {
  limits.batches = std::clamp(limits.batches, 1, 256);
  limits.records_bytes = std::max<size_t>(limits.records_bytes, 4096);
  limits.output_bytes = std::max<size_t>(limits.output_bytes, 4096);
  return limits;
}

}  // namespace

Sandbox::Sandbox(const DeviceSpec& spec, const DeviceLimits& limits)
    : spec_(spec),
      limits_(usable(limits)),
      processes_(spec.emulator ? std::min(cores(), limits_.batches) : 1),
      region_(Region::create(limits_, /*with_arena=*/true,
                             spec.emulator ? processes_ : 1 + sacrifice_lanes + call_lanes)) {
  for (int i = 0; i < limits_.batches; ++i) {
    auto buffer = std::make_unique<Buffer>();
    buffer->index = static_cast<uint32_t>(i);
    buffer->memory = region_.batch(buffer->index);
    buffer->end_storage.resize(region_.shape().capacity);
    buffer->records = {buffer->memory.records, limits_.records_bytes};
    buffer->ends = buffer->end_storage;
    buffer->output = {buffer->memory.output, limits_.output_bytes};
    buffers_.push_back(std::move(buffer));
  }

  board_.wake = [this](ProcessKind kind) { wake(kind); };
  add_lanes(ProcessKind::ordinary, processes_,
            spec_.emulator ? 1 : std::min(limits_.batches, batches_in_flight));
  std::string text;
  {
    std::unique_lock lock(board_.mutex);
    board_.changed.wait(lock, [&] { return board_.opened || !board_.lost.empty(); });
    if (!board_.lost.empty()) {
      board_.stopping = true;
      const std::string why = board_.lost;
      lock.unlock();
      lanes_.clear();
      throw DeviceError(why);
    }
    text = board_.identity;
  }
  const auto json = nlohmann::json::parse(text);
  identity_ = identity_from_json(json);
  identity_.processes = processes_;
  identity_.sacrifices = spec.emulator ? processes_ : sacrifice_lanes;
  declined_ = json.at("declines");
}

Sandbox::~Sandbox() {
  {
    const std::lock_guard lock(board_.mutex);
    board_.stopping = true;
  }
  std::map<ProcessKind, std::vector<std::unique_ptr<Lane>>> lanes;
  {
    const std::lock_guard lock(lanes_mutex_);
    is_closing_ = true;
    lanes.swap(lanes_);
  }
  for (const auto& [kind, of_kind] : lanes)
    for (const auto& lane : of_kind) lane->wake();
}

void Sandbox::add_lanes(ProcessKind kind, int count, int depth) {
  for (int i = 0; i < count; ++i)
    lanes_[kind].push_back(
        std::make_unique<Lane>(board_, spec_, region_, limits_, depth, next_process_++, kind));
}

void Sandbox::wake(ProcessKind kind) {
  const std::lock_guard lock(lanes_mutex_);
  if (is_closing_) return;
  // A copy of an emulator's process costs next to nothing, and those of a GPU only where they are needed.
  if (lanes_[kind].empty()) {
    add_lanes(ProcessKind::sacrifice, sacrifice_lanes, 1);
    add_lanes(ProcessKind::calls, call_lanes, 1);
  }
  for (const auto& lane : lanes_[kind]) lane->wake();
}

std::optional<std::string> Sandbox::declines(std::string_view family) const {
  const Family* found = find_family(family);
  if (!found) return "this build has no family '" + std::string(family) + "'";
  if (const auto why = declined_.find(family); why != declined_.end()) return why->second;
  if (found->host_declines == nullptr) return std::nullopt;
  const std::lock_guard lock(asked_mutex_);
  const auto [answer, is_new] = asked_.try_emplace(std::string(family));
  if (is_new) answer->second = found->host_declines(identity_.architecture);
  return answer->second;
}

/// An H200 makes 4.5 to 7.5 faults a second; what ends no context costs a fork.
double Sandbox::sacrifice_seconds(std::string_view family) const {
  const Family* const found = find_family(family);
  return spec_.emulator || (found != nullptr && found->is_calls) ? 0.01 : 0.2;
}

Batch& Sandbox::acquire() {
  std::unique_lock lock(board_.mutex);
  Buffer* found = nullptr;
  board_.changed.wait(lock, [&] {
    for (const auto& buffer : buffers_)
      if (buffer->state == Buffer::State::free) found = buffer.get();
    return found || !board_.lost.empty();
  });
  if (!board_.lost.empty()) throw DeviceError(board_.lost);
  found->state = Buffer::State::held;
  found->count = 0;
  found->notes.clear();
  found->is_sacrifice = false;
  found->device_seconds = 0;
  return *found;
}

void Sandbox::submit(Batch& batch) {
  Buffer& buffer = static_cast<Buffer&>(batch);
  const Family* family = find_family(batch.family);
  if (!family) throw std::invalid_argument("no device family is called '" + std::string(batch.family) + "'");
  if (batch.count * family->record_bytes > limits_.records_bytes)
    throw std::invalid_argument(std::to_string(batch.count) + " records do not fit the batch");
  if (const auto wrong =
          family->check({buffer.memory.records, batch.count, limits_.output_bytes, identity_.architecture})) {
    const std::string of_family = "family " + std::string(family->name) + ": ";
    if (!wrong->record) throw std::invalid_argument(of_family + wrong->what);
    throw RefusedRecord(*wrong->record, of_family + wrong->what);
  }
  BatchControl& control = *buffer.memory.control;
  std::memset(control.family, 0, sizeof control.family);
  std::memcpy(control.family, family->name.data(), std::min(family->name.size(), sizeof control.family - 1));
  control.records = batch.count;
  std::fill_n(buffer.ends.begin(), batch.count, not_run_end);
  buffer.open.resize(batch.count);
  std::iota(buffer.open.begin(), buffer.open.end(), 0u);
  if (batch.count == 0) return board_.finish(buffer);
  // The first process of a GPU, idle meanwhile, keeps its driver awake: others open in a tenth of the time.
  const bool apart = !spec_.emulator && batch.is_sacrifice;
  board_.submit(buffer, !apart             ? ProcessKind::ordinary
                        : family->is_calls ? ProcessKind::calls
                                           : ProcessKind::sacrifice);
}

void Sandbox::wait(Batch& batch) {
  Buffer& buffer = static_cast<Buffer&>(batch);
  std::unique_lock lock(board_.mutex);
  board_.changed.wait(lock, [&] { return buffer.state == Buffer::State::finished; });
}

void Sandbox::release(Batch& batch) {
  const std::lock_guard lock(board_.mutex);
  static_cast<Buffer&>(batch).state = Buffer::State::free;
  board_.changed.notify_all();
}

void Sandbox::end_by(std::optional<std::chrono::steady_clock::time_point> moment) {
  // steady_clock is CLOCK_MONOTONIC here, as monotonic_seconds() is.
  board_.end_at = moment ? std::chrono::duration<double>(moment->time_since_epoch()).count()
                         : std::numeric_limits<double>::infinity();
}

DeviceCounters Sandbox::counters() const {
  const std::lock_guard lock(board_.mutex);
  DeviceCounters counters = board_.counters;
  counters.busy_seconds = board_.busy.seconds();
  return counters;
}

std::vector<StrictFinding> Sandbox::strict_findings() const {
  const std::lock_guard lock(board_.mutex);
  std::vector<StrictFinding> findings;
  for (const auto& [key, count] : board_.breaches) {
    const auto& [clause, kernel, where] = key;
    findings.push_back({clause, kernel, where, count});
  }
  return findings;
}

}  // namespace assay::cuda
