// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "kernels/params/batch.h"
#include "reference/model/case_json.h"
#include "suites/run/family.h"

namespace assay::suites {

/// Where in a case a boolean lies, and the flag of a record that says it.
struct FlagPlace {
  size_t offset;
  uint32_t flag;
};
template <typename Value>
std::vector<FlagPlace> flag_places(std::span<const params::NamedFlag> names) {
  const Value plain{};
  std::vector<FlagPlace> places;
  visit_fields(plain, [&](const model::fields::Field& field, const auto& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, bool>)
      for (const params::NamedFlag& row : names)
        if (row.field == field.name)
          places.push_back({static_cast<size_t>(reinterpret_cast<const std::byte*>(&value) -
                                                reinterpret_cast<const std::byte*>(&plain)),
                            row.flag});
  });
  return places;
}

/// The flags of a record that booleans of the case say, by name.
template <const auto& names, typename Value>
uint32_t flags_of(const Value& c) {
  static const std::vector<FlagPlace> places = flag_places<Value>(names);
  uint32_t flags = 0;
  for (const FlagPlace& place : places)
    if (*reinterpret_cast<const bool*>(reinterpret_cast<const std::byte*>(&c) + place.offset))
      flags |= place.flag;
  return flags;
}

/// A Family of one type of cases and of records: what follows from these two, and from a generator's simpler
/// cases.
template <typename CaseOf, typename Record, std::vector<CaseOf> (*simpler_cases)(const CaseOf&)>
class FamilyOf : public Family {
 public:
  size_t record_bytes() const override { return sizeof(Record); }
  uint32_t output_alignment() const override { return 256; }
  std::optional<Launch> launch(std::span<const std::byte> record) const override {
    if constexpr (requires(const Record& r) { forms::launch_of(r); })
      return launch_of_record(record_from<Record>(record));
    else
      return std::nullopt;
  }
  nlohmann::json to_json(const Case& any) const override { return model::to_json(any.as<CaseOf>()); }
  nlohmann::json schema() const override { return model::case_schema<CaseOf>(); }
  Case from_json(const nlohmann::json& json) const override { return model::case_from_json<CaseOf>(json); }
  std::vector<Case> simpler(const Case& any) const override {
    const std::vector<CaseOf> list = simpler_cases(any.as<CaseOf>());
    return std::vector<Case>(list.begin(), list.end());
  }
};

/// A FamilyOf whose records are the members of the case that they have as well, and what complete() adds.
template <typename CaseOf, typename Record, std::vector<CaseOf> (*simpler_cases)(const CaseOf&)>
class PlainFamily : public FamilyOf<CaseOf, Record, simpler_cases> {
 public:
  void write_record(const Case& any, uint64_t output_offset, const spec::Readings& defaults,
                    std::byte* record) const final {
    const CaseOf& c = any.as<CaseOf>();
    Record r{};
    model::fields::copy_members(c, r);
    r.output_offset = output_offset;
    r.output_bytes = this->output_bytes(any);
    complete(c, defaults, r);
    std::memcpy(record, &r, sizeof r);
  }

 protected:
  virtual void complete(const CaseOf&, const spec::Readings& /*defaults*/, Record&) const = 0;
};

}  // namespace assay::suites
