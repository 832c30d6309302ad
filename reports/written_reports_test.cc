// SPDX-License-Identifier: Apache-2.0
#include "reports/written_reports.h"

#include <gtest/gtest.h>

#include <functional>

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
  for (const char* other : {"results.db", "notes.md", "junit.txt", "junits.xml", "report.html.bak", "",
                            "report-of-friday.html", "junit-1-of-.xml", "junit-1-of-3.xml~", ".xml"})
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
    for (const std::string& name : {std::string(row.name), "merged" + std::string(row.extension)})
      EXPECT_LT(read_whole_file(folder / name).find(report_mark), 100u) << name;
    EXPECT_TRUE(is_written_report(row.name));
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}),
            static_cast<std::ptrdiff_t>(2 + 2 * written_reports().size()));
}

/// What a refusal says, or nothing.
std::string refusal(const std::function<void()>& refuse) {
  try {
    refuse();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

TEST(WrittenReports, NeverTakeThePlaceOfFilesOfOthers) {
  const std::filesystem::path folder = scratch_path("others_reports");
  std::filesystem::create_directories(folder);
  const std::filesystem::path results = folder / "results.db", merged = folder / "merged.db";
  fill_sample(results);
  write_in_folder(results, {});
  write_beside(results, {});
  // Its own, absent ones, empty ones and files of other names are no obstacle.
  write_whole_file(folder / "junit.xml", "");
  write_whole_file(folder / "report.md", "mine");
  EXPECT_EQ(refusal([&] { refuse_foreign_reports_in(folder, false); }), "");
  EXPECT_EQ(refusal([&] { refuse_foreign_reports_in(folder / "none", false); }), "");
  EXPECT_EQ(refusal([&] { refuse_foreign_reports_beside(results, false); }), "");
  EXPECT_EQ(refusal([&] { refuse_foreign_reports_beside(merged, false); }), "");
  for (const char* name : {"junit.xml", "junit-2-of-3.xml", "report.html", "summary.md"}) {
    write_whole_file(folder / name, "<testsuites/>");
    EXPECT_EQ(
        refusal([&] { refuse_foreign_reports_in(folder, false); }),
        (folder / name).string() +
            " was not written by assay and would be replaced; move it away, choose another folder, or give "
            "--force");
    EXPECT_EQ(refusal([&] { refuse_foreign_reports_in(folder, true); }), "");
    std::filesystem::remove(folder / name);
  }
  for (const char* name : {"merged.xml", "merged-1-of-2.xml", "merged.html", "merged.md"}) {
    write_whole_file(folder / name, "mine");
    EXPECT_NE(refusal([&] { refuse_foreign_reports_beside(merged, false); }).find(name), std::string::npos);
    EXPECT_EQ(refusal([&] { refuse_foreign_reports_beside(merged, true); }), "");
    std::filesystem::remove(folder / name);
  }
  std::filesystem::create_directories(folder / "report.html");
  EXPECT_NE(refusal([&] { refuse_foreign_reports_in(folder, true); }).find("is a folder"), std::string::npos);
}

}  // namespace
}  // namespace assay::report
