// SPDX-License-Identifier: Apache-2.0
#ifndef ASSAY_DEVICES_EMULATOR_DRIVER_EXTRA_H
#define ASSAY_DEVICES_EMULATOR_DRIVER_EXTRA_H

/* What libassay_emulator.so exports beside the CUDA driver's entry points. Plain C; find the functions with
 * dlsym, a real driver does not have them. Callable from any thread, before and after cuInit.
 *
 * Settings come from the environment variable ASSAY_EMULATOR, read once by cuInit: comma-separated words.
 *
 *   sm_90a, sm_100a, ...: the emulated target, one of reference/spec/arch.h (default sm_100a).
 *
 *   schedule=eager | lazy | random:N: when asynchronous work completes, N: decimal seed (default random:0).
 *
 *   schedule=explore:SECONDS[:ORDERS]: each launch in all orders that can differ, strict, or in so many; what
 *   is left of the seconds is for the launches behind it. The program sees the results of the first order.
 *   schedule=order:LAUNCH:ORDER: one of these orders again, of the launch of that number.
 *
 *   tmem_base=lowest | random: which free columns tcgen05.alloc takes (default lowest).
 *
 *   strict: report breaches of the memory model.
 *
 *   warnings: with strict, also what is legal and likely wrong.
 *
 *   tolerant: a kernel that is not known costs its own launches, not its module.
 *
 *   fault=NAME: be wrong in one known way, which libassay_faults.so beside this has.
 *
 *   reading=ID:LETTER: take another reading of an open question; may be given several times.
 *
 *   without=KERNEL:LINE: a fence, wait, barrier, arrival or commit in that line of PTX does nothing.
 *
 *   known=CLAUSE:LINE: such a finding at that line of PTX ends no exploration, others do; may be given
 *   several times, known= alone is none.
 *
 *   limit=N: thread instructions one launch may execute, 0: no limit (default 0).
 *
 *   workers=N: host threads that one launch may use, 0: as many as the process may (default 0). No result
 *   depends on it: more than one run only clusters that cannot tell (machine/side_by_side.h), and none under
 *   faults, limits and, without strict, random schedules.
 *
 * A word that is none of these makes cuInit fail with CUDA_ERROR_INVALID_VALUE and one sentence on stderr. */

/* Where the environment variable ASSAY_EMULATOR_REPORT names a file, the library appends to it, as they come,
 * the lines that the two functions below give, with where the instruction stands: "text":"the line of
 * PTX","file":"what .loc and .file say","source_line":12 A breach's `count` is then that of all launches so
 * far, told again when it has doubled; a race has a "message" and, as "other", the first of the two accesses.
 * "why" says which waits or arrivals did not do what they were for. Inlined code has
 * "called_from":[["file",line],...], the innermost call first.
 * What the emulator cannot do has the kind "unsupported", a call that it
 * does not have "absent"; `kernel` holds the call's name.
 * In the strict mode, of the first launch of each kernel in which something was found, also what happened to
 * its mbarriers, in order, at most the last 4096 of "seen" events:
 *   {"kind":"timeline","kernel":"k","launch":1,"seen":2,"events":[["init",0,0,1024,0,1],...]}
 * An event is a kind (BarrierEvent::Kind), the thread instructions before it, the CTA, the mbarrier, the warp
 * (-1: none) and an amount.
 * A finding of an explored launch that another order than the first shows has that, as "schedule", and each
 * such launch a line {"kind":"explored","kernel":"k","launch":1,"orders":12,"why_not_all":"","others":2,
 * "other_bytes":"byte 16 of allocation 2","other_schedule":"order:1:3w1",
 * "result":123}; the result is of what the first order leaves in global memory.
 * Each line of PTX with an instruction that only synchronises, and that an explored launch has executed, has
 * one of the kind "synchronises".
 * The first line of a process has the kind "begin"; at its end comes {"kind":"end","launches":N}. The
 * first launch of 50 million thread instructions or more is told:
 *   {"kind":"large","kernel":"k","line":0,"thread":"","message":"63000000"} */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes the diagnostics of calls and kernels that failed since the last call, oldest first (at most 256 are
 * kept): one JSON object a line,
 *   {"kind":"misaligned_address","kernel":"k","line":17,"thread":"cta (0,0,0) thread 5","message":"..."}
 * A deadlock has what every live mbarrier of the running CTAs still waits for, and the threads that wait for
 * it, "barriers":[{"cta":0,"address":1024,"phase":0,"pending":1,"expected":1,"bytes":2048,
 *                "waits":[{"phase":0,"threads":[32]}]}]
 * (and "name", "expect_line", "expected_bytes", "delivered_bytes", "delivered_line", "ended", of
 * OpenBarrier), where `phase` is the parity of the one that is not complete, and `address` lies in the CTA's
 * window. `kind` is an enumerator of Diagnostic::Kind, or "driver" where an API call itself was at fault
 * (then `kernel` holds the call's name); `line` is 1-based in the PTX text, 0 if none.
 *
 * Writes as many whole lines as fit into `size` bytes, a terminating NUL included, and forgets those. Returns
 * the number of bytes written without the NUL, 0 when there is nothing; if not even the first line fits,
 * nothing is forgotten and the negated size that it needs is returned. A null buffer asks for that size:
 * returns the negated size for everything there is, or 0. */
int assay_emulator_take_notes(char* buffer, size_t size);

/* The same for breaches of the memory model that strict mode saw, deduplicated by (clause, kernel, line)
 * since the last call:
 *   {"clause":"missing-proxy-fence","kernel":"k","line":17,"thread":"cta (0,0,0) thread 5","count":3} */
int assay_emulator_take_breaches(char* buffer, size_t size);

/* Every known way to be wrong, for `fault=NAME`: one JSON object a line, by name in order,
 *   {"name":"...","wrong":"sentence","clause":"...","caught_by":"PROPERTY 12, ...",
 *    "devices":["sm_100a,schedule=lazy",...],"rare":false,"unobservable":"reason, or empty"}
 * `caught_by`: as devices/emulator/fault.h says.
 * `devices`: settings on which it is met, one for each architecture that has what it spoils.
 * Writes all of it into `size` bytes, a terminating NUL included, and returns the number of bytes without the
 * NUL; where it does not fit, or for a null buffer, writes nothing and returns the negated size that it
 * needs. */
int assay_emulator_describe_faults(char* buffer, size_t size);

/* The clauses that strict mode checks: one JSON object a line,
 *   {"id":"missing-wait","sentence":"...","source":"ptx","section":"..."}
 * with "warning":true of what is legal.
 * Buffer and result as for assay_emulator_describe_faults. */
int assay_emulator_describe_clauses(char* buffer, size_t size);

/* Everything in a PTX text (ended by NUL) that a launch would be refused for, with lines as in the report:
 * the kinds are "syntax", "unknown_instruction", "unsupported_target", "illegal_instruction". Buffer and
 * result as for assay_emulator_describe_faults; -1 where the settings are wrong. */
int assay_emulator_list_refusals(const char* ptx, char* buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
