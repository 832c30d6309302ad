#include <cstdio>

#include "cli/command.h"
#include "devices/device.h"

namespace assay::cli {
namespace {

int doctor() {
  bool any = false;
  for (const DeviceProbe& probe : probe_devices()) {
    std::printf("%-3s %-22s %s\n", probe.available ? "yes" : "no", probe.spec.c_str(), probe.detail.c_str());
    any |= probe.available;
  }
  return any ? as_expected : could_not_run;
}

const Registered command{{.order = 60,
                          .declare =
                              [](CLI::App& app) {
                                return app.add_subcommand(
                                    "doctor",
                                    "devices, drivers and toolkit, and why each absent thing is absent");
                              },
                          .run = doctor}};

}  // namespace
}  // namespace assay::cli
