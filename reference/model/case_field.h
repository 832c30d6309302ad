// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// The tables of the members of cases. A type has one function visit_fields(value, visit) beside it with one
/// row a member:
///
///   ASSAY_FIELD(visit, c, window_bytes, .unit = "bytes", .most = 4096, .multiple = 16);
///
/// From it come what case files hold (case_fields.h) and their schema, which values are
/// refused (wrong_field()), what a shrinker takes (generators/simpler_cases.h), what is told of a case
/// (suites/run/words.h), which of its values coverage counts (suites/run/field_coverage.h), and the members
/// of a record that have the same name (copy_members()).
namespace assay::model::fields {

/// Where what a member holds is told to users.
enum class Told : uint8_t {
  unless_usual,  ///< by its name, where it is not what it is by default
  always,
  elsewhere,  ///< by the operation, together with others, or by nothing: a seed, a place without a meaning
};
using enum Told;

/// "0x1f"
std::string as_hex(uint64_t value);

/// A row of a table. The default is the one that the type itself gives the member.
struct Field {
  std::string_view name{};  ///< in case files
  std::string_view unit{};  ///< "bytes", "columns"; empty: a plain number, a code, a word
  /// Legal values of a number, of each of a list: a range that the type's own bounds limit further, and what
  /// they are multiples of.
  int64_t least = std::numeric_limits<int64_t>::min();
  uint64_t most = std::numeric_limits<uint64_t>::max();
  uint64_t multiple = 1;
  std::span<const uint32_t> values{};  ///< legal ones, where they are no range
  /// A case may hold any other value, to break a rule.
  bool may_break = false;
  Told told = unless_usual;
  std::string_view called{};         ///< when it is told; empty: its name with blanks for underscores
  std::string (*shows)(uint64_t){};  ///< a number; null: in decimal, with its unit
  std::string_view yes = "yes";      ///< a boolean that holds
  /// A shrinker may take the default in its place, whatever else the case has.
  bool shrinks = true;
  std::string_view covered{};  ///< the descriptor among whose values coverage counts it; empty: none

  /// The largest legal value.
  constexpr uint64_t greatest() const {
    uint64_t found = values.empty() ? most : 0;
    for (const uint32_t value : values) found = std::max<uint64_t>(found, value);
    return may_break ? std::numeric_limits<uint64_t>::max() : found;
  }
};

/// Values that members of several types have: columns of an allocation, CTAs of a cluster, ...
inline constexpr uint32_t powers_from_32[] = {32, 64, 128, 256, 512}, cluster_sizes[] = {1, 2, 4, 8, 16},
                          cta_groups[] = {1, 2}, written_cta_groups[] = {0, 1, 2}, half_lanes[] = {0, 16};

/// One row: `of.member`, by its own name or by `key`. A visitor with `takes_members` gets, in place of the
/// row, how to find a member of that name in another type.
#define ASSAY_FIELD_AS(key, visit, of, member, ...)                                         \
  {                                                                                         \
    constexpr auto row_ = [] {                                                              \
      using namespace ::assay::model::fields;                                               \
      return ::assay::model::fields::Field{.name = key __VA_OPT__(, ) __VA_ARGS__};         \
    }();                                                                                    \
    if constexpr (requires { visit.takes_members; })                                        \
      visit.template take<row_.greatest(), row_.shrinks>(                                   \
          of.member, [](auto& other) -> decltype((other.member)) { return other.member; }); \
    else                                                                                    \
      visit(row_, of.member);                                                               \
  }                                                                                         \
  static_assert(true)
#define ASSAY_FIELD(visit, of, member, ...) \
  ASSAY_FIELD_AS(#member, visit, of, member __VA_OPT__(, ) __VA_ARGS__)

template <typename Value>
inline constexpr bool is_numbered = requires(Value value) {
  count_of(value);
};
template <typename Value>
inline constexpr bool is_number = std::integral<Value> && !std::same_as<Value, bool>;

/// The bounds of a row for a member of that type.
template <typename Number>
constexpr Number least_of(const Field& field) {
  return std::in_range<Number>(field.least) ? static_cast<Number>(field.least)
                                            : std::numeric_limits<Number>::min();
}
template <typename Number>
constexpr Number most_of(const Field& field) {
  return std::in_range<Number>(field.most) ? static_cast<Number>(field.most)
                                           : std::numeric_limits<Number>::max();
}

/// "0 to 127", "a multiple of 16 from 0 to 4096", "32, 64 or 128".
std::string legal_words(const Field& field, int64_t least, uint64_t most);

template <typename Number>
constexpr bool is_legal(const Field& field, Number value) {
  if (!field.values.empty()) {
    for (const uint32_t legal : field.values)
      if (std::cmp_equal(value, legal)) return true;
    return false;
  }
  if (value < least_of<Number>(field) || value > most_of<Number>(field)) return false;
  return field.multiple == 1 || static_cast<uint64_t>(value) % field.multiple == 0;
}

/// Finds the first member, within members as well, that is outside of its range.
struct RangeCheck {
  const std::string& path;
  std::string& wrong;

  template <typename Value>
  void operator()(const Field& field, const Value& value) const {
    if (!wrong.empty()) return;
    if constexpr (requires { visit_fields(value, *this); }) {
      const std::string inner = path + std::string(field.name) + ".";
      visit_fields(value, RangeCheck{inner, wrong});
    } else if constexpr (is_number<Value>) {
      if (!field.may_break && !is_legal(field, value)) tell(field, field.name, value);
    } else if constexpr (requires { value.size(); }) {
      if constexpr (is_number<typename Value::value_type>)
        for (size_t i = 0; i < value.size() && wrong.empty() && !field.may_break; ++i)
          if (!is_legal(field, value[i]))
            tell(field, std::string(field.name) + "[" + std::to_string(i) + "]", value[i]);
    }
  }

 private:
  template <typename Number>
  void tell(const Field& field, std::string_view name, Number value) const {
    wrong = "field '" + path + std::string(name) + "' of the case is " + std::to_string(value) +
            "; expected " + legal_words(field, least_of<Number>(field), most_of<Number>(field)) + ".";
  }
};

/// What is wrong with a member by itself, in one sentence, or nothing.
template <typename Value>
std::string wrong_field(const Value& value, const std::string& path = {}) {
  std::string wrong;
  visit_fields(value, RangeCheck{path, wrong});
  return wrong;
}

/// Fills the members of a record that have the names of members of a case. The ranges of the rows must fit.
template <typename Record>
struct Copier {
  static constexpr bool takes_members = true;
  Record& record;

  template <uint64_t greatest, bool, typename Value, typename Member>
  void take(const Value& value, Member member) const {
    if constexpr (std::invocable<Member, Record&>) {
      using To = std::remove_reference_t<std::invoke_result_t<Member, Record&>>;
      if constexpr (std::same_as<To, Value>) {
        member(record) = value;
      } else if constexpr (requires { visit_fields(value, Copier<To>{member(record)}); }) {
        visit_fields(value, Copier<To>{member(record)});
      } else if constexpr (std::is_array_v<To>) {
        static_assert(std::extent_v<To> >= std::tuple_size_v<Value>);
        for (size_t i = 0; i < value.size(); ++i) {
          check<greatest, typename Value::value_type, std::remove_extent_t<To>>();
          member(record)[i] = static_cast<std::remove_extent_t<To>>(value[i]);
        }
      } else {
        check<greatest, Value, To>();
        member(record) = static_cast<To>(value);
      }
    }
  }

 private:
  template <uint64_t greatest, typename From, typename To>
  static constexpr void check() {
    if constexpr (is_number<From> && std::integral<To>)
      static_assert(sizeof(To) >= sizeof(From) || std::in_range<To>(greatest),
                    "the record has fewer bits than the row's range");
  }
};
template <typename Value, typename Record>
void copy_members(const Value& value, Record& record) {
  visit_fields(value, Copier<Record>{record});
}

// How rows of tables of members (case_field.h) show codes: by the names that the tables of reference/spec
// give them; the number itself where there is none.

std::string data_type_name(uint64_t host);
std::string interleave_name(uint64_t host);
std::string swizzle_name(uint64_t host);
std::string smem_swizzle_name(uint64_t tcgen05_code);
std::string mma_kind_name(uint64_t kind);
/// "none", "2X", "block32": .scale_vec or .block of tcgen05.mma
std::string scale_vector_name(uint64_t value);
/// Of the instruction descriptor.
std::string scale_type_name(uint64_t code);

}  // namespace assay::model::fields
