// SPDX-License-Identifier: Apache-2.0
#include "suites/run/open_result.h"

#include "reports/verdict.h"
#include "suites/run/judge.h"
#include "suites/run/words.h"

namespace assay::suites {
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
