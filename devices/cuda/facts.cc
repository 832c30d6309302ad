// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/facts.h"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "devices/cuda/nvml.h"

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

}  // namespace assay::cuda
