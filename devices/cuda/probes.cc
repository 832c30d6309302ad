// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/probes.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "devices/cuda/facts.h"
#include "devices/cuda/program.h"
#include "devices/cuda/wire.h"
#include "devices/device.h"

namespace assay::cuda {
namespace {

using nlohmann::json;

json probe_here(const std::string& kind) {
  DeviceSpec spec = parse_device_spec(kind == "emulator" ? "emulator" : "cuda:0");
  json devices = json::array();
  try {
    const OpenedDriver first(spec);
    int count = 0;
    check(first.driver, first.driver.device_count(&count), "cuDeviceGetCount");
    for (; spec.ordinal < count; ++spec.ordinal) {
      if (!spec.emulator) spec.text = "cuda:" + std::to_string(spec.ordinal);
      devices.push_back(to_json(identify(spec.ordinal == 0 ? first : OpenedDriver(spec), spec)));
    }
  } catch (const std::exception& failure) {
    if (devices.empty()) return {{"error", failure.what()}};
  }
  return {{"devices", devices}};
}

/// What print_probe says in a child process: a driver that crashes or hangs takes only that.
json probe_in_child(const std::string& kind) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {{"error", "cannot open a pipe"}};
  pid_t pid = -1;
  try {
    pid = start_worker({"--probe", kind}, {{ends[1], 1}});
  } catch (const DeviceError& failure) {
    close(ends[0]);
    close(ends[1]);
    return {{"error", failure.what()}};
  }
  close(ends[1]);
  std::string text;
  const double until = monotonic_seconds() + 30;
  char buffer[4096];
  while (monotonic_seconds() < until) {
    pollfd ready{ends[0], POLLIN, 0};
    if (poll(&ready, 1, 100) <= 0) continue;
    const ssize_t got = read(ends[0], buffer, sizeof buffer);
    if (got <= 0) break;
    text.append(buffer, static_cast<size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  if (!reap(pid, 1000, &status)) {
    kill(pid, SIGKILL);
    reap(pid, 10'000, &status);
    return {{"error", "the driver did not answer within 30 s"}};
  }
  json answer = json::parse(text, nullptr, false);
  if (answer.is_object()) return answer;
  if (WIFSIGNALED(status))
    return {{"error", "the driver process died of signal " + std::to_string(WTERMSIG(status))}};
  return {{"error",
           "the process that queries the driver exited with code " + std::to_string(WEXITSTATUS(status))}};
}

struct Found {
  std::vector<DeviceIdentity> devices;
  std::string error;
};

Found find(const std::string& kind) {
  Found found;
  const json answer = probe_in_child(kind);
  if (answer.contains("error")) found.error = answer["error"];
  for (const json& device : answer.value("devices", json::array()))
    found.devices.push_back(identity_from_json(device));
  return found;
}

/// SM100 family first, then SM90, then what no probe is built for.
int rank(const DeviceIdentity& device) {
  const int capability = std::stoi(device.architecture.substr(3));
  return capability / 10 == 10 ? 2 : capability == 90 ? 1 : 0;
}

}  // namespace

int print_probe(const std::string& kind) {
  const std::string text = probe_here(kind).dump(-1, ' ', false, json::error_handler_t::replace);
  std::printf("%s\n", text.c_str());
  std::fflush(stdout);
  _exit(0);  // without the driver's clean-up
}

}  // namespace assay::cuda

namespace assay {

std::vector<DeviceProbe> probe_devices() {
  std::vector<DeviceProbe> rows;
  const cuda::Found gpus = cuda::find("cuda");
  for (const DeviceIdentity& gpu : gpus.devices) rows.push_back({gpu.spec, true, cuda::in_words(gpu)});
  if (gpus.devices.empty())
    rows.push_back({"cuda:0", false, gpus.error.empty() ? "the driver shows no GPU" : gpus.error});
  const cuda::Found emulator = cuda::find("emulator");
  if (emulator.devices.empty())
    rows.push_back(
        {"emulator", false, emulator.error.empty() ? "the emulator shows no GPU" : emulator.error});
  else
    rows.push_back({"emulator", true, cuda::in_words(emulator.devices.front())});
  return rows;
}

std::vector<std::string> resolve_devices(std::string_view selection) {
  if (selection != "auto" && selection != "all") return {cuda::parse_device_spec(selection).text};
  cuda::Found gpus = cuda::find("cuda");
  std::stable_sort(
      gpus.devices.begin(), gpus.devices.end(),
      [](const DeviceIdentity& a, const DeviceIdentity& b) { return cuda::rank(a) > cuda::rank(b); });
  std::vector<std::string> specs;
  for (const DeviceIdentity& gpu : gpus.devices) specs.push_back(gpu.spec);
  if (selection == "all") {
    if (specs.empty()) throw DeviceError("device 'all' means every GPU, and there is none: " + gpus.error);
    return specs;
  }
  if (!gpus.devices.empty() && cuda::rank(gpus.devices.front()) > 0) return {specs.front()};
  return {cuda::parse_device_spec("emulator").text};
}

}  // namespace assay
