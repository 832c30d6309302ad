// SPDX-License-Identifier: Apache-2.0
// Streams and events.
#include "devices/cudart/call.h"

namespace assay::cudart {

ASSAY_RUNTIME Error cudaStreamCreateWithPriority(Stream* stream, unsigned flags, int priority) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuStreamCreateWithPriority(stream, flags, priority); });
}
ASSAY_RUNTIME Error cudaStreamCreateWithFlags(Stream* stream, unsigned flags) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamCreate(stream, flags); });
}
ASSAY_RUNTIME Error cudaStreamCreate(Stream* stream) {
  return cudaStreamCreateWithFlags(stream, 0);
}
ASSAY_RUNTIME Error cudaStreamDestroy(Stream stream) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamDestroy_v2(stream); });
}
ASSAY_RUNTIME Error cudaStreamSynchronize(Stream stream) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamSynchronize(stream); });
}
ASSAY_RUNTIME Error cudaStreamQuery(Stream stream) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamQuery(stream); });
}
ASSAY_RUNTIME Error cudaStreamWaitEvent(Stream stream, Event event, unsigned flags) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuStreamWaitEvent(stream, event, flags); });
}
ASSAY_RUNTIME Error cudaStreamGetFlags(Stream stream, unsigned* flags) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamGetFlags(stream, flags); });
}
ASSAY_RUNTIME Error cudaStreamGetPriority(Stream stream, int* priority) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamGetPriority(stream, priority); });
}
ASSAY_RUNTIME Error cudaStreamGetId(Stream stream, unsigned long long* id) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamGetId(stream, id); });
}
ASSAY_RUNTIME Error cudaStreamGetDevice(Stream stream, int* device) {
  return with_driver([&](const DriverTable& driver) -> Error {
    unsigned flags = 0;
    if (device == nullptr) return invalid_value;
    *device = 0;
    return driver.cuStreamGetFlags(stream, &flags);
  });
}
ASSAY_RUNTIME Error cudaStreamGetAttribute(Stream stream, int attribute, void* value) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuStreamGetAttribute(stream, attribute, value); });
}
ASSAY_RUNTIME Error cudaStreamSetAttribute(Stream stream, int attribute, const void* value) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuStreamSetAttribute(stream, attribute, value); });
}
ASSAY_RUNTIME Error cudaStreamCopyAttributes(Stream to, Stream from) {
  return with_driver([&](const DriverTable& driver) { return driver.cuStreamCopyAttributes(to, from); });
}
ASSAY_RUNTIME Error cudaLaunchHostFunc(Stream stream, void (*function)(void*), void* data) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuLaunchHostFunc(stream, function, data); });
}
ASSAY_RUNTIME Error cudaStreamAddCallback(Stream stream, void (*callback)(Stream, Error, void*), void* data,
                                          unsigned flags) {
  return with_driver([&](const DriverTable& driver) {
    return driver.cuStreamAddCallback(
        stream, reinterpret_cast<void (*)(driver::Stream, driver::Result, void*)>(callback), data, flags);
  });
}

ASSAY_RUNTIME Error cudaEventCreateWithFlags(Event* event, unsigned flags) {
  return with_driver([&](const DriverTable& driver) { return driver.cuEventCreate(event, flags); });
}
ASSAY_RUNTIME Error cudaEventCreate(Event* event) {
  return cudaEventCreateWithFlags(event, 0);
}
ASSAY_RUNTIME Error cudaEventRecordWithFlags(Event event, Stream stream, unsigned flags) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuEventRecordWithFlags(event, stream, flags); });
}
ASSAY_RUNTIME Error cudaEventRecord(Event event, Stream stream) {
  return with_driver([&](const DriverTable& driver) { return driver.cuEventRecord(event, stream); });
}
ASSAY_RUNTIME Error cudaEventQuery(Event event) {
  return with_driver([&](const DriverTable& driver) { return driver.cuEventQuery(event); });
}
ASSAY_RUNTIME Error cudaEventSynchronize(Event event) {
  return with_driver([&](const DriverTable& driver) { return driver.cuEventSynchronize(event); });
}
ASSAY_RUNTIME Error cudaEventDestroy(Event event) {
  return with_driver([&](const DriverTable& driver) { return driver.cuEventDestroy_v2(event); });
}
ASSAY_RUNTIME Error cudaEventElapsedTime(float* milliseconds, Event from, Event to) {
  return with_driver(
      [&](const DriverTable& driver) { return driver.cuEventElapsedTime(milliseconds, from, to); });
}

}  // namespace assay::cudart
