// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "devices/device.h"
#include "reference/model/case_field.h"
#include "reference/model/end.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/spec/rule.h"
#include "suites/run/family.h"

namespace assay::suites {

/// "1 2 3": the first `count` entries (at most all of them).
template <typename Numbers>
std::string list_words(const Numbers& numbers, uint32_t count) {
  std::string text;
  for (uint32_t i = 0; i < numbers.size() && i < count; ++i)
    text += (i == 0 ? "" : " ") + std::to_string(numbers[i]);
  return text;
}

std::string hex_words(uint64_t value);

/// The arguments of a map as named fields, in the driver's order.
std::vector<std::pair<std::string, std::string>> map_fields(const TensorMapArgs& map);
/// " u8 rank 2 box 16 8 swizzle 64B": what matters most of a map, for a message of one line.
std::string map_brief(const TensorMapArgs& map);

/// Whether a CUresult says that a driver refused a kernel: PTX or machine code that is not for the device.
bool refuses_kernel(int32_t code);
/// "done", "illegal instruction (715)", ...: the same words for what was expected and for what was seen.
std::string words(model::End end);
std::string words(const RecordEnd& end);
/// "expected to complete" and "barrier never completed": the same as sentences, for messages. Those above are
/// parts of signatures.
std::string expectation(model::End end);
std::string observation(const RecordEnd& end);

}  // namespace assay::suites

/// What is told of a case from the table of its members.
namespace assay::suites {

using NamedFields = std::vector<std::pair<std::string, std::string>>;

/// What a member is called: of "issuer_thread", where its row has no other name, "issuer thread".
std::string called(const model::fields::Field& field);

/// Adds to a list of words each member that its row does not leave to the operation, where it is not what it
/// is by default: a member that joins is told of without further words. Those of members that are objects
/// themselves are the operation's to tell.
template <typename Value>
struct Teller {
  NamedFields& list;

  template <typename Member>
  void operator()(const model::fields::Field& field, const Member& value) const {
    namespace fields = model::fields;
    if (field.told == fields::Told::elsewhere) return;
    if constexpr (!requires { visit_fields(value, *this); }) {
      if (field.told != fields::Told::always && is_usual(field, value)) return;
      list.emplace_back(called(field), text(field, value));
    }
  }

 private:
  template <typename Member>
  static bool is_usual(const model::fields::Field& field, const Member& value) {
    static const Value usual{};
    bool is_equal = false;
    visit_fields(usual, [&](const model::fields::Field& other, const auto& member) {
      if constexpr (std::same_as<std::remove_cvref_t<decltype(member)>, Member>)
        if (other.name == field.name) is_equal = member == value;
    });
    return is_equal;
  }
  static std::string number(const model::fields::Field& field, auto value) {
    if (field.shows != nullptr) return field.shows(static_cast<uint64_t>(value));
    return std::to_string(value);
  }
  template <typename Member>
  static std::string text(const model::fields::Field& field, const Member& value) {
    std::string words;
    if constexpr (std::same_as<Member, bool>) {
      return value ? std::string(field.yes) : "no";
    } else if constexpr (model::fields::is_numbered<Member>) {
      return number(field, static_cast<uint32_t>(value));
    } else if constexpr (std::is_enum_v<Member>) {
      return std::string(spellings_of(value)[static_cast<size_t>(value)]);
    } else if constexpr (model::fields::is_number<Member>) {
      words = number(field, value);
    } else {
      for (const auto entry : value) words += (words.empty() ? "" : " ") + number(field, entry);
    }
    return words + (field.unit.empty() ? "" : " ") + std::string(field.unit);
  }
};

template <typename Value>
void tell(const Value& value, NamedFields& list) {
  visit_fields(value, Teller<Value>{list});
}

}  // namespace assay::suites

/// What a device did where no document says what it must do, in words that count well: few, and the same ones
/// for the same behaviour.
namespace assay::suites {

/// How the bytes that nothing defines came out.
enum class OpenBytes : uint8_t { as_they_were, as_if_right, zeros, others };

/// `before`: what an instruction that does nothing leaves, open where `mask` is 0. `right`: what the same
/// instruction without what is wrong with it gives, where its own mask, if any, defines it; empty: there is
/// none.
OpenBytes open_bytes(std::span<const std::byte> output, std::span<const std::byte> before,
                     std::span<const std::byte> mask, std::span<const std::byte> right,
                     std::span<const std::byte> right_mask);

/// "done, D as it was, where IDESC-R05 is broken". `of`: what the open bytes are; empty where they were not
/// read.
std::string open_result(const RecordEnd& end, std::string_view of, OpenBytes bytes,
                        const spec::RuleSet& broken);
/// The same of a case that a family judges by its bytes. `right`: the case without what is wrong with it;
/// what that gives is not looked for where it demands nothing either.
std::string open_result_beside(const Family&, const Case& right, std::string_view of, const Expected&,
                               const spec::Readings&, const RecordEnd& end,
                               std::span<const std::byte> output);

}  // namespace assay::suites
