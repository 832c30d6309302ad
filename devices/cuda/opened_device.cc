// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/opened_device.h"

#include <dlfcn.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "devices/cuda/emulator_notes.h"
#include "devices/cuda/images.h"
#include "devices/device.h"
#include "kernels/params/arena.h"

namespace assay::cuda {

std::string driver_library(const DeviceSpec& spec) {
  if (!spec.emulator) {
    const char* named = std::getenv("ASSAY_CUDA_DRIVER");
    return named != nullptr && *named != 0 ? named : "libcuda.so.1";
  }
  if (const char* named = std::getenv("ASSAY_EMULATOR_LIBRARY")) return named;
  std::error_code ignored;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return (program.parent_path() / "libassay_emulator.so").string();
}

OpenedDriver::OpenedDriver(const DeviceSpec& spec) {
  if (spec.emulator) {
    // A run has a process for each core already. The last of two words for one thing counts.
    setenv("ASSAY_EMULATOR", ("workers=1," + spec.settings).c_str(), 1);
    setenv("ASSAY_EMULATOR_HOST", "1", 1);
  }
  driver = Driver::load(driver_library(spec));
  if (const Result result = driver.init(0)) {
    // The emulator says what it does not understand.
    std::string why = DriverFailure(driver, result, "cuInit").what();
    for (const nlohmann::json& note : take_lines(driver.take_notes)) why += "; " + note_in_words(note);
    throw std::runtime_error(why);
  }
  int count = 0;
  check(driver, driver.device_count(&count), "cuDeviceGetCount");
  if (spec.ordinal >= count)
    throw std::runtime_error("there is no GPU " + std::to_string(spec.ordinal) + ": the driver shows " +
                             std::to_string(count));
  check(driver, driver.device_get(&device, spec.ordinal), "cuDeviceGet");
  capability = 10 * attribute(attribute_capability_major) + attribute(attribute_capability_minor);
  sm_count = attribute(attribute_multiprocessor_count);
}

int OpenedDriver::attribute(int which) const {
  int value = 0;
  check(driver, driver.device_attribute(&value, which, device), "cuDeviceGetAttribute");
  return value;
}

bool OpenedDriver::is_emulated() const {
  char name[256] = {};
  check(driver, driver.device_name(name, sizeof name - 1, device), "cuDeviceGetName");
  return driver.exports_emulator || std::string_view(name).find("assay emulator") != std::string_view::npos;
}

OpenedDevice::OpenedDevice(const DeviceSpec& spec, const Region& region_)
    : OpenedDriver(spec),
      emulator(spec.emulator),
      turned_out_emulated(is_emulated()),
      region(region_),
      slots_(region_.shape().batches) {
  // Threads sleep while the GPU works: the host's cores are for predictions. An active context keeps its
  // flags.
  driver.context_flags(device, context_blocking_sync);
  check(driver, driver.context_retain(&context_, device), "cuDevicePrimaryCtxRetain");
  enter();
  max_dynamic_shared = attribute(attribute_max_shared_per_block_optin);
  check(driver, driver.memory_allocate(&arena, params::arena_bytes), "cuMemAlloc");
  write_arena();
  if (places_cluster(params::largest_cluster)) largest_cluster = params::largest_cluster;
}

bool OpenedDevice::places_cluster(uint32_t ctas) {
  if (capability < 90) return false;
  // The smallest kernel: what a multiprocessor has room for is a matter of the shared memory alone.
  const Function kernel = function("fixtures", "arena");
  const uint32_t room = dynamic_shared(kernel, static_cast<uint32_t>(max_dynamic_shared));
  if (driver.function_set_attribute(kernel, function_non_portable_cluster, 1) != 0 ||
      driver.function_set_attribute(kernel, function_max_dynamic_shared, static_cast<int>(room)) != 0)
    return false;
  LaunchAttribute cluster{};
  cluster.id = launch_cluster_dimension;
  cluster.value.cluster_dim[0] = ctas;
  cluster.value.cluster_dim[1] = cluster.value.cluster_dim[2] = 1;
  LaunchConfig config{};
  config.grid[0] = ctas;
  config.block[0] = params::probe_threads;
  config.grid[1] = config.grid[2] = config.block[1] = config.block[2] = 1;
  config.dynamic_shared_bytes = room;
  config.attributes = &cluster;
  config.attribute_count = 1;
  int clusters = 0;
  return driver.max_active_clusters(&clusters, kernel, &config) == 0 && clusters > 0;
}

void OpenedDevice::enter() const {
  check(driver, driver.context_set_current(context_), "cuCtxSetCurrent");
}

void OpenedDevice::write_arena() {
  Stream stream = nullptr;
  if (const std::byte* source = region.arena(); source != nullptr && (emulator || region.was_filled())) {
    check(driver, driver.copy_to_device(arena, source, params::arena_bytes, stream), "cuMemcpyHtoDAsync");
  } else {
    LaunchConfig config{};
    config.grid[0] = static_cast<uint32_t>(sm_count) * 8;
    config.grid[1] = config.grid[2] = config.block[1] = config.block[2] = 1;
    config.block[0] = params::probe_threads;
    DeviceAddress no_differences = 0;
    void* arguments[] = {&arena, &no_differences};
    check(driver, driver.launch(&config, function("fixtures", "arena"), arguments, nullptr),
          "cuLaunchKernelEx");
  }
  check(driver, driver.stream_synchronize(stream), "cuStreamSynchronize");
  region.note_filled();
}

ModuleHandle OpenedDevice::load(const char* file) {
  ModuleHandle module = nullptr;
  for (const bool takes_cubin : {true, false}) {
    if (takes_cubin && emulator) continue;
    const AssayKernelImage* image = find_image(file, capability, takes_cubin);
    if (!image)
      throw std::runtime_error(std::string("kernels of ") + file + " are not built for compute capability " +
                               std::to_string(capability));
    const Result result = driver.module_load(&module, image->begin);
    const bool is_cubin = std::string_view(image->kind) == "cubin";
    // What a driver says of a cubin that a later toolkit made.
    const bool is_unknown =
        result == invalid_image || result == no_binary_for_gpu || result == unsupported_ptx_version;
    if (is_cubin && is_unknown) continue;
    check(driver, result, "cuModuleLoadData");
    break;
  }
  used_files_.note(file);
  return module;
}

void OpenedDevice::load_used_files() {
  const std::lock_guard lock(mutex_);
  for (const std::string& file : used_files_.all()) {
    ModuleHandle& module = modules_[file];
    if (!module) try {
        module = load(file.c_str());
      } catch (const std::exception&) {
      }
  }
}

DeviceAddress OpenedDevice::variable(const char* file, const char* name) {
  const std::lock_guard lock(mutex_);
  ModuleHandle& module = modules_[file];
  if (!module) module = load(file);
  DeviceAddress address = 0;
  size_t bytes = 0;
  check(driver, driver.module_global(&address, &bytes, module, name), "cuModuleGetGlobal");
  return address;
}

Function OpenedDevice::function(const char* file, const char* kernel) {
  const std::lock_guard lock(mutex_);
  const auto key = std::make_pair(std::string(file), std::string(kernel));
  if (const auto known = functions_.find(key); known != functions_.end()) return known->second;
  ModuleHandle& module = modules_[file];
  if (!module) module = load(file);
  Function function = nullptr;
  check(driver, driver.module_function(&function, module, kernel), "cuModuleGetFunction");
  // All that a block may have beside the kernel's own: probes of tensor memory take it to be alone on their
  // multiprocessor.
  int fixed = 0;
  check(driver, driver.function_attribute(&fixed, function_static_shared, function), "cuFuncGetAttribute");
  if (std::string_view(file) != "fixtures")
    check(driver,
          driver.function_set_attribute(function, function_max_dynamic_shared, max_dynamic_shared - fixed),
          "cuFuncSetAttribute");
  functions_[key] = function;
  static_shared_[function] = fixed;
  return function;
}

uint32_t OpenedDevice::dynamic_shared(Function function, uint32_t bytes) {
  const std::lock_guard lock(mutex_);
  return std::min(bytes, static_cast<uint32_t>(max_dynamic_shared - static_shared_[function]));
}

Slot& OpenedDevice::slot(uint32_t batch) {
  Slot& slot = slots_[batch];
  if (slot.stream) return slot;
  const RegionShape& shape = region.shape();
  const auto allocate = [&](DeviceAddress& address, size_t bytes) {
    check(driver, driver.memory_allocate(&address, bytes), "cuMemAlloc");
  };
  // Only when a batch is first used: a process that replaces one a fault has ended runs few of them.
  check(driver,
        driver.host_register(region.batch(batch).control, region.batch_bytes(),
                             host_register_portable | host_register_device_map),
        "cuMemHostRegister");
  allocate(slot.records, shape.records_bytes);
  allocate(slot.maps, shape.maps_bytes());
  allocate(slot.ends, shape.capacity * sizeof(params::ProbeEnd));
  allocate(slot.lists, shape.capacity * sizeof(uint32_t));
  allocate(slot.queues, 256);
  allocate(slot.output, shape.output_bytes);
  check(driver, driver.host_device_address(&slot.notes, region.batch(batch).notes, 0),
        "cuMemHostGetDevicePointer");
  for (Event* event : {&slot.base, &slot.start, &slot.end})
    check(driver, driver.event_create(event, event_blocking_sync), "cuEventCreate");
  check(driver, driver.stream_create(&slot.stream, stream_non_blocking), "cuStreamCreate");
  return slot;
}

}  // namespace assay::cuda

namespace assay {

std::vector<FaultRow> emulator_faults() {
  const std::string library = cuda::driver_library(cuda::parse_device_spec("emulator"));
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw DeviceError("the emulator cannot be loaded: " + std::string(dlerror()));
  const auto describe =
      reinterpret_cast<int (*)(char*, size_t)>(dlsym(handle, "assay_emulator_describe_faults"));
  if (describe == nullptr) throw DeviceError(library + " does not say which faults it knows");
  std::string text(static_cast<size_t>(-describe(nullptr, 0)), '\0');
  describe(text.data(), text.size());
  std::vector<FaultRow> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json fields = nlohmann::json::parse(line, nullptr, false);
    if (!fields.is_object()) continue;
    for (const std::string device : fields.at("devices")) {
      FaultRow& row = rows.emplace_back();
      row.name = fields.at("name");
      row.wrong = fields.at("wrong");
      row.clause = fields.at("clause");
      row.caught_by = fields.at("caught_by");
      row.spec = "emulator:" + device + ",fault=" + row.name;
      row.rare = fields.at("rare");
      row.unobservable = fields.at("unobservable");
    }
  }
  return rows;
}

}  // namespace assay
