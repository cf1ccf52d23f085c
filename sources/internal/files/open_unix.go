//go:build unix

package files

import "syscall"

const nonBlocking, noFollow = syscall.O_NONBLOCK, syscall.O_NOFOLLOW
