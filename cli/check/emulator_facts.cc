// SPDX-License-Identifier: Apache-2.0
#include "cli/check/emulator_facts.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "devices/cuda/opened_device.h"
#include "devices/device.h"

namespace assay::cli::check {
namespace {

std::string library() {
  return cuda::driver_library(cuda::parse_device_spec("emulator"));
}

template <typename Function>
Function function_of(const char* name) {
  void* handle = dlopen(library().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw DeviceError("the emulator cannot be loaded: " + std::string(dlerror()));
  void* function = dlsym(handle, name);
  if (function == nullptr) throw DeviceError(library() + " has no " + name);
  return reinterpret_cast<Function>(function);
}

template <typename Ask>
std::string text_of(Ask ask) {
  const int needed = -ask(nullptr, 0);
  if (needed <= 1) return {};
  std::string text(static_cast<size_t>(needed), '\0');
  ask(text.data(), text.size());
  text.pop_back();
  return text;
}

}  // namespace

std::string emulated_libraries() {
  const auto folder = std::filesystem::absolute(library()).parent_path();
  for (const char* name : {"libassay_emulator.so", "libassay_cudart.so"})
    if (std::error_code ignored; !std::filesystem::exists(folder / name, ignored))
      throw DeviceError("'" + (folder / name).string() +
                        "' does not exist; build assay_emulator and assay_cudart");
  return folder.string();
}

std::vector<Clause> emulator_clauses() {
  const auto describe = function_of<int (*)(char*, size_t)>("assay_emulator_describe_clauses");
  std::vector<Clause> clauses;
  std::istringstream lines(text_of(describe));
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json row = nlohmann::json::parse(line, nullptr, false);
    if (row.is_object())
      clauses.push_back({row.at("id"), row.at("sentence"), row.at("source"), row.at("section")});
  }
  return clauses;
}

std::string refusals_of(const std::string& ptx, const std::string& settings) {
  setenv("ASSAY_EMULATOR", settings.c_str(), 1);
  const auto list = function_of<int (*)(const char*, char*, size_t)>("assay_emulator_list_refusals");
  return text_of([&](char* buffer, size_t size) { return list(ptx.c_str(), buffer, size); });
}

}  // namespace assay::cli::check
