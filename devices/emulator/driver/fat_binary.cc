// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/driver/modules.h"

#include <dlfcn.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "devices/emulator/ptx/module.h"

namespace assay::emulator {
namespace {

constexpr uint32_t wrapper_magic = 0x466243b1, container_magic = 0xba55ed50;
constexpr size_t container_header = 16, entry_header = 64;
constexpr uint16_t kind_ptx = 1;
constexpr uint32_t flag_lz4 = 0x2000, flag_zstd = 0x8000, flag_specific = 0x100000, flag_family = 0x200000;
/// No PTX text that a compiler makes is as long.
constexpr size_t most_text = size_t{1} << 30;

template <typename T>
T at(const std::byte* bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes + offset, sizeof value);
  return value;
}

FatEntry read_entry(const std::byte* bytes, uint32_t header, uint64_t padded) {
  FatEntry entry;
  entry.is_ptx = at<uint16_t>(bytes, 0) == kind_ptx;
  const uint32_t compressed = at<uint32_t>(bytes, 16);
  entry.architecture = at<uint32_t>(bytes, 28);
  entry.flags = at<uint32_t>(bytes, 40);
  entry.is_specific = (entry.flags & flag_specific) != 0;
  entry.is_family = (entry.flags & flag_family) != 0;
  entry.payload = bytes + header;
  entry.stored_bytes = padded;
  if ((entry.flags & (flag_lz4 | flag_zstd)) != 0) {
    entry.stored_bytes = std::min<uint64_t>(compressed, padded);
    entry.text_bytes = at<uint64_t>(bytes, 56);
  }
  return entry;
}

std::string decode_zstd(const FatEntry& entry, std::string& wrong) {
  using Decompress = size_t (*)(void*, size_t, const void*, size_t);
  using IsError = unsigned (*)(size_t);
  static void* const library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
  static const auto decompress =
      reinterpret_cast<Decompress>(library == nullptr ? nullptr : dlsym(library, "ZSTD_decompress"));
  static const auto is_error =
      reinterpret_cast<IsError>(library == nullptr ? nullptr : dlsym(library, "ZSTD_isError"));
  if (decompress == nullptr || is_error == nullptr) {
    wrong =
        "the PTX is compressed with zstd and libzstd.so.1 is not installed (Debian: libzstd1); nvcc "
        "--compress-mode=none stores it as it is";
    return {};
  }
  std::string text(entry.text_bytes, '\0');
  const size_t got = decompress(text.data(), text.size(), entry.payload, entry.stored_bytes);
  if (is_error(got) != 0 || got != text.size()) {
    wrong = "the compressed PTX in the fat binary is damaged";
    return {};
  }
  return text;
}

std::string arch_name(const FatEntry& entry) {
  return "sm_" + std::to_string(entry.architecture) + (entry.is_specific ? "a" : entry.is_family ? "f" : "");
}

/// The word after .target, or nothing.
std::string_view target_of(std::string_view ptx) {
  constexpr std::string_view blank = " \t\r\n";
  size_t begin = ptx.find(".target");
  if (begin == ptx.npos) return {};
  begin = ptx.find_first_not_of(blank, begin + 7);
  if (begin == ptx.npos) return {};
  return ptx.substr(begin, ptx.find_first_of(" \t\r\n,/", begin) - begin);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

}  // namespace

bool is_fat_binary(const void* image) {
  const auto magic = at<uint32_t>(static_cast<const std::byte*>(image), 0);
  return magic == wrapper_magic || magic == container_magic;
}

std::vector<FatEntry> read_fat_binary(const void* image, std::string& wrong) {
  const auto* bytes = static_cast<const std::byte*>(image);
  if (at<uint32_t>(bytes, 0) == wrapper_magic) bytes = at<const std::byte*>(bytes, 8);
  std::vector<FatEntry> entries;
  wrong.clear();
  if (bytes == nullptr || at<uint32_t>(bytes, 0) != container_magic) {
    wrong = "the image is a fat binary without a container";
    return entries;
  }
  while (at<uint32_t>(bytes, 0) == container_magic) {
    const auto header = at<uint16_t>(bytes, 6);
    const auto size = at<uint64_t>(bytes, 8);
    if (header < container_header) {
      wrong = "the fat binary has a container header of " + std::to_string(header) + " bytes, not 16";
      return {};
    }
    uint64_t offset = header;
    while (offset < header + size) {
      if (header + size - offset < entry_header) {
        wrong = "the fat binary is cut off inside an entry";
        return {};
      }
      const auto entry_bytes = at<uint32_t>(bytes + offset, 4);
      const auto padded = at<uint64_t>(bytes + offset, 8);
      if (entry_bytes < entry_header || entry_bytes > header + size - offset ||
          padded > header + size - offset - entry_bytes) {
        wrong = "the fat binary has an entry that is longer than its container";
        return {};
      }
      entries.push_back(read_entry(bytes + offset, entry_bytes, padded));
      offset += entry_bytes + padded;
    }
    // What follows a container with entries may be another image's; an empty one stands before the rest.
    if (size != 0) break;
    bytes += header;
  }
  return entries;
}

std::string text_of(const FatEntry& entry, std::string& wrong) {
  wrong.clear();
  std::string text;
  if ((entry.flags & (flag_lz4 | flag_zstd)) == 0) {
    text.assign(reinterpret_cast<const char*>(entry.payload), entry.stored_bytes);
  } else if (entry.text_bytes > most_text) {
    wrong = "the compressed PTX in the fat binary is damaged";
  } else if ((entry.flags & flag_zstd) != 0) {
    text = decode_zstd(entry, wrong);
  } else {
    auto decoded = decode_lz4_block({entry.payload, entry.stored_bytes}, entry.text_bytes);
    if (decoded)
      text = std::move(*decoded);
    else
      wrong = "the compressed PTX in the fat binary is damaged";
  }
  return text.substr(0, text.find('\0'));  // padding
}

std::string needs_ptx(std::string_view holds, Target target) {
  const std::string compute = "compute_" + std::string(target_name(target)).substr(3);
  return "there is machine code" + (holds.empty() ? "" : " for " + std::string(holds)) +
         " but no PTX that a " + std::string(target_name(target)) +
         " may run; compile with nvcc -gencode arch=" + compute + ",code=" + compute + " to embed PTX";
}

std::string choose_ptx(const void* image, Target target, std::string& wrong) {
  std::vector<FatEntry> entries = read_fat_binary(image, wrong);
  if (!wrong.empty()) return {};
  std::vector<std::string> machine_code, others;
  std::string_view other_device;
  std::stable_sort(entries.begin(), entries.end(), [](const FatEntry& a, const FatEntry& b) {
    const auto rank = [](const FatEntry& entry) {
      return std::pair(entry.architecture, entry.is_specific ? 2 : entry.is_family ? 1 : 0);
    };
    return rank(a) > rank(b);
  });
  for (const FatEntry& entry : entries) {
    if (!entry.is_ptx) {
      machine_code.push_back(arch_name(entry));
      continue;
    }
    std::string text = text_of(entry, wrong);
    if (!wrong.empty()) return {};
    if (ptx::target_mismatch(target_of(text), target).empty()) return text;
    others.push_back(arch_name(entry));
    for (int i = 0; i < spec::arch_count && other_device.empty(); ++i)
      if (ptx::target_mismatch(target_of(text), static_cast<Target>(i)).empty())
        other_device = target_name(static_cast<Target>(i));
  }
  wrong = others.empty() ? needs_ptx(listed(machine_code), target)
                         : "the PTX in the fat binary is for " + listed(others) + ", the device is " +
                               std::string(target_name(target));
  if (!other_device.empty()) wrong += "; emulator:" + std::string(other_device) + " runs it";
  return {};
}

namespace {

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  size_t left() const { return bytes_.size() - at_; }
  /// 0 at the end, and then the reader has failed.
  uint8_t byte() {
    if (left() == 0) {
      has_failed = true;
      return 0;
    }
    return static_cast<uint8_t>(bytes_[at_++]);
  }
  /// A length whose four bits are 15 goes on in bytes, the last of which is not 255.
  size_t length(size_t four_bits) {
    if (four_bits != 15) return four_bits;
    uint8_t next;
    do four_bits += next = byte();
    while (next == 255);
    return four_bits;
  }
  std::string_view take(size_t count) {
    const char* begin = reinterpret_cast<const char*>(bytes_.data() + at_);
    at_ += count;
    return {begin, count};
  }
  bool has_failed = false;

 private:
  std::span<const std::byte> bytes_;
  size_t at_ = 0;
};

}  // namespace

std::optional<std::string> decode_lz4_block(std::span<const std::byte> block, size_t limit) {
  Reader reader(block);
  std::string text;
  constexpr size_t least_match = 4;
  while (reader.left() != 0) {
    const uint8_t token = reader.byte();
    const size_t literals = reader.length(token >> 4);
    if (reader.has_failed || literals > reader.left() || literals > limit - text.size()) return std::nullopt;
    text += reader.take(literals);
    if (reader.left() == 0) return text;  // the last sequence has literals alone
    const size_t low = reader.byte();
    const size_t distance = low | static_cast<size_t>(reader.byte()) << 8;
    const size_t match = reader.length(token & 15) + least_match;
    if (reader.has_failed || distance == 0 || distance > text.size() || match > limit - text.size())
      return std::nullopt;
    for (size_t i = 0; i < match; ++i) text += text[text.size() - distance];  // may overlap itself
  }
  return std::nullopt;
}

}  // namespace assay::emulator
