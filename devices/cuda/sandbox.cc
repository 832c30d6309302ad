#include "devices/cuda/sandbox.h"

#include <sched.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

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
      region_(Region::create(limits_, /*with_arena=*/true, processes_)) {
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

  const int depth = spec_.emulator ? 1 : std::min(limits_.batches, 4);
  for (int i = 0; i < processes_; ++i)
    lanes_.push_back(
        std::make_unique<Lane>(board_, spec_, region_, limits_, depth, static_cast<uint32_t>(i)));
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
  declined_ = json.at("declines");
}

Sandbox::~Sandbox() {
  {
    const std::lock_guard lock(board_.mutex);
    board_.stopping = true;
  }
  for (const auto& lane : lanes_) lane->wake();
  lanes_.clear();
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
  const std::lock_guard lock(board_.mutex);
  if (!board_.lost.empty() || batch.count == 0) {
    std::fill_n(buffer.ends.begin(), batch.count, not_run_end);
    if (!board_.lost.empty()) buffer.notes.push_back(board_.lost);
    buffer.state = Buffer::State::finished;
    board_.changed.notify_all();
    return;
  }
  buffer.state = Buffer::State::submitted;
  board_.queue.push_back(&buffer);
  for (const auto& lane : lanes_) lane->wake();
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

namespace assay {

std::unique_ptr<Device> open_device(std::string_view spec, const DeviceLimits& limits) {
  const std::string named = spec == "auto" ? resolve_devices(spec).front() : std::string(spec);
  return std::make_unique<cuda::Sandbox>(cuda::parse_device_spec(named), limits);
}

}  // namespace assay
