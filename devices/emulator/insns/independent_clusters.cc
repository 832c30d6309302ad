// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/insns/control.h"

#include <algorithm>
#include <string_view>

#include "devices/emulator/machine/special_registers.h"
#include "devices/emulator/machine/step.h"

// Which instructions keep to their cluster. An instruction that is not listed does not.
namespace assay::emulator {
namespace {

bool has_any(const Opcode& opcode, std::initializer_list<std::string_view> qualifiers) {
  return std::any_of(qualifiers.begin(), qualifiers.end(),
                     [&](std::string_view one) { return opcode.has(one); });
}

/// Memory that other clusters do not see.
bool is_own(const Opcode& opcode) {
  const Space space = space_of(opcode);
  return space != Space::generic && space != Space::global;
}

bool is_of_cluster(const Opcode& opcode) {
  return has_any(opcode, {"cta", "cluster"});
}

/// ld, st and what is spelt like them. Weak accesses order nothing; .cv and .wt are for memory that others
/// change and look at.
bool is_plain_access(const Opcode& opcode) {
  if (is_own(opcode)) return true;
  if (has_any(opcode, {"volatile", "mmio", "cv", "wt", "async", "bulk"})) return false;
  return !has_any(opcode, {"relaxed", "acquire", "release"}) || is_of_cluster(opcode);
}

bool is_local_fence(const Opcode& opcode) {
  if (opcode.base == "membar") return opcode.has("cta");
  if (opcode.has("proxy")) return opcode.has("async") || opcode.has("alias");
  return is_of_cluster(opcode) || opcode.has("mbarrier_init");
}

/// Copies to global memory are stores; reductions there add to what other clusters add to.
bool is_plain_copy(const Opcode& opcode) {
  return !opcode.has("reduce") || !opcode.has("global");
}

struct ClusterRow {
  std::string_view base;
  bool (*keeps_to_itself)(const Opcode&);  ///< null: always
};

constexpr ClusterRow cluster_rows[] = {
    {"ld", is_plain_access},
    {"ldu", is_plain_access},
    {"st", is_plain_access},
    {"atom", [](const Opcode& o) { return is_own(o) || is_of_cluster(o); }},
    {"red", [](const Opcode& o) { return is_own(o) || (is_of_cluster(o) && !o.has("async")); }},
    {"cp", is_plain_copy},
    {"fence", is_local_fence},
    {"membar", is_local_fence},
    {"bar", nullptr},
    {"barrier", nullptr},
    {"mbarrier", nullptr},
    {"bra", nullptr},
    {"brx", nullptr},
    {"ret", nullptr},
    {"exit", nullptr},
    {"trap", nullptr},
    {"brkpt", nullptr},
    {"mov", nullptr},
    {"cvta", nullptr},
    {"isspacep", nullptr},
    {"mapa", nullptr},
    {"getctarank", nullptr},
    {"activemask", nullptr},
    {"elect", nullptr},
    {"match", nullptr},
    {"redux", nullptr},
    {"shfl", nullptr},
    {"vote", nullptr},
    {"ldmatrix", nullptr},
    {"stmatrix", nullptr},
    {"movmatrix", nullptr},
    {"mma", nullptr},
    {"wmma", nullptr},
    {"wgmma", nullptr},
    {"tcgen05", nullptr},
    {"setmaxnreg", nullptr},
    {"griddepcontrol", nullptr},
    {"prefetch", nullptr},
    {"prefetchu", nullptr},
    {"applypriority", nullptr},
    {"createpolicy", nullptr},
    {"pmevent", nullptr},
};

bool reads_clock(const Instruction& instruction) {
  constexpr std::string_view names[] = {"%clock64", "%clock", "%clock_hi"};
  return std::any_of(std::begin(names), std::end(names), [&](std::string_view name) {
    return instruction.execute == find_changing_special_register(name);
  });
}

bool keeps_to_cluster(const Instruction& instruction) {
  if (instruction.lane_op != nullptr || instruction.flow == Instruction::Flow::branch) return true;
  const Opcode& opcode = *instruction.opcode;
  if (opcode.base == "call")
    // What takes of the heap gets what others left.
    return instruction.execute != find_builtin("malloc") && instruction.execute != find_builtin("free");
  if (reads_clock(instruction)) return false;
  const auto* const row = std::find_if(std::begin(cluster_rows), std::end(cluster_rows),
                                       [&](const ClusterRow& one) { return one.base == opcode.base; });
  return row != std::end(cluster_rows) && (row->keeps_to_itself == nullptr || row->keeps_to_itself(opcode));
}

}  // namespace

bool has_independent_clusters(const Program& program) {
  return std::all_of(program.code.begin(), program.code.end(), keeps_to_cluster);
}

}  // namespace assay::emulator
