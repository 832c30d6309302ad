#include "devices/cuda/board.h"

#include <algorithm>

namespace assay::cuda {

void Board::finish(Buffer& buffer) {
  const std::lock_guard lock(mutex);
  buffer.state = Buffer::State::finished;
  changed.notify_all();
}

void Board::lose(const std::string& why) {
  const std::lock_guard lock(mutex);
  if (lost.empty()) lost = why;
  for (Buffer* buffer : queue) {
    buffer->notes.push_back(why);
    std::fill_n(buffer->ends.begin(), buffer->count, not_run_end);
    buffer->state = Buffer::State::finished;
  }
  queue.clear();
  changed.notify_all();
}

}  // namespace assay::cuda
