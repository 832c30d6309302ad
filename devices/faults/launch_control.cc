#include "devices/emulator/fault.h"
#include "devices/faults/kernel_edit.h"

/// Clusters that are cancelled for others that run.
namespace assay::faults::launch_control {
namespace {

using namespace emulator;

/// Asked for one number of the first CTA alone, a device gives another one.
template <char asked, char given>
std::string gives_another(std::string_view ptx) {
  const std::string instruction = "get_first_ctaid::";
  return replaced(ptx, instruction + asked, instruction + given);
}

const Fault rows[] = {
    {"launch_control_answers_requester",
     "A request that cancels a cluster is answered with the id of the cluster that asked.",
     "CLC-R03",
     &Steps::cancelled,
     [](Cancellation& made) { made.cancelled = made.requester; },
     {.device = "sm_100a"}},
    {"launch_control_rows_of_clusters",
     "The answer has the row and the layer of the cancelled cluster among clusters, not those of its first "
     "CTA.",
     "CLC-R03",
     &Steps::cancelled,
     [](Cancellation& made) {
       for (size_t i = 1; i < 3; ++i) made.cancelled[i] /= made.cluster_shape[i];
     },
     {.device = "sm_100a"}},
    {"launch_control_cluster_lost",
     "A cluster is cancelled, but the request is told that none was.",
     "CLC-R02",
     &Steps::cancelled,
     [](Cancellation& made) { made.is_cancelled = false; },
     {.device = "sm_100a"}},
    {"launch_control_lanes_share_answer",
     "Lanes that ask together are answered with the same cluster.",
     "CLC-R03",
     &Steps::answers_each_lane,
     false,
     {.device = "sm_100a"}},
    {"launch_control_x_alone_is_y",
     "query_cancel.get_first_ctaid::x gives the row of the first CTA.",
     "CLC-R03",
     gives_another<'x', 'y'>,
     {.device = "sm_100a"}},
    {"launch_control_y_alone_is_x",
     "query_cancel.get_first_ctaid::y gives the column of the first CTA.",
     "CLC-R03",
     gives_another<'y', 'x'>,
     {.device = "sm_100a"}},
    {"launch_control_z_alone_is_y",
     "query_cancel.get_first_ctaid::z gives the row of the first CTA.",
     "CLC-R03",
     gives_another<'z', 'y'>,
     {.device = "sm_100a"}},
    {"launch_control_cluster_runs",
     "A cluster that was cancelled runs nevertheless.",
     "CLC-R01",
     &Steps::cancelled,
     [](Cancellation& made) { made.starts_anyway = true; },
     {.device = "sm_100a"}},
    {"launch_control_names_cluster",
     "The answer holds the id of the cancelled cluster among clusters, not that of its first CTA.",
     "CLC-R03",
     &Steps::cancelled,
     [](Cancellation& made) {
       for (size_t i = 0; i < 3; ++i) made.cancelled[i] /= made.cluster_shape[i];
     },
     {.device = "sm_100a"}},
};

}  // namespace
}  // namespace assay::faults::launch_control
