// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "devices/emulator/machine/instruction.h"

namespace assay::emulator::ptx {

/// What a name stands for.
struct Symbol {
  enum class Kind : uint8_t { reg, local, shared, dynamic_shared, param, address };
  Kind kind = Kind::reg;
  uint16_t bits = 0;      ///< reg: width of its type, 1 for predicates
  bool is_range = false;  ///< reg: a range %r<count>
  uint64_t count = 1;
  uint64_t offset = 0;                             ///< variable: in its block; address: the address
  uint64_t bytes = 0;                              ///< variable
  uint32_t alignment = 1;                          ///< shared
  bool is_placed = true;                           ///< shared: false until its first use at module scope
  std::unordered_map<uint64_t, uint32_t> columns;  ///< reg: number in the range -> column, given on first use
};

/// Nested scopes of one function. Inner names hide outer ones; the same name may appear in sibling scopes.
class Scopes {
 public:
  void open() { levels_.emplace_back(); }
  void close() { levels_.pop_back(); }
  size_t depth() const { return levels_.size(); }
  /// False if the name exists in the innermost scope already, as a name or as one of a range. A range %p<2>
  /// makes the names %p0 and %p1 and not %p, which may stand for something else (ptxas).
  bool declare(const std::string& name, Symbol symbol);
  /// The symbol of a name, or of the range that covers it (then `number` is its index); null if there is
  /// none.
  Symbol* find(std::string_view name, uint64_t& number);

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };
  using Names = std::unordered_map<std::string, Symbol, Hash, std::equal_to<>>;
  struct Level {
    Names names, ranges;  ///< ranges by what stands before the number
  };
  std::vector<Level> levels_;
};

}  // namespace assay::emulator::ptx
