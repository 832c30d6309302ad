// SPDX-License-Identifier: Apache-2.0
// Object libraries and shared libraries need one source even while a room is empty.
