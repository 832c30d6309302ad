// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/tmem_copy.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "devices/emulator/machine/program.h"
#include "devices/emulator/readings.h"
#include "devices/emulator/tensor/tcgen05_steps.h"

namespace assay::emulator {
namespace {

uint32_t first_rank(uint32_t cta_group, uint32_t rank) {
  return cta_group == 2 ? rank & ~1u : rank;
}

/// The matrix as bytes: rows of 16 or 32 of them.
SmemMatrix matrix_of(const TmemCopy& copy, const DeviceReadings& readings) {
  SmemMatrix matrix;
  matrix.descriptor = copy.source;
  matrix.format = &spec::format("u8");
  matrix.rows = copy.form.rows();
  matrix.k = 4 * copy.form.words();
  matrix.choose(readings);
  return matrix;
}

/// Spreads the elements of each 16 bytes of a row over 16 bytes.
void decompress(const CopyForm& form, const Tcgen05Steps& steps, bool is_in_middle, uint32_t* bytes) {
  const uint32_t width = form.format == CopyFormat::b6x16_p32 ? 6 : 4;
  for (uint32_t group = 0; group < 4 * form.words(); group += 16) {
    uint32_t packed[17] = {};
    std::copy_n(bytes + group, 16, packed);
    for (uint32_t i = 0; i < 16; ++i) {
      const uint32_t bit = i * width;
      const uint32_t code = (packed[bit / 8] | packed[bit / 8 + 1] << 8) >> bit % 8 & ((1u << width) - 1);
      bytes[group + i] = steps.decompressed(form.format, code, is_in_middle);
    }
  }
}

/// True if never-written memory is among what a word takes of its row: of packed elements a part of 16 bytes.
bool is_unwritten(const CopyForm& form, std::span<const uint8_t> row, uint32_t word) {
  const uint32_t taken = form.format == CopyFormat::none ? 4 : form.format == CopyFormat::b6x16_p32 ? 3 : 2;
  const std::span<const uint8_t> part = row.subspan(word / 4 * 16 + word % 4 * taken, taken);
  return std::find(part.begin(), part.end(), 1) != part.end();
}

TensorMemory& checked(Cta& cta, uint32_t first, uint32_t count, const char* name) {
  TensorMemory& tensor = tensor_memory(cta);
  if (!tensor.is_allocated(first, count))
    trap(Diagnostic::Kind::illegal_address,
         std::string(name) + ": " +
             tensor.not_allocated(first, count, " of CTA " + std::to_string(cta.rank) + " of the cluster"));
  return tensor;
}

void copy_into(TensorMemory& tensor, const TmemCopy& copy, const Cta& from, const Settings& settings) {
  const Tcgen05Steps& steps = tcgen05_steps_for(settings);
  const DeviceReadings readings(settings);
  const SmemMatrix matrix = matrix_of(copy, readings);
  const bool is_in_middle = readings.is({"AMB-47", "bits_5_to_2"});
  const bool half_for_a_warp = readings.is({"AMB-25", "half_for_a_warp"});
  std::vector<uint32_t> bytes(static_cast<size_t>(matrix.rows) * matrix.k);
  std::vector<uint8_t> unwritten_rows(matrix.rows), unwritten(bytes.size());
  read_matrix(matrix, from, {bytes, unwritten_rows, unwritten});
  if (copy.form.format != CopyFormat::none)
    for (uint32_t row = 0; row < matrix.rows; ++row)
      decompress(copy.form, steps, is_in_middle, bytes.data() + static_cast<size_t>(row) * matrix.k);
  for (uint32_t lane = 0; lane < TensorMemory::lanes; ++lane) {
    const int row = steps.copied_row(copy.form, lane, half_for_a_warp);
    if (row < 0) continue;
    if (copy.target.lane + lane >= TensorMemory::lanes)
      trap(Diagnostic::Kind::illegal_address,
           "tcgen05.cp: lane " + std::to_string(copy.target.lane + lane) + ", of 128");
    uint32_t* cells = tensor.cells(copy.target.lane + lane) + copy.target.column;
    uint8_t* written = tensor.written(copy.target.lane + lane) + copy.target.column;
    const size_t first = static_cast<size_t>(row) * matrix.k;
    for (uint32_t word = 0; word < copy.form.words(); ++word) {
      const uint32_t from_word = steps.copied_word(copy, word);
      const uint32_t* at = bytes.data() + first + 4 * from_word;
      cells[word] = steps.copied(copy, lane, word, at[0] | at[1] << 8 | at[2] << 16 | at[3] << 24);
      written[word] = !is_unwritten(copy.form, std::span(unwritten).subspan(first, matrix.k), from_word);
    }
  }
}

}  // namespace

TmemCopy decode_copy(const CopyForm& form, uint32_t address, uint64_t descriptor, uint32_t cta_rank,
                     const Settings& settings) {
  TmemCopy copy{form, TmemAddress::decode(address), {}, cta_rank};
  const auto source = decode_smem_descriptor(descriptor, settings.target);
  if (const std::string* wrong = std::get_if<std::string>(&source))
    trap(Diagnostic::Kind::illegal_instruction, "tcgen05.cp: " + *wrong);
  copy.source = std::get<SmemDescriptor>(source);
  const DeviceReadings readings(settings);
  if (const std::string wrong = wrong_combination(matrix_of(copy, readings), readings); !wrong.empty())
    trap(Diagnostic::Kind::illegal_instruction, "tcgen05.cp: " + wrong);
  const Tcgen05Steps& steps = tcgen05_steps_for(settings);
  steps.smem(copy.source);
  steps.copy(copy);
  return copy;
}

TmemShift decode_shift(uint32_t cta_group, uint32_t address, uint32_t cta_rank, const Settings& settings) {
  TmemShift shift{cta_group, TmemAddress::decode(address), 8, cta_rank};
  if (shift.at.lane % partition_lanes != 0 || shift.at.lane >= TensorMemory::lanes)
    trap(Diagnostic::Kind::misaligned_address,
         "tcgen05.shift: lane " + std::to_string(shift.at.lane) + "; it is 0, 32, 64 or 96");
  tcgen05_steps_for(settings).shift(shift);
  return shift;
}

void perform_copy(const TmemCopy& copy, Cluster& cluster) {
  const Settings& settings = cluster.settings();
  const uint32_t first = first_rank(copy.form.cta_group, copy.cta_rank);
  const bool from_issuer = DeviceReadings(settings).is({"AMB-27", "memory_of_issuer"});
  for (uint32_t i = 0; i < copy.form.cta_group; ++i) {
    Cta& cta = *cluster.ctas[first + i];
    TensorMemory& tensor = checked(cta, copy.target.column, copy.form.words(), "tcgen05.cp");
    const uint32_t source = from_issuer ? copy.cta_rank : first + i;
    copy_into(tensor, copy, *cluster.ctas[tcgen05_steps_for(settings).copy_source(source, copy)], settings);
  }
  cluster.moved();
}

void perform_shift(const TmemShift& shift, Cluster& cluster) {
  const Tcgen05Steps& steps = tcgen05_steps_for(cluster.settings());
  const bool all = DeviceReadings(cluster.settings()).is({"AMB-06", "all_lanes"});
  const uint32_t first = first_rank(shift.cta_group, shift.cta_rank), columns = shift.columns;
  for (uint32_t i = 0; i < shift.cta_group; ++i) {
    TensorMemory& tensor = checked(*cluster.ctas[first + i], shift.at.column, shift.columns, "tcgen05.shift");
    for (uint32_t base = 0; base < TensorMemory::lanes; base += partition_lanes) {
      if (!steps.shifts_partition(base, shift, all || base == shift.at.lane)) continue;
      std::vector<uint32_t> old;
      std::vector<uint8_t> was_written;
      for (uint32_t lane = base; lane < base + partition_lanes; ++lane) {
        const uint32_t* cells = tensor.cells(lane) + shift.at.column;
        old.insert(old.end(), cells, cells + columns);
        const uint8_t* written = tensor.written(lane) + shift.at.column;
        was_written.insert(was_written.end(), written, written + columns);
      }
      for (uint32_t lane = 0; lane < partition_lanes; ++lane) {
        const size_t from = static_cast<size_t>(steps.shifted_lane(lane)) % partition_lanes * columns;
        std::copy_n(old.begin() + static_cast<ptrdiff_t>(from), columns,
                    tensor.cells(base + lane) + shift.at.column);
        std::copy_n(was_written.begin() + static_cast<ptrdiff_t>(from), columns,
                    tensor.written(base + lane) + shift.at.column);
      }
    }
  }
  cluster.moved();
}

WorkAccess access_of(const TmemCopy& copy, const Settings& settings) {
  WorkAccess access;
  access.work.kind = IssuedWork::Kind::copy;
  access.work.is_4x256b = copy.form.shape == CopyShape::s4x256b;
  const DeviceReadings readings(settings);
  for (uint32_t i = 0; i < copy.form.cta_group; ++i) {
    const uint32_t rank = first_rank(copy.form.cta_group, copy.cta_rank) + i;
    for (SharedRange range : matrix_ranges(matrix_of(copy, readings), rank)) {
      range.is_scales = copy.form.shape == CopyShape::s32x128b;
      access.shared_reads.push_back(range);
    }
    for (uint32_t lane = 0; lane < TensorMemory::lanes; ++lane)
      if (copied_row(copy.form, lane, readings.is({"AMB-25", "half_for_a_warp"})) >= 0)
        access.writes.push_back({rank, copy.target.lane + lane, copy.target.column, copy.form.words()});
  }
  return access;
}

WorkAccess access_of(const TmemShift& shift, const Settings& settings) {
  WorkAccess access;
  access.work.kind = IssuedWork::Kind::shift;
  const bool all = DeviceReadings(settings).is({"AMB-06", "all_lanes"});
  for (uint32_t i = 0; i < shift.cta_group; ++i)
    for (uint32_t lane = 0; lane < TensorMemory::lanes; ++lane) {
      if (!all && lane / partition_lanes * partition_lanes != shift.at.lane) continue;
      const CellRange row{first_rank(shift.cta_group, shift.cta_rank) + i, lane, shift.at.column,
                          shift.columns};
      access.reads.push_back(row);
      if (lane % partition_lanes != partition_lanes - 1) access.writes.push_back(row);
    }
  return access;
}

namespace {

/// Copies and shifts of one thread that a device holds back to do the last one first.
class Release {
 public:
  Release(AsyncQueue& queue, std::vector<HeldWork>& held, std::vector<IssuedWork>& issued)
      : queue_(queue), held_(held), issued_(issued), done_(held.size(), false) {}

  void run() {
    for (size_t i = held_.size(); i-- > 0;) issue(i);
    held_.clear();
  }

 private:
  void issue(size_t i) {
    if (done_[i]) return;
    for (size_t j = 0; j < i; ++j)
      if (held_[j].work.is_pipelined_with(held_[i].work)) issue(j);
    done_[i] = true;
    HeldWork& one = held_[i];
    for (const IssuedWork& other : issued_) one.operation.after.push_back(other.operation);
    one.work.operation = queue_.issue(std::move(one.operation));
    if (queue_.is_pending(one.work.operation)) issued_.push_back(one.work);
  }

  AsyncQueue& queue_;
  std::vector<HeldWork>& held_;
  std::vector<IssuedWork>& issued_;
  std::vector<bool> done_;
};

void release_held(const Step& step, int lane) {
  TensorMemory& tensor = tensor_memory(step.cta);
  const uint32_t thread = step.warp.thread(lane);
  if (const auto held = tensor.held.find(thread); held != tensor.held.end())
    Release(step.cluster.async, held->second, tensor.issued[thread]).run();
}

/// Hands products that copies were to overtake to the queue, behind everything that is pending.
void release_products(const Step& step, int lane) {
  TensorMemory& tensor = tensor_memory(step.cta);
  const auto held = tensor.held_products.find(step.warp.thread(lane));
  if (held == tensor.held_products.end()) return;
  AsyncQueue& queue = step.cluster.async;
  std::vector<IssuedWork>& issued = tensor.issued[held->first];
  for (HeldWork& one : held->second) {
    for (const IssuedWork& other : issued) one.operation.after.push_back(other.operation);
    one.work.operation = queue.issue(std::move(one.operation));
    if (queue.is_pending(one.work.operation)) issued.push_back(one.work);
  }
  held->second.clear();
}

}  // namespace

void issue_work(const Step& step, int lane, IssuedWork work, AsyncOperation operation) {
  TensorMemory& tensor = tensor_memory(step.cta);
  AsyncQueue& queue = step.cluster.async;
  const Tcgen05Steps& steps = tcgen05_steps_for(step.cluster.settings());
  const DeviceReadings readings(step.cluster.settings());
  const uint32_t thread = step.warp.thread(lane);
  if (readings.is({"AMB-38", "last_first"}) && work.kind != IssuedWork::Kind::mma) {
    tensor.held[thread].push_back({work, std::move(operation)});
    return;
  }
  release_held(step, lane);
  if (readings.is({"AMB-52", "copy_overtakes"})) {
    if (work.kind == IssuedWork::Kind::mma) {
      tensor.held_products[thread].push_back({work, std::move(operation)});
      return;
    }
    if (work.kind == IssuedWork::Kind::shift) release_products(step, lane);
  }
  std::vector<IssuedWork>& issued = tensor.issued[thread];
  std::erase_if(issued, [&](const IssuedWork& other) { return !queue.is_pending(other.operation); });
  const bool keeps_order = readings.is({"AMB-38", "in_order_of_issue"}),
             copy_waits = readings.is({"AMB-52", "in_order_of_issue"});
  const auto is_copy = [](const IssuedWork& one) { return one.kind == IssuedWork::Kind::copy; };
  auto copies = static_cast<size_t>(std::count_if(issued.begin(), issued.end(), is_copy));
  for (const IssuedWork& other : issued) {
    copies -= is_copy(other);
    if (steps.is_pipelined(other, work, copies) || (keeps_order && other.is_unlisted_pair(work)) ||
        (copy_waits && other.is_followed_by_copy(work)))
      operation.after.push_back(other.operation);
  }
  work.operation = queue.issue(std::move(operation));
  if (queue.is_pending(work.operation)) issued.push_back(work);
}

std::vector<IssuedWork>& pending_work(const Step& step, int lane) {
  release_held(step, lane);
  release_products(step, lane);
  std::vector<IssuedWork>& issued = tensor_memory(step.cta).issued[step.warp.thread(lane)];
  std::erase_if(issued,
                [&](const IssuedWork& work) { return !step.cluster.async.is_pending(work.operation); });
  return issued;
}

}  // namespace assay::emulator
