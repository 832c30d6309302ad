// SPDX-License-Identifier: Apache-2.0
// The SIMD video instructions: two half-words or four bytes at a time, merged into or added to c (ptx, SIMD
// Video Instructions). The toolkit's __vabsdiff* and __vsad* are made of them; selectors and masks, which
// nothing emits, are refused.
#include <algorithm>
#include <cstdlib>

#include "devices/emulator/machine/step.h"

namespace assay::emulator {
namespace {

enum class Operation : uint8_t { add, sub, average, distance, minimum, maximum };

struct VideoForm {
  Operation operation = Operation::add;
  int bits = 16;  ///< of a part
  bool d_signed = false, a_signed = false, b_signed = false;
  bool saturates = false, accumulates = false;
};

int32_t video_part(uint32_t word, int index, int bits, bool is_signed) {
  const uint32_t value = word >> index * bits & ((1u << bits) - 1);
  const uint32_t sign = 1u << (bits - 1);
  return is_signed ? static_cast<int32_t>((value ^ sign) - sign) : static_cast<int32_t>(value);
}

int32_t combine(Operation operation, int32_t a, int32_t b) {
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::sub:
      return a - b;
    case Operation::average:  // to nearest, ties away from zero
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case Operation::distance:
      return std::abs(a - b);
    case Operation::minimum:
      return std::min(a, b);
    case Operation::maximum:
      return std::max(a, b);
  }
  return 0;
}

uint32_t evaluate(const VideoForm& form, uint32_t a, uint32_t b, uint32_t c) {
  const int32_t lowest = form.d_signed ? -(1 << (form.bits - 1)) : 0;
  const int32_t highest = form.d_signed ? (1 << (form.bits - 1)) - 1 : (1 << form.bits) - 1;
  uint32_t merged = 0, total = c;
  for (int i = 0; i < 32 / form.bits; ++i) {
    int32_t t = combine(form.operation, video_part(a, i, form.bits, form.a_signed),
                        video_part(b, i, form.bits, form.b_signed));
    if (form.saturates) t = std::clamp(t, lowest, highest);
    merged |= (static_cast<uint32_t>(t) & ((1u << form.bits) - 1)) << i * form.bits;
    total += static_cast<uint32_t>(t);
  }
  return form.accumulates ? total : merged;
}

uint32_t execute_video(Step& step) {
  const VideoForm& form = step.data<VideoForm>();
  for_lanes(step.mask, [&](int lane) {
    const auto word = [&](size_t i) { return static_cast<uint32_t>(step.value(step.operand(i), lane)); };
    const bool is_tainted = step.tainted(step.operand(1), lane) || step.tainted(step.operand(2), lane) ||
                            (form.accumulates && step.tainted(step.operand(3), lane));
    step.set(step.operand(0), lane, evaluate(form, word(1), word(2), word(3)), is_tainted);
  });
  return step.mask;
}

std::optional<LoweringError> lower_video(const Opcode& opcode, Target, Instruction& instruction) {
  constexpr std::pair<std::string_view, Operation> operations[] = {
      {"vadd", Operation::add},          {"vsub", Operation::sub},     {"vavrg", Operation::average},
      {"vabsdiff", Operation::distance}, {"vmin", Operation::minimum}, {"vmax", Operation::maximum}};
  VideoForm form;
  const std::string_view name = std::string_view(opcode.base).substr(0, opcode.base.size() - 1);
  for (const auto& [known, operation] : operations)
    if (known == name) form.operation = operation;
  form.bits = opcode.base.back() == '2' ? 16 : 8;
  const auto& words = opcode.qualifiers;
  const auto is_type = [](const std::string& word) { return word == "u32" || word == "s32"; };
  if (words.size() < 3 || words.size() > 4 || !std::all_of(words.begin(), words.begin() + 3, is_type) ||
      (words.size() == 4 && words[3] != "sat" && words[3] != "add"))
    return unknown_opcode(opcode);
  form.d_signed = words[0] == "s32";
  form.a_signed = words[1] == "s32";
  form.b_signed = words[2] == "s32";
  form.saturates = words.size() == 4 && words[3] == "sat";
  form.accumulates = words.size() == 4 && words[3] == "add";
  const auto& operands = instruction.operands;
  const auto is_word = [](const Operand& operand) {
    return operand.kind == Operand::Kind::value && (!operand.is_register || operand.bits == 32);
  };
  if (operands.size() != 4 || !std::all_of(operands.begin(), operands.end(), is_word) ||
      !operands[0].is_register)
    return wrong_operands(opcode, "a 32-bit register and three 32-bit sources");
  instruction.data = std::make_shared<const VideoForm>(form);
  instruction.execute = execute_video;
  return std::nullopt;
}

const RegisteredFamily vadd2("vadd2", lower_video), vadd4("vadd4", lower_video), vsub2("vsub2", lower_video),
    vsub4("vsub4", lower_video), vavrg2("vavrg2", lower_video), vavrg4("vavrg4", lower_video),
    vabsdiff2("vabsdiff2", lower_video), vabsdiff4("vabsdiff4", lower_video), vmin2("vmin2", lower_video),
    vmin4("vmin4", lower_video), vmax2("vmax2", lower_video), vmax4("vmax4", lower_video);

}  // namespace
}  // namespace assay::emulator
