#pragma once

#include <span>
#include <thread>
#include <vector>

#include "devices/cuda/bisection.h"
#include "devices/cuda/board.h"
#include "devices/cuda/device_spec.h"
#include "devices/cuda/worker_process.h"

namespace assay::cuda {

/// One child process and the thread that feeds it, watches it and brings it back when it dies.
class Lane {
 public:
  /// `depth` batches are in flight at a time. Lane number 0 starts its process at once, the others with their
  /// first batch.
  Lane(Board&, const DeviceSpec&, const Region&, const DeviceLimits&, int depth, uint32_t number);
  ~Lane();
  void wake() const;  ///< a batch was queued, or the board is stopping

 private:
  /// How a group ended.
  struct Outcome {
    enum Kind { done, fault, rig, died, hung } kind;
    uint32_t batch;
    int32_t code;  ///< CUresult of a fault, signal of a death
  };

  void run();
  void take_batches();
  bool ensure_worker();
  bool end_worker(int* status);  ///< false: it does not end, and the device is lost
  bool end_worker(Outcome* outcome);
  bool start_group(Buffer&, std::span<const uint32_t> records);
  Outcome wait_outcome(std::span<Buffer* const> in_flight);
  Outcome account(const Report&);
  bool looks_hung(std::span<Buffer* const> in_flight);
  void recover(const Outcome&);
  void run_alone(Buffer&, Bisection);
  void finish_in_flight(Buffer&);
  void give_up(const std::string& why);
  void read_text(Buffer&);
  static std::vector<uint32_t> suspects_of(const Buffer&);
  static RecordEnd end_for(const Outcome&);
  static bool ended_from_outside(const Outcome&);
  void explain(Buffer&, const Outcome&) const;

  Board& board_;
  const DeviceSpec& spec_;
  const Region& region_;
  const DeviceLimits& limits_;
  const int depth_;
  const uint32_t number_;
  int event_ = -1;  ///< eventfd
  WorkerProcess worker_;
  std::vector<Buffer*> in_flight_;
  /// When a batch was last seen to move.
  struct Watch {
    uint64_t progress = 0;
    double since = 0;
  };
  std::vector<Watch> watches_;  ///< by batch index
  double last_look_ = 0;
  bool lost_ = false;
  std::thread thread_;
};

}  // namespace assay::cuda
