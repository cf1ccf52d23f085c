// Package pattern compiles a regular expression on first use: most runs of the program find nothing new, and
// need none of hundreds.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns a function that compiles an expression of the program on first use and returns it. It panics
// if the expression is wrong, and is safe for concurrent use.
func Lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
