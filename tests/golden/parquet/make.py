#!/usr/bin/env python3
"""Makes the Parquet files whose Bloom filters parquet_test.cc reads and compares with ours.

Two writers that know nothing of tamis each store the same 600 integers of 64 and of 32 bits and 600
strings, and a Bloom filter for each column and row group. Row groups: Arrow's have 400 and 200 keys,
DuckDB's, which writes Bloom filters only for columns with a dictionary and so gets each key eight
times, 256, 256 and 88. places.txt says what DuckDB reads of both files: one line a filter, "file row
group column offset bytes", and header.bin is one of them alone. To make them again, with pyarrow 26.0.1 and duckdb 2.0.1:

    tests/golden/parquet/make.py DIRECTORY
"""

import os
import sys

import duckdb
import pyarrow
import pyarrow.parquet

KEYS = 600
STEP = 0x9E3779B97F4A7C15  # id i is i * STEP mod 2^64, as a signed number


def signed(value, bits):
    value %= 1 << bits
    return value - (1 << bits) if value >> (bits - 1) else value


def name(i):
    """Lengths 4 to 65, so that every branch of XXH64 runs; bytes above 0x7f."""
    return "k\u00e9%d" % i + "x" * (i % 60)


def table(repeats):
    rows = [i for i in range(KEYS) for _ in range(repeats)]
    return pyarrow.table({
        "id": pyarrow.array([signed(i * STEP, 64) for i in rows], pyarrow.int64()),
        "name": pyarrow.array([name(i) for i in rows], pyarrow.string()),
        "small": pyarrow.array([signed(i * STEP, 32) for i in rows], pyarrow.int32()),
    })


os.chdir(sys.argv[1])
filter_options = {"ndv": KEYS, "fpp": 0.01}
pyarrow.parquet.write_table(table(1), "arrow.parquet", row_group_size=400, compression="zstd",
                            store_schema=False,
                            bloom_filter_options={column: filter_options
                                                  for column in ("id", "name", "small")})
database = duckdb.connect()
database.register("keys", table(8))
database.execute("""COPY (SELECT * FROM keys) TO 'duckdb.parquet'
    (FORMAT parquet, COMPRESSION zstd, DICTIONARY_SIZE_LIMIT 10000, ROW_GROUP_SIZE 2048,
     BLOOM_FILTER_FALSE_POSITIVE_RATIO 0.01)""")

with open("places.txt", "w", encoding="ascii") as places:
    for file in ("arrow.parquet", "duckdb.parquet"):
        for row in database.execute(f"""SELECT row_group_id, path_in_schema, bloom_filter_offset,
                bloom_filter_length FROM parquet_metadata('{file}')""").fetchall():
            places.write(" ".join([file, *map(str, row)]) + "\n")
            if file == "arrow.parquet" and row[:2] == (1, "id"):
                with open(file, "rb") as source, open("header.bin", "wb") as alone:
                    source.seek(row[2])
                    alone.write(source.read(row[3]))
