package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrNoKind says that this system runs no timer.
var ErrNoKind = errors.New("neither systemd for the user nor cron runs here")

// Names are those of some kinds.
func Names(kinds []Kind) (names []string) {
	for _, k := range kinds {
		names = append(names, k.Name)
	}
	return names
}

// Choose gives the kind of a name, without one the first that runs here, else [ErrNoKind].
func Choose(ctx context.Context, kinds []Kind, name string) (Kind, error) {
	for _, k := range kinds {
		if k.Name == name || name == "" && k.Usable(ctx) {
			return k, nil
		}
	}
	if name != "" {
		return Kind{}, fmt.Errorf("unknown timer %q", name)
	}
	return Kind{}, ErrNoKind
}

// None says why no timer can be set up here by a user who may have come by sudo; empty: one can.
func None(ctx context.Context, kinds []Kind, uid int, sudoUser string) string {
	if Sudoer(uid, sudoUser) != "" {
		return "by sudo it would run as root"
	}
	if _, err := Choose(ctx, kinds, ""); err != nil {
		return err.Error()
	}
	return ""
}

// CronLine is the line of a crontab for what a timer is to do; empty: none can say it.
func CronLine(kinds []Kind, spec TimerSpec) string {
	i := slices.Index(Names(kinds), "cron")
	plan, err := kinds[i].InstallPlan(spec)
	if err != nil {
		return ""
	}
	return strings.Split(plan.Files[0].Text, "\n")[1]
}

// Find finds the timer of a name, whatever kind it is. It returns [ErrNone] where
// there is none.
func Find(ctx context.Context, kinds []Kind, name string) (State, error) {
	for _, k := range kinds {
		state, err := k.Find(ctx, name)
		if !errors.Is(err, ErrNone) {
			state.SetUp = setUpAt(state.Where)
			return state, err
		}
	}
	return State{}, ErrNone
}
