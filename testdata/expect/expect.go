// Package expect compares what a test got with what it wants.
package expect

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Is expects the value wanted. about tells which case it is of.
func Is[T comparable](t testing.TB, got, want T, about ...any) {
	t.Helper()
	if got != want {
		differ(t, got, want, about)
	}
}

// List expects the elements wanted, in their order.
func List[E comparable](t testing.TB, got, want []E, about ...any) {
	t.Helper()
	if !slices.Equal(got, want) {
		differ(t, got, want, about)
	}
}

// Deep expects what is equal all the way down.
func Deep[T any](t testing.TB, got, want T, about ...any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		differ(t, got, want, about)
	}
}

func differ(t testing.TB, got, want any, about []any) {
	t.Helper()
	t.Errorf("%sgot  %s\nwant %s", fmt.Sprintln(about...), show(got), show(want))
}

// show quotes texts of one line.
func show(v any) string {
	switch text, is := v.(string); {
	case is && strings.Contains(text, "\n"):
		return "\n" + text
	case is:
		return strconv.Quote(text)
	}
	if list, is := v.([]string); is {
		return fmt.Sprintf("%q", list)
	}
	return fmt.Sprintf("%+v", v)
}
