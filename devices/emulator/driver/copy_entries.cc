// SPDX-License-Identifier: Apache-2.0
// Copies and fills.

#include <cstring>
#include <string_view>
#include <utility>

#include "devices/emulator/driver/call.h"
#include "devices/emulator/machine/stream_history.h"

namespace assay::emulator {

namespace {

enum class Side { host, device, either };

/// The bytes of one side of a copy; null if the caller may not name them. Host memory that is not known to
/// the driver cannot be checked, as on a real one.
std::byte* find_side(abi::ContextObject& context, uint64_t address, size_t bytes, Side side) {
  std::byte* known = context.gpu->memory().find(address, bytes);
  if (known != nullptr || side == Side::device) return known;
  // The first page is nobody's, and what begins in an allocation ends there.
  if (address < 4096 || context.gpu->memory().find(address, 1) != nullptr) return nullptr;
  return reinterpret_cast<std::byte*>(address);
}

/// Memory of the host that is not pinned is no concern of other streams.
void tell_copy(Driver& driver, abi::ContextObject& context, const char* call, uint64_t address, size_t bytes,
               bool is_write) {
  if (context.gpu->memory().find(address, bytes) == nullptr) return;
  const std::string kernel = context.gpu->copies(call, address, bytes, is_write);
  if (!kernel.empty()) driver.report_breaches(context, kernel);
}

abi::Result copy_bytes(Driver& driver, abi::ContextObject& context, const char* call, uint64_t to,
                       Side to_side, uint64_t from, Side from_side, size_t bytes) {
  std::byte* target = find_side(context, to, bytes, to_side);
  const std::byte* source = find_side(context, from, bytes, from_side);
  if (target == nullptr || source == nullptr) {
    driver.note(call, std::to_string(bytes) + " bytes at the " +
                          (target == nullptr ? "destination" : "source") + " are not all in one allocation");
    return abi::invalid_value;
  }
  tell_copy(driver, context, call, from, bytes, false);
  tell_copy(driver, context, call, to, bytes, true);
  std::memmove(target, source, bytes);
  return abi::success;
}

/// Whether the host goes on when the copy is done: it is no call ...Async, or one of memory that is not
/// pinned (driver API, API synchronization behavior).
bool waits(const abi::ContextObject& context, const char* call, uint64_t to, uint64_t from, size_t bytes) {
  return !std::string_view(call).ends_with("Async") || context.gpu->memory().find(to, bytes) == nullptr ||
         context.gpu->memory().find(from, bytes) == nullptr;
}

/// Does the work of a copy or a fill in a stream.
abi::Result copy_in(Driver& driver, abi::ContextObject& context, abi::Stream stream, abi::GraphNodeType type,
                    bool host_waits, abi::Work work) {
  const abi::Result result = in_stream(driver, context, stream, type, std::move(work));
  StreamHistory& streams = context.gpu->streams();
  if (host_waits) streams.host_waits(streams.given(number_of(stream)));
  return result;
}

abi::Result copy(const char* call, uint64_t to, Side to_side, uint64_t from, Side from_side, size_t bytes,
                 abi::Stream stream = nullptr) {
  return in_context(call, [&](Driver& driver, abi::ContextObject& context) {
    if (!is_stream(context, stream)) return abi::invalid_handle;
    if (bytes == 0) return abi::success;
    return copy_in(driver, context, stream, abi::node_memcpy, waits(context, call, to, from, bytes),
                   [=](Driver& driver, abi::ContextObject& in) {
                     return copy_bytes(driver, in, call, to, to_side, from, from_side, bytes);
                   });
  });
}

/// Rows of `count` words that begin `pitch` bytes apart.
template <typename Word>
abi::Result fill_rows(const char* call, uint64_t address, size_t pitch, Word word, size_t count, size_t rows,
                      abi::Stream stream = nullptr) {
  return in_context(call, [&](Driver& driver, abi::ContextObject& context) {
    if (!is_stream(context, stream)) return abi::invalid_handle;
    if (count == 0 || rows == 0) return abi::success;
    if (address % sizeof(Word) != 0 || count > SIZE_MAX / sizeof(Word)) return abi::invalid_value;
    if (rows > 1 && (pitch < count * sizeof(Word) || pitch % sizeof(Word) != 0)) return abi::invalid_value;
    const bool host_waits = waits(context, call, address, address, 1);
    return copy_in(
        driver, context, stream, abi::node_memset, host_waits, [=](Driver& driver, abi::ContextObject& in) {
          for (size_t row = 0; row < rows; ++row) {
            std::byte* target = in.gpu->memory().find(address + row * pitch, count * sizeof(Word));
            if (target == nullptr) {
              driver.note(call,
                          std::to_string(count * sizeof(Word)) + " bytes are not all in one allocation");
              return abi::invalid_value;
            }
            tell_copy(driver, in, call, address + row * pitch, count * sizeof(Word), true);
            if constexpr (sizeof(Word) == 1)
              std::memset(target, word, count);
            else
              for (size_t i = 0; i < count; ++i) std::memcpy(target + i * sizeof(Word), &word, sizeof(Word));
          }
          return abi::success;
        });
  });
}

uint64_t host(const void* address) {
  return reinterpret_cast<uintptr_t>(address);
}

template <typename Word>
abi::Result fill(const char* call, uint64_t address, Word word, size_t count, abi::Stream stream = nullptr) {
  return fill_rows(call, address, 0, word, count, 1, stream);
}

}  // namespace

abi::Result cuMemcpy(abi::DevicePtr to, abi::DevicePtr from, size_t bytes) {
  return copy("cuMemcpy", to, Side::either, from, Side::either, bytes);
}
abi::Result cuMemcpyAsync(abi::DevicePtr to, abi::DevicePtr from, size_t bytes, abi::Stream stream) {
  return copy("cuMemcpyAsync", to, Side::either, from, Side::either, bytes, stream);
}
abi::Result cuMemcpyHtoD_v2(abi::DevicePtr to, const void* from, size_t bytes) {
  return copy("cuMemcpyHtoD", to, Side::device, host(from), Side::host, bytes);
}
abi::Result cuMemcpyDtoH_v2(void* to, abi::DevicePtr from, size_t bytes) {
  return copy("cuMemcpyDtoH", host(to), Side::host, from, Side::device, bytes);
}
abi::Result cuMemcpyDtoD_v2(abi::DevicePtr to, abi::DevicePtr from, size_t bytes) {
  return copy("cuMemcpyDtoD", to, Side::device, from, Side::device, bytes);
}
abi::Result cuMemcpyHtoDAsync_v2(abi::DevicePtr to, const void* from, size_t bytes, abi::Stream stream) {
  return copy("cuMemcpyHtoDAsync", to, Side::device, host(from), Side::host, bytes, stream);
}
abi::Result cuMemcpyDtoHAsync_v2(void* to, abi::DevicePtr from, size_t bytes, abi::Stream stream) {
  return copy("cuMemcpyDtoHAsync", host(to), Side::host, from, Side::device, bytes, stream);
}
abi::Result cuMemcpyDtoDAsync_v2(abi::DevicePtr to, abi::DevicePtr from, size_t bytes, abi::Stream stream) {
  return copy("cuMemcpyDtoDAsync", to, Side::device, from, Side::device, bytes, stream);
}

abi::Result cuMemsetD8_v2(abi::DevicePtr address, unsigned char value, size_t count) {
  return fill("cuMemsetD8", address, value, count);
}
abi::Result cuMemsetD16_v2(abi::DevicePtr address, unsigned short value, size_t count) {
  return fill("cuMemsetD16", address, value, count);
}
abi::Result cuMemsetD32_v2(abi::DevicePtr address, unsigned value, size_t count) {
  return fill("cuMemsetD32", address, value, count);
}
abi::Result cuMemsetD8Async(abi::DevicePtr address, unsigned char value, size_t count, abi::Stream stream) {
  return fill("cuMemsetD8Async", address, value, count, stream);
}
abi::Result cuMemsetD16Async(abi::DevicePtr address, unsigned short value, size_t count, abi::Stream stream) {
  return fill("cuMemsetD16Async", address, value, count, stream);
}
abi::Result cuMemsetD32Async(abi::DevicePtr address, unsigned value, size_t count, abi::Stream stream) {
  return fill("cuMemsetD32Async", address, value, count, stream);
}

abi::Result cuMemsetD2D8_v2(abi::DevicePtr address, size_t pitch, unsigned char value, size_t width,
                            size_t height) {
  return fill_rows("cuMemsetD2D8", address, pitch, value, width, height);
}
abi::Result cuMemsetD2D16_v2(abi::DevicePtr address, size_t pitch, unsigned short value, size_t width,
                             size_t height) {
  return fill_rows("cuMemsetD2D16", address, pitch, value, width, height);
}
abi::Result cuMemsetD2D32_v2(abi::DevicePtr address, size_t pitch, unsigned value, size_t width,
                             size_t height) {
  return fill_rows("cuMemsetD2D32", address, pitch, value, width, height);
}
abi::Result cuMemsetD2D8Async(abi::DevicePtr address, size_t pitch, unsigned char value, size_t width,
                              size_t height, abi::Stream stream) {
  return fill_rows("cuMemsetD2D8Async", address, pitch, value, width, height, stream);
}
abi::Result cuMemsetD2D16Async(abi::DevicePtr address, size_t pitch, unsigned short value, size_t width,
                               size_t height, abi::Stream stream) {
  return fill_rows("cuMemsetD2D16Async", address, pitch, value, width, height, stream);
}
abi::Result cuMemsetD2D32Async(abi::DevicePtr address, size_t pitch, unsigned value, size_t width,
                               size_t height, abi::Stream stream) {
  return fill_rows("cuMemsetD2D32Async", address, pitch, value, width, height, stream);
}

// Copies of two and three dimensions between pitched memory.

namespace {

constexpr int type_host = 1, type_device = 2, type_array = 3, type_unified = 4;

/// One side of a copy: where its first byte is, and how far apart its rows and slices.
struct Pitched {
  uint64_t first;
  size_t pitch, slice;
  bool is_device;
};

Pitched side(int type, const void* host, abi::DevicePtr device, size_t pitch, size_t height, size_t x,
             size_t y, size_t z) {
  const uint64_t base = type == type_host ? reinterpret_cast<uintptr_t>(host) : device;
  const size_t slice = pitch * height;
  return {base + z * slice + y * pitch + x, pitch, slice, type == type_device};
}

std::byte* row_of(abi::ContextObject& context, const Pitched& side, size_t y, size_t z, size_t bytes) {
  const uint64_t address = side.first + z * side.slice + y * side.pitch;
  std::byte* known = context.gpu->memory().find(address, bytes);
  if (known != nullptr || side.is_device) return known;
  if (address < 4096 || context.gpu->memory().find(address, 1) != nullptr) return nullptr;
  return reinterpret_cast<std::byte*>(address);
}

abi::Result copy_volume(const char* call, const abi::Memcpy3d* copy, abi::Stream stream) {
  return in_context(call, [&](Driver& driver, abi::ContextObject& context) {
    if (copy == nullptr) return abi::invalid_value;
    if (!is_stream(context, stream)) return abi::invalid_handle;
    for (const int type : {copy->from_type, copy->to_type}) {
      if (type == type_array) {
        driver.note_unsupported(call, "CUDA arrays are not emulated; copy to or from linear memory");
        return abi::not_supported;
      }
      if (type != type_host && type != type_device && type != type_unified) return abi::invalid_value;
    }
    const size_t width = copy->width, height = copy->height, depth = copy->depth;
    if (width == 0 || height == 0 || depth == 0) return abi::success;
    const bool has_rows = height > 1 || depth > 1;
    if (has_rows && ((copy->from_pitch != 0 && copy->from_pitch < width) ||
                     (copy->to_pitch != 0 && copy->to_pitch < width)))
      return abi::invalid_value;
    const auto or_width = [&](size_t pitch) { return pitch == 0 ? width : pitch; };
    const auto or_height = [&](size_t rows) { return rows == 0 ? height : rows; };
    const Pitched from = side(copy->from_type, copy->from_host, copy->from_device, or_width(copy->from_pitch),
                              or_height(copy->from_height), copy->from_x, copy->from_y, copy->from_z);
    const Pitched to = side(copy->to_type, copy->to_host, copy->to_device, or_width(copy->to_pitch),
                            or_height(copy->to_height), copy->to_x, copy->to_y, copy->to_z);
    const bool host_waits = waits(context, call, to.first, from.first, width);
    return copy_in(driver, context, stream, abi::node_memcpy, host_waits,
                   [=](Driver& driver, abi::ContextObject& in) {
                     for (size_t z = 0; z < depth; ++z)
                       for (size_t y = 0; y < height; ++y) {
                         std::byte* target = row_of(in, to, y, z, width);
                         const std::byte* source = row_of(in, from, y, z, width);
                         if (target == nullptr || source == nullptr) {
                           driver.note(call, "row " + std::to_string(y) + " of slice " + std::to_string(z) +
                                                 " at the " + (target == nullptr ? "destination" : "source") +
                                                 " is not all in one allocation");
                           return abi::invalid_value;
                         }
                         tell_copy(driver, in, call, reinterpret_cast<uintptr_t>(source), width, false);
                         tell_copy(driver, in, call, reinterpret_cast<uintptr_t>(target), width, true);
                         std::memmove(target, source, width);
                       }
                     return abi::success;
                   });
  });
}

abi::Result copy_plane(const char* call, const abi::Memcpy2d* copy, abi::Stream stream) {
  if (copy == nullptr) return abi::invalid_value;
  abi::Memcpy3d volume{};
  volume.from_x = copy->from_x;
  volume.from_y = copy->from_y;
  volume.from_type = copy->from_type;
  volume.from_host = copy->from_host;
  volume.from_device = copy->from_device;
  volume.from_pitch = copy->from_pitch;
  volume.to_x = copy->to_x;
  volume.to_y = copy->to_y;
  volume.to_type = copy->to_type;
  volume.to_host = copy->to_host;
  volume.to_device = copy->to_device;
  volume.to_pitch = copy->to_pitch;
  volume.width = copy->width;
  volume.height = copy->height;
  volume.depth = 1;
  return copy_volume(call, &volume, stream);
}

}  // namespace

abi::Result cuMemcpy2D_v2(const abi::Memcpy2d* copy) {
  return copy_plane("cuMemcpy2D", copy, nullptr);
}
abi::Result cuMemcpy2DUnaligned_v2(const abi::Memcpy2d* copy) {
  return copy_plane("cuMemcpy2DUnaligned", copy, nullptr);
}
abi::Result cuMemcpy2DAsync_v2(const abi::Memcpy2d* copy, abi::Stream stream) {
  return copy_plane("cuMemcpy2DAsync", copy, stream);
}
abi::Result cuMemcpy3D_v2(const abi::Memcpy3d* copy) {
  return copy_volume("cuMemcpy3D", copy, nullptr);
}
abi::Result cuMemcpy3DAsync_v2(const abi::Memcpy3d* copy, abi::Stream stream) {
  return copy_volume("cuMemcpy3DAsync", copy, stream);
}

}  // namespace assay::emulator
