// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "devices/device.h"
#include "kernels/forms/families.h"
#include "kernels/forms/launch.h"
#include "kernels/forms/records.h"
#include "kernels/params/batch.h"
#include "reference/model/bend.h"
#include "reference/model/end.h"
#include "suites/run/case.h"

namespace assay::suites {

/// How one record is run, for a program of its own (replay.h) and for `assay describe`.
struct Launch {
  std::string file;    ///< with the kernel's text: "kernels/warp_mma/wgmma.cu"
  std::string kernel;  ///< empty: the host makes a call and launches nothing
  uint32_t cluster_size = 1, clusters = 1, threads = params::probe_threads;
  uint32_t shared_bytes = 0;  ///< dynamic
  /// C++ text: a struct Host that does more than Plain of suites/failure/reproducer_launch.inc, or, without a
  /// kernel, a function run(). Empty: Plain will do.
  std::string host_text;
  forms::Needed needed;  ///< the instructions that the record picks by opcode
};

template <typename Record>
Record record_from(std::span<const std::byte> bytes) {
  Record record;
  std::memcpy(&record, bytes.data(), sizeof record);
  return record;
}

/// Where the text of a module of kernels stands: "kernels/warp_mma/wgmma.cu" of "wgmma". Throws
/// std::runtime_error where the program has none.
std::string source_of_module(const std::string& module);

/// As the device side launches it.
inline Launch launch_by(const forms::KernelLaunch& plan, forms::Needed needed = {}) {
  return {.file = source_of_module(plan.module),
          .kernel = plan.kernel,
          .cluster_size = plan.cluster_size,
          .threads = plan.threads,
          .shared_bytes = plan.shared_bytes,
          .needed = std::move(needed)};
}
template <typename Record>
Launch launch_of_record(const Record& r) {
  return launch_by(forms::launch_of(r), forms::needed_forms(r));
}

/// The host's copy of the arena that the devices hold: made on first use, never changed.
std::span<const std::byte> arena();

}  // namespace assay::suites

namespace rc {
template <typename T>
class Shrinkable;
}

namespace assay::suites {

/// Buffers that one thread reuses from case to case.
struct Scratch {
  std::vector<std::byte> bytes, mask;
  /// On a multiple of 128 bytes, so that the lines of a window are whole lines of the host's cache.
  std::span<std::byte> take(std::vector<std::byte>& from, size_t size) {
    constexpr size_t line = 128;
    if (from.size() < size + line) from.resize(size + line);
    const size_t beside = reinterpret_cast<uintptr_t>(from.data()) % line;
    return {from.data() + (beside == 0 ? 0 : line - beside), size};
  }
};

/// What one Reading allows for a case. The spans point into a Scratch and live until it is used again.
struct Expected {
  model::End end = model::End::done;
  bool may_crash = false;            ///< the call may end the device's process
  bool judges_bytes = false;         ///< output is compared when the case ended as expected
  std::span<const std::byte> bytes;  ///< one window, one slot or one map
  std::span<const std::byte> mask;   ///< same size: 0xff where defined; empty: everywhere
  spec::RuleSet rules;
  uint32_t receivers = 0;  ///< of a multicast: ranks whose windows are as `bytes` says, a bit each
};

/// The whole output that was expected, for a report.
struct ExpectedOutput {
  std::vector<uint8_t> bytes, defined;
};

/// How the bytes of an output are elements of a matrix, for people.
struct OutputShape {
  uint32_t element_bytes = 1;
  uint32_t row_bytes = 16;                                    ///< a multiple of element_bytes
  uint64_t origin = 0;                                        ///< first byte of the matrix in the output
  std::string_view format;                                    ///< of an element (spec/formats.h), or empty
  std::string_view row_word = "row", column_word = "column";  ///< what they are called
};

/// Where on the device the element was that a byte of an output belongs to; -1: no such place.
struct ElementPlace {
  int cluster_rank = -1;
  int tmem_lane = -1, tmem_column = -1;
  int64_t shared_address = -1;    ///< byte within the kernel's window in shared memory
  int warp = -1, warp_lane = -1;  ///< of the thread whose register it was
};
using PlaceOfByte = std::function<ElementPlace(uint64_t byte)>;

/// What is wrong with an output, in the words of its operation.
struct Diagnosis {
  std::string first;  ///< of its first wrong byte, for a message of one line; empty: the byte itself
  std::vector<std::string> lines;  ///< that lead to it, for a report
};

class Descriptor;

/// One operation: how its cases become records of the device, predictions and words. All that the suites know
/// of an operation, its properties apart, stands in its object.
class Family {
 public:
  virtual ~Family() = default;
  virtual std::string_view name() const = 0;  ///< of the device's family
  /// Whether an output says that nobody was there to answer: such a case neither passes nor fails.
  virtual bool is_unanswered(std::span<const std::byte> /*output*/) const { return false; }
  virtual size_t record_bytes() const = 0;
  virtual uint32_t output_alignment() const = 0;  ///< of a record's output inside the batch's
  virtual uint32_t output_bytes(const Case&) const = 0;
  /// Cases with different keys never share a batch.
  virtual uint32_t batch_key(const Case&) const { return 0; }
  virtual void write_record(const Case&, uint64_t output_offset, const spec::Readings& defaults,
                            std::byte* record) const = 0;
  /// How the device runs a record; nothing where no program of its own can.
  virtual std::optional<Launch> launch(std::span<const std::byte> record) const = 0;
  /// Cases that take about as long on the emulator as those of every other operation.
  virtual uint64_t pace() const = 0;
  /// The descriptors in its cases that are covered field by field.
  virtual std::span<const Descriptor> descriptors() const { return {}; }
  virtual void predict(const Case&, const spec::Readings&, Scratch&, Expected&) const = 0;
  /// Every defined byte as expected by these readings, which made Expected. Only asked where judges_bytes.
  /// Unless a family says otherwise, the output is what the spans of Expected hold.
  virtual bool same(const Case&, const spec::Readings&, const Expected&,
                    std::span<const std::byte> output) const;
  /// Whether every element that is not defined because several values are right holds one of those: sums
  /// whose order is free, rows that are written to the same place. Only asked of cases that ended well.
  virtual bool allows(const Case&, const spec::Readings&, std::span<const std::byte> /*output*/) const {
    return true;
  }
  /// Multiprocessors that ran a case which is one for several, or those of them that got it wrong, by its
  /// output. Empty: the record's end says where it ran.
  virtual std::vector<uint32_t> multiprocessors(std::span<const std::byte> /*output*/, bool /*wrong*/) const {
    return {};
  }
  /// What is wrong with a record's note, or nothing: bytes outside the output that changed.
  virtual std::string_view wrong_note(uint32_t) const { return {}; }
  /// What a case as expected shows where nothing is demanded, and is worth telling: one of few sentences, or
  /// nothing.
  virtual std::string_view remark(const Case&, const spec::Readings&, const Expected&, const RecordEnd&,
                                  std::span<const std::byte> /*output*/) const {
    return {};
  }
  /// What a case came to of which nothing is demanded, as `expected` says: one of few sentences. Unless a
  /// family tells results apart, how it ended.
  virtual std::string open_result(const Case&, const Expected& expected, const spec::Readings&,
                                  const RecordEnd&, std::span<const std::byte> output) const;
  /// Empty where bytes are not judged.
  virtual ExpectedOutput expected_output(const Case&, const Expected&) const;
  /// Named fields in reading order.
  virtual std::vector<std::pair<std::string, std::string>> fields(const Case&) const = 0;
  /// For one-line messages: what the case is, in few words with a blank before each.
  virtual std::string brief(const Case&) const { return {}; }
  /// For signatures: the part of the output that a byte belongs to. Few parts: one cause must look like few
  /// failure signatures, the same ones under every seed. `wrong`: the bits of the byte that differ.
  virtual std::string place(const Case&, uint64_t /*byte*/, uint8_t /*wrong*/) const { return {}; }
  virtual OutputShape output_shape(const Case&) const { return {}; }
  /// Of an output, as long as what was expected under these readings, whose first wrong byte is at `byte`.
  virtual Diagnosis diagnose(const Case&, const spec::Readings&, const ExpectedOutput&,
                             std::span<const uint8_t> /*observed*/, uint64_t /*byte*/) const {
    return {};
  }
  /// Rules altered, each in one way, by which a failing case may be explained.
  virtual std::span<const model::Bend> bends() const { return {}; }
  /// For the bytes of the output of one case, which must outlive the answer.
  virtual PlaceOfByte element_places(const Case& c) const {
    return [this, &c](uint64_t byte) { return element_place(c, byte); };
  }
  /// Whether a case shows what a compiler does, so that no fault of a device is met in one.
  virtual bool asks_compiler() const { return false; }
  /// Of a case of a cluster: the rank of the one CTA that asks for what is tried; -1: none, or several.
  virtual int issuing_rank(const Case&) const { return -1; }
  /// The same of one byte, for families that need no preparation.
  virtual ElementPlace element_place(const Case&, uint64_t /*byte*/) const { return {}; }
  virtual nlohmann::json to_json(const Case&) const = 0;
  /// Its JSON Schema, draft 2020-12: what is written conforms, and what does not is refused.
  virtual nlohmann::json schema() const = 0;
  /// Throws std::runtime_error with one sentence.
  virtual Case from_json(const nlohmann::json&) const = 0;
  /// Cases one step simpler, the boldest first, all of which the probes can run.
  virtual std::vector<Case> simpler(const Case&) const = 0;
};

}  // namespace assay::suites
