#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a results.db of assay with the standard library alone: verdicts, failures, coverage."""
import sqlite3
import sys

APPLICATION, VERSION = 0x41535359, 3


def open_results(path):
    try:
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        db.row_factory = sqlite3.Row
        application = db.execute("PRAGMA application_id").fetchone()[0]
    except sqlite3.Error as error:
        sys.exit(f"{path} cannot be read: {error}")
    if application != APPLICATION:
        sys.exit(f"{path} is not a results file of assay")
    if db.execute("PRAGMA user_version").fetchone()[0] != VERSION:
        sys.exit(f"{path} has another version of the results tables")
    return db


def main(path):
    db = open_results(path)
    for run in db.execute("SELECT * FROM run"):
        print(f"run {run['run_id']}: {run['command_line']}, exit code {run['exit_code']}")
    for prop in db.execute("SELECT p.id, p.name, d.spec, d.evidence FROM properties p JOIN devices d ON d.id = p.device"):
        counts = db.execute("SELECT verdict, count FROM verdict_counts WHERE property = ? AND count > 0", (prop["id"],))
        words = ", ".join(f"{row['count']} {row['verdict']}" for row in counts) or "nothing ran"
        print(f"{prop['evidence']}  {prop['spec']}  {prop['name']}: {words}")
        kinds = db.execute("SELECT signature, count FROM failure_kinds WHERE property = ? ORDER BY count DESC", (prop["id"],))
        for kind in kinds:
            example = db.execute("SELECT message, replay FROM cases WHERE property = ? AND signature = ? LIMIT 1",
                                 (prop["id"], kind["signature"])).fetchone()
            print(f"  {kind['count']} x {kind['signature']}")
            if example:
                print(f"    {example['message']}\n    {example['replay']}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: read_results.py results.db")
    main(sys.argv[1])
