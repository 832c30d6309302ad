// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/async/async.h"

#include <algorithm>

namespace assay::emulator {

std::shared_ptr<AsyncGroup> AsyncGroups::open() {
  if (!open_) open_ = std::make_shared<AsyncGroup>();
  return open_;
}

void AsyncGroups::commit() {
  trim();
  committed_.push_back(open_ ? std::move(open_) : std::make_shared<AsyncGroup>());
  open_ = nullptr;
}

bool AsyncGroups::at_most(uint64_t n, bool read, bool (*is_done)(const AsyncGroup&, bool read)) const {
  const size_t must_be_done = committed_.size() > n ? committed_.size() - n : 0;
  for (size_t i = 0; i < must_be_done; ++i)
    if (is_done != nullptr ? !is_done(*committed_[i], read) : !committed_[i]->is_done(read)) return false;
  return true;
}

std::vector<const AsyncGroup*> AsyncGroups::newest(uint64_t n) const {
  std::vector<const AsyncGroup*> made;
  for (size_t i = committed_.size() - std::min<uint64_t>(n, committed_.size()); i < committed_.size(); ++i)
    made.push_back(committed_[i].get());
  return made;
}

void AsyncGroups::trim() {
  while (!committed_.empty() && committed_.front()->unwritten == 0) committed_.pop_front();
}

AsyncQueue::~AsyncQueue() {
  for (const Pending* pending : pending_) delete pending;
}

uint64_t AsyncQueue::random() {
  uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

uint64_t AsyncQueue::issue(AsyncOperation operation) {
  const uint64_t id = operation.id = ++last_id_;
  if (operation.group) {
    ++operation.group->unread;
    ++operation.group->unwritten;
    ++operation.group->operations;
  }
  if (on_issue) on_issue(operation);
  pending_.push_back(std::make_unique<Pending>(Pending{std::move(operation), false}).release());
  if (completion_ == Completion::eager) drain();
  return id;
}

size_t AsyncQueue::find(uint64_t id) const {
  const auto found =
      std::lower_bound(pending_.begin(), pending_.end(), id,
                       [](const auto& pending, uint64_t wanted) { return pending->operation.id < wanted; });
  if (found == pending_.end() || (*found)->operation.id != id) return pending_.size();
  return static_cast<size_t>(found - pending_.begin());
}

size_t AsyncQueue::ready(size_t index) const {
  for (;;) {
    size_t first = index;
    for (const uint64_t id : pending_[index]->operation.after) first = std::min(first, find(id));
    if (first == index) return index;
    index = first;
  }
}

std::vector<uint64_t> AsyncQueue::ready_ids() const {
  std::vector<uint64_t> ids;
  for (size_t i = 0; i < pending_.size(); ++i)
    if (ready(i) == i) ids.push_back(pending_[i]->operation.id);
  return ids;
}

void AsyncQueue::complete(uint64_t id) {
  for (size_t index; (index = find(id)) < pending_.size();) step(ready(index));
}

void AsyncQueue::step(size_t index) {
  // The operation leaves the queue while it runs: it may throw, and it may be the last one.
  std::unique_ptr<Pending> pending(pending_[index]);
  pending_.erase(pending_.begin() + static_cast<ptrdiff_t>(index));
  AsyncOperation& operation = pending->operation;
  running_ = operation.issuer;
  running_id_ = operation.id;
  if (!pending->was_read) {
    if (operation.read) operation.read();
    if (on_read) on_read(operation);
    pending->was_read = true;
    // An operation without a read of its own reads while it writes: its group is not done reading before.
    if (operation.read) {
      if (operation.group) --operation.group->unread;
      running_.reset();
      pending_.insert(pending_.begin() + static_cast<ptrdiff_t>(index), pending.release());
      return;
    }
  }
  operation.write();
  if (on_written) on_written(operation);
  if (operation.group) {
    if (!operation.read) --operation.group->unread;
    --operation.group->unwritten;
  }
  running_.reset();
}

bool AsyncQueue::advance() {
  if (pending_.empty()) return false;
  step(completion_ == Completion::random ? ready(random() % pending_.size()) : 0);
  return true;
}

void AsyncQueue::tick() {
  if (completion_ != Completion::random || is_on_demand_ || pending_.empty()) return;
  // One decision in eight advances something: late enough for missing waits to show, early enough for
  // overlap.
  if (random() % 8 == 0) advance();
}

void AsyncQueue::drain() {
  while (!pending_.empty()) step(0);
}

}  // namespace assay::emulator
