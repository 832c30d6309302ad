// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/wire.h"

#include <sys/socket.h>
#include <time.h>

#include <cerrno>
#include <cstring>

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
template std::optional<Started> receive_message<Started>(int);

namespace {

/// A message of one byte that takes a descriptor along (unix(7), SCM_RIGHTS).
struct DescriptorMessage {
  DescriptorMessage() {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
  }
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};
};

}  // namespace

bool send_descriptor(int socket, int descriptor) {
  DescriptorMessage message;
  cmsghdr* const rights = CMSG_FIRSTHDR(&message.header);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
  ssize_t sent;
  do sent = sendmsg(socket, &message.header, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == 1;
}

int receive_descriptor(int socket) {
  DescriptorMessage message;
  ssize_t got;
  do got = recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  const cmsghdr* const rights = CMSG_FIRSTHDR(&message.header);
  if (got != 1 || rights == nullptr || rights->cmsg_type != SCM_RIGHTS) return -1;
  int descriptor;
  std::memcpy(&descriptor, CMSG_DATA(rights), sizeof descriptor);
  return descriptor;
}

double monotonic_seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace assay::cuda
