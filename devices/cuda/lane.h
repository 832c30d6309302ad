// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "devices/cuda/bisection.h"
#include "devices/cuda/board.h"
#include "devices/cuda/busy_time.h"
#include "devices/cuda/device_spec.h"
#include "devices/cuda/worker_process.h"

namespace assay::cuda {

/// One child process and the thread that feeds it, watches it and brings it back when it dies.
class Lane {
 public:
  /// `depth` batches are in flight at a time; one where they are sacrifices. Lane number 0 starts its process
  /// at once, the others with their first batch.
  Lane(Board&, const DeviceSpec&, const Region&, const DeviceLimits&, int depth, uint32_t number,
       ProcessKind = ProcessKind::ordinary);
  ~Lane();
  void wake() const;  ///< a batch was queued, or the board is stopping

 private:
  /// How a group ended.
  struct Outcome {
    enum Kind { done, fault, rig, died, hung, late } kind;  ///< late: time is up
    uint32_t batch;
    int32_t code;  ///< CUresult of a fault, signal of a death
  };

  /// A record and how it ended the process. It is blamed once the device has opened again, here or in another
  /// process: of one that is lost the last words prove nothing.
  struct Guilty {
    uint32_t record;
    RecordEnd end;
    double at;  ///< monotonic_seconds()
  };

  void run();
  void take_batches();
  Buffer* next_batch();
  void sacrifice(Buffer&);
  bool ensure_worker();
  bool end_worker(int* status);  ///< false: it does not end, and the device is lost
  bool end_worker(Outcome* outcome);
  void take_blame(Buffer&, uint32_t record, const Outcome&, std::optional<Guilty>&);
  bool blame(Buffer&, std::optional<Guilty>&);
  /// Whether the moment of Device::end_by has come.
  bool is_late() const;
  void cut_off();
  bool start_group(Buffer&, std::span<const uint32_t> records);
  Outcome wait_outcome(std::span<Buffer* const> in_flight);
  Outcome account(const Report&);
  bool looks_hung(std::span<Buffer* const> in_flight);
  void recover(const Outcome&);
  /// What is known of a batch that runs again without others.
  struct Before {
    bool was_refused = false;    ///< an error came back that ends no context
    bool was_not_first = false;  ///< it ended a process that had run others before it
    std::optional<Guilty> guilty = {};
  };
  void run_alone(Buffer&, Bisection, Before);
  /// Whether the worker has run nothing but what is under way: an error that comes then is of the records,
  /// not of a device that was reset.
  bool is_fresh() const { return groups_started_ <= 1; }
  /// A group that ended a process did not end a fresh one. False: once too often, and the device is lost.
  bool note_reset();
  void count_retry();
  static void blame_refused(Buffer&);
  static void give_up_rest(Buffer&, const RecordEnd&);
  static void note_unrepeated(Buffer&, uint32_t faults);
  void finish_in_flight(Buffer&);
  void give_up(const std::string& why);
  static void add_note(Buffer&, const std::string& note);  ///< each once
  void read_text(Buffer&);
  static std::vector<uint32_t> suspects_of(const Buffer&);  ///< by the notes alone
  static std::vector<uint32_t> suspects_of(const Buffer&, const Outcome&);
  static RecordEnd end_for(const Outcome&);
  static bool ended_from_outside(const Outcome&);
  static bool could_be_reset(const Outcome&);
  void explain(Buffer&, const Outcome&) const;

  Board& board_;
  const DeviceSpec& spec_;
  const Region& region_;
  const DeviceLimits& limits_;
  const int depth_;
  const uint32_t number_;
  const ProcessKind kind_;
  int event_ = -1;  ///< eventfd
  WorkerProcess worker_;
  WorkTime work_time() const;
  std::vector<Buffer*> in_flight_;
  /// When a batch was last seen to move.
  struct Watch {
    uint64_t progress = 0;
    bool is_issued = false;
    WorkTime since;
  };
  std::vector<Watch> watches_;  ///< by batch index
  double last_look_ = 0;
  double excused_ = 0;           ///< seconds of the clock that do not count for the watchdog
  uint32_t groups_started_ = 0;  ///< since the worker started
  int resets_ = 0;
  uint32_t blamed_ = 0;   ///< records, so far
  bool can_fork_ = true;  ///< of processes for calls
  bool lost_ = false;
  std::thread thread_;
};

}  // namespace assay::cuda
