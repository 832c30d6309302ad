#include "devices/emulator/fault.h"
#include "devices/faults/kernel_edit.h"

/// Instructions that a device executes rightly but in one spelling: as if a kernel had another in its place.
namespace assay::faults {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"barrier_false_predicate_ignored",
     "An mbarrier instruction under a predicate that is false is executed.", "(ptx, Predicated Execution)",
     [](std::string_view ptx) { return altered(ptx, "@!p1", "@!p1 ", ""); }},
    {"barrier_negative_offset_ignored",
     "A negative offset in the address of an mbarrier instruction counts as none.",
     "(ptx, Addresses as Operands)",
     [](std::string_view ptx) { return altered(ptx, "mbarrier.", "+-24]", "]"); }},
    {"barrier_relaxed_arrival_drops", "mbarrier.arrive with .relaxed leaves the phases to come.",
     "(ptx, mbarrier.arrive)",
     [](std::string_view ptx) {
       return altered(ptx, "mbarrier.arrive.relaxed", "mbarrier.arrive.", "mbarrier.arrive_drop.");
     }},
};

}  // namespace
}  // namespace assay::faults
