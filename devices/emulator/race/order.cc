// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/race/order.h"

#include <algorithm>
#include <utility>

namespace assay::emulator::race {

Order::Order(uint32_t ctas, uint32_t threads_of_cta, uint32_t cluster, GridFlags& grid)
    : warps_of_cta_((threads_of_cta + 31) / 32),
      cluster_(cluster),
      grid_(grid),
      components_(ctas * warps_of_cta_),
      barriers_(ctas),
      exited_(ctas),
      inits_(components_),
      waits_(components_) {
  for (uint32_t i = 0; i < components_; ++i) {
    const uint32_t lanes = threads_of_cta - i % warps_of_cta_ * 32;
    warps_.emplace_back(static_cast<Component>(i), lanes >= 32 ? ~0u : (1u << lanes) - 1);
  }
}

Component Order::add_agent() {
  // Agents beyond the last share its clock.
  if (components_ + 1 < most_components) ++components_;
  return static_cast<Component>(components_ - 1);
}

void Order::exits(const Lanes& who) {
  touch(Touches::Object::cta_barrier, who.cta * 16, Touch::Kind::arrive);
  touch(Touches::Object::cluster_barrier, 0, Touch::Kind::arrive);
  warp(who).collect(who.lanes, exited_[who.cta]);
  warp(who).exits(who.lanes);
}

void Order::cta_arrives(const Lanes& who, uint32_t barrier) {
  touch(Touches::Object::cta_barrier, who.cta * 16 + barrier, Touch::Kind::arrive);
  warp(who).collect(who.lanes, barriers_[who.cta][barrier].arriving);
  warp(who).tick();
}

void Order::cta_completes(uint32_t cta, uint32_t barrier, bool is_whole) {
  touch_completed(Touches::Object::cta_barrier, cta * 16 + barrier);
  Meeting& meeting = barriers_[cta][barrier];
  if (is_whole) meeting.arriving.join(exited_[cta]);
  meeting.released = std::exchange(meeting.arriving, {});
}

void Order::cta_leaves(const Lanes& who, uint32_t barrier, bool waits) {
  if (waits) touch(Touches::Object::cta_barrier, who.cta * 16 + barrier, Touch::Kind::await);
  if (orders(Row::cta_barrier, waits)) warp(who).meet(who.lanes, &barriers_[who.cta][barrier].released);
}

void Order::cluster_arrives(const Lanes& who, bool releases) {
  touch(Touches::Object::cluster_barrier, 0, Touch::Kind::arrive);
  if (orders(Row::cluster_barrier, releases)) {
    warp(who).collect(who.lanes, cluster_barrier_.arriving);
  } else {
    collect_fenced(who, cluster_barrier_.arriving);
    withhold(who, Cause::Why::relaxed_arrival, cluster_barrier_.withholding);
  }
  warp(who).tick();
}

void Order::cluster_completes() {
  touch_completed(Touches::Object::cluster_barrier, 0);
  for (const Knowledge& exited : exited_) cluster_barrier_.arriving.join(exited);
  cluster_barrier_.released = std::exchange(cluster_barrier_.arriving, {});
  cluster_barrier_.withheld = std::exchange(cluster_barrier_.withholding, {});
}

void Order::cluster_leaves(const Lanes& who) {
  touch(Touches::Object::cluster_barrier, 0, Touch::Kind::await);
  warp(who).each(who.lanes, [&](Part& part) {
    part.learn(cluster_barrier_.released);
    part.knows.withheld.add(cluster_barrier_.withheld);
  });
}

void Order::warp_meets(const Lanes& who, uint32_t others) {
  if (!orders(Row::warp_barrier)) return;
  warp(who).meet(who.lanes | (is_widened(Row::warp_barrier) ? others : 0));
}

void Order::fence(const Lanes& who, Scope scope, bool is_sc) {
  WarpClock& clock = warp(who);
  is_sc = orders(Row::fence_sc, is_sc && scope == Scope::gpu);
  clock.each(who.lanes, [&](Part& part) {
    if (part.pending && orders(Row::fence_acquire)) part.learn(*part.pending);
    part.pending.reset();
    // What a thread that it has synchronised with found by an atom.
    const AllWithheld withheld = part.knows.withheld;
    for (const auto& one : withheld)
      if (one->cause.why == Cause::Why::relaxed_atomic) {
        Knowledge found;
        found.seen = one->seen, found.far = one->far;
        part.learn(found);
      }
    if (is_sc) {
      Knowledge& knows = part.knows;
      if (const Clock* const own = knows.at_fences_found.seen_of(cluster_)) knows.seen.join(*own);
      knows.far.join(knows.at_fences_found);
      knows.at_fences_found = {};
      Clock seen = knows.seen;
      seen.learn(clock.moment(part.lanes), clock.every());
      knows.at_fences.join(FarClocks::of(cluster_, seen, knows.fenced_global));
      knows.at_fences.join(knows.far);
      part.copy.reset();
    }
    part.fenced = part.knows;
    part.fenced_at = clock.now();
    part.fenced_scope = scope;
  });
  clock.tick();
}

void Order::proxy_fence(const Lanes& who, bool is_for_shared, bool is_for_global) {
  WarpClock& clock = warp(who);
  clock.each(who.lanes, [&](Part& part) {
    const auto fence = [&](Clock& fenced) {
      fenced.join(part.knows.seen);
      fenced.learn(clock.moment(part.lanes), clock.every());
    };
    if (is_for_shared) fence(part.knows.fenced);
    if (is_for_global) fence(part.knows.fenced_global), part.knows.far.fence();
    part.copy.reset();
  });
  clock.tick();
  fence_inits(who);
}

void Order::init_fence(const Lanes& who) {
  if (!orders(Row::init_fence)) return;
  if (is_widened(Row::init_fence)) return fence(who, Scope::gpu, false);
  fence_inits(who);
}

void Order::fence_inits(const Lanes& who) {
  const Inits& inits = inits_[warp(who).me()];
  if (inits.count == 0) return;
  warp(who).each(who.lanes, [&](Part& part) {
    const Moment all{inits.agent, 1, inits.count};
    if (!part.knows.seen.knows(all)) return;
    if (!part.fenced) part.fenced.emplace(), part.fenced_at = 0, part.fenced_scope = Scope::gpu;
    part.fenced->seen.learn(all, 1);
  });
}

void Order::collect_fenced(const Lanes& who, Knowledge& into) {
  WarpClock& clock = warp(who);
  if (!orders(Row::fence_release)) return;
  clock.each(who.lanes, [&](const Part& part) {
    if (!part.fenced) return;
    if (is_widened(Row::fence_release)) clock.collect(part.lanes, into);
    into.join(*part.fenced);
    if (part.fenced_at != 0) into.seen.learn({clock.me(), part.lanes, part.fenced_at}, clock.every());
  });
}

void Order::withhold(const Lanes& who, Cause::Why why, AllWithheld& from) {
  Knowledge all;
  warp(who).collect(who.lanes, all);
  all.far.join(FarClocks::of(cluster_, all.seen, all.fenced_global));
  from.add(std::make_shared<const Withheld>(Withheld{{why, who.line}, all.seen, all.far}));
}

void Order::publish(const Lanes& who, bool releases, Scope scope, Sync& to, Row row) {
  WarpClock& clock = warp(who);
  if (orders(row, releases)) {
    clock.collect(who.lanes, to.of(who.cta, scope, who.line));
    clock.tick();
    return;
  }
  if (row == Row::mbarrier_arrival) withhold(who, Cause::Why::relaxed_arrival, to.withheld);
  for (const Scope fenced : {Scope::cta, Scope::cluster, Scope::gpu}) {
    Lanes some = who;
    some.lanes = 0;
    clock.each(who.lanes, [&](const Part& part) {
      if (part.fenced && part.fenced_scope == fenced) some.lanes |= part.lanes;
    });
    if (some.lanes != 0) collect_fenced(some, to.of(who.cta, std::min(scope, fenced), who.line));
  }
}

void Order::tell_narrowly(const Lanes& who, Sync& to) {
  if (!orders(Row::narrow_arrival)) return;
  Knowledge all, &told = to.of(who.cta, Scope::gpu, who.line);
  warp(who).collect(who.lanes, all);
  if (!is_widened(Row::narrow_arrival)) {
    all.told.join(all.seen);
    all.seen = all.fenced;
  }
  told.join(all);
  Lanes fenced = who;
  warp(who).each(who.lanes, [&](const Part& part) {
    if (!part.fenced || part.fenced_scope == Scope::cta) fenced.lanes &= ~part.lanes;
  });
  collect_fenced(fenced, told);
}

void Order::learn(const Lanes& who, bool acquires, const Knowledge& what, Cause::Why why) {
  acquires |= is_widened(Row::fence_acquire);
  warp(who).each(who.lanes, [&](Part& part) {
    if (acquires) return part.learn(what);
    if (!part.pending) part.pending.emplace();
    part.pending->join(what);
    part.knows.withhold(why, who.line, what);
    part.copy.reset();
  });
}

void Order::learn(const Lanes& who, bool acquires, Scope scope, const Sync& from, Cause::Why why) {
  const auto keep_from = [&](const Knowledge& what, uint32_t line) {
    warp(who).each(who.lanes, [&](Part& part) {
      part.knows.withhold(Cause::Why::scope, line == 0 ? who.line : line, what);
      part.copy.reset();
    });
  };
  const auto take = [&](const Knowledge& what) { learn(who, acquires, what, why); };
  from.acquire(who.cta, scope, take, keep_from);
  if (from.withheld.is_empty()) return;
  warp(who).each(who.lanes, [&](Part& part) {
    part.knows.withheld.add(from.withheld);
    part.copy.reset();
  });
}

void Order::releases(uint64_t place, const Lanes& who, const MemoryOrder& order, bool repeats) {
  touch_flag(place, Touch::Kind::write);
  Sync made;
  publish(who, order.releases, order.scope, made, Row::release);
  const bool is_global = (place & shared_place) == 0;
  if (!orders(Row::new_value, !repeats)) {
    if (made.is_empty()) return;
    made = {};
    withhold(who, Cause::Why::same_value, made.withheld);
    if (is_global) return grid_.release(place, {{}, {}, made.withheld});
    flags_[place].join(made);
    return;
  }
  if (is_global && order.scope == Scope::gpu)
    warp(who).each(who.lanes, [&](const Part& part) {
      if (!part.knows.at_fences.is_empty()) grid_.release(place, {{}, part.knows.at_fences, {}});
    });
  if (made.is_empty()) return;
  if (is_global)
    made.each_for_grid([&](const Knowledge& what) {
      FarClocks told = what.far;
      told.join(FarClocks::of(cluster_, what.seen, what.fenced_global));
      grid_.release(place, {told, {}, {}});
    });
  if (const auto found = flags_.find(place); found != flags_.end())
    found->second.join(made);
  else if (flags_.size() < most_flags)
    flags_.emplace(place, std::move(made));
  else
    rest_.join(made);
}

void Order::acquires(uint64_t place, const Lanes& who, const MemoryOrder& order) {
  touch_flag(place, Touch::Kind::read);
  const bool is_global = (place & shared_place) == 0;
  const bool is_taken = is_global && order.is_atomic && order.scope == Scope::gpu;
  const bool acquires = orders(Row::acquire, order.acquires);
  const Cause::Why why = is_global && orders(Row::atomic_acquire, is_taken) ? Cause::Why::relaxed_atomic
                                                                            : Cause::Why::relaxed_read;
  if (const auto found = flags_.find(place); found != flags_.end())
    learn(who, acquires, order.scope, found->second, why);
  learn(who, acquires, order.scope, rest_, why);
  if (!is_global || !orders(Row::grid_scope, order.scope == Scope::gpu)) return;
  Knowledge found;
  const GridFlags::Flag flag = grid_.acquire(place);
  found.far = flag.released;
  if (!found.far.is_empty()) learn(who, acquires, found, why);
  if (flag.at_fences.is_empty() && flag.withheld.is_empty()) return;
  warp(who).each(who.lanes, [&](Part& part) {
    part.knows.at_fences_found.join(flag.at_fences);
    part.knows.withheld.add(flag.withheld);
    part.copy.reset();
  });
}

Order::Mbarrier* Order::mbarrier(uint32_t address) {
  const auto found = mbarriers_.find(address);
  return found == mbarriers_.end() ? nullptr : &found->second;
}

void Order::mbarrier_init(uint32_t address, const Issuer& issuer) {
  touch(Touches::Object::mbarrier, address, Touch::Kind::write);
  WarpClock& clock = warp(issuer);
  Inits& inits = inits_[clock.me()];
  if (inits.agent == no_component) inits.agent = add_agent();
  Mbarrier& made = mbarriers_[address];
  if (made.agent == no_component) made.agent = add_agent();
  made.arriving = made.released = Sync();
  made.first_phase = made.phases;
  made.arrivals.clear();
  made.is_live = true;
  made.initialiser = issuer;
  const Lanes who = lanes_of(issuer);
  made.init = clock.moment(who.lanes);
  made.init_fenced = {inits.agent, 1, ++inits.count};
  clock.each(who.lanes, [&](Part& part) {
    part.knows.seen.learn(made.init_fenced, 1);
    part.copy.reset();
  });
}

void Order::mbarrier_inval(uint32_t address) {
  touch(Touches::Object::mbarrier, address, Touch::Kind::write);
  if (Mbarrier* const found = mbarrier(address)) found->is_live = false;
}

bool Order::knows_init(const Mbarrier& mbarrier, const Issuer& issuer) {
  const bool is_own =
      issuer.cta_rank == mbarrier.initialiser.cta_rank && issuer.thread == mbarrier.initialiser.thread;
  const Knowledge& knows = of(issuer).knows;
  return is_own || knows.is_over(mbarrier.init) || knows.is_over(mbarrier.init_fenced);
}

void Order::mbarrier_arrives(uint32_t address, const Lanes& who, const MemoryOrder& order) {
  touch(Touches::Object::mbarrier, address, Touch::Kind::arrive);
  Mbarrier* const found = mbarrier(address);
  if (found == nullptr) return;
  const bool is_remote = address >> rank_shift != who.cta;
  if (is_remote && order.releases && order.scope == Scope::cta) tell_narrowly(who, found->arriving);
  publish(who, order.releases, order.scope, found->arriving, Row::mbarrier_arrival);
  for (Lanes& known : found->arrivals)
    if (known.cta == who.cta && known.warp == who.warp) {
      known.lanes |= who.lanes;
      known.line = who.line;
      return;
    }
  found->arrivals.push_back(who);
}

void Order::mbarrier_learns(uint32_t address, const Issuer& issuer, const Knowledge& knowledge) {
  touch(Touches::Object::mbarrier, address, Touch::Kind::arrive);
  if (Mbarrier* const found = mbarrier(address))
    found->arriving.of(issuer.cta_rank, Scope::gpu, issuer.line).join(knowledge);
}

void Order::mbarrier_completes(uint32_t address) {
  touch_completed(Touches::Object::mbarrier, address);
  Mbarrier* const found = mbarrier(address);
  if (found == nullptr) return;
  ++found->phases;
  if (orders(Row::mbarrier_phase)) found->released = found->arriving;
}

void Order::note_wait(uint32_t barrier, const Lanes& who, uint32_t phases) {
  std::vector<Wait>& waits = waits_[warp(who).me()];
  const auto same =
      std::find_if(waits.begin(), waits.end(), [&](const Wait& one) { return one.barrier == barrier; });
  Wait made{barrier, who.lanes, who.line, phases, ++now_};
  if (same != waits.end()) {
    if (same->phases == phases) made.lanes |= same->lanes;
    waits.erase(same);
  }
  waits.push_back(made);
}

void Order::mbarrier_tested(uint32_t address, const Lanes& who, const MemoryOrder& order, bool succeeded) {
  touch(Touches::Object::mbarrier, address, succeeded ? Touch::Kind::await : Touch::Kind::fail, succeeded);
  Mbarrier* const found = mbarrier(address);
  if (found == nullptr || !orders(Row::mbarrier_wait, succeeded)) return;
  const bool acquires = orders(Row::mbarrier_wait, order.acquires);
  note_wait(address, who, found->phases);
  learn(who, acquires, order.scope, found->released);
  if (is_widened(Row::mbarrier_phase)) learn(who, acquires, order.scope, found->arriving);
  Sync landed;
  Knowledge& ended = landed.of(who.cta, Scope::gpu, who.line);
  if (changed.left_out != static_cast<int>(Row::landing))
    ended.seen.learn({found->agent, 1, found->phases}, 1);
  if (is_widened(Row::landing))
    for (const auto& [other, one] : mbarriers_) ended.seen.learn({one.agent, 1, one.phases + 1}, 1);
  learn(who, acquires, Scope::gpu, landed);
}

}  // namespace assay::emulator::race
