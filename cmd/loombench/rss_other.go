//go:build !unix

package main

import "os"

// peakRSS and ownRSS are unknown here.
func peakRSS(*os.ProcessState) int64 { return 0 }
func ownRSS() int64                  { return 0 }
