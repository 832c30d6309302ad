// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <mutex>

#include "devices/device.h"
#include "kernels/params/encode_tiled.h"
#include "kernels/params/tensor_copy.h"
#include "suites/run/family.h"
#include "suites/run/predicted_end_test.h"
#include "suites/tensor_copy/family.h"
#include "suites/tensor_map/encode_family.h"

namespace assay::suites {

/// A device in this process, for tests of the conductor's bookkeeping. It answers from the reference's own
/// predictions, so that it says nothing about a device; a script may then make it lie, crash, hang or vanish.
class ScriptedDevice : public Device {
 public:
  /// Changes what happens to a case: its end and its output, already as the reference predicts.
  using Script = std::function<void(const Case&, RecordEnd&, std::span<std::byte>)>;

  explicit ScriptedDevice(Script script = {}, spec::Arch arch = spec::Arch::sm_90)
      : script_(std::move(script)), readings_(arch) {
    identity_.spec = "emulator:scripted";
    identity_.evidence = Evidence::emulator;
    identity_.architecture = spec::name(arch);
    identity_.name = "scripted";
    for (Buffer& buffer : buffers_) {
      buffer.batch.records = {buffer.records.data(), buffer.records.size()};
      buffer.batch.ends = {buffer.ends.data(), buffer.ends.size()};
      buffer.batch.output = {buffer.output.data(), buffer.output.size()};
    }
  }

  spec::Readings& readings() { return readings_; }
  void claim_silicon() { identity_.evidence = Evidence::silicon; }
  std::function<void()> before_launch;
  std::string refuses;          ///< a family that it declines
  int submits_until_lost = -1;  ///< then every call throws
  double case_seconds = 1e-5;   ///< what the device says that a case took

  /// A clock that goes by the work done alone.
  std::chrono::steady_clock::time_point worked_until() const {
    return began_ + std::chrono::nanoseconds(worked_.load());
  }

  const DeviceIdentity& identity() const override { return identity_; }
  std::optional<std::string> declines(std::string_view family) const override {
    if (family == refuses) return "scripted to decline";
    return std::nullopt;
  }
  Batch& acquire() override {
    std::unique_lock lock(mutex_);
    for (;;) {
      for (Buffer& buffer : buffers_)
        if (!buffer.taken) {
          buffer.taken = true;
          return buffer.batch;
        }
      free_.wait(lock);
    }
  }
  void submit(Batch& batch) override {
    const std::lock_guard lock(mutex_);
    if (submits_until_lost == 0) throw DeviceError("scripted loss");
    if (submits_until_lost > 0) --submits_until_lost;
    if (before_launch) before_launch();
    const bool tiled = batch.family == "tma_tiled_copy";
    for (uint32_t i = 0; i < batch.count; ++i) tiled ? run_tiled(batch, i) : run_encode(batch, i);
    batch.device_seconds = case_seconds * batch.count;
    worked_ += static_cast<int64_t>(1e9 * batch.device_seconds);
    ++counters_.launches;
  }
  void wait(Batch&) override {}
  void release(Batch& batch) override {
    const std::lock_guard lock(mutex_);
    for (Buffer& buffer : buffers_)
      if (&buffer.batch == &batch) buffer.taken = false;
    free_.notify_all();
  }
  DeviceCounters counters() const override { return counters_; }
  std::vector<StrictFinding> strict_findings() const override { return {}; }

 private:
  struct Buffer {
    std::vector<std::byte> records = std::vector<std::byte>(256 << 10),
                           output = std::vector<std::byte>(4 << 20);
    std::vector<RecordEnd> ends = std::vector<RecordEnd>(2048);
    Batch batch;
    bool taken = false;
  };

  static TensorMapArgs map_of(const params::EncodeTiledArgs& args, bool is_96B) {
    TensorMapArgs map;
    map.global_address = args.global_address;
    for (int i = 0; i < 5; ++i) {
      map.global_dim[i] = args.global_dim[i];
      if (i < 4) map.global_stride[i] = args.global_stride[i];
      map.box_dim[i] = args.box_dim[i];
      map.element_stride[i] = args.element_stride[i];
    }
    map.data_type = args.data_type;
    map.rank = args.rank;
    map.interleave = args.interleave;
    map.swizzle = is_96B ? swizzle_96B : args.swizzle;
    map.l2_promotion = args.l2_promotion;
    map.oob_fill = args.oob_fill;
    return map;
  }

  void answer(const Family& family, const Case& c, Batch& batch, uint32_t i, std::span<std::byte> output) {
    Expected expected;
    readings_.forget_consulted();
    family.predict(c, readings_, scratch_, expected);
    RecordEnd& end = batch.ends[i];
    end = predicted_end(expected);
    const ExpectedOutput whole = family.expected_output(c, expected);
    if (const size_t bytes = std::min(output.size(), whole.bytes.size()))
      std::memcpy(output.data(), whole.bytes.data(), bytes);
    if (script_) script_(c, end, output);
  }

  void run_tiled(Batch& batch, uint32_t i) {
    const params::TiledCopyRecord& r = batch.as<params::TiledCopyRecord>()[i];
    TensorCopyCase c;
    static_cast<TensorMapArgs&>(c.map) = map_of(r.map, (r.flags & params::copy_replace_swizzle_96B) != 0);
    c.direction = r.op == params::CopyOp::store ? CopyDirection::store : CopyDirection::load;
    c.reduction = static_cast<TensorReduction>(r.reduction);
    for (int k = 0; k < 5; ++k) c.coord[k] = r.coord[k];
    c.instruction_rank = r.instruction_rank;
    c.tile_offset = r.tile_offset;
    c.window_bytes = r.window_bytes;
    if (c.direction == CopyDirection::store) c.slot_bytes = r.output_bytes;
    c.fill_offset = r.fill_offset;
    c.slot_fill_offset = r.slot_fill_offset;
    c.prefetch_first = r.flags & params::copy_prefetch_first;
    c.prefetch_alone = r.flags & params::copy_prefetch_alone;
    c.destination_cta = r.flags & params::copy_destination_cta;
    c.cache_hint = r.flags & params::copy_cache_hint;
    c.cluster_size = r.cluster_size;
    c.cta_mask = r.cta_mask;
    c.issuer_rank = r.issuer_rank;
    c.issuer_thread = r.issuer_thread;
    c.lanes = r.more_lanes + 1;
    for (int k = 0; k < 5; ++k) c.lane_step[k] = r.lane_step[k];
    c.lane_pitch = r.lane_pitch;
    c.other_map_lanes = r.other_lanes;
    c.other_map_address = r.other_address;
    c.other_map_less = r.other_less;
    if (c.direction == CopyDirection::load) {
      params::TiledCopyRecord exact{};
      tiled_copy_family().write_record(Case(c), 0, spec::Readings(readings_.arch()),
                                       reinterpret_cast<std::byte*>(&exact));
      c.transaction_delta = static_cast<int32_t>(r.expect_tx) - static_cast<int32_t>(exact.expect_tx);
    }
    answer(tiled_copy_family(), Case(c), batch, i, batch.output.subspan(r.output_offset, r.output_bytes));
  }

  void run_encode(Batch& batch, uint32_t i) {
    const params::EncodeTiledRecord& r = batch.as<params::EncodeTiledRecord>()[i];
    EncodeTiledCase c;
    c.map = map_of(r.args, false);
    c.null_mask = r.null_mask;
    c.map_offset = r.map_offset;
    c.before = r.before;
    c.replaces = r.replaces != 0;
    c.replacement = r.replacement;
    answer(encode_tiled_family(), Case(c), batch, i, batch.output.subspan(128 * uint64_t{i}, 128));
  }

  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::atomic<int64_t> worked_{0};  ///< nanoseconds
  Script script_;
  spec::Readings readings_;
  DeviceIdentity identity_;
  Scratch scratch_;
  std::mutex mutex_;
  std::condition_variable free_;
  Buffer buffers_[8];
  DeviceCounters counters_;
};

}  // namespace assay::suites
