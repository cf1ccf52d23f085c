// Package pattern compiles a regular expression when it is first used: most runs of the
// program find nothing new, and need none of hundreds.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy gives an expression of the program itself, compiled once, when it is first asked for.
// It panics then where the expression is wrong. It is safe for concurrent use.
func Lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
