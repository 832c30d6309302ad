// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "devices/emulator/gpu.h"
#include "devices/emulator/readings.h"
#include "fuzz/kernel_text.h"
#include "fuzz/target.h"
#include "fuzz/text_mutator.h"
#include "kernels/forms/expand.h"
#include "reference/spec/questions.h"
#include "reference/spec/smem_desc.h"

namespace assay::fuzz {
namespace {

/// Why the front end refuses a text, or empty.
std::string refusal(const std::string& text, emulator::Target target = emulator::Target::sm_100,
                    uint32_t* line = nullptr) {
  emulator::Settings settings;
  settings.target = target;
  const auto gpu = emulator::Gpu::create(settings);
  const auto loaded = gpu->load(text);
  const auto* refused = std::get_if<emulator::Diagnostic>(&loaded);
  if (refused != nullptr && line != nullptr) *line = refused->line;
  return refused == nullptr ? "" : refused->message;
}

std::string with_operands(std::string_view form) {
  std::string text;
  for (size_t i = 0; i < form.size(); ++i) {
    if (!is_placeholder(form, i)) {
      text += form[i];
      continue;
    }
    const char letter = form[++i];
    text += letter == 'L'                    ? "L"
            : letter == 'i' || letter == 'n' ? "1"
            : letter == 'g' || letter == 'l' ? "%d1+16"
            : letter == 's' || letter == 'm' ? "%r1+8"
                                             : std::string("%") + letter + "1";
  }
  return text;
}

std::string module_with(std::string_view form, std::string_view target) {
  // The version that has the target, where that is a later one.
  const auto arch = spec::parse_arch(target);
  const int version = std::max<int>(90, arch ? spec::row_of(*arch).ptx : 0);
  return ".version " + std::to_string(version / 10) + "." + std::to_string(version % 10) + "\n.target " +
         std::string(target) +
         "\n.address_size 64\n.visible .entry k()\n{\n"
         ".reg .pred %p<2>;\n.reg .b16 %h<2>;\n.reg .b32 %r<2>;\n.reg .b64 %d<2>;\n.reg .f32 %f<2>;\n"
         ".reg .f64 %e<2>;\nL:\n  " +
         with_operands(form) + "\n  ret;\n}\n";
}

TEST(PtxForms, EachLoads) {
  const auto all = [](const auto& forms, std::string_view target, emulator::Target of) {
    for (const std::string_view form : forms) EXPECT_EQ(refusal(module_with(form, target), of), "") << form;
  };
  all(plain_forms, "sm_100a", emulator::Target::sm_100);
  all(loading_forms, "sm_100a", emulator::Target::sm_100);
  all(loading_forms, "sm_90a", emulator::Target::sm_90);
  all(sm_90_forms, "sm_90a", emulator::Target::sm_90);
  all(sm_100_forms, "sm_100a", emulator::Target::sm_100);
}

TEST(PtxForms, EachSpelledOneLoadsWhereItsTargetsSayAndNowhereElse) {
  size_t loaded = 0, refused = 0;
  for (const forms::Forms& of_family : forms::all_forms())
    for (uint32_t opcode = 0; opcode < of_family.size(); ++opcode) {
      const std::string form = with_places(of_family, opcode);
      for (const spec::Arch arch : spec::all_archs) {
        const std::string_view target = spec::row_of(arch).target;
        const bool has = of_family.targets(opcode) & forms::target_of(arch);
        // Of a chain the longest statement may be one that more targets have than the chain.
        if (!has && of_family.family().name == "screen.chain") continue;
        EXPECT_EQ(refusal(module_with(form, target), arch).empty(), has) << target << ": " << form;
        ++(has ? loaded : refused);
      }
    }
  EXPECT_GT(loaded, 2000u);
  EXPECT_GT(refused, 1500u);
}

TEST(PtxMutator, MostChainsOfMutantsStayLoadable) {
  constexpr size_t room = 16384;
  int loaded = 0;
  for (unsigned chain = 0; chain < 40; ++chain) {
    Bytes data(room);
    const std::string begin = kernel_text(std::vector<uint8_t>(chain, static_cast<uint8_t>(chain * 7)));
    std::copy(begin.begin(), begin.end(), data.begin());
    size_t size = begin.size();
    for (unsigned step = 0; step < 10; ++step) {
      size = mutate_ptx(data.data(), size, room, chain * 100 + step);
      ASSERT_LE(size, room);
      uint32_t line = 0;
      const bool good = refusal({data.begin(), data.begin() + static_cast<ptrdiff_t>(size)},
                                emulator::Target::sm_100, &line)
                            .empty();
      if (!good) remember_refused(data.data(), size, line);
      loaded += good;
    }
  }
  EXPECT_GT(loaded, 200) << "of 400";
}

TEST(PtxMutator, CrossesModulesByInstructionsWithDeclaredRegisters) {
  const std::string one = module_with("add.u32 %r, %r, %r;", "sm_100a"),
                    other = kernel_text(std::vector<uint8_t>{3, 1, 4, 1, 5, 9, 2, 6});
  int changed = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::string made(16384, '\0');
    made.resize(cross_ptx(reinterpret_cast<const uint8_t*>(one.data()), one.size(),
                          reinterpret_cast<const uint8_t*>(other.data()), other.size(),
                          reinterpret_cast<uint8_t*>(made.data()), made.size(), seed));
    EXPECT_EQ(refusal(made), "") << made;
    changed += made != one;
  }
  EXPECT_GT(changed, 25);
}

}  // namespace
}  // namespace assay::fuzz

/// A target that 'x' and 'y' break, each in its way.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (std::find(data, data + size, 'x') != data + size) assay::fuzz::found("no x", std::to_string(size));
  if (std::find(data, data + size, 'y') != data + size) std::_Exit(3);
  return 0;
}
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t) {
  if (size != 0) data[0] ^= 1;
  return size;
}

namespace assay::fuzz {
namespace {

Bytes bytes(std::string_view text) {
  return {text.begin(), text.end()};
}
constexpr std::chrono::seconds limit{10};

TEST(Trial, AnInputThatEndsWellHasNoSignature) {
  EXPECT_EQ(signature_of(bytes("abc"), limit), std::nullopt);
}

TEST(Trial, SignaturesTellClaimsApartAndForgetDetails) {
  EXPECT_EQ(signature_of(bytes("axb"), limit), "FINDING: no x");
  EXPECT_EQ(signature_of(bytes("x"), limit), signature_of(bytes("a longer x"), limit));
  EXPECT_EQ(signature_of(bytes("y"), limit), "exit code 3");
}

TEST(Trial, MinimisesToWhatBreaksTheSameClaim) {
  const Bytes small = minimise(bytes("aaaaaaaaybbbbbxccccccccccccx"), "FINDING: no x", limit);
  EXPECT_EQ(small, bytes("x"));
}

TEST(Mutate, ChangesOneFieldOfADescriptorAtATime) {
  const uint64_t before = 0x4000'4040'0001'0080;
  int changed = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    uint8_t data[9];
    write_word(data, 8, before);
    data[8] = 7;
    ASSERT_EQ(mutate_descriptor(spec::smem_desc, 1, data, sizeof data, sizeof data, seed), 9u);
    const uint64_t after = read_word(data, 9, 8);
    int fields = data[8] != 7;
    for (const spec::Field& field : spec::smem_desc.fields)
      fields += spec::get_raw(before, field) != spec::get_raw(after, field);
    EXPECT_LE(fields, 1) << "seed " << seed;
    changed += fields;
  }
  EXPECT_GT(changed, 200);
}

TEST(Mutate, CrossesDescriptorsFieldByField) {
  uint8_t one[8], other[8], made[8];
  write_word(one, 8, 0);
  write_word(other, 8, ~uint64_t{0});
  bool mixed = false;
  for (unsigned seed = 0; seed < 50; ++seed) {
    ASSERT_EQ(cross_descriptors(spec::smem_desc, 0, one, 8, other, 8, made, 8, seed), 8u);
    const uint64_t word = read_word(made, 8, 8);
    for (const spec::Field& field : spec::smem_desc.fields) {
      const uint64_t raw = spec::get_raw(word, field);
      EXPECT_TRUE(raw == 0 || raw == spec::low_bits(field.width()));
    }
    mixed |= word != 0 && word != ~uint64_t{0};
  }
  EXPECT_TRUE(mixed);
}

TEST(Mutate, TextsStayInsideTheirBuffer) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Bytes data = bytes("add.u32 %r1, %r2, 7;\nret;\n");
    const size_t size = data.size();
    data.resize(40, 0xee);
    const size_t made = mutate_text(data.data(), size, 30, seed);
    ASSERT_LE(made, 30u);
    ASSERT_TRUE(std::all_of(data.begin() + 30, data.end(), [](uint8_t b) { return b == 0xee; }));
  }
}

}  // namespace
}  // namespace assay::fuzz

/// The emulated device must not know which questions are open; so its list is held against the table here,
/// where both are seen, when this file is compiled.
namespace assay::fuzz {
namespace {

using emulator::open_questions, emulator::unanswered_questions, emulator::OpenQuestion;
using spec::Question, spec::Reading;

/// A device need not be able to do anything at all.
constexpr bool says_anything(const Reading& reading) {
  return reading.words.starts_with("anything");
}

constexpr bool has_answer(const OpenQuestion& row, const Reading& reading) {
  return std::any_of(row.answers.begin(), row.answers.end(), [&](const emulator::Answer& answer) {
    return answer.letter == reading.letter && answer.name == reading.name;
  });
}

constexpr std::string_view wrong_with(const OpenQuestion& row) {
  const auto question = std::find_if(spec::question_table.begin(), spec::question_table.end(),
                                     [&](const Question& q) { return q.id == row.id; });
  if (question == spec::question_table.end()) return "the table has no such question";
  int answers = 0;
  for (const emulator::Answer& answer : row.answers) answers += answer.letter != 0;
  int of_table = 0;
  for (int i = 0; i < question->reading_count(); ++i) {
    const bool is_there = has_answer(row, question->readings[i]);
    if (!is_there && !says_anything(question->readings[i])) return "a reading of the table is no answer";
    of_table += is_there;
  }
  if (answers != of_table) return "an answer is no reading of the table, by letter and name";
  using spec::Arch;
  const char later = row.after_sm_90a == 0 ? row.by_itself : row.after_sm_90a;
  for (const Arch arch : spec::all_archs)
    if (question->default_for[static_cast<int>(arch)] != (arch == Arch::sm_90 ? row.by_itself : later))
      return "by itself the device does another";
  return {};
}

/// The number of the row is what a compiler tells of the one that is wrong.
template <size_t i>
struct Row {
  static_assert(wrong_with(open_questions[i]).empty(), "row i of open_questions is not that of the table");
  static constexpr bool is_right = true;
};
template <size_t... i>
constexpr bool are_right(std::index_sequence<i...>) {
  return (Row<i>::is_right && ...);
}
static_assert(are_right(std::make_index_sequence<emulator::question_count>()));

constexpr auto answered(std::string_view id) {
  return std::count_if(std::begin(open_questions), std::end(open_questions),
                       [&](const OpenQuestion& row) { return row.id == id; });
}
constexpr auto unanswered(std::string_view id) {
  return std::count(std::begin(unanswered_questions), std::end(unanswered_questions), id);
}
static_assert(std::all_of(spec::question_table.begin(), spec::question_table.end(),
                          [](const Question& q) { return answered(q.id) + unanswered(q.id) == 1; }),
              "every question of the table is answered by the device, or named as one that is not, once");
static_assert(std::size(open_questions) + std::size(unanswered_questions) == spec::question_table.size(),
              "the device has no question beside those of the table");

/// More than one of its readings says what comes out.
constexpr bool has_rivals(const Question& question) {
  return std::count_if(question.readings.begin(), question.readings.end(), [](const Reading& reading) {
           return reading.letter != 0 && !says_anything(reading);
         }) > 1;
}
static_assert(std::none_of(spec::question_table.begin(), spec::question_table.end(),
                           [](const Question& q) {
                             return q.is_decidable() && has_rivals(q) && unanswered(q.id) != 0;
                           }),
              "a question that cases can decide has answers that the device can be asked for");

}  // namespace
}  // namespace assay::fuzz
