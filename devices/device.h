// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

/// Where a verdict was obtained: what the driver says it is, whatever the user called it. Never mixed, never
/// upgraded.
enum class Evidence { silicon, emulator };

/// What a device says of itself; goes into the results file and the report's first screen.
struct DeviceIdentity {
  std::string spec;  ///< as selected: "cuda:0", "emulator:sm_100a,schedule=lazy"
  Evidence evidence;
  std::string architecture;  ///< "sm_90", "sm_100", ...: what rules and readings are keyed by
  std::string name;          ///< "NVIDIA H200", "assay emulator"
  std::string uuid;          ///< empty on the emulator
  int driver_version = 0;    ///< as cuDriverGetVersion
  int sm_count = 0;
  int processes = 1;  ///< that own it side by side; a case that ends one of several disturbs no other
  /// Batches that are a sacrifice (Batch::is_sacrifice) which it takes at once, each in a process of its own.
  int sacrifices = 1;
  std::vector<std::pair<std::string, std::string>>
      facts;  ///< kernel-mode driver, VBIOS, clocks, ECC, ...; in order
};

/// How one record of a batch ended.
enum class Ended : int32_t {
  done = 0,       ///< ran to its end; output is valid
  timed_out = 1,  ///< a bounded wait inside the kernel elapsed: the transaction count never completed
  surplus = 2,    ///< completed, but a following empty phase did not: more bytes were signalled than armed
  rejected = 3,   ///< the driver's encoder refused the arguments; code = CUresult
  faulted = 4,    ///< the device reported an error; code = CUresult (700 address, 715 instruction, 716
                  ///< misaligned, 719; 209, 218 and their like: its driver refused the kernel)
  hung = 5,       ///< the watchdog ended the device's process
  crashed = 6,    ///< the device's process died; code = signal number
  not_run = 7,    ///< never issued: device lost or run interrupted
  refused = 8,   ///< the driver refused every launch of the batch, again in a fresh context: our side, or its
                 ///< resources; code = CUresult
  given_up = 9,  ///< never issued: so many others of the batch ended the device's process, or hung
  cut_off = 10,  ///< had no end yet when time was up (Device::end_by)
};

struct RecordEnd {
  Ended ended;
  int32_t code;
  uint32_t sm;    ///< %smid where it ran, ~0u if unknown
  uint32_t note;  ///< family-specific
  /// Of a record that a cluster ran: %smid of the CTA of each rank. no_sm: none, or not known.
  static constexpr uint8_t no_sm = 0xff;
  uint8_t cluster_sms[16] = {no_sm, no_sm, no_sm, no_sm, no_sm, no_sm, no_sm, no_sm,
                             no_sm, no_sm, no_sm, no_sm, no_sm, no_sm, no_sm, no_sm};
};

/// Many records of one family, in memory shared with the process that owns the device. Belongs to the Device;
/// one thread at a time fills, submits, waits for and reads it.
class Batch {
 public:
  std::string_view family;       ///< "tma_tiled_copy", "encode_tiled": named in devices/cuda/families
  uint32_t count = 0;            ///< records in use
  std::span<std::byte> records;  ///< capacity for records
  std::span<RecordEnd> ends;     ///< one a record, valid after wait()
  std::span<std::byte> output;   ///< what the records' output offsets refer to
  bool is_sacrifice = false;     ///< its records are likely to end the process that runs them
  double device_seconds = 0;     ///< time the device was busy with it, valid after wait()
  std::vector<std::string>
      notes;  ///< device's own words on what went wrong ("kernel, PTX line, thread: ..."), or empty

  template <typename Record>
  std::span<Record> as() {
    return {reinterpret_cast<Record*>(records.data()), records.size() / sizeof(Record)};
  }
};

struct DeviceLimits {
  std::chrono::milliseconds case_time{5000};  ///< device time a case may take before the watchdog acts
  int batches = 4;                            ///< buffers that may be in flight
  size_t records_bytes = 2u << 20;            ///< capacity of each batch
  size_t output_bytes = 24u << 20;
};

struct DeviceCounters {
  uint64_t launches = 0, worker_starts = 0, bisections = 0;
  uint64_t retries = 0;  ///< batches run again after an error that ends no context
  double busy_seconds = 0;
};

/// A finding of the emulator's strict mode: a clause of the memory model that a kernel does not keep.
struct StrictFinding {
  std::string clause, kernel, where;
  uint64_t count = 0;
};

/// A record says what its family cannot do; of its batch nothing was issued.
class RefusedRecord : public std::invalid_argument {
 public:
  RefusedRecord(uint32_t record, const std::string& words) : std::invalid_argument(words), record_(record) {}
  uint32_t record() const { return record_; }

 private:
  uint32_t record_;
};

/// One device behind the seam. A child process owns it (several on the emulator): a hang, a crash or a sticky
/// error costs one record its end, never the run. All members may be called from several threads.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceIdentity& identity() const = 0;
  /// Why this device cannot run the family, or nothing when it can.
  virtual std::optional<std::string> declines(std::string_view family) const = 0;
  /// Seconds that a record of the family which ends its process costs, about, with as many others as the
  /// device takes at once.
  virtual double sacrifice_seconds(std::string_view /*family*/) const { return 0; }
  virtual Batch& acquire() = 0;  ///< blocks until a buffer is free
  /// Returns at once. Throws RefusedRecord, and std::invalid_argument for a batch that is wrong as a whole.
  virtual void submit(Batch&) = 0;
  virtual void wait(Batch&) = 0;  ///< afterwards every record has its end
  virtual void release(Batch&) = 0;
  /// From that moment on nothing is waited for or run again: what has no end by then gets Ended::cut_off.
  /// Nothing: no such moment. A device that only ever takes a moment need not heed it.
  virtual void end_by(std::optional<std::chrono::steady_clock::time_point>) {}
  virtual DeviceCounters counters() const = 0;
  virtual std::vector<StrictFinding> strict_findings() const = 0;
};

/// The device could not be opened or was lost; the message is one sentence for the user.
struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// No device is meant by the words of a spec; the message says what would be right.
struct DeviceSpecError : DeviceError {
  using DeviceError::DeviceError;
};

/// What `assay doctor` shows: one row a candidate.
struct DeviceProbe {
  std::string spec;
  bool available;
  std::string detail;  ///< identity in words, or why it is absent
  int rank = 0;        ///< `auto` takes the greatest above 0
};
std::vector<DeviceProbe> probe_devices();

/// A way to reach devices. A back end is a folder below devices/ and a row of devices/cuda/back_ends.cc.
struct BackEnd {
  std::string_view prefix;   ///< what the specs of its devices begin with: "cuda"
  std::string (*grammar)();  ///< all that a spec may say, for messages and help: "cuda:N"
  bool is_silicon;           ///< `all` and `auto` mean its devices
  /// The spec in its canonical form, which means the same device. Throws DeviceSpecError.
  std::string (*canonical)(std::string_view spec);
  std::vector<DeviceProbe> (*probe)();  ///< one row at least; may take seconds
  std::unique_ptr<Device> (*open)(std::string_view spec, const DeviceLimits&);
};
std::span<const BackEnd> back_ends();
/// The one whose devices a spec means; null: none.
const BackEnd* find_back_end(std::string_view spec);
/// "cuda:N or emulator[:...]": all that a spec may be.
std::string device_grammar();

/// Opens `auto`, `cuda:N` (of the driver that ASSAY_CUDA_DRIVER names, else of libcuda.so.1) or
/// `emulator[:arch][,key=value...]` (architecture, section 11). Throws DeviceError.
std::unique_ptr<Device> open_device(std::string_view spec, const DeviceLimits&);

/// The device specs that `auto`, `all` or a comma-free spec stands for, best first. Throws
/// DeviceSpecError for a word that means none.
std::vector<std::string> resolve_devices(std::string_view selection);

/// A known way for the emulated device to be wrong: a row of devices/faults.
struct FaultRow {
  std::string name;
  std::string wrong;         ///< a sentence
  std::string clause;        ///< rule or measurement that it breaks
  std::string caught_by;     ///< properties that must fail, "A 12 on sm_90, B 16 as AMB-01:B"
  std::string spec;          ///< device on which it shows, the fault included: "emulator:sm_90a,fault=NAME"
  bool rare = false;         ///< needs many cases by design
  std::string unobservable;  ///< why no program can observe it; empty: it must be caught
};
/// All of them, by name. Throws DeviceError when the emulator cannot be loaded.
std::vector<FaultRow> emulator_faults();

/// Entry point of the child process that owns a device: `assay device-worker ...`. Returns its exit code.
int device_worker_main(int argc, char** argv);

}  // namespace assay
