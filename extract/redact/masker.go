package redact

import (
	"fmt"
	"regexp"
)

// Masker masks secrets. It is safe for concurrent use.
type Masker struct {
	key   []byte
	own   []ownRule
	allow *regexp.Regexp // secrets that are left alone; nil: none
	print string
	rules func() (*ruleSet, error) // read when first needed
}

// failClosed makes an error of a panic: a rule that fails has not looked.
func failClosed(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("search for secrets: %v", r)
	}
}
