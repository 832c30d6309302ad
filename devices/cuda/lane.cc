// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/lane.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

namespace assay::cuda {
namespace {

constexpr int tick_milliseconds = 20;
constexpr int start_attempts = 3;
/// How long a batch may be in flight with no record under way: memory is set up and kernels are loaded first.
constexpr double idle_seconds = 60;

/// Changes whenever a record is started or ended; 0 when none is under way.
uint64_t progress_of(const Buffer& buffer) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < params::batch_notes; ++i) {
    const volatile uint32_t& note = buffer.memory.notes[i];
    sum += note * (0x9e3779b97f4a7c15ull * (2 * i + 1));
  }
  return sum;
}

}  // namespace

Lane::Lane(Board& board, const DeviceSpec& spec, const Region& region, const DeviceLimits& limits, int depth,
           uint32_t number, ProcessKind kind)
    : board_(board),
      spec_(spec),
      region_(region),
      limits_(limits),
      depth_(depth),
      number_(number),
      kind_(kind),
      event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      watches_(region.shape().batches),
      thread_([this] { run(); }) {}

Lane::~Lane() {
  wake();
  thread_.join();
  close(event_);
}

void Lane::wake() const {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(event_, &one, sizeof one);
}

void Lane::run() {
  if (number_ == 0 && !ensure_worker()) return;
  for (;;) {
    take_batches();
    {
      const std::lock_guard lock(board_.mutex);
      if (board_.stopping) break;
    }
    if (lost_) return;
    if (is_late()) cut_off();
    if (lost_) return;
    if (in_flight_.empty()) {
      pollfd events{event_, POLLIN, 0};
      poll(&events, 1, 1000);
      uint64_t count;
      [[maybe_unused]] const ssize_t got = read(event_, &count, sizeof count);
      continue;
    }
    const Outcome outcome = wait_outcome(in_flight_);
    if (outcome.kind == Outcome::done) {
      const auto at = std::find_if(in_flight_.begin(), in_flight_.end(),
                                   [&](const Buffer* buffer) { return buffer->index == outcome.batch; });
      if (at == in_flight_.end()) continue;  // a wake-up: there may be a batch to take
      Buffer& buffer = **at;
      in_flight_.erase(at);
      std::memcpy(static_cast<void*>(buffer.ends.data()), buffer.memory.ends,
                  buffer.count * sizeof(RecordEnd));
      board_.finish(buffer);
    } else if (outcome.kind != Outcome::late) {
      recover(outcome);
    }
  }
  worker_.end();
  for (Buffer* buffer : in_flight_) {
    std::fill_n(buffer->ends.begin(), buffer->count, not_run_end);
    board_.finish(*buffer);
  }
}

bool Lane::is_late() const {
  return monotonic_seconds() >= board_.end_at;
}

/// The process may be in the middle of anything, and must not write into memory of others' batches.
void Lane::cut_off() {
  if (in_flight_.empty()) return;
  int status = 0;
  if (!end_worker(&status)) return;
  for (Buffer* buffer : in_flight_) {
    give_up_rest(*buffer, {Ended::cut_off, 0, ~0u, 0});
    board_.finish(*buffer);
  }
  in_flight_.clear();
}

Buffer* Lane::next_batch() {
  const std::lock_guard lock(board_.mutex);
  std::deque<Buffer*>& queue = board_.queues[kind_];
  if (queue.empty() || board_.stopping) return nullptr;
  Buffer* const buffer = queue.front();
  queue.pop_front();
  return buffer;
}

void Lane::take_batches() {
  while (static_cast<int>(in_flight_.size()) < depth_) {
    Buffer* const buffer = next_batch();
    if (buffer == nullptr) return;
    in_flight_.push_back(buffer);
    if (is_late()) return;
    if (kind_ != ProcessKind::ordinary) {
      sacrifice(*buffer);
      if (lost_ || is_late()) return;
      continue;
    }
    if (!ensure_worker()) return;
    // A worker that is gone shows at the next wait.
    start_group(*buffer, buffer->open);
  }
}

/// Counts among those that open the device until the end of a scope.
class Opening {
 public:
  explicit Opening(std::atomic<int>& count) : count_(count) { ++count_; }
  ~Opening() { --count_; }
  Opening(const Opening&) = delete;
  Opening& operator=(const Opening&) = delete;

 private:
  std::atomic<int>& count_;
};

bool Lane::ensure_worker() {
  if (worker_.running()) return true;
  bool opened_before = false;
  {
    const std::lock_guard lock(board_.mutex);
    opened_before = board_.opened;
  }
  std::string why;
  for (int attempt = 0; attempt < (opened_before && kind_ != ProcessKind::calls ? start_attempts : 1);
       ++attempt) {
    if (attempt > 0) usleep(500'000u << attempt);
    if (is_late()) return false;
    const Opening opening(board_.opening);
    try {
      worker_.start(spec_, region_, number_, depth_, kind_, board_.end_at);
      groups_started_ = 0;
      const std::lock_guard lock(board_.mutex);
      ++board_.counters.worker_starts;
      if (kind_ != ProcessKind::calls) board_.alive_at = std::max(board_.alive_at, worker_.opened_at());
      if (!board_.opened) board_.identity = region_.identity(number_);
      board_.opened = true;
      board_.changed.notify_all();
      return true;
    } catch (const DeviceError& failure) {
      why = failure.what();
    }
  }
  if (is_late()) return false;
  if (kind_ == ProcessKind::calls) return can_fork_ = false;
  give_up(why);
  return false;
}

void Lane::give_up(const std::string& why) {
  lost_ = true;
  for (Buffer* buffer : in_flight_) {
    buffer->notes.push_back(why);
    board_.finish(*buffer);  // records that have no end yet are not run
  }
  in_flight_.clear();
  board_.lose(why);
}

bool Lane::end_worker(int* status) {
  try {
    *status = worker_.kill_now(board_.end_at);
    return true;
  } catch (const DeviceError& failure) {
    give_up(failure.what());
    return false;
  }
}

/// The same after an outcome that made it useless; a death gets its signal.
bool Lane::end_worker(Outcome* outcome) {
  int status = 0;
  if (!end_worker(&status)) return false;
  if (outcome->kind == Outcome::died)
    outcome->code = WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
  return true;
}

bool Lane::start_group(Buffer& buffer, std::span<const uint32_t> records) {
  const Region::BatchMemory& memory = buffer.memory;
  std::memset(memory.notes, 0, params::batch_notes * sizeof(uint32_t));
  std::copy(records.begin(), records.end(), memory.group);
  memory.control->group_count = static_cast<uint32_t>(records.size());
  memory.control->whole = records.size() == buffer.count;
  memory.control->text_bytes = 0;
  memory.control->issued = 0;
  watches_[buffer.index] = {0, false, work_time()};
  ++groups_started_;
  if (worker_.send({Order::run, buffer.index})) return true;
  // The worker died while it was idle: no record's doing. With others in flight the next wait sees it.
  if (in_flight_.size() != 1) return false;
  int status = 0;
  return end_worker(&status) && ensure_worker() && worker_.send({Order::run, buffer.index});
}

Lane::Outcome Lane::wait_outcome(std::span<Buffer* const> in_flight) {
  for (;;) {
    pollfd events[] = {{worker_.socket(), POLLIN, 0}, {event_, POLLIN, 0}};
    poll(events, 2, tick_milliseconds);
    if (is_late()) return {Outcome::late, ~0u, 0};
    if (looks_hung(in_flight)) return {Outcome::hung, ~0u, 0};
    if (events[0].revents) {
      const auto report = receive_message<Report>(worker_.socket());
      if (!report) return {Outcome::died, ~0u, 0};
      for (Buffer* buffer : in_flight)
        if (buffer->index == report->batch) read_text(*buffer);
      return account(*report);
    }
    if (events[1].revents) {
      uint64_t count;
      [[maybe_unused]] const ssize_t got = read(event_, &count, sizeof count);
      return {Outcome::done, ~0u, 0};
    }
  }
}

WorkTime Lane::work_time() const {
  return {monotonic_seconds() - excused_, spec_.emulator ? cpu_seconds(worker_.pid()) : std::nullopt};
}

/// A batch is hung when a record of it is under way and nothing of it moves; a batch that waits behind others
/// in the device is not, unless none of them moves. What a batch needs before its kernels takes longer.
bool Lane::looks_hung(std::span<Buffer* const> in_flight) {
  const double now = monotonic_seconds();
  if (now - last_look_ < 1e-3 * tick_milliseconds) return false;
  excused_ += excused_seconds(board_.opening != 0, now - last_look_);
  last_look_ = now;
  const double limit = 1e-3 * static_cast<double>(limits_.case_time.count());
  const WorkTime worked = work_time();
  size_t stale = 0;
  for (const Buffer* buffer : in_flight) {
    Watch& watch = watches_[buffer->index];
    const uint64_t progress = progress_of(*buffer);
    const bool is_issued = buffer->memory.control->issued != 0;
    if (progress != watch.progress || is_issued != watch.is_issued) watch = {progress, is_issued, worked};
    const double waited = seconds_of_work(watch.since, worked);
    if (progress != 0 && waited > limit) return true;
    stale += waited > (is_issued ? limit : std::max(limit, idle_seconds));
  }
  return stale == in_flight.size();
}

Lane::Outcome Lane::account(const Report& report) {
  const std::lock_guard lock(board_.mutex);
  board_.counters.launches += report.launches;
  board_.busy.add(report.start, report.end);
  for (Buffer* buffer : in_flight_)
    if (buffer->index == report.batch) buffer->device_seconds += std::max(0.0, report.end - report.start);
  switch (report.kind) {
    case Report::fault:
      return {Outcome::fault, report.batch, report.code};
    case Report::rig:
      return {Outcome::rig, report.batch, report.code};
    default:
      if (report.launches != 0) board_.alive_at = std::max(board_.alive_at, report.end);
      return {Outcome::done, report.batch, 0};
  }
}

void Lane::add_note(Buffer& buffer, const std::string& note) {
  if (note.empty() || std::find(buffer.notes.begin(), buffer.notes.end(), note) != buffer.notes.end()) return;
  buffer.notes.push_back(note);
}

void Lane::read_text(Buffer& buffer) {
  const uint32_t bytes = buffer.memory.control->text_bytes;
  if (bytes == 0 || bytes >= Region::text_bytes) return;
  const auto text = nlohmann::json::parse(std::string_view(buffer.memory.text, bytes), nullptr, false);
  if (!text.is_object()) return;
  for (const auto& note : text.value("notes", nlohmann::json::array()))
    if (note.is_string()) add_note(buffer, note.get<std::string>());
  const std::lock_guard lock(board_.mutex);
  for (const auto& breach : text.value("breaches", nlohmann::json::array()))
    board_.breaches[{breach.value("clause", ""), breach.value("kernel", ""),
                     "PTX line " + std::to_string(breach.value("line", 0)) + ", " +
                         breach.value("thread", "")}] += breach.value("count", uint64_t{1});
}

}  // namespace assay::cuda
