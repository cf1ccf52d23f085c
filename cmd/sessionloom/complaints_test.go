package main

import (
	"errors"
	"strings"
	"testing"
)

// What fails is told when it begins, not with each pass, and that it is over.
func TestComplaints(t *testing.T) {
	var c complaints
	vault, log, store := errors.New("the vault is gone"), &failure{err: errors.New("no log")}, &failure{err: errors.New("no store")}
	for i, step := range []struct {
		pass  error
		items []*failure
		want  string
		over  bool
	}{
		{nil, nil, "", false},
		{nil, []*failure{log, log}, "no log", false},
		{nil, []*failure{log}, "", false},
		{nil, []*failure{store, log}, "no store", false},
		{vault, nil, "the vault is gone", false},
		{vault, nil, "", false},
		{nil, []*failure{log}, "no log", false}, // a vault that was gone hid it
		{nil, nil, "", true},
		{nil, nil, "", false},
		{vault, nil, "the vault is gone", false},
	} {
		fresh, over := c.next(step.pass, step.items)
		var told []string
		for _, f := range fresh {
			told = append(told, f.Error())
		}
		if got := strings.Join(told, ", "); got != step.want || over != step.over {
			t.Errorf("pass %d: told %q, over %t; want %q, %t", i+1, got, over, step.want, step.over)
		}
	}
}
