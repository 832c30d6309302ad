// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "suites/failure/failure.h"

namespace assay::suites {

/// A case as a file: {"property": ..., "case": {...}}, what it needs around it to fail again under
/// "readings", "batch" and "copies", and for people what was seen under "seen".
struct CaseFile {
  const Property* property = nullptr;
  Case what;
  Surroundings around;
};

/// Throws std::runtime_error with one sentence: no such file, not JSON, unknown property, bad field.
CaseFile read_case_file(const std::filesystem::path& file);
CaseFile parse_case(const std::string& text, const std::string& name);
CaseFile case_of_json(const nlohmann::json&, const std::string& name);

/// The JSON Schema (draft 2020-12) of the case files of a property. Like the reader it takes other members
/// beside those that it names; of the case itself it takes none.
nlohmann::json case_file_schema(const Property&);

void write_case_file(const std::filesystem::path& file, const Property&, const Case&, const Surroundings&,
                     const report::CaseRow& seen);

/// Runs a few cases of one property and judges them: for replay, shrinking and case files. Not the fast path.
class CaseRunner {
 public:
  CaseRunner(Device& device, ReadingSet& readings, spec::Arch arch)
      : device_(device), arch_(arch), judge_(arch, readings) {}

  /// From now on failing outcomes say what explains them.
  void explain() { explains_ = true; }

  /// One outcome a case, in order. `name`: of the cases, for what they say of readings; their ids if empty.
  /// Throws DeviceError when the device is lost, std::invalid_argument when a case is none that a device can
  /// be asked.
  std::vector<Outcome> run(const Property& property, std::span<const Case> cases, std::string_view name = {});

 private:
  Device& device_;
  const spec::Arch arch_;
  bool explains_ = false;
  Judge judge_;
};

/// The case of a file. What a device cannot even be asked is the file's fault: std::runtime_error that names
/// it.
Outcome run_case_file(CaseRunner&, const CaseFile&, const std::filesystem::path& file);

/// Where a record's output goes: after what is used, aligned as the family wants; nothing when it does not
/// fit.
std::optional<uint64_t> place_output(const Family& family, const Case& c, uint64_t used, uint64_t capacity);

}  // namespace assay::suites
