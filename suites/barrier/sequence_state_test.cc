// SPDX-License-Identifier: Apache-2.0
// Programs of mbarriers and of tensor memory by RapidCheck's state testing: commands that are valid in the
// model's state run on the emulated device, and those that show a fault shrink to a handful.
//
// The properties barrier.sequence and tmem.sequence keep generators of their own, for two reasons. A case is
// made from (seed, property, index) in the same way on every machine and in every version of RapidCheck,
// whose random numbers are its own affair; and a case shrinks from its data alone, as a file or a replay has
// it, while RapidCheck shrinks what it has just generated. This test holds the same model against another
// generator and another way to shrink.
#include <gtest/gtest.h>
#include <rapidcheck/state.h>

#include <nlohmann/json.hpp>

#include "devices/device.h"
#include "reference/model/barrier/machine.h"
#include "reference/model/barrier/mbarrier.h"
#include "reference/model/tmem/machine.h"
#include "suites/run/case_file.h"
#include "suites/run/property.h"

namespace assay::suites {
namespace {

struct Barriers {
  static constexpr SequenceMachine kind = SequenceMachine::barriers;
  static constexpr uint32_t ops = barrier_ops;
  static constexpr std::string_view property = "barrier.sequence";
  bool takes(const SequenceStep& step) { return machine.step(step).has_value(); }
  model::BarrierMachine machine;
};
struct TensorMemory {
  static constexpr SequenceMachine kind = SequenceMachine::tensor_memory;
  static constexpr uint32_t ops = tmem_ops;
  static constexpr std::string_view property = "tmem.sequence";
  bool takes(const SequenceStep& step) { return machine.step(step, {}); }
  model::TmemMachine machine{/*has_values=*/false};
};

/// The kernel runs a whole program, so a command only writes its step down.
template <typename Model>
struct StepCommand : rc::state::Command<Model, SequenceCase> {
  explicit StepCommand(const SequenceStep& of) : step(of) {}
  void checkPreconditions(const Model& before) const override {
    Model next = before;
    RC_PRE(next.takes(step));
  }
  void apply(Model& state) const override { state.takes(step); }
  void run(const Model&, SequenceCase& program) const override { program.steps[program.count++] = step; }
  void show(std::ostream& out) const override { out << model::step_words(Model::kind, step); }

  SequenceStep step;
};
template <typename Model>
using Command = rc::state::Command<Model, SequenceCase>;
template <typename Model>
using CommandPointer = std::shared_ptr<const Command<Model>>;

/// What a field may be where the operation has it; a step is valid with 0 in the others.
rc::Gen<uint32_t> amounts_in(SequenceMachine machine, uint32_t op) {
  const auto barrier = static_cast<BarrierOp>(op);
  const auto tmem = static_cast<TmemOp>(op);
  if (machine == SequenceMachine::tensor_memory) {
    if (tmem == TmemOp::allocate) return rc::gen::element(32u, 32u, 64u, 256u, 512u);
    if (tmem == TmemOp::exchange) return rc::gen::element(64u, 256u, 512u);
    if (tmem == TmemOp::replace) return rc::gen::inRange(1u, 1000u);
    if (tmem == TmemOp::store) return rc::gen::inRange(1u, model::access_forms << model::seed_bits);
    if (tmem == TmemOp::load) return rc::gen::inRange(0u, model::access_forms + 1);
    if (tmem == TmemOp::shift) return rc::gen::inRange(0u, model::spelling_ways);
    if (tmem == TmemOp::copy) return rc::gen::inRange(0u, 6 * tmem_sources);
    return tmem == TmemOp::multiply ? rc::gen::inRange(0u, model::spelling_ways << model::choice_bits)
                                    : rc::gen::just(0u);
  }
  switch (barrier) {
    case BarrierOp::init:
    case BarrierOp::arrive:
    case BarrierOp::arrive_drop:
    case BarrierOp::arrive_no_complete:
    case BarrierOp::arrive_drop_no_complete:
    case BarrierOp::copies_arrive:
    case BarrierOp::copies_arrive_noinc:
      return rc::gen::inRange(1u, 4u);
    case BarrierOp::pass_phases:
      return rc::gen::map(rc::gen::inRange(1u, 4u),
                          [](uint32_t arrivals) { return phases_amount(arrivals * 30, arrivals); });
    case BarrierOp::bytes_arrive:
      return rc::gen::map(rc::gen::inRange(0u, model::async_ops * 2), [](uint32_t drawn) {
        const auto op = static_cast<model::AsyncOp>(drawn / 2);
        const uint32_t bytes = op == model::AsyncOp::bulk_copy ? 16 : model::bytes_of(op);
        return model::AsyncWrite{bytes, op, 1u << drawn % 16}.amount();
      });
    case BarrierOp::expect_tx:
    case BarrierOp::complete_tx:
    case BarrierOp::arrive_expect_tx:
    case BarrierOp::arrive_drop_expect_tx:
      return rc::gen::element(0u, 4u, 8u, 16u, 4096u, 4112u);
    case BarrierOp::test_parity:
    case BarrierOp::try_parity:
      return rc::gen::inRange(0u, 2u);
    default:
      return rc::gen::just(0u);
  }
}
rc::Gen<uint32_t> columns(SequenceMachine machine, uint32_t op) {
  const auto tmem = static_cast<TmemOp>(op);
  if (machine == SequenceMachine::barriers)
    return may_be_remote(static_cast<BarrierOp>(op)) ? rc::gen::element(0u, 0u, 0u, 1u) : rc::gen::just(0u);
  if (tmem == TmemOp::store || tmem == TmemOp::load || tmem == TmemOp::copy || tmem == TmemOp::shift ||
      tmem == TmemOp::replace)
    return rc::gen::element(0u, 8u, 16u);
  if (tmem == TmemOp::deallocate) return rc::gen::inRange(0u, tmem_warps);
  if (tmem == TmemOp::exchange) return rc::gen::inRange(0u, SequenceCase::targets);
  return tmem == TmemOp::multiply ? rc::gen::element(0u, 16u) : rc::gen::just(0u);
}
rc::Gen<uint32_t> targets(SequenceMachine machine, uint32_t op) {
  const auto tmem = static_cast<TmemOp>(op);
  const bool names_none = machine == SequenceMachine::tensor_memory &&
                          (tmem == TmemOp::wait_store || tmem == TmemOp::commit || tmem == TmemOp::wait);
  return names_none ? rc::gen::just(0u) : rc::gen::inRange(0u, SequenceCase::targets);
}

template <typename Model>
rc::Gen<CommandPointer<Model>> any_command(const Model&) {
  // Of the nominal size: the size here is the length of the program, and would keep ranges to their
  // beginnings.
  return rc::gen::resize(
      rc::kNominalSize, rc::gen::mapcat(rc::gen::inRange(0u, Model::ops + 3), [](uint32_t drawn) {
        // At first there is only what begins a barrier or an allocation.
        const uint32_t op = drawn < Model::ops ? drawn : 0;
        return rc::gen::apply(
            [op](uint32_t target, uint32_t column, uint32_t amount) -> CommandPointer<Model> {
              return std::make_shared<const StepCommand<Model>>(SequenceStep{op, target, column, amount});
            },
            targets(Model::kind, op), columns(Model::kind, op), amounts_in(Model::kind, op));
      }));
}

template <typename Model>
using Program = std::vector<CommandPointer<Model>>;
/// A program of at most as many commands as the kernel takes, the same for the same seed.
template <typename Model>
rc::Shrinkable<Program<Model>> program(uint64_t seed) {
  return rc::state::gen::commands([] { return Model(); }, any_command<Model>)(
      rc::Random(seed), static_cast<int>(SequenceCase::most_steps) - 1);
}

class Runner {
 public:
  explicit Runner(const std::string& device)
      : device_(open_device(device, {})), arch_(*spec::parse_arch(device_->identity().architecture)) {}

  template <typename Model>
  bool conforms(const Program<Model>& commands) {
    SequenceCase steps;
    steps.machine = Model::kind, steps.count = 0;
    rc::state::runAll(
        commands, [] { return Model(); }, steps);
    return conforms(Model::property, steps);
  }
  bool conforms(std::string_view property, const SequenceCase& program) {
    const Case made = program;
    ReadingSet readings(arch_);
    CaseRunner runner(*device_, readings, arch_);
    return runner.run(*find_property(property), {&made, 1}).front().verdict == report::Verdict::conforms;
  }

 private:
  std::unique_ptr<Device> device_;
  spec::Arch arch_;
};

template <typename Model>
void expect_conforming(const std::string& device) {
  Runner runner(device);
  size_t steps = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const Program<Model> made = program<Model>(seed).value();
    steps += made.size();
    EXPECT_TRUE(runner.conforms<Model>(made)) << rc::toString(made);
  }
  EXPECT_GT(steps, 40u * 8);
}

/// The first program that shows the fault, shrunk as RapidCheck shrinks: to the first child that still fails.
template <typename Model>
Program<Model> smallest_failing(const std::string& device) {
  Runner runner(device);
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    rc::Shrinkable<Program<Model>> node = program<Model>(seed);
    if (runner.conforms<Model>(node.value())) continue;
    for (bool moved = true; moved;) {
      moved = false;
      auto children = node.shrinks();
      while (auto child = children.next()) {
        if (child->value().empty() || runner.conforms<Model>(child->value())) continue;
        node = *child;
        moved = true;
        break;
      }
    }
    return node.value();
  }
  return {};
}

TEST(SequenceState, ProgramsOfBarriersConform) {
  expect_conforming<Barriers>("emulator:sm_90a");
}
TEST(SequenceState, ProgramsOfTensorMemoryConform) {
  expect_conforming<TensorMemory>("emulator:sm_100a");
}

// The CTA that has the barrier, and has done nothing since its own arrival, must not wait for the phase
// before.
TEST(SequenceState, BytesOfAnotherCtaEndThePhaseThatItBegan) {
  const SequenceCase c = model::case_from_json<SequenceCase>(nlohmann::json::parse(R"({
    "has_bystanders":true,"issuer":1,"machine":0,"steps":[{"amount":2},{"amount":8,"op":6},
    {"amount":1,"op":3},
    {"amount":8,"column":1,"op":5},{"amount":4,"column":1,"op":11},
    {"amount":3680833028,"column":1,"op":19}]})"));
  for (const char* schedule : {"eager", "lazy", "random:7"})
    EXPECT_TRUE(Runner(std::string("emulator:sm_90a,schedule=") + schedule).conforms("barrier.sequence", c));
}

TEST(SequenceState, TheSameSeedMakesTheSameProgram) {
  EXPECT_EQ(rc::toString(program<Barriers>(5).value()), rc::toString(program<Barriers>(5).value()));
  EXPECT_NE(rc::toString(program<Barriers>(5).value()), rc::toString(program<Barriers>(6).value()));
}

TEST(SequenceState, FaultsOfBarriersShrinkToAHandful) {
  for (const char* fault :
       {"barrier_completes_with_bytes_pending", "barrier_expect_tx_truncated", "barrier_phase_keeps_count",
        "barrier_expect_never_completes", "barrier_no_complete_completes", "barrier_init_keeps_bytes"}) {
    const auto found = smallest_failing<Barriers>(std::string("emulator:sm_90a,fault=") + fault);
    EXPECT_GE(found.size(), 2u) << fault;
    EXPECT_LE(found.size(), 5u) << fault << "\n" << rc::toString(found);
  }
}

TEST(SequenceState, FaultsOfTensorMemoryShrinkToAHandful) {
  const auto found =
      smallest_failing<TensorMemory>("emulator:sm_100a,fault=tcgen05_dealloc_of_64_frees_first");
  EXPECT_FALSE(found.empty());
  EXPECT_LE(found.size(), 7u) << rc::toString(found);
}

}  // namespace
}  // namespace assay::suites
