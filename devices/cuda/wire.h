// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace assay::cuda {

/// From the Device to the process that owns the GPU.
struct Order {
  enum Kind : uint32_t { run, quit };
  Kind kind;
  uint32_t batch;
};

/// The other way.
struct Report {
  enum Kind : uint32_t {
    ready,   ///< open; the region's identity text is written
    failed,  ///< could not open; the identity text says why
    done,    ///< the group of `batch` ran; ends and output are there
    fault,   ///< the device faulted with `code`; the worker is useless from here on
    rig,     ///< a call failed that no record can be blamed for; the batch's text says which
  };
  Kind kind;
  uint32_t batch;
  int32_t code;  ///< CUresult; of `ready`, whether the process stands by
  uint32_t launches;
  /// When the device was busy with it, or without a launch its process: seconds of CLOCK_MONOTONIC. Of
  /// `ready`, `end` is when the device was open.
  double start, end;
};

/// To a process that stands by: `descriptor` is the socket of a new worker.
bool send_descriptor(int socket, int descriptor);
/// Blocks. -1 when the other side is gone.
int receive_descriptor(int socket);

/// Its answer: the worker's process.
struct Started {
  int32_t pid;  ///< -1: it could not be started
};

/// One message, whole, or false when the other side is gone. Callable from several threads.
bool send_message(int socket, const void* message, uint32_t bytes);
/// Blocks. Nothing when the other side is gone.
template <typename Message>
std::optional<Message> receive_message(int socket);

double monotonic_seconds();

}  // namespace assay::cuda
