// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/facts.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "devices/cuda/nvml.h"
#include "devices/cuda/wire.h"
#include "devices/cuda/worker_process.h"
#include "devices/device.h"

namespace assay::cuda {
namespace {

std::string uuid_text(const Uuid& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    char byte[4];
    std::snprintf(byte, sizeof byte, "%02x", uuid.bytes[i]);
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += byte;
  }
  return text;
}

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

DeviceIdentity identify(const OpenedDriver& opened, const DeviceSpec& spec) {
  const Driver& d = opened.driver;
  DeviceIdentity identity;
  identity.spec = spec.text;
  identity.evidence = opened.is_emulated() ? Evidence::emulator : Evidence::silicon;
  identity.architecture = "sm_" + std::to_string(opened.capability);
  identity.sm_count = opened.sm_count;
  char name[256] = {};
  check(d, d.device_name(name, sizeof name - 1, opened.device), "cuDeviceGetName");
  identity.name = name;
  check(d, d.driver_version(&identity.driver_version), "cuDriverGetVersion");
  const auto fact = [&](const char* what, std::string value) {
    if (!value.empty()) identity.facts.emplace_back(what, std::move(value));
  };
  size_t memory = 0;
  if (d.device_total_memory(&memory, opened.device) == 0)
    fact("memory", std::to_string(memory >> 20) + " MiB");
  if (spec.emulator) {
    fact("settings", spec.settings);
    return identity;
  }
  if (identity.evidence == Evidence::emulator) fact("driver library", driver_library(spec));
  Uuid uuid{};
  check(d, d.device_uuid(&uuid, opened.device), "cuDeviceGetUuid");
  identity.uuid = uuid_text(uuid);
  fact("L2 cache", std::to_string(opened.attribute(attribute_l2_bytes) >> 20) + " MiB");
  for (auto& [what, value] : nvml_facts(identity.uuid)) fact(what.c_str(), value);
  if (identity.facts.empty() || identity.facts.back().first != "power limit") {
    fact("ECC (driver API)", opened.attribute(attribute_ecc_enabled) ? "on" : "off");
    fact("SM clock (driver API)", std::to_string(opened.attribute(attribute_clock_rate) / 1000) + " MHz");
  }
  fact("kernel module", first_line("/proc/driver/nvidia/version"));
  return identity;
}

nlohmann::json to_json(const DeviceIdentity& identity) {
  nlohmann::json facts = nlohmann::json::array();
  for (const auto& [what, value] : identity.facts) facts.push_back({what, value});
  return {{"spec", identity.spec},
          {"emulator", identity.evidence == Evidence::emulator},
          {"architecture", identity.architecture},
          {"name", identity.name},
          {"uuid", identity.uuid},
          {"driver_version", identity.driver_version},
          {"sm_count", identity.sm_count},
          {"facts", facts}};
}

DeviceIdentity identity_from_json(const nlohmann::json& json) {
  DeviceIdentity identity;
  identity.spec = json.at("spec");
  identity.evidence = json.at("emulator") ? Evidence::emulator : Evidence::silicon;
  identity.architecture = json.at("architecture");
  identity.name = json.at("name");
  identity.uuid = json.at("uuid");
  identity.driver_version = json.at("driver_version");
  identity.sm_count = json.at("sm_count");
  for (const auto& fact : json.at("facts")) identity.facts.emplace_back(fact.at(0), fact.at(1));
  return identity;
}

std::string in_words(const DeviceIdentity& identity) {
  std::string words = identity.name + ", " + identity.architecture + ", " +
                      std::to_string(identity.sm_count) + " SMs, driver API " +
                      std::to_string(identity.driver_version);
  for (const auto& [what, value] : identity.facts)
    if (what == "kernel-mode driver" || what == "settings" || what == "memory")
      words += ", " + what + " " + value;
  return words;
}

namespace {

// Enumerators of NVML's public reference.
constexpr int clock_sm = 1, clock_memory = 2;

std::string switched(unsigned value) {
  return value ? "on" : "off";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> nvml_facts(const std::string& uuid) {
  const Nvml nvml(uuid);
  std::vector<std::pair<std::string, std::string>> facts;
  if (!nvml.has_library()) return {{"NVML", nvml.absent()}};
  char text[128] = {};
  if (auto* call = nvml.find<int(char*, unsigned)>("nvmlSystemGetDriverVersion");
      call && call(text, sizeof text) == 0)
    facts.emplace_back("kernel-mode driver", text);
  if (!nvml.absent().empty()) {
    facts.emplace_back("NVML", nvml.absent());
    return facts;
  }
  const unsigned room = sizeof text;
  if (nvml.ask("nvmlDeviceGetVbiosVersion", text, room)) facts.emplace_back("VBIOS", text);
  if (nvml.ask("nvmlDeviceGetSerial", text, room)) facts.emplace_back("serial", text);
  unsigned current = 0, pending = 0;
  const auto clock = [&](const char* symbol, const char* name, int which) {
    if (nvml.ask(symbol, which, &current)) facts.emplace_back(name, std::to_string(current) + " MHz");
  };
  clock("nvmlDeviceGetClockInfo", "SM clock", clock_sm);
  clock("nvmlDeviceGetMaxClockInfo", "SM clock, maximum", clock_sm);
  clock("nvmlDeviceGetClockInfo", "memory clock", clock_memory);
  if (nvml.ask("nvmlDeviceGetEccMode", &current, &pending)) facts.emplace_back("ECC", switched(current));
  if (nvml.ask("nvmlDeviceGetPersistenceMode", &current))
    facts.emplace_back("persistence mode", switched(current));
  if (nvml.ask("nvmlDeviceGetPowerManagementLimit", &current))
    facts.emplace_back("power limit", std::to_string(current / 1000) + " W");
  return facts;
}

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

/// Those with tcgen05 first, then those with wgmma, then all others.
int rank(const DeviceIdentity& device) {
  const std::optional<spec::Arch> arch = spec::parse_arch(device.architecture);
  return spec::has(arch, &spec::Architecture::has_tcgen05) ? 2
         : spec::has(arch, &spec::Architecture::has_wgmma) ? 1
                                                           : 0;
}

}  // namespace

std::vector<DeviceProbe> probe(const std::string& kind) {
  const Found found = find(kind);
  std::vector<DeviceProbe> rows;
  for (const DeviceIdentity& device : found.devices)
    rows.push_back({device.spec, true, in_words(device), rank(device)});
  return rows.empty() ? std::vector<DeviceProbe>{{kind, false, found.error}} : rows;
}

int print_probe(const std::string& kind) {
  const std::string text = probe_here(kind).dump(-1, ' ', false, json::error_handler_t::replace);
  std::printf("%s\n", text.c_str());
  std::fflush(stdout);
  _exit(0);  // without the driver's clean-up
}

}  // namespace assay::cuda
