#include "fuzz/kernel_text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace assay::fuzz {
namespace {

/// Statements. Operands: %r 32-bit, %d 64-bit, %h 16-bit, %f f32, %e f64, %p predicate registers; %i small
/// number, %n any 32-bit number; %g address in the kernel's buffer, %s in shared memory, %m an mbarrier, %l
/// in local memory; %L label.
constexpr std::array statements{
    "add.u32 %r, %r, %r;",
    "sub.s32 %r, %r, %n;",
    "mul.lo.u32 %r, %r, %r;",
    "mul.wide.u32 %d, %r, %r;",
    "mul.hi.s32 %r, %r, %r;",
    "mad.lo.s32 %r, %r, %r, %r;",
    "div.u32 %r, %r, %r;",
    "rem.s32 %r, %r, %r;",
    "add.cc.u32 %r, %r, %r;",
    "addc.u32 %r, %r, %r;",
    "and.b32 %r, %r, %n;",
    "xor.b32 %r, %r, %r;",
    "not.b32 %r, %r;",
    "shl.b32 %r, %r, %r;",
    "shr.s32 %r, %r, %r;",
    "shf.l.wrap.b32 %r, %r, %r, %r;",
    "lop3.b32 %r, %r, %r, %r, 0x96;",
    "prmt.b32 %r, %r, %r, %r;",
    "bfe.u32 %r, %r, %r, %r;",
    "bfi.b32 %r, %r, %r, %r, %r;",
    "popc.b32 %r, %r;",
    "clz.b32 %r, %r;",
    "brev.b32 %r, %r;",
    "min.s32 %r, %r, %r;",
    "max.u32 %r, %r, %r;",
    "abs.s32 %r, %r;",
    "selp.b32 %r, %r, %r, %p;",
    "mov.u32 %r, %n;",
    "mov.b64 %d, {%r, %r};",
    "mov.b64 {%r, %r}, %d;",
    "add.s64 %d, %d, %d;",
    "mul.lo.u64 %d, %d, %d;",
    "shl.b64 %d, %d, %r;",
    "add.f32 %f, %f, %f;",
    "fma.rn.f32 %f, %f, %f, %f;",
    "mul.rz.f32 %f, %f, %f;",
    "div.rn.f32 %f, %f, %f;",
    "sqrt.rn.f32 %f, %f;",
    "add.f64 %e, %e, %e;",
    "cvt.rn.f32.s32 %f, %r;",
    "cvt.rzi.s32.f32 %r, %f;",
    "cvt.u32.u16 %r, %h;",
    "cvt.u16.u32 %h, %r;",
    "cvt.f64.f32 %e, %f;",
    "add.u16 %h, %h, %h;",
    "setp.eq.u32 %p, %r, %r;",
    "setp.lt.s32 %p, %r, %n;",
    "setp.gt.f32 %p, %f, %f;",
    "and.pred %p, %p, %p;",
    "not.pred %p, %p;",
    "mov.u32 %r, %tid.x;",
    "mov.u32 %r, %ctaid.x;",
    "mov.u32 %r, %laneid;",
    "ld.global.u32 %r, [%g];",
    "st.global.u32 [%g], %r;",
    "ld.global.v4.u32 {%r, %r, %r, %r}, [%g];",
    "st.global.v2.u32 [%g], {%r, %r};",
    "ld.shared.u32 %r, [%s];",
    "st.shared.u32 [%s], %r;",
    "st.shared.u64 [%s], %d;",
    "ld.local.u32 %r, [%l];",
    "st.local.u32 [%l], %r;",
    "ld.u32 %r, [%g];",
    "atom.global.add.u32 %r, [%g], %r;",
    "atom.shared.cas.b32 %r, [%s], %r, %r;",
    "red.global.max.s32 [%g], %r;",
    "prefetch.global.L2 [%g];",
    "bar.sync 0;",
    "bar.warp.sync 0xffffffff;",
    "barrier.sync %i, 64;",
    "membar.gl;",
    "fence.proxy.async;",
    "shfl.sync.idx.b32 %r, %r, %r, 31, 0xffffffff;",
    "shfl.sync.bfly.b32 %r|%p, %r, %i, 31, 0xffffffff;",
    "vote.sync.ballot.b32 %r, %p, 0xffffffff;",
    "vote.sync.any.pred %p, %p, 0xffffffff;",
    "activemask.b32 %r;",
    "match.any.sync.b32 %r, %r, 0xffffffff;",
    "redux.sync.add.s32 %r, %r, 0xffffffff;",
    "elect.sync %r|%p, 0xffffffff;",
    "bra %L;",
    "@%p bra %L;",
    "@!%p bra %L;",
    "@%p exit;",
    "@%p st.global.u32 [%g], %r;",
    "mbarrier.init.shared.b64 [%m], %i;",
    "mbarrier.arrive.shared.b64 %d, [%m];",
    "mbarrier.arrive.expect_tx.shared.b64 %d, [%m], 16;",
    "mbarrier.test_wait.parity.shared.b64 %p, [%m], %i;",
    "mbarrier.try_wait.parity.shared.b64 %p, [%m], %i;",
    "cp.async.ca.shared.global [%s], [%g], 16;",
    "cp.async.commit_group;",
    "cp.async.wait_all;",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%g], 16, [%m];",
    "cp.async.bulk.global.shared::cta.bulk_group [%g], [%s], 16;",
    "cp.async.bulk.commit_group;",
    "cp.async.bulk.wait_group 0;",
    "nanosleep.u32 %i;",
};

constexpr uint32_t labels = 6, most_statements = 96;

/// Takes bytes in turn; zeros when they have run out.
struct Source {
  std::span<const uint8_t> bytes;
  size_t at = 0;
  uint32_t next() { return at < bytes.size() ? bytes[at++] : 0; }
};

std::string number(uint32_t value) {
  return std::to_string(value);
}

/// The operand that a letter of a statement stands for.
std::string operand(char letter, Source& source) {
  const uint32_t byte = source.next();
  switch (letter) {
    case 'r':
    case 'd':
    case 'f':
    case 'e':
    case 'h':
      return std::string("%") + letter + number(1 + byte % 6);
    case 'p':
      return "%p" + number(1 + byte % 3);
    case 'i':
      return number(byte % 16);
    case 'n': {
      constexpr uint32_t numbers[] = {0, 1, 2, 31, 32, 255, 65535, 0x7fffffff, 0x80000000, 0xffffffff};
      return number(byte < 128 ? numbers[byte % std::size(numbers)] : byte * 0x01010101u);
    }
    // Mostly inside and aligned; sometimes beside the end, or anywhere.
    case 'g':
      return byte == 255   ? "%d1"
             : byte >= 248 ? "%d7+" + number(508 + byte % 8)
                           : "%d7+" + number(byte % 32 * 16);
    case 's':
      return byte == 255   ? "%r1"
             : byte >= 248 ? "shared+" + number(1020 + byte % 8)
                           : "shared+" + number(byte % 60 * 16);
    case 'm':
      return "shared+" + number(byte == 255 ? 4 : byte % 4 * 8 + 960);
    case 'l':
      return "local+" + number(byte == 255 ? 64 : byte % 16 * 4);
    default:
      return "L" + number(byte % labels);
  }
}

bool is_operand(std::string_view text, size_t at) {
  // "%tid.x" and its like are no operands: a letter goes on.
  if (text[at] != '%' || at + 1 >= text.size()) return false;
  const bool one_letter =
      at + 2 >= text.size() || !((text[at + 2] >= 'a' && text[at + 2] <= 'z') || text[at + 2] == '_');
  return one_letter && std::string_view("rdhfepingsmlL").find(text[at + 1]) != std::string_view::npos;
}

std::string statement(std::string_view form, Source& source) {
  std::string text = "  ";
  for (size_t at = 0; at < form.size(); ++at) {
    if (is_operand(form, at))
      text += operand(form[++at], source);
    else
      text += form[at];
  }
  return text + "\n";
}

}  // namespace

size_t statement_count() {
  return statements.size();
}

size_t statement_of(uint8_t byte) {
  return byte % statements.size();
}

std::string kernel_text(std::span<const uint8_t> bytes) {
  Source source{bytes};
  const uint32_t count = std::min<uint32_t>(most_statements, 1 + static_cast<uint32_t>(bytes.size()) / 3);
  std::string text =
      ".version 9.0\n.target sm_100a\n.address_size 64\n"
      ".visible .entry k(.param .u64 p)\n{\n"
      ".reg .pred %p<4>;\n.reg .b16 %h<8>;\n.reg .b32 %r<8>;\n.reg .b64 %d<8>;\n.reg .f32 %f<8>;\n.reg .f64 "
      "%e<8>;\n"
      ".shared .align 128 .b8 shared[1024];\n.local .align 16 .b8 local[64];\n"
      "  ld.param.u64 %d7, [p];\n  mov.u32 %r1, %tid.x;\n  cvt.u64.u32 %d1, %r1;\n";
  // Every register has a value, so that what is read is defined.
  for (int i = 2; i < 8; ++i)
    text += "  mov.u32 %r" + std::to_string(i) + ", " + std::to_string(i * 5) + ";\n";
  for (int i = 2; i < 7; ++i)
    text += "  mov.u64 %d" + std::to_string(i) + ", " + std::to_string(i * 7) + ";\n";
  for (int i = 1; i < 8; ++i)
    text += "  cvt.u16.u32 %h" + std::to_string(i) + ", %r1;\n  cvt.rn.f32.u32 %f" + std::to_string(i) +
            ", %r1;\n  cvt.rn.f64.u32 %e" + std::to_string(i) + ", %r1;\n";
  for (int i = 1; i < 4; ++i)
    text += "  setp.gt.u32 %p" + std::to_string(i) + ", %r1, " + std::to_string(i * 9) + ";\n";
  for (uint32_t i = 0; i < count; ++i) {
    // Labels lie evenly, so that branches go back and forth.
    for (uint32_t label = 0; label < labels; ++label)
      if (i == label * count / labels) text += "L" + number(label) + ":\n";
    text += statement(statements[statement_of(static_cast<uint8_t>(source.next()))], source);
  }
  return text + "  st.global.u32 [%d7], %r1;\n  ret;\n}\n";
}

}  // namespace assay::fuzz
