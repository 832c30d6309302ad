// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

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

/// The JSON Schema (draft 2020-12) of the case files of a property. Like the reader it takes other members
/// beside those that it names; of the case itself it takes none.
nlohmann::json case_file_schema(const Property&);

void write_case_file(const std::filesystem::path& file, const Property&, const Case&, const Surroundings&,
                     const report::CaseRow& seen);

}  // namespace assay::suites
