//go:build !unix

package lines

const nonBlocking = 0
