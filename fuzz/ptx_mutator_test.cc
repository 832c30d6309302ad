// SPDX-License-Identifier: Apache-2.0
#include "fuzz/text_mutator.h"

#include <gtest/gtest.h>

#include "devices/emulator/gpu.h"
#include "fuzz/kernel_text.h"
#include "fuzz/target.h"
#include "kernels/forms/expand.h"

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
  return ".version 9.0\n.target " + std::string(target) +
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
