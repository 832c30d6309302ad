// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include "reports/html/sections.h"

namespace assay::report::html {
namespace {

constexpr double plot_width = 1000, plot_height = 110, plot_left = 60;
constexpr size_t most_points = 500;

struct Curve {
  const char *name, *unit;
  double (*value)(const TelemetryRow&);
};
constexpr Curve curves[] = {
    {"Power", "W", [](const TelemetryRow& row) { return row.milliwatts * 1e-3; }},
    {"SM clock", "MHz", [](const TelemetryRow& row) { return static_cast<double>(row.sm_mhz); }},
    {"Temperature", "C", [](const TelemetryRow& row) { return static_cast<double>(row.celsius); }}};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

/// The least and the greatest of neighbouring rows, so that no peak is lost.
void plot(std::string& page, const std::vector<TelemetryRow>& rows, const Curve& curve, double top,
          double seconds) {
  double most = 1;
  for (const TelemetryRow& row : rows) most = std::max(most, curve.value(row));
  const auto point = [&](const TelemetryRow& row) {
    return number(plot_left + row.seconds / seconds * plot_width) + "," +
           number(top + plot_height * (1 - curve.value(row) / most)) + " ";
  };
  std::string points;
  const size_t step = std::max<size_t>(1, 2 * rows.size() / most_points);
  for (size_t i = 0; i < rows.size(); i += step) {
    const auto begin = rows.begin() + static_cast<long>(i),
               end = rows.begin() + static_cast<long>(std::min(rows.size(), i + step));
    auto [least, greatest] = std::minmax_element(
        begin, end, [&](const auto& a, const auto& b) { return curve.value(a) < curve.value(b); });
    if (greatest < least) std::swap(least, greatest);
    points += point(*least);
    if (least != greatest) points += point(*greatest);
  }
  page += "<text class=\"ink\" x=\"0\" y=\"" + number(top + 12) + "\">" + number(most) + " " + curve.unit +
          "</text><polyline fill=\"none\" stroke=\"currentColor\" points=\"" + points + "\"/>";
}

}  // namespace

void telemetry(std::string& page, const Results& results) {
  for (size_t d = 0; d < results.devices.size(); ++d) {
    const DeviceResult& device = results.devices[d];
    if (device.telemetry.size() < 2) continue;
    const double seconds = std::max(1e-3, device.telemetry.back().seconds);
    const double height = std::size(curves) * (plot_height + 24);
    page += "<h2 id=\"telemetry-" + std::to_string(d) + "\">Telemetry of " + esc(device.info.spec) +
            "</h2><p class=\"lead\">" + number(seconds) + " s; loads take turns all the time. " +
            (device.marks.empty() ? "No result was wrong."
                                  : "A red line is a moment at which a wrong result was found.") +
            "</p><figure class=\"pic\"><svg role=\"img\" aria-label=\"Power, SM clock and temperature\" "
            "viewBox=\"0 0 " +
            number(plot_left + plot_width) + " " + number(height) + "\" width=\"" +
            number(plot_left + plot_width) + "\" height=\"" + number(height) + "\">";
    double top = 12;
    for (const Curve& curve : curves) {
      plot(page, device.telemetry, curve, top, seconds);
      top += plot_height + 24;
    }
    for (const TelemetryMark& mark : device.marks) {
      const std::string x = number(plot_left + std::min(1.0, mark.seconds / seconds) * plot_width);
      page += "<line stroke=\"var(--bad)\" x1=\"" + x + "\" x2=\"" + x + "\" y1=\"0\" y2=\"" +
              number(height) + "\"><title>" + esc(mark.words) + "</title></line>";
    }
    page += "</svg><figcaption class=\"soft\">From above: ";
    for (const Curve& curve : curves)
      page +=
          std::string(curve.name) + " (" + curve.unit + ")" + (&curve == std::end(curves) - 1 ? "" : ", ");
    page += ", from 0 to the highest value.</figcaption></figure>\n";
  }
}

}  // namespace assay::report::html
