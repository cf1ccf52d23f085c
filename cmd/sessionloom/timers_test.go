package main

import (
	"errors"
	"testing"
)

// A machine that told of its failing runs under one name takes that back under the
// same, whatever its network calls it by then.
func TestMachineKeepsItsName(t *testing.T) {
	state := t.TempDir()
	called := func(name string, keep bool) string {
		t.Helper()
		got, err := knownAs(state, func() (string, error) { return name, nil }, keep)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for _, test := range []struct {
		name string
		keep bool
		want string
	}{{"loom.lan", false, "loom.lan"}, {"loom.local", false, "loom.local"}, {"loom.local", true, "loom.local"}, {"host-12", true, "loom.local"}, {"loom.lan", false, "loom.local"}} {
		if got := called(test.name, test.keep); got != test.want {
			t.Errorf("%+v: it is %q", test, got)
		}
	}
	if got, err := knownAs(t.TempDir(), func() (string, error) { return "", errors.New("none") }, true); got != "" || err != nil {
		t.Errorf("a machine without a name is %q, %v", got, err)
	}
}
