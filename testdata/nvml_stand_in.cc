// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <cstring>

/// NVML of a machine whose every GPU is in the state that ASSAY_NVML_STAND_IN names: "idle", "busy",
/// "unlisted", "partitioned", at the temperature that ASSAY_NVML_CELSIUS says. For tests of what a screen
/// refuses, and of telemetry.
namespace {

bool is_state(const char* name) {
  const char* const state = std::getenv("ASSAY_NVML_STAND_IN");
  return state != nullptr && std::strcmp(state, name) == 0;
}

}  // namespace

extern "C" {
struct StandInProcess {
  unsigned pid;
  unsigned long long used_bytes;
  unsigned gpu_instance, compute_instance;
};

int nvmlInit_v2() {
  return 0;
}
int nvmlDeviceGetHandleByUUID(const char*, void** gpu) {
  static int one;
  *gpu = &one;
  return 0;
}
int nvmlDeviceGetMigMode(void*, unsigned* now, unsigned* later) {
  *now = *later = is_state("partitioned");
  return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, StandInProcess* list) {
  if (is_state("unlisted")) return 4;  // NVML_ERROR_NO_PERMISSION
  *count = is_state("busy");
  if (*count != 0) list[0] = {4711, 1 << 20, 0, 0};
  return 0;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  *milliwatts = 612000;
  return 0;
}
int nvmlDeviceGetTemperature(void*, int, unsigned* celsius) {
  const char* const set = std::getenv("ASSAY_NVML_CELSIUS");
  *celsius = set == nullptr ? 57 : static_cast<unsigned>(std::atoi(set));
  return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  *reasons = 0x4;
  return 0;
}
}
