// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/host_watch.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>

namespace assay::emulator::host_watch {
namespace {

struct Watched {
  uint64_t begin, end;
  std::atomic<bool> is_touched;
  Touch touch;
};

// What the handler reads has a fixed place.
std::array<Watched, 1024> watched;
std::atomic<size_t> count{0};
std::atomic<bool> is_on{false};
struct sigaction before;

void open(const Watched& one) {
  mprotect(reinterpret_cast<void*>(one.begin), one.end - one.begin, PROT_READ | PROT_WRITE);
}

void touched(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<uint64_t>(info->si_addr);
  bool is_ours = false;
  for (size_t i = 0; i < count; ++i) {
    Watched& one = watched[i];
    if (address < one.begin || address >= one.end) continue;
    is_ours = true;
    // Another thread may have been here, or in release(): then it need only be tried again.
    if (!is_on || one.is_touched.exchange(true)) continue;
    const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    one.touch = {address, (registers[REG_ERR] & 2) != 0, static_cast<uint64_t>(registers[REG_RIP])};
  }
  for (size_t i = 0; i < count; ++i)
    if (address >= watched[i].begin && address < watched[i].end) open(watched[i]);
  if (is_ours) return;
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(signal, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(signal);
  sigaction(signal, &before, nullptr);  // it faults again
}

/// Again each time: the program may have set one of its own.
void catch_faults() {
  struct sigaction now;
  if (sigaction(SIGSEGV, nullptr, &now) != 0 || now.sa_sigaction == touched) return;
  before = now;
  now.sa_sigaction = touched;
  now.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&now.sa_mask);
  sigaction(SIGSEGV, &now, nullptr);
}

}  // namespace

void guard(const std::vector<StreamHistory::Guard>& pages) {
  if (pages.empty()) return;
  catch_faults();
  count = 0;
  for (const auto& [begin, end, is_written] : pages) {
    if (count == watched.size()) break;
    Watched& one = watched[count];
    one.begin = begin, one.end = end;
    one.is_touched = false;
    ++count;
  }
  is_on = true;
  // Last those that nobody may read.
  for (const bool hides : {false, true})
    for (size_t i = 0; i < count; ++i)
      if (pages[i].is_written == hides)
        mprotect(reinterpret_cast<void*>(pages[i].begin), pages[i].end - pages[i].begin,
                 hides ? PROT_NONE : PROT_READ);
}

std::vector<Touch> release() {
  std::vector<Touch> touches;
  if (!is_on.exchange(false)) return touches;
  for (size_t i = 0; i < count; ++i) {
    open(watched[i]);
    if (watched[i].is_touched) touches.push_back(watched[i].touch);
  }
  return touches;
}

std::string place_of(uint64_t instruction) {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(instruction), &info) == 0 || info.dli_fname == nullptr) return "?";
  const std::string file = info.dli_fname;
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%llx",
                static_cast<unsigned long long>(instruction - reinterpret_cast<uint64_t>(info.dli_fbase)));
  return file.substr(file.rfind('/') + 1) + offset;
}

}  // namespace assay::emulator::host_watch
