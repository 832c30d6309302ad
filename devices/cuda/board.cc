// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/board.h"

namespace assay::cuda {

void Board::submit(Buffer& buffer, ProcessKind kind) {
  {
    const std::lock_guard lock(mutex);
    if (!lost.empty()) {
      buffer.notes.push_back(lost);
      buffer.state = Buffer::State::finished;
      changed.notify_all();
      return;
    }
    buffer.state = Buffer::State::submitted;
    queues[kind].push_back(&buffer);
  }
  wake(kind);
}

void Board::finish(Buffer& buffer) {
  const std::lock_guard lock(mutex);
  buffer.state = Buffer::State::finished;
  changed.notify_all();
}

void Board::lose(const std::string& why) {
  const std::lock_guard lock(mutex);
  if (lost.empty()) lost = why;
  for (auto& [kind, queue] : queues) {
    for (Buffer* buffer : queue) {
      buffer->notes.push_back(why);
      buffer->state = Buffer::State::finished;
    }
    queue.clear();
  }
  changed.notify_all();
}

}  // namespace assay::cuda
