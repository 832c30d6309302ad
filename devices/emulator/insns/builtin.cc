// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/insns/control.h"

#include <cstdio>
#include <cstring>
#include <sstream>

#include "devices/emulator/machine/launch.h"
#include "devices/emulator/machine/program.h"
#include "devices/emulator/machine/runner.h"
#include "devices/emulator/machine/step.h"

// The functions of the device runtime that nvcc's code calls: vprintf and __assertfail (CUDA Programming
// Guide, Formatted Output; Assertion).
namespace assay::emulator {
namespace {

template <class T>
T read(const Step& step, int lane, uint64_t address) {
  T value;
  std::memcpy(&value, resolve(step, lane, Space::generic, address, sizeof value, sizeof value, false).bytes,
              sizeof value);
  return value;
}

std::string read_string(const Step& step, int lane, uint64_t address) {
  std::string text;
  if (address == 0) return "(null)";
  while (const char c = read<char>(step, lane, address++)) text += c;
  return text;
}

/// One conversion of a format, from '%' to its letter.
class Formatter {
 public:
  Formatter(const Step& step, int lane, uint64_t arguments)
      : step_(step), lane_(lane), begin_(arguments), next_(arguments) {}

  std::string run(const std::string& format) {
    for (size_t i = 0; i < format.size(); ++i) {
      if (format[i] != '%')
        out_ += format[i];
      else
        i = convert(format, i);
    }
    return std::move(out_);
  }

  /// What the conversions took, in words of eight bytes.
  size_t argument_bytes() const { return (next_ - begin_ + 7) & ~uint64_t{7}; }

 private:
  template <class T>
  T take() {
    next_ = (next_ + sizeof(T) - 1) & ~(sizeof(T) - 1);
    const T value = read<T>(step_, lane_, next_);
    next_ += sizeof(T);
    return value;
  }

  template <class T>
  void print(const std::string& specification, T value) {
    char text[512];
    const int length = std::snprintf(text, sizeof text, specification.c_str(), value);
    out_.append(text, static_cast<size_t>(std::min<int>(std::max(length, 0), sizeof text - 1)));
  }

  size_t convert(const std::string& format, size_t begin) {
    std::string specification = "%";
    bool is_wide = false;
    for (size_t i = begin + 1; i < format.size(); ++i) {
      const char c = format[i];
      if (c == '%') {
        out_ += '%';
        return i;
      }
      if (c == '*') {
        specification += std::to_string(take<int32_t>());
      } else if (std::strchr("lzjt", c)) {
        is_wide = true;
      } else if (c == 'h') {
        specification += c;
      } else if (std::strchr("-+ #0123456789.", c)) {
        specification += c;
      } else if (std::strchr("diuoxXcsp", c) || std::strchr("fFeEgGaA", c)) {
        finish(specification, c, is_wide);
        return i;
      } else {
        break;
      }
    }
    // Not a conversion: printed as it stands.
    out_ += '%';
    return begin;
  }

  void finish(std::string specification, char letter, bool is_wide) {
    if (std::strchr("fFeEgGaA", letter)) {
      print(specification + letter, take<double>());
    } else if (letter == 's') {
      const std::string text = read_string(step_, lane_, take<uint64_t>());
      print(specification + 's', text.c_str());
    } else if (letter == 'p') {
      print(specification + 'p', reinterpret_cast<void*>(take<uint64_t>()));
    } else if (is_wide && letter != 'c') {
      print(specification + "ll" + letter, take<unsigned long long>());
    } else {
      print(specification + letter, take<uint32_t>());
    }
  }

  const Step& step_;
  const int lane_;
  const uint64_t begin_;
  uint64_t next_;
  std::string out_;
};

uint32_t execute_print(Step& step) {
  for_lanes(step.mask, [&](int lane) {
    Formatter formatter(step, lane, call_argument(step, 1, lane));
    const std::string text = formatter.run(read_string(step, lane, call_argument(step, 0, lane)));
    set_call_result(step, lane, text.size());
    // H200: of 20,000 lines with one int each, 16,270 fit into 524,288 bytes, 32 bytes a line.
    step.cluster.runner->prints.add(step.cluster.index, 24 + formatter.argument_bytes(), text);
  });
  return step.mask;
}

/// Every thread that fails says so on stderr (CUDA C++ Programming Guide, Assertion); the first ends the
/// launch.
uint32_t execute_assert_fail(Step& step) {
  const auto text = [&](int lane, size_t i) { return read_string(step, lane, call_argument(step, i, lane)); };
  const auto place = [&](int lane) {
    const auto line = static_cast<uint32_t>(call_argument(step, 2, lane));
    return text(lane, 1) + ":" + std::to_string(line) + ": " + text(lane, 3) + ": ";
  };
  const auto& cta = step.cta.id;
  const auto& block = step.cluster.launch.block;
  for_lanes(step.mask, [&](int lane) {
    const uint32_t thread = step.warp.thread(lane);
    const auto three = [](uint32_t x, uint32_t y, uint32_t z) {
      return "[" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + "]";
    };
    step.cluster.runner->failed_assertions +=
        place(lane) + "block: " + three(cta[0], cta[1], cta[2]) +
        ", thread: " + three(thread % block[0], thread / block[0] % block[1], thread / block[0] / block[1]) +
        " Assertion `" + text(lane, 0) + "` failed.\n";
  });
  const int lane = __builtin_ctz(step.mask);
  step.fail(Diagnostic::Kind::assert_failed, lane, place(lane) + "assertion '" + text(lane, 0) + "' failed");
}

}  // namespace

Execute find_builtin(std::string_view name) {
  if (name == "vprintf") return execute_print;
  if (name == "__assertfail") return execute_assert_fail;
  if (name == "malloc") return execute_malloc;
  if (name == "free") return execute_free;
  return nullptr;
}

// malloc and free as nvcc's code calls them (CUDA Programming Guide, Dynamic Global Memory Allocation).

uint32_t execute_malloc(Step& step) {
  Launch& launch = step.cluster.launch;
  for_lanes(step.mask, [&](int lane) {
    const uint64_t bytes = call_argument(step, 0, lane);
    const uint64_t made = launch.heap.allocate(bytes, launch.limits.heap_bytes);
    launch.races.memory.forget(made, made == 0 ? 0 : bytes);
    set_call_result(step, lane, made);
  });
  return step.mask;
}

uint32_t execute_free(Step& step) {
  for_lanes(step.mask, [&](int lane) {
    const uint64_t address = call_argument(step, 0, lane);
    if (address == 0 || step.cluster.launch.heap.release(address)) return;
    std::ostringstream message;
    message << "free of 0x" << std::hex << address
            << ", which no malloc of a kernel returned or which is free again";
    step.fail(Diagnostic::Kind::illegal_address, lane, message.str());
  });
  return step.mask;
}

}  // namespace assay::emulator
