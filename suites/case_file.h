#pragma once

#include <filesystem>

#include "suites/failure.h"

namespace assay::suites {

/// A case as a file: {"property": ..., "case": {...}}, with what was seen for people under "seen".
struct CaseFile {
  const Property* property = nullptr;
  Case what;
};

/// Throws std::runtime_error with one sentence: no such file, not JSON, unknown property, bad field.
CaseFile read_case_file(const std::filesystem::path& file);
CaseFile parse_case(const std::string& text, const std::string& name);

void write_case_file(const std::filesystem::path& file, const Property&, const Case&,
                     const report::CaseRow& seen);

}  // namespace assay::suites
