// SPDX-License-Identifier: Apache-2.0
#include "cli/check/ptx_launch.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <sstream>

#include "cli/command.h"
#include "reference/spec/tensor_map.h"

namespace assay::cli::check {
namespace {

std::vector<std::string> split(std::string_view text, char mark) {
  std::vector<std::string> parts;
  for (size_t end; (end = text.find(mark)) != text.npos; text.remove_prefix(end + 1))
    parts.emplace_back(text.substr(0, end));
  parts.emplace_back(text);
  return parts;
}

uint64_t number(const std::string& of, std::string_view text) {
  uint64_t value = 0;
  const bool is_hex = text.starts_with("0x");
  const char* begin = text.data() + (is_hex ? 2 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value, is_hex ? 16 : 10);
  if (error == std::errc::result_out_of_range)
    throw UsageError(of, "'" + std::string(text) + "' is above 2^64 - 1");
  if (error != std::errc{} || end != text.data() + text.size() || text.empty())
    throw UsageError(of, "'" + std::string(text) + "' is not a number");
  return value;
}

uint32_t number_of_32_bits(const std::string& of, std::string_view text) {
  const uint64_t value = number(of, text);
  if (value > UINT32_MAX)
    throw UsageError(of, "'" + std::string(text) + "' is above 4294967295, the largest possible");
  return static_cast<uint32_t>(value);
}

template <typename Value>
void append(std::vector<unsigned char>& bytes, Value value, size_t size = sizeof(Value)) {
  const size_t at = bytes.size();
  bytes.resize(at + size);
  std::memcpy(bytes.data() + at, &value, size);
}

std::vector<unsigned char> bytes_of(const std::string& argument, const std::string& type,
                                    const std::string& text) {
  std::vector<unsigned char> bytes;
  if (type == "f32" || type == "f64") {
    size_t used = 0;
    double value = 0;
    try {
      value = std::stod(text, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used == 0 || used != text.size())
      throw UsageError("--arg " + argument, "'" + text + "' is not a number");
    if (type == "f32")
      append(bytes, static_cast<float>(value));
    else
      append(bytes, value);
    return bytes;
  }
  const bool is_negative = text.starts_with("-");
  const uint64_t magnitude = number("--arg " + argument, std::string_view(text).substr(is_negative));
  const uint64_t bits = number(argument, type.substr(1));
  const uint64_t most = is_negative ? uint64_t{1} << (bits - 1) : ~uint64_t{0} >> (64 - bits);
  if (magnitude > most)
    throw UsageError("--arg " + argument, "'" + text + "' does not fit " + std::to_string(bits) + " bits");
  append(bytes, is_negative ? ~magnitude + 1 : magnitude, bits / 8);
  return bytes;
}

/// CUtensorMapDataType and CUtensorMapSwizzle, by the names that PTX and the driver's header give them.
constexpr std::string_view element_types[] = {"u8",  "u16", "u32", "s32",  "u64", "s64",
                                              "f16", "f32", "f64", "bf16", "tf32"};
constexpr std::string_view swizzles[] = {"none", "32B", "64B", "128B"};

/// The name, which is one of these; else an error that lists them.
template <size_t N>
std::string_view one_of(const std::string& argument, const std::string_view (&names)[N],
                        std::string_view name) {
  std::string known;
  for (const std::string_view one : names) {
    if (one == name) return one;
    known += (known.empty() ? "" : ", ") + std::string(one);
  }
  throw UsageError("--arg " + argument,
                   "unknown value '" + std::string(name) + "'; expected one of " + known);
}

/// "-1x0": a signed number for each spatial dimension.
std::vector<int> corner(const std::string& argument, std::string_view text) {
  std::vector<int> made;
  for (const std::string& one : split(text, 'x')) {
    const bool is_negative = one.starts_with("-");
    const uint64_t magnitude = number(argument, std::string_view(one).substr(is_negative));
    if (magnitude > INT32_MAX) throw UsageError("--arg " + argument, "'" + one + "' does not fit 32 bits");
    const auto size = static_cast<int>(magnitude);
    made.push_back(is_negative ? -size : size);
  }
  return made;
}

void check_im2col(const std::string& text, Argument& argument) {
  const size_t rank = argument.extents.size();
  if (rank < 3 || rank > 5 || !argument.box.empty())
    throw UsageError("--arg " + text, "an im2col map must have three to five dimensions and no box");
  for (std::vector<int>* one : {&argument.lower, &argument.upper}) {
    if (one->empty()) one->assign(rank - 2, 0);
    if (one->size() != rank - 2)
      throw UsageError("--arg " + text, "lower and upper must have one number for each spatial dimension");
  }
}

void read_map(const std::string& text, std::string_view rest, Argument& argument) {
  const std::vector<std::string> parts = split(rest, ',');
  if (parts.size() < 3)
    throw UsageError("--arg " + text, "a map requires a type, sizes and a box, as in map:f16,64x32,box=64x8");
  argument.element_type = static_cast<int>(spec::find_data_type(one_of(text, element_types, parts[0]))->host);
  for (const std::string& size : split(parts[1], 'x')) argument.extents.push_back(number(text, size));
  for (size_t i = 2; i < parts.size(); ++i) {
    const std::string_view part = parts[i];
    if (part.starts_with("box="))
      for (const std::string& size : split(part.substr(4), 'x'))
        argument.box.push_back(number_of_32_bits(text, size));
    else if (part.starts_with("swizzle="))
      argument.swizzle = static_cast<int>(spec::find_swizzle(one_of(text, swizzles, part.substr(8)))->host);
    else if (part.starts_with("pitch="))
      argument.pitch = number(text, part.substr(6));
    else if (part.starts_with("bytes="))
      argument.allocation = number(text, part.substr(6));
    else if (part.starts_with("channels="))
      argument.channels = number_of_32_bits(text, part.substr(9));
    else if (part.starts_with("pixels="))
      argument.pixels = number_of_32_bits(text, part.substr(7));
    else if (part.starts_with("lower="))
      argument.lower = corner(text, part.substr(6));
    else if (part.starts_with("upper="))
      argument.upper = corner(text, part.substr(6));
    else if (part == "null")
      argument.is_null = true;
    else if (part == "random")
      argument.is_random = true;
    else
      throw UsageError("--arg " + text, "unknown argument part '" + std::string(part) +
                                            "'; expected box=, swizzle=, pitch=, bytes=, null, random, "
                                            "channels=, pixels=, lower= or upper=");
  }
  if (argument.channels != 0) return check_im2col(text, argument);
  if (argument.box.size() != argument.extents.size() || argument.box.size() > 5)
    throw UsageError("--arg " + text, "sizes and box must have the same number of dimensions, one to five");
}

}  // namespace

std::array<uint32_t, 3> read_sizes(const std::string& option, std::string_view text) {
  std::array<uint32_t, 3> sizes{1, 1, 1};
  const std::vector<std::string> parts = split(text, ',');
  if (parts.size() > 3) throw UsageError(option, "'" + std::string(text) + "' has more than three sizes");
  for (size_t i = 0; i < parts.size(); ++i) sizes[i] = number_of_32_bits(option, parts[i]);
  return sizes;
}

uint32_t read_size(const std::string& option, std::string_view text, uint32_t least) {
  const uint32_t size = number_of_32_bits(option, text);
  if (size < least) throw UsageError(option, "'" + std::string(text) + "' is below " + std::to_string(least));
  return size;
}

std::vector<std::string> kernels_of(std::string_view ptx) {
  std::vector<std::string> names;
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  const auto starts = [&](size_t at, std::string_view word) { return ptx.substr(at).starts_with(word); };
  for (size_t at = 0; at < ptx.size();) {
    if (starts(at, "//")) {
      at = ptx.find('\n', at);
    } else if (starts(at, "/*")) {
      at = ptx.find("*/", at + 2);
    } else if (starts(at, ".entry") && at + 6 < ptx.size() && is_space(ptx[at + 6])) {
      for (at += 6; at < ptx.size() && is_space(ptx[at]);) ++at;
      const size_t begin = at;
      while (at < ptx.size() && !is_space(ptx[at]) && ptx[at] != '(' && ptx[at] != '{') ++at;
      names.emplace_back(ptx.substr(begin, at - begin));
    } else {
      ++at;
    }
  }
  return names;
}

void check_kernel_name(const std::string& file, std::string_view ptx, const std::string& kernel) {
  constexpr size_t most_named = 8;
  const std::vector<std::string> names = kernels_of(ptx);
  const bool is_known = std::find(names.begin(), names.end(), kernel) != names.end();
  if (is_known || names.empty() || (kernel.empty() && names.size() == 1)) return;
  std::string list;
  for (size_t i = 0; i < std::min(names.size(), most_named); ++i) list += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > most_named) list += ", ...";
  throw UsageError("--kernel", kernel.empty() ? file + " has " + std::to_string(names.size()) +
                                                    " kernels; name one of " + list
                                              : file + " has no kernel '" + kernel + "'; it has " + list);
}

std::vector<std::string> launch_words(std::string_view ptx) {
  constexpr std::string_view mark = "// launch:";
  std::vector<std::string> words;
  for (size_t at = ptx.find(mark); at != ptx.npos; at = ptx.find(mark, at + 1)) {
    std::istringstream line{std::string(ptx.substr(at + mark.size(), ptx.find('\n', at) - at - mark.size()))};
    for (std::string word; line >> word;) words.push_back(word);
  }
  return words;
}

Argument read_argument(const std::string& text) {
  Argument argument;
  const size_t colon = text.find(':');
  const std::string type = text.substr(0, colon);
  const std::string rest = colon == text.npos ? "" : text.substr(colon + 1);
  if (type == "buffer") {
    argument.kind = Argument::Kind::buffer;
    const std::string_view size = std::string_view(rest).substr(0, rest.find(','));
    argument.size = number("--arg " + text, size);
    argument.is_random = size.size() < rest.size();
    if (argument.is_random && std::string_view(rest).substr(size.size()) != ",random")
      throw UsageError("--arg " + text, "a buffer requires a size, as in buffer:4096 or buffer:4096,random");
  } else if (type == "map" || type == "map_buffer") {
    argument.kind = type == "map" ? Argument::Kind::map : Argument::Kind::map_buffer;
    read_map(text, rest, argument);
  } else {
    for (const char* known : {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", "f32", "f64"})
      if (type == known) argument.bytes = bytes_of(text, type, rest);
    if (argument.bytes.empty())
      throw UsageError("--arg " + text, "unknown argument type '" + type +
                                            "'; expected u8 to s64, f32, f64, buffer, map or map_buffer");
  }
  return argument;
}

namespace {

std::vector<std::string> launch_words_of(const std::string& file, const PtxLaunch& launch) {
  const auto sizes = [](const std::array<uint32_t, 3>& three) {
    return std::to_string(three[0]) + "," + std::to_string(three[1]) + "," + std::to_string(three[2]);
  };
  std::vector<std::string> words{file,
                                 launch.kernel,
                                 sizes(launch.grid),
                                 sizes(launch.block),
                                 sizes(launch.cluster),
                                 std::to_string(launch.shared_bytes),
                                 std::to_string(launch.launches)};
  words.insert(words.end(), launch.arguments.begin(), launch.arguments.end());
  return words;
}

}  // namespace

std::vector<std::string> launch_command(const std::string& program, const std::string& file,
                                        const PtxLaunch& launch) {
  std::vector<std::string> words{program, "check-launch"};
  for (std::string& word : launch_words_of(file, launch)) words.push_back(std::move(word));
  return words;
}

std::vector<std::string> run_command(const std::string& program, const std::string& driver, int ordinal,
                                     const std::string& output, const std::string& code,
                                     const PtxLaunch& launch) {
  std::vector<std::string> words{program, "check-run", driver, std::to_string(ordinal), output};
  for (std::string& word : launch_words_of(code, launch)) words.push_back(std::move(word));
  return words;
}

}  // namespace assay::cli::check
