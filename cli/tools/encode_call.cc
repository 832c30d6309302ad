// SPDX-License-Identifier: Apache-2.0
#include "cli/tools/encode_call.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "reference/spec/formats.h"
#include "reference/spec/near_names.h"
#include "reference/spec/tensor_map.h"

namespace assay::cli {
namespace {

using Encoder = EncodeCall::Encoder;

constexpr std::string_view call_names[] = {"encode_tiled", "encode_im2col", "encode_im2col_wide"};
constexpr std::string_view entry_points[] = {"cuTensorMapEncodeTiled", "cuTensorMapEncodeIm2col",
                                             "cuTensorMapEncodeIm2colWide"};

/// The value of a row of a table by one of its names, or the number of an enumerator.
template <typename Find, typename Rows>
uint32_t enumerator(const std::string& option, const std::string& value, const Find& find, const Rows& rows) {
  if (const auto* row = find(std::string_view(value))) return row->host;
  if (const auto number = parse_number(value); number && *number <= UINT32_MAX)
    return static_cast<uint32_t>(*number);
  const std::vector<std::string_view> names = names_of(rows);
  throw UsageError(option, "unknown value '" + value + "'; expected one of " + listed(names) +
                               spec::did_you_mean(value, names));
}

std::string counted(size_t count) {
  return std::to_string(count) + (count == 1 ? " number" : " numbers");
}

/// Numbers of an array argument, as many as the rank wants.
std::vector<uint64_t> array(const std::string& option, const std::string& value, size_t count,
                            const std::string& what) {
  std::vector<uint64_t> numbers = parse_numbers(option, value);
  if (numbers.size() != count)
    throw UsageError(
        option, "expected " + counted(count) + ", " + what + ", but got " + std::to_string(numbers.size()));
  return numbers;
}

uint32_t number_of_32_bits(const std::string& option, uint64_t value) {
  if (value > UINT32_MAX) throw UsageError(option, std::to_string(value) + " has more than 32 bits");
  return static_cast<uint32_t>(value);
}

void corner(const std::string& option, const std::string& value, uint32_t axes, std::array<int32_t, 3>& to) {
  const std::vector<int64_t> numbers = parse_signed_numbers(option, value);
  if (numbers.size() != axes)
    throw UsageError(option,
                     "expected " + counted(axes) + ", W first, but got " + std::to_string(numbers.size()));
  for (uint32_t k = 0; k < axes && k < to.size(); ++k) {
    if (numbers[k] < INT32_MIN || numbers[k] > INT32_MAX)
      throw UsageError(option, std::to_string(numbers[k]) + " has more than 32 bits");
    to[k] = static_cast<int32_t>(numbers[k]);
  }
}

void refuse(const std::string& option, const std::string& value, std::string_view call) {
  if (!value.empty()) throw UsageError(option, std::string(call) + " takes no such argument");
}

void demand(const std::string& option, const std::string& value, std::string_view call) {
  if (value.empty()) throw UsageError(option, std::string(call) + " requires it");
}

}  // namespace

void EncodeCall::declare(CommandLine& line) {
  line.option("call", name_, "driver call: encode_tiled, encode_im2col or encode_im2col_wide")
      .required()
      .one_of({std::begin(call_names), std::end(call_names)});
  line.option("--type", type_, "element type: bf16, u8, b4x16_p64, or an enumerator's name or number")
      .required();
  line.option("--dims", dims_, "tensor extents in elements, dimension 0 first: 128,64").required();
  line.option("--strides", strides_, "strides of dimensions 1 and up in bytes: 256");
  line.option("--box", box_, "box extents in elements (tiled): 64,8");
  line.option("--element-strides", element_strides_, "traversal strides (default: all 1)");
  line.option("--lower-corner", lower_, "lower corner of the pixel box (im2col), W first: -1,-1");
  line.option("--upper-corner", upper_, "upper corner of the pixel box (im2col), W first: 0,0");
  line.option("--channels", channels_, "channels per pixel (im2col)");
  line.option("--pixels", pixels_, "pixels per column (im2col)");
  line.option("--mode", mode_, "mode of a wide im2col map").offers({"w", "w128"}).shows_default();
  line.option("--interleave", interleave_, "interleave layout")
      .offers(names_of(spec::interleaves))
      .shows_default();
  line.option("--swizzle", swizzle_, "shared-memory swizzle")
      .offers(names_of(spec::swizzles))
      .shows_default();
  line.option("--l2-promotion", promotion_, "L2 promotion")
      .offers(names_of(spec::l2_promotions))
      .shows_default();
  line.option("--fill", fill_, "out-of-bounds fill").offers(names_of(spec::oob_fills)).shows_default();
  line.option("--address", address_, "global address of the tensor").shows_default();
}

EncodeCall::Encoder EncodeCall::encoder() const {
  return static_cast<Encoder>(std::find(std::begin(call_names), std::end(call_names), name_) - call_names);
}

Im2colMapArgs EncodeCall::arguments() const {
  const Encoder which = encoder();
  Im2colMapArgs map;
  TensorMapArgs& base = map;
  using namespace spec;
  base.data_type = enumerator(
      "--type", type_, [](std::string_view name) { return find_data_type(name); }, data_types);
  base.interleave = enumerator(
      "--interleave", interleave_, [](std::string_view name) { return find_interleave(name); }, interleaves);
  base.swizzle = enumerator(
      "--swizzle", swizzle_, [](std::string_view name) { return find_swizzle(name); }, swizzles);
  base.l2_promotion = enumerator(
      "--l2-promotion", promotion_,
      [](std::string_view name) -> const L2Promotion* {
        for (const L2Promotion& row : l2_promotions)
          if (row.name == name) return &row;
        return nullptr;
      },
      l2_promotions);
  base.oob_fill = enumerator(
      "--fill", fill_, [](std::string_view name) { return find_oob_fill(name); }, oob_fills);
  const auto address = parse_number(address_);
  if (!address) throw UsageError("--address", "'" + address_ + "' is not a number");
  base.global_address = *address;

  const std::vector<uint64_t> dims = parse_numbers("--dims", dims_);
  base.rank = static_cast<uint32_t>(dims.size());
  const std::string of_rank = "one per dimension";
  const size_t kept = std::min<size_t>(dims.size(), 5);
  std::copy_n(dims.begin(), kept, base.global_dim.begin());
  if (!strides_.empty() || base.rank > 1) {
    demand("--strides", strides_, "a map of rank " + std::to_string(base.rank));
    const auto strides = array("--strides", strides_, dims.size() - 1, "one for each dimension above 0");
    std::copy_n(strides.begin(), std::min<size_t>(strides.size(), 4), base.global_stride.begin());
  }
  base.element_stride.fill(1);
  if (!element_strides_.empty()) {
    const auto steps = array("--element-strides", element_strides_, dims.size(), of_rank);
    for (size_t i = 0; i < kept; ++i)
      base.element_stride[i] = number_of_32_bits("--element-strides", steps[i]);
  }
  if (which == Encoder::tiled) {
    for (const auto& [option, value] : {std::pair{"--lower-corner", &lower_},
                                        {"--upper-corner", &upper_},
                                        {"--channels", &channels_},
                                        {"--pixels", &pixels_}})
      refuse(option, *value, name_);
    demand("--box", box_, name_);
    const auto box = array("--box", box_, dims.size(), of_rank);
    for (size_t i = 0; i < kept; ++i) base.box_dim[i] = number_of_32_bits("--box", box[i]);
    return map;
  }
  refuse("--box", box_, name_);
  for (const auto& [option, value] : {std::pair{"--lower-corner", &lower_},
                                      {"--upper-corner", &upper_},
                                      {"--channels", &channels_},
                                      {"--pixels", &pixels_}})
    demand(option, *value, name_);
  map.wide = which == Encoder::im2col_wide;
  if (mode_ != "w" && mode_ != "w128") throw UsageError("--mode", "'" + mode_ + "' is neither w nor w128");
  map.wide_mode = map.wide && mode_ == "w128" ? 1 : 0;
  const uint32_t axes = map.wide ? 1 : std::clamp<uint32_t>(base.rank, 3, 5) - 2;
  corner("--lower-corner", lower_, axes, map.lower);
  corner("--upper-corner", upper_, axes, map.upper);
  map.channels = number_of_32_bits("--channels", array("--channels", channels_, 1, "of a pixel")[0]);
  map.pixels = number_of_32_bits("--pixels", array("--pixels", pixels_, 1, "of a column")[0]);
  return map;
}

std::string EncodeCall::in_words() const {
  std::string text = std::string(entry_points[static_cast<size_t>(encoder())]) + " of " + type_;
  const auto add = [&](const char* name, const std::string& value, const std::string& usual = "") {
    if (!value.empty() && value != usual) text += std::string(", ") + name + " " + value;
  };
  add("dims", dims_), add("strides", strides_), add("box", box_), add("element strides", element_strides_);
  add("corners", lower_ + (upper_.empty() ? "" : " to " + upper_));
  add("channels", channels_), add("pixels", pixels_);
  if (encoder() == Encoder::im2col_wide) add("mode", mode_);
  add("interleave", interleave_, "none"), add("swizzle", swizzle_, "none");
  add("L2 promotion", promotion_, "none"), add("fill", fill_, "zero");
  return text + ", at " + address_;
}

std::string listed(std::span<const std::string_view> names) {
  std::string all;
  for (const std::string_view one : names) all += (all.empty() ? "" : " ") + std::string(one);
  return all;
}

void refuse_name(const std::string& option, const std::string& name, const std::string& one_of,
                 const std::string& all_of, std::span<const std::string_view> names) {
  throw UsageError(option, "'" + name + "' is not " + one_of + "; the " + all_of + " are " + listed(names) +
                               spec::did_you_mean(name, names));
}

namespace {

/// Calls take(word) for what stands between commas.
template <typename Take>
void for_words(std::string_view text, const Take& take) {
  for (;;) {
    const size_t comma = text.find(',');
    take(text.substr(0, comma));
    if (comma == std::string_view::npos) return;
    text.remove_prefix(comma + 1);
  }
}

[[noreturn]] void refuse(const std::string& option, std::string_view word) {
  throw UsageError(option, word.empty() ? "a number is missing; they are separated by single commas: 128,64"
                                        : "'" + std::string(word) + "' is not a number of at most 64 bits");
}

}  // namespace

std::optional<uint64_t> parse_number(std::string_view text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (text.empty() || problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<uint64_t> parse_numbers(const std::string& option, std::string_view text) {
  std::vector<uint64_t> numbers;
  for_words(text, [&](std::string_view word) {
    const auto number = parse_number(word);
    if (!number) refuse(option, word);
    numbers.push_back(*number);
  });
  return numbers;
}

std::vector<int64_t> parse_signed_numbers(const std::string& option, std::string_view text) {
  std::vector<int64_t> numbers;
  for_words(text, [&](std::string_view word) {
    const bool is_negative = word.starts_with('-');
    const auto number = parse_number(word.substr(is_negative ? 1 : 0));
    if (!number || *number > INT64_MAX) refuse(option, word);
    numbers.push_back(is_negative ? -static_cast<int64_t>(*number) : static_cast<int64_t>(*number));
  });
  return numbers;
}

OperandType operand_type(const std::string& name) {
  if (const spec::DataType* type = spec::find_data_type(name); type != nullptr && type->bits <= 32) {
    const layout::Packing packing = !type->is_padded() ? layout::Packing::plain
                                    : type->bits == 4  ? layout::Packing::padded_4_bit
                                                       : layout::Packing::padded_6_bit;
    return {static_cast<int>(type->bits), packing};
  }
  std::vector<std::string_view> names;
  for (const spec::DataType& type : spec::data_types)
    if (type.bits <= 32) names.push_back(type.name);
  for (const spec::Format& format : spec::formats) {
    if (format.storage_bits < 8 || format.bits() < 8 || format.storage_bits > 32) continue;
    if (format.name == name) return {format.storage_bits, layout::Packing::plain};
    if (spec::find_data_type(format.name) == nullptr) names.push_back(format.name);
  }
  refuse_name("--type", name, "an operand type", "types", names);
}

}  // namespace assay::cli
