#include "reports/written_reports.h"

#include <algorithm>
#include <string>

#include "reports/lines.h"
#include "reports/record.h"

namespace assay::report {
namespace {

namespace fs = std::filesystem;

constexpr WrittenReport rows[] = {
    {"junit.xml", ".xml",
     [](const fs::path& db, const fs::path& file, const JunitOptions& options) {
       write_junit(db, file, options);
     }},
    {"report.html", ".html",
     [](const fs::path& db, const fs::path& file, const JunitOptions&) { write_html(db, file); }},
    {"summary.md", ".md",
     [](const fs::path& db, const fs::path& file, const JunitOptions&) { write_markdown(db, file); }},
};

}  // namespace

std::span<const WrittenReport> written_reports() {
  return rows;
}

void write_in_folder(const fs::path& db, const JunitOptions& junit) {
  for (const WrittenReport& row : rows) row.write(db, db.parent_path() / row.name, junit);
}

void write_beside(const fs::path& db, const JunitOptions& junit) {
  for (const WrittenReport& row : rows) {
    fs::path file = db;
    row.write(db, file.replace_extension(row.extension), junit);
  }
}

bool is_written_report(std::string_view name) {
  return std::ranges::any_of(rows, [name](const WrittenReport& row) {
    const size_t point = row.name.rfind('.');
    return name == row.name || (name.starts_with(std::string(row.name.substr(0, point)) + "-") &&
                                name.ends_with(row.name.substr(point)));
  });
}

}  // namespace assay::report
