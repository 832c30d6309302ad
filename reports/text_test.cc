// SPDX-License-Identifier: Apache-2.0
#include "reports/text.h"

#include <gtest/gtest.h>
#include <atomic>
#include <thread>

#include "reports/sample_test.h"

namespace assay::report {
namespace {

TEST(Text, RepairsUtf8) {
  EXPECT_EQ(well_formed("añ€😀"), "añ€😀");
  EXPECT_EQ(well_formed("\xff"), "\uFFFD");
  EXPECT_EQ(well_formed("\xc0\x80"), "\uFFFD\uFFFD");                      // overlong NUL
  EXPECT_EQ(well_formed("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");            // lone surrogate
  EXPECT_EQ(well_formed("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");  // above U+10FFFF
  EXPECT_EQ(well_formed("a\xe2\x82"), "a\uFFFD\uFFFD");                    // cut short
}

TEST(Text, XmlHoldsNoControls) {
  EXPECT_EQ(for_xml(std::string_view("a\0b\x01\x1b\t\n\r", 8)), "ab\t\n\r");
  EXPECT_EQ(for_xml("x\xef\xbf\xbey\xef\xbf\xbfz"), "xyz");
}

TEST(Text, HtmlIsEscaped) {
  EXPECT_EQ(for_html("<a href=\"x\" b='y'>&"), "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;");
  EXPECT_EQ(for_html(std::string_view("\0\x1b\x7f", 3)), "␀␛␡");
  EXPECT_EQ(for_html("a\u202Eb"), "a\uFFFDb")
      << "a direction override would turn the rest of the line around";
  EXPECT_EQ(for_terminal("\x1b[31mred\n"), "␛[31mred␊");
}

TEST(Text, WrapsBetweenWords) {
  const std::string word(54, 'a'), longer(55, 'b');
  EXPECT_EQ(wrapped(""), "");
  EXPECT_EQ(wrapped(longer + "  " + word, "  "), longer + " " + word) << "110 columns";
  EXPECT_EQ(wrapped(longer + " " + longer, "  "), longer + "\n  " + longer) << "111 columns";
  EXPECT_EQ(wrapped(std::string(200, 'c') + " d"), std::string(200, 'c') + "\nd");
}

TEST(Text, ShortensBetweenCharacters) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc…");
  EXPECT_EQ(shortened("ab€€€", 7), "ab…");
  for (size_t limit = 3; limit < 20; ++limit) {
    const std::string text = shortened("ñ€😀ñ€😀ñ€😀", limit);
    EXPECT_LE(text.size(), limit);
    EXPECT_EQ(well_formed(text), text);
  }
  EXPECT_EQ(shortened_columns("ñ€😀abc", 4), "ñ€😀…");
  EXPECT_EQ(columns("ñ€😀"), 3u);
}

TEST(Text, NumbersForPeople) {
  EXPECT_EQ(grouped(0, ","), "0");
  EXPECT_EQ(grouped(999, ","), "999");
  EXPECT_EQ(grouped(1000, ","), "1,000");
  EXPECT_EQ(grouped(12'345'678, " "), "12 345 678");
  EXPECT_EQ(compact(0), "0");
  EXPECT_EQ(compact(7), "7");
  EXPECT_EQ(compact(412), "412");
  EXPECT_EQ(compact(999.7), "1.00k");
  EXPECT_EQ(compact(1234), "1.23k");
  EXPECT_EQ(compact(50'123'456), "50.1M");
  EXPECT_EQ(compact(999'600), "1.00M");
  EXPECT_EQ(duration(0.0123), "12 ms");
  EXPECT_EQ(duration(59.96), "60.0 s");
  EXPECT_EQ(duration(245), "4 min 05 s");
  EXPECT_EQ(duration(1e308), "over 30 years");
  EXPECT_EQ(compact(1e308), "1e+293P");
  EXPECT_EQ(duration(7385), "2 h 03 min");
}

TEST(Text, Timestamps) {
  EXPECT_TRUE(is_timestamp("2028-02-29T23:59:59"));
  for (const char* bad : {"2027-02-29T00:00:00", "2026-11-21T02:14:05Z", "2026-11-21 02:14:05",
                          "2026-13-01T00:00:00", "2026-11-21T24:00:00", "", "0000-01-01T00:00:00"})
    EXPECT_FALSE(is_timestamp(bad)) << bad;
  EXPECT_EQ(seconds_between("2026-12-31T23:59:30", "2027-01-01T00:00:05"), 35);
  EXPECT_LT(seconds_between("", "2027-01-01T00:00:05"), 0);
}

size_t files_beside(const std::filesystem::path& file) {
  const std::filesystem::directory_iterator folder(file.parent_path());
  return static_cast<size_t>(std::distance(begin(folder), end(folder)));
}

TEST(WholeFile, AReaderSeesOneVersionOrTheOther) {
  const Scratch scratch;
  const std::filesystem::path file = scratch / "report";
  const std::string versions[] = {std::string(3'000'000, 'a'), std::string(2'000'000, 'b')};
  write_whole_file(file, versions[0]);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; i < 12; ++i) write_whole_file(file, versions[i % 2]);
    done = true;
  });
  int seen = 0;
  for (; !done; ++seen) {
    std::string text;
    EXPECT_NO_THROW(text = read_whole_file(file));
    EXPECT_TRUE(text == versions[0] || text == versions[1]) << text.size() << " bytes";
  }
  writer.join();
  EXPECT_GT(seen, 0);
  EXPECT_EQ(files_beside(file), 1u);
}

TEST(WholeFile, ADeviceIsWrittenToAndStaysOne) {
  const Scratch scratch;
  const std::filesystem::path link = scratch / "null";
  std::filesystem::create_symlink("/dev/null", link);
  write_whole_file(link, "gone");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(files_beside(link), 1u);
}

TEST(WholeFile, AFailureLeavesNothingBehind) {
  const Scratch scratch;
  std::filesystem::create_directories(scratch / "folder/inside");
  EXPECT_THROW(write_whole_file(scratch / "folder", "text"), std::runtime_error);
  EXPECT_EQ(files_beside(scratch / "folder"), 1u) << "the temporary file is gone";
  EXPECT_THROW(write_whole_file(scratch / "absent/file", "text"), std::runtime_error);
  EXPECT_THROW(read_whole_file(scratch / "absent"), std::runtime_error);
}

}  // namespace
}  // namespace assay::report
