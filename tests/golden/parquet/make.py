#!/usr/bin/env python3
"""Makes the Parquet files whose Bloom filters parquet_test.cc compares with ours.

Two writers that know nothing of tamis each store the same 600 integers and 600 strings, and a Bloom
filter of 1,024 bytes for each column. parquet.txt says where in the files the bitsets lie: one line
a filter, "file column offset bytes". To make them again, anywhere outside the tree:

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install pyarrow==26.0.1 duckdb==2.0.1
    /tmp/venv/bin/python tests/golden/make_parquet.py
"""

import os

import duckdb
import pyarrow
import pyarrow.parquet

KEYS = 600
STEP = 0x9E3779B97F4A7C15  # id i is i * STEP mod 2^64, as a signed number


def signed(value):
    value %= 1 << 64
    return value - (1 << 64) if value >> 63 else value


def name(i):
    """Lengths 4 to 65, so that every branch of XXH64 runs; bytes above 0x7f."""
    return "k\u00e9%d" % i + "x" * (i % 60)


def header_bytes(header):
    """Length of a Bloom filter's Thrift header: numBytes, then three unions of an empty struct."""
    end = 1
    while header[end] & 0x80:
        end += 1
    end += 1
    assert header[end:end + 13] == bytes.fromhex("1c1c00001c1c00001c1c000000"), header
    return end + 13


os.chdir(os.path.dirname(os.path.abspath(__file__)))
table = pyarrow.table({
    "id": pyarrow.array([signed(i * STEP) for i in range(KEYS)], pyarrow.int64()),
    "name": pyarrow.array([name(i) for i in range(KEYS)], pyarrow.string()),
})
filter_options = {"ndv": KEYS, "fpp": 0.01}
pyarrow.parquet.write_table(table, "arrow.parquet", compression="zstd", store_schema=False,
                            bloom_filter_options={"id": filter_options, "name": filter_options})

database = duckdb.connect()
database.register("keys", table)
# Each key twice: DuckDB writes Bloom filters for the columns it writes with a dictionary.
database.execute("""COPY (SELECT keys.* FROM keys, range(2)) TO 'duckdb.parquet'
    (FORMAT parquet, COMPRESSION zstd, DICTIONARY_SIZE_LIMIT 10000,
     BLOOM_FILTER_FALSE_POSITIVE_RATIO 0.01)""")

with open("parquet.txt", "w", encoding="ascii") as places:
    for file in ("arrow.parquet", "duckdb.parquet"):
        with open(file, "rb") as opened:
            content = opened.read()
        rows = database.execute(f"""SELECT path_in_schema, bloom_filter_offset, bloom_filter_length
            FROM parquet_metadata('{file}')""").fetchall()
        for column, offset, length in rows:
            skip = header_bytes(content[offset:offset + length])
            places.write(f"{file} {column} {offset + skip} {length - skip}\n")
