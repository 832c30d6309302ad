// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/tmem_issue.h"

#include <algorithm>
#include <utility>

#include "devices/emulator/machine/tmem.h"
#include "devices/emulator/readings.h"
#include "devices/emulator/tensor/tcgen05_steps.h"

namespace assay::emulator {
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
