// SPDX-License-Identifier: Apache-2.0
// Initialisation, error names, the device.
#include <cstdio>
#include <cstring>

#include "devices/emulator/driver/call.h"
#include "devices/emulator/driver/extra.h"
#include "devices/emulator/driver/settings.h"
#include "devices/emulator/machine/strict.h"
#include "devices/emulator/ptx/lower.h"

namespace assay::emulator {

namespace {

struct ErrorRow {
  int code;
  const char* name;
  const char* words;
};
/// Codes that this driver returns. Names: CUDA Driver API, CUresult.
constexpr ErrorRow errors[] = {
    {abi::success, "CUDA_SUCCESS", "no error"},
    {abi::invalid_value, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {abi::out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {abi::not_initialized, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {abi::no_device, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {abi::invalid_device, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {abi::invalid_image, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {abi::invalid_context, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {abi::no_binary_for_gpu, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {abi::unsupported_limit, "CUDA_ERROR_UNSUPPORTED_LIMIT", "limit is not supported on this architecture"},
    {abi::invalid_ptx, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {abi::unsupported_ptx_version, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain"},
    {abi::file_not_found, "CUDA_ERROR_FILE_NOT_FOUND", "file not found"},
    {abi::invalid_handle, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {abi::not_found, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {abi::not_ready, "CUDA_ERROR_NOT_READY", "device not ready"},
    {abi::illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {abi::launch_out_of_resources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {abi::launch_timeout, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"},
    {abi::primary_context_active, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE",
     "the primary context is active already"},
    {abi::context_is_destroyed, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
    {abi::assert_failed, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {abi::host_memory_already_registered, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
     "part or all of the requested memory range is already mapped"},
    {abi::host_memory_not_registered, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
     "pointer does not correspond to a registered memory region"},
    {abi::illegal_instruction, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered"},
    {abi::misaligned_address, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {abi::launch_failed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {abi::cooperative_launch_too_large, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
     "too many blocks in cooperative launch"},
    {abi::stream_capture_invalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
     "operation failed due to a previous error during capture"},
    {abi::stream_capture_unmatched, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
     "stream capture was not initiated in this stream"},
    {abi::graph_exec_update_failure, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
     "the graph update was not performed because it included changes which violated constraints specific to "
     "instantiated graph update"},
    {abi::not_permitted, "CUDA_ERROR_NOT_PERMITTED", "operation not permitted"},
    {abi::not_supported, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {abi::invalid_cluster_size, "CUDA_ERROR_INVALID_CLUSTER_SIZE", "cluster misconfiguration"},
    {abi::unknown, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

const ErrorRow* find_error(int code) {
  for (const ErrorRow& row : errors)
    if (row.code == code) return &row;
  return nullptr;
}

abi::Result copy_text(const std::string& text, char* out, int size) {
  if (out == nullptr || size <= 0) return abi::invalid_value;
  std::snprintf(out, static_cast<size_t>(size), "%s", text.c_str());
  return abi::success;
}

}  // namespace

abi::Result cuInit(unsigned flags) {
  if (flags != 0) return abi::invalid_value;
  Driver& driver = Driver::instance();
  const std::lock_guard lock(driver.mutex);
  return driver.init();
}

abi::Result cuDriverGetVersion(int* version) {
  if (version == nullptr) return abi::invalid_value;
  *version = driver_version;
  return abi::success;
}

abi::Result cuGetErrorName(abi::Result error, const char** name) {
  if (name == nullptr) return abi::invalid_value;
  const ErrorRow* row = find_error(error);
  *name = row == nullptr ? nullptr : row->name;
  return row == nullptr ? abi::invalid_value : abi::success;
}

abi::Result cuGetErrorString(abi::Result error, const char** words) {
  if (words == nullptr) return abi::invalid_value;
  const ErrorRow* row = find_error(error);
  *words = row == nullptr ? nullptr : row->words;
  return row == nullptr ? abi::invalid_value : abi::success;
}

abi::Result cuDeviceGet(abi::Device* device, int ordinal) {
  return on_device("cuDeviceGet", ordinal, [&](Driver&) {
    if (device == nullptr) return abi::invalid_value;
    *device = 0;
    return abi::success;
  });
}

abi::Result cuDeviceGetCount(int* count) {
  return in_driver("cuDeviceGetCount", [&](Driver&) {
    if (count == nullptr) return abi::invalid_value;
    *count = 1;
    return abi::success;
  });
}

abi::Result cuDeviceGetName(char* name, int size, abi::Device device) {
  return on_device("cuDeviceGetName", device, [&](Driver& driver) {
    return copy_text(device_name(driver.settings().target), name, size);
  });
}

abi::Result cuDeviceGetUuid(abi::Uuid* uuid, abi::Device device) {
  return on_device("cuDeviceGetUuid", device, [&](Driver&) {
    if (uuid == nullptr) return abi::invalid_value;
    std::memcpy(uuid->bytes, "assay-emulator-0", sizeof uuid->bytes);
    return abi::success;
  });
}
abi::Result cuDeviceGetUuid_v2(abi::Uuid* uuid, abi::Device device) {
  return cuDeviceGetUuid(uuid, device);
}

abi::Result cuDeviceGetAttribute(int* value, int attribute, abi::Device device) {
  return on_device("cuDeviceGetAttribute", device, [&](Driver& driver) {
    if (value == nullptr || attribute < 1 || attribute > last_attribute) return abi::invalid_value;
    *value = device_attribute(attribute, driver.settings().target);
    return abi::success;
  });
}

abi::Result cuDeviceTotalMem_v2(size_t* bytes, abi::Device device) {
  return on_device("cuDeviceTotalMem", device, [&](Driver&) {
    if (bytes == nullptr) return abi::invalid_value;
    *bytes = device_memory_bytes;
    return abi::success;
  });
}

abi::Result cuDeviceComputeCapability(int* major, int* minor, abi::Device device) {
  return on_device("cuDeviceComputeCapability", device, [&](Driver& driver) {
    if (major == nullptr || minor == nullptr) return abi::invalid_value;
    *major = device_attribute(75, driver.settings().target);
    *minor = device_attribute(76, driver.settings().target);
    return abi::success;
  });
}

abi::Result cuDeviceGetPCIBusId(char* id, int size, abi::Device device) {
  return on_device("cuDeviceGetPCIBusId", device,
                   [&](Driver&) { return copy_text("0000:00:00.0", id, size); });
}

abi::Result cuDeviceGetByPCIBusId(abi::Device* device, const char* id) {
  return in_driver("cuDeviceGetByPCIBusId", [&](Driver&) {
    if (device == nullptr || id == nullptr) return abi::invalid_value;
    if (std::strcmp(id, "0000:00:00.0") != 0) return abi::invalid_device;
    *device = 0;
    return abi::success;
  });
}

abi::Result cuDeviceCanAccessPeer(int* can, abi::Device device, abi::Device peer) {
  return on_device("cuDeviceCanAccessPeer", device, [&](Driver&) {
    if (can == nullptr) return abi::invalid_value;
    if (peer != 0) return abi::invalid_device;
    *can = 0;  // a device is no peer of its own
    return abi::success;
  });
}
abi::Result cuDeviceGetP2PAttribute(int*, int, abi::Device, abi::Device) {
  return abi::invalid_device;  // there is one device
}
ASSAY_DRIVER_EXPORT int assay_emulator_take_notes(char* buffer, size_t size) {
  Driver& driver = Driver::instance();
  const std::lock_guard lock(driver.mutex);
  return driver.notes.take(buffer, size);
}

ASSAY_DRIVER_EXPORT int assay_emulator_take_breaches(char* buffer, size_t size) {
  Driver& driver = Driver::instance();
  const std::lock_guard lock(driver.mutex);
  driver.collect_breaches();
  return driver.breaches.take(buffer, size);
}

namespace {

int give_text(const std::string& text, char* buffer, size_t size) {
  if (buffer == nullptr || text.size() >= size) return -static_cast<int>(text.size() + 1);
  text.copy(buffer, text.size());
  buffer[text.size()] = '\0';
  return static_cast<int>(text.size());
}

}  // namespace

ASSAY_DRIVER_EXPORT int assay_emulator_describe_clauses(char* buffer, size_t size) {
  std::string text;
  for (const Clause& clause : clauses) text += json_line(clause) + "\n";
  return give_text(text, buffer, size);
}

ASSAY_DRIVER_EXPORT int assay_emulator_list_refusals(const char* ptx, char* buffer, size_t size) {
  Driver& driver = Driver::instance();
  const std::lock_guard lock(driver.mutex);
  if (ptx == nullptr || driver.init() != abi::success) return -1;
  driver.activate(driver.primary());
  std::string text;
  for (const Diagnostic& refusal : driver.primary().gpu->refusals(ptx))
    text += json_line(refusal, ptx::find_place(ptx, refusal.line)) + "\n";
  return give_text(text, buffer, size);
}

ASSAY_DRIVER_EXPORT int assay_emulator_describe_faults(char* buffer, size_t size) {
  return give_text(described_faults(), buffer, size);
}

}  // namespace assay::emulator
