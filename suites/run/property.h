// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "suites/run/family.h"

namespace assay::suites {

/// A space of coverage cells. A property counts its cases in one or two of them.
struct CellSpace {
  std::string_view dimension;  ///< what the parts of a cell's name are: "type x rank x ..."
  uint32_t count = 0;          ///< cells are 0 .. count-1
  std::function<std::string(uint32_t cell, spec::Arch)> name;
  std::function<std::vector<uint32_t>(spec::Arch)> reachable;
};

/// Receives the cells that a case lies in.
class CoverageSink {
 public:
  virtual ~CoverageSink() = default;
  /// `times`: how much the case adds to the cell, where it holds more than one instance of what is counted.
  virtual void hit(int space, uint32_t cell, uint64_t times = 1) = 0;
};

/// A claim about the device: how to make cases that could refute it, how to run and predict them (the
/// family), what to count. Adding one is adding a file with one Registered object.
struct Property {
  std::string_view name;   ///< dotted, area first, the claim last, no numbers
  std::string_view claim;  ///< one sentence
  const Family& (*family)() = nullptr;
  double share = 1;  ///< of the budget, relative to the other properties
  /// Case `index` under `seed`: the same on every machine.
  void (*generate)(uint64_t seed, std::string_view property, uint64_t index, spec::Arch, Case&) = nullptr;
  std::vector<CellSpace> spaces;
  void (*cover)(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&) = nullptr;
  /// Where each case costs the device's process its life: cases a batch.
  uint32_t batch_cases = 0;  ///< 0: as many as fit
  bool is_sacrificial() const { return batch_cases != 0 && batch_cases <= 16; }
  /// Indexes of a sacrificial property that make up a whole: each end that the property knows is met in one
  /// (generate.h). Shards take whole ones.
  static constexpr uint64_t dozen = 12;
  /// Where cases are slow: as many as a run of a number of cases has of them. A run by time has no such
  /// limit.
  uint64_t most_on_silicon = 0;  ///< 0: no limit
  uint64_t most_on_emulator = 0;
  /// Why the architecture cannot have it, or nothing.
  std::optional<std::string> (*declines)(spec::Arch) = nullptr;
  /// What registration adds: the descriptors of the family's cases, whose spaces (field_coverage.h), two
  /// each, follow the property's own.
  std::span<const Descriptor> descriptors = {};
  size_t own_spaces = 0;
};

class Registered {
 public:
  explicit Registered(Property property);
};

/// All properties, sorted by name.
std::span<const Property* const> all_properties();
const Property* find_property(std::string_view name);

/// Of every property a run by time has so many cases at least.
inline constexpr uint64_t first_dozen = 12;

/// Shell-style pattern over the whole name: '*' any characters, '?' one; "a.b" also selects everything below
/// "a.b.".
bool matches(std::string_view pattern, std::string_view name);
/// "; did you mean 'tma.tiled.load'?" or where the names are listed.
std::string near_properties(std::string_view name);
/// Properties that one of the patterns selects; all but screens for no patterns. A pattern that selects
/// nothing throws spec::UnknownName naming it and what is near.
std::vector<const Property*> select_properties(std::span<const std::string> patterns);

}  // namespace assay::suites
