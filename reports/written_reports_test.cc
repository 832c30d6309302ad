#include "reports/written_reports.h"

#include <gtest/gtest.h>

#include "reports/sample_test.h"
#include "reports/scratch_test.h"
#include "reports/whole_file.h"

namespace assay::report {
namespace {

TEST(WrittenReports, TheirNamesAreTheirsAlone) {
  EXPECT_TRUE(is_written_report("junit.xml"));
  EXPECT_TRUE(is_written_report("junit-1-of-3.xml"));
  EXPECT_TRUE(is_written_report("report.html"));
  EXPECT_TRUE(is_written_report("summary.md"));
  for (const char* other : {"results.db", "notes.md", "junit.txt", "junits.xml", "report.html.bak", ""})
    EXPECT_FALSE(is_written_report(other)) << other;
}

TEST(WrittenReports, GoIntoTheFolderOfARunOrBesideAMergedFile) {
  const std::filesystem::path folder = scratch_path("written_reports");
  std::filesystem::create_directories(folder);
  const std::filesystem::path results = folder / "results.db", merged = folder / "merged.db";
  fill_sample(results);
  std::filesystem::copy_file(results, merged);
  write_in_folder(results, {});
  write_beside(merged, {});
  for (const WrittenReport& row : written_reports()) {
    const std::string in_folder = read_whole_file(folder / row.name);
    EXPECT_FALSE(in_folder.empty()) << row.name;
    EXPECT_FALSE(read_whole_file(folder / ("merged" + std::string(row.extension))).empty()) << row.name;
    EXPECT_TRUE(is_written_report(row.name));
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}),
            static_cast<std::ptrdiff_t>(2 + 2 * written_reports().size()));
}

}  // namespace
}  // namespace assay::report
