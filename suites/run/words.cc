// SPDX-License-Identifier: Apache-2.0
#include "suites/run/words.h"

#include <cstdio>

#include "reference/spec/tensor_map.h"
#include "reports/verdict.h"
#include "suites/run/judge.h"

namespace assay::suites {
namespace {

std::string name_or_number(const auto* row, uint32_t value) {
  return row != nullptr ? std::string(row->name) : std::to_string(value);
}

std::string fault_words(int32_t code) {
  const auto with_code = [&](const char* text) { return text + (" (" + std::to_string(code) + ")"); };
  if (refuses_kernel(code)) return with_code("the driver refused the kernel");
  switch (code) {
    case 700:
      return with_code("illegal address");
    case 715:
      return with_code("illegal instruction");
    case 716:
      return with_code("misaligned address");
    case 719:
      return with_code("launch failure");
    case 701:
      return with_code("the driver refused the launch");
    default:
      return with_code("fault");
  }
}

}  // namespace

bool refuses_kernel(int32_t code) {
  return code == 98 || code == 200 || code == 209 || code == 218 || code == 801;
}

std::string hex_words(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::vector<std::pair<std::string, std::string>> map_fields(const TensorMapArgs& map) {
  const uint32_t rank = map.rank <= 5 ? map.rank : 5;
  std::vector<std::pair<std::string, std::string>> list;
  list.emplace_back("type", name_or_number(spec::find_data_type(map.data_type), map.data_type));
  list.emplace_back("rank", std::to_string(map.rank));
  list.emplace_back("address", hex_words(map.global_address));
  list.emplace_back("dims", list_words(map.global_dim, rank));
  if (rank > 1) list.emplace_back("strides", list_words(map.global_stride, rank - 1));
  list.emplace_back("box", list_words(map.box_dim, rank));
  list.emplace_back("element strides", list_words(map.element_stride, rank));
  list.emplace_back("interleave", name_or_number(spec::find_interleave(map.interleave), map.interleave));
  list.emplace_back("swizzle", name_or_number(spec::find_swizzle(map.swizzle), map.swizzle));
  list.emplace_back("L2 promotion", std::to_string(map.l2_promotion));
  list.emplace_back("fill", map.oob_fill == 0   ? "zero"
                            : map.oob_fill == 1 ? "NaN"
                                                : std::to_string(map.oob_fill));
  return list;
}

std::string map_brief(const TensorMapArgs& map) {
  std::string text;
  for (const auto& [name, value] : map_fields(map)) {
    if (name == "type") text += " " + value;
    if (name == "rank") text += " rank " + value;
    if (name == "box") text += " box " + value;
    if (name == "interleave" && value != "none") text += " interleave " + value;
    if (name == "swizzle" && value != "none") text += " swizzle " + value;
  }
  return text;
}

std::string words(model::End end) {
  switch (end) {
    case model::End::done:
      return "done";
    case model::End::rejected:
      return "rejected (1)";
    case model::End::illegal_instruction:
      return fault_words(715);
    case model::End::misaligned_address:
      return fault_words(716);
    case model::End::illegal_address:
      return fault_words(700);
    case model::End::launch_failed:
      return fault_words(719);
    case model::End::never_completes:
      return "never completes";
    case model::End::early_surplus:
      return "surplus bytes or never completes";
    case model::End::undefined:
      return "undefined";
  }
  return "unknown";
}

std::string words(const RecordEnd& end) {
  switch (end.ended) {
    case Ended::done:
      return "done";
    case Ended::timed_out:
      return "never completes";
    case Ended::surplus:
      return "surplus bytes";
    case Ended::rejected:
      return "rejected (" + std::to_string(end.code) + ")";
    case Ended::faulted:
      return fault_words(end.code);
    case Ended::hung:
      return "hung";
    case Ended::crashed:
      return "crashed (signal " + std::to_string(end.code) + ")";
    case Ended::not_run:
      return "not run";
    case Ended::refused:
      return end.code == 0 ? "not launched" : "not launched: the driver answered " + std::to_string(end.code);
    case Ended::given_up:
      return "not issued";
    case Ended::cut_off:
      return "cut off when time was up";
  }
  return "unknown";
}

std::string expectation(model::End end) {
  switch (end) {
    case model::End::done:
      return "expected to complete";
    case model::End::rejected:
      return "expected the call to be rejected (1)";
    case model::End::never_completes:
      return "expected the barrier never to complete";
    default:
      return "expected " + words(end);
  }
}

std::string observation(const RecordEnd& end) {
  switch (end.ended) {
    case Ended::done:
      return "completed";
    case Ended::timed_out:
      return "barrier never completed";
    case Ended::surplus:
      return "surplus bytes arrived";
    case Ended::rejected:
      return "the call was rejected (" + std::to_string(end.code) + ")";
    default:
      return words(end);
  }
}

std::string called(const model::fields::Field& field) {
  std::string name(field.called.empty() ? field.name : field.called);
  if (field.called.empty()) std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

OpenBytes open_bytes(std::span<const std::byte> output, std::span<const std::byte> before,
                     std::span<const std::byte> mask, std::span<const std::byte> right,
                     std::span<const std::byte> right_mask) {
  bool is_before = true, is_right = !right.empty(), is_zero = true;
  for (size_t i = 0; i < output.size(); ++i) {
    const std::byte open = mask.empty() ? std::byte{0} : ~mask[i];
    is_before &= ((output[i] ^ before[i]) & open) == std::byte{0};
    is_zero &= (output[i] & open) == std::byte{0};
    if (!is_right) continue;
    const std::byte defined = right_mask.empty() ? std::byte{0xff} : right_mask[i];
    is_right = ((output[i] ^ right[i]) & open & defined) == std::byte{0};
  }
  return is_before  ? OpenBytes::as_they_were
         : is_right ? OpenBytes::as_if_right
         : is_zero  ? OpenBytes::zeros
                    : OpenBytes::others;
}

std::string open_result(const RecordEnd& end, std::string_view of, OpenBytes bytes,
                        const spec::RuleSet& broken) {
  constexpr const char* came_out[] = {" as it was", " as if that were right", " of zeros",
                                      " of other values"};
  std::string text = words(end);
  if (!of.empty()) text += ", " + std::string(of) + came_out[static_cast<size_t>(bytes)];
  if (broken.none()) return text;
  text += report::open_result_where;
  const size_t count = broken.count();
  for (size_t r = broken._Find_first(), at = 0; r < spec::rules().size(); r = broken._Find_next(r), ++at)
    text += (at == 0 ? "" : at + 1 == count ? " and " : ", ") + std::string(spec::rules()[r].id);
  return text + (count == 1 ? " is broken" : " are broken");
}

std::string open_result_beside(const Family& family, const Case& right, std::string_view of,
                               const Expected& e, const spec::Readings& readings, const RecordEnd& end,
                               std::span<const std::byte> output) {
  if (!compares_bytes(e, end)) return open_result(end, {}, {}, e.rules);
  Scratch scratch;
  Expected of_right;
  family.predict(right, readings, scratch, of_right);
  if (of_right.end != model::End::done) of_right.bytes = {};
  return open_result(end, of, open_bytes(output, e.bytes, e.mask, of_right.bytes, of_right.mask), e.rules);
}

}  // namespace assay::suites
