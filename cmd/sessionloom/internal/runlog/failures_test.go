package runlog

import (
	"errors"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
)

// What fails is told when it begins, not with each pass, and that it is over.
func TestComplaints(t *testing.T) {
	var c Failures
	vault, log, store := errors.New("the vault is gone"), &exit.Error{Err: errors.New("no log")}, &exit.Error{Err: errors.New("no store")}
	for i, step := range []struct {
		pass  error
		items []*exit.Error
		want  string
		over  bool
	}{
		{nil, nil, "", false},
		{nil, []*exit.Error{log, log}, "no log", false},
		{nil, []*exit.Error{log}, "", false},
		{nil, []*exit.Error{store, log}, "no store", false},
		{vault, nil, "the vault is gone", false},
		{vault, nil, "", false},
		{nil, []*exit.Error{log}, "no log", false}, // a vault that was gone hid it
		{nil, nil, "", true},
		{nil, nil, "", false},
		{vault, nil, "the vault is gone", false},
	} {
		fresh, over := c.Next(step.pass, step.items)
		var told []string
		for _, f := range fresh {
			told = append(told, f.Error())
		}
		if got := strings.Join(told, ", "); got != step.want || over != step.over {
			t.Errorf("pass %d: told %q, over %t; want %q, %t", i+1, got, over, step.want, step.over)
		}
	}
}
