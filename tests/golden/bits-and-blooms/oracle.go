// The Go library bits-and-blooms/bloom itself, as Debian packages it.
//
//	oracle make FILE ITEMS RATE < keys
//	oracle ask FILE < keys              prints 1 or 0 for each
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"

	"github.com/bits-and-blooms/bloom"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	making := os.Args[1] == "make"
	filter := bloom.New(1, 1)
	if making {
		items, err := strconv.ParseUint(os.Args[3], 10, 64)
		check(err)
		rate, err := strconv.ParseFloat(os.Args[4], 64)
		check(err)
		filter = bloom.NewWithEstimates(uint(items), rate)
	} else {
		file, err := os.Open(os.Args[2])
		check(err)
		_, err = filter.ReadFrom(file)
		check(err)
	}
	keys := bufio.NewScanner(os.Stdin)
	for keys.Scan() {
		if making {
			filter.Add(keys.Bytes())
		} else if filter.Test(keys.Bytes()) {
			fmt.Print("1")
		} else {
			fmt.Print("0")
		}
	}
	check(keys.Err())
	if making {
		file, err := os.Create(os.Args[2])
		check(err)
		_, err = filter.WriteTo(file)
		check(err)
		check(file.Close())
	}
}
