//go:build !unix

package files

const nonBlocking, noFollow = 0, 0
