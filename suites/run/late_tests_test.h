// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace assay::suites {

/// Tests that are made from lists which exist only when main runs: properties register themselves in other
/// files, faults are rows of devices/faults. Called by main before GoogleTest starts.
void register_property_tests();
void register_fault_tests();
void register_rival_tests();
void register_every_reading_tests();

}  // namespace assay::suites
