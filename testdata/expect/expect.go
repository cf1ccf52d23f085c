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

// show quotes texts.
func show(v any) string {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, "\n") && len(v) > 200 {
			return "\n" + v
		}
		return strconv.Quote(v)
	case []string:
		return fmt.Sprintf("%q", v)
	}
	return fmt.Sprintf("%+v", v)
}

// OK ends a test on an error.
func OK(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Has expects a text to contain another one.
func Has(t testing.TB, text, part string, about ...any) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s%q is missing in\n%s", fmt.Sprintln(about...), part, text)
	}
}

// Lacks expects a text not to contain another one.
func Lacks(t testing.TB, text, part string, about ...any) {
	t.Helper()
	if strings.Contains(text, part) {
		t.Errorf("%s%q stands in\n%s", fmt.Sprintln(about...), part, text)
	}
}

// Value returns the first result of a call, in a function that ends a test on its error.
func Value[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		OK(t, err)
		return v
	}
}
