//go:build unix

package lines

import "syscall"

const nonBlocking = syscall.O_NONBLOCK
