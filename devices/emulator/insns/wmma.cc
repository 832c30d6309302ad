// SPDX-License-Identifier: Apache-2.0
// wmma.load, wmma.mma, wmma.store (ptx, Warp-level matrix instructions using wmma). Which element lies where
// in a fragment is not said by any document: here element e of a lane is element 32 e + lane of the matrix,
// row after row, and registers that there are too many of hold copies.
#include <array>
#include <cstring>

#include "devices/emulator/insns/warp_product.h"
#include "devices/emulator/machine/launch.h"
#include "devices/emulator/tensor/adder.h"
#include "devices/emulator/tensor/steps.h"

namespace assay::emulator {
namespace {

using spec::Format;

enum class WmmaPart : uint8_t { a, b, c };

struct WmmaShape {
  std::string_view name;
  uint32_t m, n, k;
};
constexpr WmmaShape wmma_shapes[] = {{"m16n16k16", 16, 16, 16},
                                     {"m8n32k16", 8, 32, 16},
                                     {"m32n8k16", 32, 8, 16},
                                     {"m16n16k8", 16, 16, 8},
                                     {"m8n8k4", 8, 8, 4}};

/// A fragment: which matrix, and in how many registers a lane has its part.
struct Fragment {
  WmmaPart part = WmmaPart::c;
  uint32_t rows = 0, columns = 0;
  uint32_t bits = 0;           ///< of an element
  uint32_t register_bits = 0;  ///< that hold elements: 32, or 64 for f64
  uint32_t registers = 0;
  uint32_t elements() const { return rows * columns / warp_lanes; }
  uint32_t in_register() const { return register_bits / bits; }
};

struct WmmaForm {
  const Format *a = nullptr, *b = nullptr, *d = nullptr;
  uint32_t m = 0, n = 0, k = 0;
  bool saturates = false;
  Fragment fa, fb, fd;
};

struct WmmaMoveForm {
  Fragment fragment;
  Space space = Space::generic;
  bool is_row_major = false, has_stride = false;
};

/// Whether the format exists in a shape as the fragment (ptx, wmma: the tables of shapes and types).
bool is_of_shape(const WmmaShape& shape, std::string_view format, WmmaPart part) {
  const bool is_16 = shape.k == 16, is_8 = shape.k == 8;
  if (format == "f64") return shape.k == 4;
  if (part == WmmaPart::c)
    return (format == "f32" && shape.k != 4) || (is_16 && (format == "f16" || format == "s32"));
  if (format == "tf32") return is_8;
  return is_16 && (format == "f16" || format == "bf16" || format == "s8" || format == "u8");
}

Fragment fragment_of(const WmmaShape& shape, const Format& format, WmmaPart part) {
  Fragment made;
  made.part = part;
  made.rows = part == WmmaPart::b ? shape.k : shape.m;
  made.columns = part == WmmaPart::a ? shape.k : shape.n;
  made.bits = static_cast<uint32_t>(format.storage_bits);
  made.register_bits = made.bits == 64 ? 64 : 32;
  made.registers = made.elements() / made.in_register();
  if (part != WmmaPart::c && format.name == "f16") made.registers = 8;
  return made;
}

/// Element e of a lane: its row and column.
std::array<uint32_t, 2> cell(const Fragment& fragment, int lane, uint32_t e) {
  const uint32_t linear = e * warp_lanes + static_cast<uint32_t>(lane);
  return {linear / fragment.columns, linear % fragment.columns};
}

uint64_t element_of(const Step& step, const Operand& operand, const Fragment& fragment, int lane,
                    uint32_t e) {
  const uint64_t word = step.value(operand.part(e / fragment.in_register()), lane);
  const uint64_t mask = fragment.bits == 64 ? ~0ull : (1ull << fragment.bits) - 1;
  return word >> (e % fragment.in_register() * fragment.bits) & mask;
}

/// Where element e of a lane lies in memory; `address`: the operand of the first element.
Place place_of(Step& step, const WmmaMoveForm& form, const Operand& address, int lane, uint32_t e,
               bool is_store) {
  const Fragment& fragment = form.fragment;
  const uint64_t leading = form.is_row_major ? fragment.columns : fragment.rows;
  const uint64_t stride =
      form.has_stride ? static_cast<uint32_t>(step.value(step.operand(2), lane)) : leading;
  const auto [row, column] = cell(fragment, lane, e);
  const uint64_t at = form.is_row_major ? row * stride + column : column * stride + row;
  const uint32_t bytes = fragment.bits / 8;
  return resolve(step, lane, form.space, step.address(address, lane) + at * bytes, bytes, bytes, is_store);
}

uint32_t execute_load(Step& step) {
  if (!is_whole_warp(step)) return 0;
  const WmmaMoveForm& form = step.data<WmmaMoveForm>();
  const Fragment& fragment = form.fragment;
  const uint32_t bytes = fragment.bits / 8;
  for (int lane = 0; lane < warp_lanes; ++lane) {
    std::array<uint64_t, 16> words{};
    std::array<bool, 16> tainted{};
    for (uint32_t slot = 0; slot < fragment.registers * fragment.in_register(); ++slot) {
      const Place place = place_of(step, form, step.operand(1), lane, slot % fragment.elements(), false);
      note_load(step, lane, place, bytes);
      uint64_t code = 0;
      std::memcpy(&code, place.bytes, bytes);
      const uint32_t number = slot / fragment.in_register();
      words[number] |= code << (slot % fragment.in_register() * fragment.bits);
      tainted[number] = tainted[number] || holds_unwritten(place, bytes);
    }
    for (uint32_t i = 0; i < fragment.registers; ++i)
      step.set(step.operand(0).part(i), lane, words[i], tainted[i]);
  }
  return step.mask;
}

uint32_t execute_store(Step& step) {
  if (!is_whole_warp(step)) return 0;
  const WmmaMoveForm& form = step.data<WmmaMoveForm>();
  const Fragment& fragment = form.fragment;
  const uint32_t bytes = fragment.bits / 8;
  for (int lane = 0; lane < warp_lanes; ++lane) {
    for (uint32_t e = 0; e < fragment.elements(); ++e) {
      const Place place = place_of(step, form, step.operand(0), lane, e, true);
      const uint64_t code = element_of(step, step.operand(1), fragment, lane, e);
      std::memcpy(place.bytes, &code, bytes);
      note_store(step, lane, place, bytes,
                 step.tainted(step.operand(1).part(e / fragment.in_register()), lane));
    }
  }
  return step.mask;
}

/// Calls f(lane, element, row, column) for each element that a fragment holds.
template <typename F>
void for_elements(const Fragment& fragment, F f) {
  for (int lane = 0; lane < warp_lanes; ++lane)
    for (uint32_t e = 0; e < fragment.elements(); ++e) {
      const auto [row, column] = cell(fragment, lane, e);
      f(lane, e, row, column);
    }
}

bool is_tainted(const Step& step, const Operand& operand, uint32_t registers) {
  for (uint32_t i = 0; i < registers; ++i)
    for (int lane = 0; lane < warp_lanes; ++lane)
      if (step.tainted(operand.part(i), lane)) return true;
  return false;
}

void set_accumulators(const Step& step, const WmmaForm& form, const uint64_t* codes, bool tainted) {
  std::array<std::array<uint64_t, warp_lanes>, 16> words{};
  for_elements(form.fd, [&](int lane, uint32_t e, uint32_t row, uint32_t column) {
    words[e / form.fd.in_register()][static_cast<size_t>(lane)] |=
        codes[row * form.n + column] << (e % form.fd.in_register() * form.fd.bits);
  });
  for (uint32_t i = 0; i < form.fd.registers; ++i)
    for (int lane = 0; lane < warp_lanes; ++lane)
      step.set(step.operand(0).part(i), lane, words[i][static_cast<size_t>(lane)], tainted);
}

uint32_t execute_wmma_mma(Step& step) {
  if (!is_whole_warp(step)) return 0;
  const WmmaForm& form = step.data<WmmaForm>();
  const Settings& settings = step.cluster.settings();
  const bool tainted = is_tainted(step, step.operand(1), form.fa.registers) ||
                       is_tainted(step, step.operand(2), form.fb.registers) ||
                       is_tainted(step, step.operand(3), form.fd.registers);
  std::array<uint64_t, 512> a{}, b{}, d{};  // rows of A, columns of B, rows of D
  for_elements(form.fa, [&](int lane, uint32_t e, uint32_t row, uint32_t column) {
    a[row * form.k + column] = element_of(step, step.operand(1), form.fa, lane, e);
  });
  for_elements(form.fb, [&](int lane, uint32_t e, uint32_t row, uint32_t column) {
    b[column * form.k + row] = element_of(step, step.operand(2), form.fb, lane, e);
  });
  for_elements(form.fd, [&](int lane, uint32_t e, uint32_t row, uint32_t column) {
    d[row * form.n + column] = element_of(step, step.operand(3), form.fd, lane, e);
  });
  if (form.a->storage_bits == 64) {
    const auto fused = tensor_steps_for(settings).fused;
    for (uint32_t row = 0; row < form.m; ++row)
      for (uint32_t column = 0; column < form.n; ++column)
        for (uint32_t k = 0; k < form.k; ++k) {
          uint64_t& sum = d[row * form.n + column];
          const uint64_t x = a[row * form.k + k], y = b[column * form.k + k],
                         right = f64_multiply_add(x, y, sum);
          sum = fused == nullptr ? right : fused(x, y, sum, right);
        }
    set_accumulators(step, form, d.data(), tainted);
    return step.mask;
  }
  std::array<uint32_t, 512> a_codes{}, b_codes{}, d_codes{};
  for (size_t i = 0; i < a.size(); ++i) {
    a_codes[i] = static_cast<uint32_t>(a[i]);
    b_codes[i] = static_cast<uint32_t>(b[i]);
    d_codes[i] = static_cast<uint32_t>(d[i]);
  }
  TileProduct product{};
  product.adder = Adder::mma_sync, product.target = settings.target;
  product.a_format = form.a, product.b_format = form.b, product.d_format = form.d;
  product.m = form.m, product.n = form.n, product.k = form.k;
  product.saturates = form.saturates;
  product.a = {a_codes.data(), form.m * form.k}, product.b = {b_codes.data(), form.n * form.k};
  product.d = {d_codes.data(), form.m * form.n};
  multiply_tile(product, settings);
  const uint64_t mask = (1ull << form.fd.bits) - 1;
  for (size_t i = 0; i < d.size(); ++i) d[i] = d_codes[i] & mask;
  set_accumulators(step, form, d.data(), tainted);
  return step.mask;
}

const WmmaShape* shape_among(const Opcode& opcode) {
  for (const WmmaShape& shape : wmma_shapes)
    if (opcode.has(shape.name)) return &shape;
  return nullptr;
}

std::optional<LoweringError> lower_wmma_move(const Opcode& opcode, Target, Instruction& instruction) {
  for (const char* narrow : {"s4", "u4", "b1"})
    if (opcode.has(narrow)) return unsupported(opcode, "wmma with elements of less than 8 bits");
  const bool is_load = opcode.has("load");
  const WmmaShape* shape = shape_among(opcode);
  const Format* format = nullptr;
  for (const std::string& qualifier : opcode.qualifiers)
    if (const Format* found = spec::find_format(qualifier)) format = found;
  const std::string part = opcode.qualifiers.size() > 1 ? opcode.qualifiers[1] : "";
  const bool is_part = is_load ? part == "a" || part == "b" || part == "c" : part == "d";
  if (shape == nullptr || format == nullptr || !is_part || opcode.has("row") == opcode.has("col") ||
      !opcode.has("sync") || !opcode.has("aligned"))
    return unknown_opcode(opcode);
  if (!only_known_qualifiers(opcode, std::string(is_load ? "load " : "store ") + part +
                                         " sync aligned row col global shared shared::cta " +
                                         std::string(shape->name) + " " + std::string(format->name)))
    return unknown_opcode(opcode);
  const WmmaPart which = part == "a" ? WmmaPart::a : part == "b" ? WmmaPart::b : WmmaPart::c;
  if (!is_of_shape(*shape, format->name, which)) return unknown_opcode(opcode);
  WmmaMoveForm form{fragment_of(*shape, *format, which), space_of(opcode), opcode.has("row"), false};
  const auto& operands = instruction.operands;
  const size_t address = is_load ? 1 : 0;
  form.has_stride = operands.size() == 3;
  if (operands.size() < 2 || operands.size() > 3 ||
      !is_fragment(operands[1 - address], form.fragment.registers, form.fragment.register_bits, is_load) ||
      operands[address].kind != Operand::Kind::address || !operands[address].items.empty() ||
      (form.has_stride && operands[2].kind != Operand::Kind::value))
    return wrong_operands(opcode, "a vector of " + std::to_string(form.fragment.registers) +
                                      " registers of " + std::to_string(form.fragment.register_bits) +
                                      " bits, an address and a stride if any");
  instruction.data = std::make_shared<const WmmaMoveForm>(form);
  instruction.execute = is_load ? execute_load : execute_store;
  return std::nullopt;
}

/// mma.sync.aligned.LAYOUT.LAYOUT.SHAPE[.rnd] and the types: D and C for f16, D, A, B and C for the others.
std::optional<LoweringError> lower_mma(const Opcode& opcode, Target, Instruction& instruction) {
  for (const char* narrow : {"s4", "u4", "b1"})
    if (opcode.has(narrow)) return unsupported(opcode, "wmma with elements of less than 8 bits");
  WmmaForm form;
  std::vector<const Format*> types;
  const WmmaShape* shape = shape_among(opcode);
  int layouts = 0;
  for (const std::string& qualifier : opcode.qualifiers) {
    if (const Format* format = spec::find_format(qualifier))
      types.push_back(format);
    else if (qualifier == "row" || qualifier == "col")
      ++layouts;
    else if (qualifier == "satfinite")
      form.saturates = true;
    else if (qualifier != "mma" && qualifier != "sync" && qualifier != "aligned" && qualifier != "rn" &&
             (shape == nullptr || qualifier != shape->name))
      return unknown_opcode(opcode);
  }
  if (shape == nullptr || layouts != 2 || !opcode.has("sync") || !opcode.has("aligned"))
    return unknown_opcode(opcode);
  if (types.size() == 2) types = {types[0], spec::find_format("f16"), spec::find_format("f16"), types[1]};
  if (types.size() != 4) return unknown_opcode(opcode);
  form.a = types[1], form.b = types[2], form.d = types[0];
  form.m = shape->m, form.n = shape->n, form.k = shape->k;
  const bool is_half = form.a->name == "f16";
  const std::string_view sums = form.a->name == "f64" ? "f64" : form.a->is_integer() ? "s32" : "f32";
  // (ptx, wmma.mma) f16 products may have C and D of different types; here they must be of one.
  if (form.a != form.b || types[0] != types[3] || (form.saturates && !form.a->is_integer()) ||
      (opcode.has("rn") && form.a->name != "f64") || !is_of_shape(*shape, form.a->name, WmmaPart::a) ||
      !is_of_shape(*shape, form.d->name, WmmaPart::c) ||
      !(form.d->name == sums || (is_half && form.d->name == "f16")))
    return unknown_opcode(opcode);
  form.fa = fragment_of(*shape, *form.a, WmmaPart::a);
  form.fb = fragment_of(*shape, *form.b, WmmaPart::b);
  form.fd = fragment_of(*shape, *form.d, WmmaPart::c);
  const auto& operands = instruction.operands;
  if (operands.size() != 4 || !is_fragment(operands[0], form.fd.registers, form.fd.register_bits, true) ||
      !is_fragment(operands[1], form.fa.registers, form.fa.register_bits, false) ||
      !is_fragment(operands[2], form.fb.registers, form.fb.register_bits, false) ||
      !is_fragment(operands[3], form.fd.registers, form.fd.register_bits, false))
    return wrong_operands(opcode, "vectors of " + std::to_string(form.fd.registers) + ", " +
                                      std::to_string(form.fa.registers) + ", " +
                                      std::to_string(form.fb.registers) + " and " +
                                      std::to_string(form.fd.registers) + " registers");
  instruction.data = std::make_shared<const WmmaForm>(form);
  instruction.execute = execute_wmma_mma;
  return std::nullopt;
}

const RegisteredFamily wmma_load("wmma.load", lower_wmma_move);
const RegisteredFamily wmma_store("wmma.store", lower_wmma_move);
const RegisteredFamily wmma_mma("wmma.mma", lower_mma);

}  // namespace
}  // namespace assay::emulator
