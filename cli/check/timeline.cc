// SPDX-License-Identifier: Apache-2.0
#include "cli/check/timeline.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "reports/text.h"

namespace assay::cli::check {
namespace {

using Key = std::pair<uint32_t, uint32_t>;  ///< CTA and address

constexpr int left = 150, width = 1000, top = 12, above_warps = 38, strip_height = 13;
constexpr size_t most_lanes = 40;

/// One stretch of a lane.
struct Bar {
  double from, to;
  int row;  ///< 0: phases, 1: copies, 2 and more: warps, so that those at once lie one below the other
  std::string style, label, title;
};

std::string hexadecimal(uint32_t number) {
  std::ostringstream out;
  out << "0x" << std::hex << number;
  return out.str();
}

std::string warp_name(int warp) {
  return warp < 0 ? "a copy or commit" : "warp " + std::to_string(warp);
}

/// The stretches of one barrier, from its own events and from arrivals at others.
class Lane {
 public:
  Lane(const Timeline& timeline, const Key& key) : timeline_(timeline), key_(key) {
    phase_from_ = 0;
    const auto& events = timeline.events;
    for (size_t i = 0; i < events.size(); ++i) take(events[i], static_cast<double>(i));
    finish(static_cast<double>(events.size()));
    lay_warps();
  }
  double height() const { return above_warps + strip_height * strips_ + 8; }
  std::vector<Bar> bars;
  std::vector<std::pair<double, std::string>> marks;  ///< arrivals and expectations

 private:
  void lay_warps() {
    constexpr size_t most_strips = 8;
    std::stable_sort(bars.begin(), bars.end(), [](const Bar& a, const Bar& b) { return a.from < b.from; });
    std::vector<double> ends;
    for (Bar& bar : bars) {
      if (bar.row != 2) continue;
      size_t strip = 0;
      while (strip < ends.size() && ends[strip] > bar.from) ++strip;
      strip = std::min(strip, most_strips - 1);
      if (strip == ends.size()) ends.push_back(0);
      ends[strip] = bar.to;
      bar.row += static_cast<int>(strip);
    }
    strips_ = static_cast<int>(std::max<size_t>(1, ends.size()));
  }

  void take(const BarrierEvent& event, double at) {
    const bool is_own = Key{event.cta, event.address} == key_;
    if (event.kind == "exited" && event.cta == key_.first) return finish(at);
    // What a warp got by its wait it gives back by its next arrival, at this barrier or another of its CTA.
    if (event.kind == "arrive" && event.cta == key_.first) release(event.warp, at);
    if (!is_own) return;
    if (event.kind == "init") {
      phase_from_ = at;
      phase_ = 0;
      is_initialised_ = true;
    } else if (event.kind == "complete") {
      close_phase(at, false);
      phase_from_ = at;
      phase_ = event.amount ^ 1;
    } else if (event.kind == "arrive" || event.kind == "expect") {
      const std::string amount = event.kind == "arrive" ? std::to_string(event.amount) +
                                                              (event.amount == 1 ? " arrival" : " arrivals")
                                                        : std::to_string(event.amount) + " bytes expected";
      marks.emplace_back(at, amount + " by " + warp_name(event.warp) + at_time(event));
    } else if (event.kind == "copy") {
      copies_.push_back({at, event});
    } else if (event.kind == "landed") {
      const auto started = std::find_if(copies_.begin(), copies_.end(),
                                        [&](const auto& one) { return one.second.amount == event.amount; });
      if (started == copies_.end()) return;
      close_copy(*started, at, false);
      copies_.erase(started);
    } else if (event.kind == "blocked") {
      blocked_.emplace(event.warp, std::make_pair(at, event.amount));
    } else if (event.kind == "wait") {
      end_block(event.warp, at, false);
      holding_[event.warp] = at;
    }
  }

  static std::string at_time(const BarrierEvent& event) {
    return ", after " + std::to_string(event.time) + " thread instructions";
  }

  void close_phase(double at, bool is_open) {
    bars.push_back({phase_from_, at, 0,
                    is_open       ? "open"
                    : phase_ == 0 ? "even"
                                  : "odd",
                    "phase " + std::to_string(phase_),
                    is_open ? "the phase of parity " + std::to_string(phase_) + " is not complete"
                            : "a phase of parity " + std::to_string(phase_)});
  }
  void close_copy(const std::pair<double, BarrierEvent>& copy, double at, bool is_open) {
    const std::string bytes = std::to_string(copy.second.amount) + " B";
    bars.push_back({copy.first, at, 1, is_open ? "lost" : "flight", bytes,
                    "a copy of " + bytes + " in flight, issued by " + warp_name(copy.second.warp) +
                        at_time(copy.second)});
  }
  void end_block(int warp, double at, bool for_ever) {
    const auto found = blocked_.find(warp);
    if (found == blocked_.end()) return;
    const auto [from, parity] = found->second;
    bars.push_back({from, at, 2, for_ever ? "stuck" : "waits", "w" + std::to_string(warp),
                    warp_name(warp) + " waits for the phase of parity " + std::to_string(parity)});
    blocked_.erase(found);
  }
  void release(int warp, double at) {
    const auto found = holding_.find(warp);
    if (found == holding_.end()) return;
    bars.push_back({found->second, at, 2, "holds", "w" + std::to_string(warp),
                    warp_name(warp) + " is using the data guarded by the barrier"});
    holding_.erase(found);
  }
  void finish(double end) {
    if (has_ended_) return;
    has_ended_ = true;
    if (is_initialised_ || !bars.empty()) close_phase(end, true);
    for (const auto& copy : copies_) close_copy(copy, end, true);
    while (!blocked_.empty()) end_block(blocked_.begin()->first, end, true);
    while (!holding_.empty()) release(holding_.begin()->first, end);
  }

  const Timeline& timeline_;
  const Key key_;
  double phase_from_ = 0;
  uint32_t phase_ = 0;
  bool is_initialised_ = false, has_ended_ = false;
  int strips_ = 1;
  std::vector<std::pair<double, BarrierEvent>> copies_;
  std::map<int, std::pair<double, uint32_t>> blocked_;
  std::map<int, double> holding_;
};

void draw(std::ostream& out, const Lane& lane, double y, double step) {
  for (const Bar& bar : lane.bars) {
    const double offset = bar.row == 0 ? 4 : bar.row == 1 ? 21 : above_warps + strip_height * (bar.row - 2);
    const double height = bar.row == 0 ? 14 : 12;
    const double x = left + bar.from * step, w = std::max(1.5, (bar.to - bar.from) * step);
    out << "<rect class=\"" << bar.style << "\" x=\"" << x << "\" y=\"" << y + offset << "\" width=\"" << w
        << "\" height=\"" << height << "\"><title>" << report::for_html(bar.title) << "</title></rect>";
    if (w > 8.0 * static_cast<double>(bar.label.size()))
      out << "<text x=\"" << x + 3 << "\" y=\"" << y + offset + height - 3 << "\">"
          << report::for_html(bar.label) << "</text>";
  }
  for (const auto& [at, title] : lane.marks)
    out << "<path class=\"mark\" d=\"M" << left + at * step << "," << y + 18 << "l-3,-5h6z\"><title>"
        << report::for_html(title) << "</title></path>";
}

}  // namespace

Timeline read_timeline(const nlohmann::json& line) {
  Timeline made;
  made.kernel = line.value("kernel", "");
  made.launch = line.value("launch", uint64_t{0});
  made.seen = line.value("seen", uint64_t{0});
  for (const nlohmann::json& one : line.value("events", nlohmann::json::array())) {
    if (!one.is_array() || one.size() != 6 || !one[0].is_string()) continue;
    bool are_numbers = true;
    for (size_t i = 1; i < 6; ++i) are_numbers = are_numbers && one[i].is_number_integer();
    if (!are_numbers) continue;
    made.events.push_back({one[0].get<std::string>(), one[1].get<uint64_t>(), one[2].get<uint32_t>(),
                           one[3].get<uint32_t>(), one[4].get<int>(), one[5].get<uint32_t>()});
  }
  return made;
}

std::string timeline_svg(const Timeline& timeline) {
  std::vector<Key> keys;
  for (const BarrierEvent& event : timeline.events) {
    const Key key{event.cta, event.address};
    if (event.kind == "exited") continue;
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  const size_t shown = std::min(keys.size(), most_lanes);
  const double step =
      static_cast<double>(width) / static_cast<double>(std::max<size_t>(1, timeline.events.size()));
  std::ostringstream lanes;
  double y = top;
  for (size_t i = 0; i < shown; ++i) {
    const Lane lane(timeline, keys[i]);
    const double bottom = y + lane.height();
    lanes << "<text class=\"name\" x=\"4\" y=\"" << y + 15 << "\">CTA " << keys[i].first
          << "</text><text class=\"name\" x=\"4\" y=\"" << y + 31 << "\">mbarrier "
          << hexadecimal(keys[i].second) << "</text>";
    draw(lanes, lane, y, step);
    lanes << "<path class=\"base\" d=\"M0," << bottom - 4 << "H" << left + width + 10 << "\"/>";
    y = bottom;
  }
  std::ostringstream out;
  out << "<svg class=\"timeline\" viewBox=\"0 0 " << left + width + 10 << " " << y
      << "\" role=\"img\" aria-label=\"barriers of the launch\">" << lanes.str();
  out << "</svg>";
  if (keys.size() > shown)
    out << "<p class=\"soft\">" << keys.size() - shown << " more barriers are not drawn.</p>";
  return out.str();
}

}  // namespace assay::cli::check
