#include "devices/cuda/wire.h"

#include <sys/socket.h>
#include <time.h>

#include <cerrno>

namespace assay::cuda {

bool send_message(int socket, const void* message, uint32_t bytes) {
  ssize_t sent;
  do sent = send(socket, message, bytes, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(bytes);
}

template <typename Message>
std::optional<Message> receive_message(int socket) {
  Message message;
  ssize_t got;
  do got = recv(socket, &message, sizeof message, 0);
  while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(sizeof message)) return std::nullopt;
  return message;
}
template std::optional<Order> receive_message<Order>(int);
template std::optional<Report> receive_message<Report>(int);

double monotonic_seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace assay::cuda
