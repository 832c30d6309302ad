// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

namespace assay::suites {

/// The name of an enumerator as the compiler spells it, without its type; "(" and more where the value has
/// none.
template <auto value>
consteval std::string_view enumerator_name() {
  const std::string_view text = __PRETTY_FUNCTION__;  // "... [with auto value = assay::Kind::f16; ...]"
  std::string_view name = text.substr(text.find("value = ") + std::string_view("value = ").size());
  name = name.substr(0, name.find_first_of(";]"));
  return name[0] == '(' ? name : name.substr(name.rfind(':') + 1);
}

template <typename A, typename B, unsigned ahead, unsigned... at>
consteval bool are_same_at(std::integer_sequence<unsigned, at...>) {
  return ((enumerator_name<static_cast<A>(at + ahead)>() == enumerator_name<static_cast<B>(at)>() &&
           enumerator_name<static_cast<B>(at)>()[0] != '(') &&
          ...);
}
/// Whether two enumerations, that of a case and that of the record which the device is given, have the same
/// names at 0 to count - 1 and the first of them no more: a cast from one to the other is right then.
/// `ahead`: so many names come first in the first one alone.
template <typename A, typename B, unsigned count, unsigned ahead = 0>
consteval bool are_same_enumerators() {
  return are_same_at<A, B, ahead>(std::make_integer_sequence<unsigned, count>()) &&
         enumerator_name<static_cast<A>(count + ahead)>()[0] == '(';
}

/// Whether an enumerator says what a PTX spelling does: "s64x128b_warpx2_02_13" and "64x128b.warpx2::02_13".
consteval bool spells(std::string_view enumerator, std::string_view ptx) {
  if (ptx[0] == '.') ptx.remove_prefix(1);
  if (enumerator[0] != 's') return false;
  size_t at = 1;
  for (size_t i = 0; i < ptx.size(); ++i) {
    if (ptx[i] == ':' && ptx[i - 1] == ':') continue;
    const char wanted = ptx[i] == '.' || ptx[i] == ':' ? '_' : ptx[i];
    if (at >= enumerator.size() || enumerator[at++] != wanted) return false;
  }
  return at == enumerator.size();
}
template <typename Shape, const auto& rows, size_t... at>
consteval bool spell_rows(std::index_sequence<at...>) {
  return (spells(enumerator_name<static_cast<Shape>(at)>(), rows[at].name) && ...) &&
         enumerator_name<static_cast<Shape>(sizeof...(at))>()[0] == '(';
}
/// Whether the enumerators of shapes are the rows of a table, in its order.
template <typename Shape, const auto& rows>
consteval bool are_rows() {
  return spell_rows<Shape, rows>(std::make_index_sequence<rows.size()>());
}

}  // namespace assay::suites
