package main

import (
	"context"
	"errors"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/gitvault"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/schedule"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/setup"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/system"
)

// todo finds out what of the set-up of a vault is left to do. What cannot be known is
// not.
func (a *app) todo(ctx context.Context, c config.Config) (t setup.Todo) {
	_, err := schedule.Find(ctx, a.kinds(c), timerName(c))
	t.Timer = errors.Is(err, schedule.ErrNone) && a.noTimer(ctx, c) == ""
	t.Driver = driverMissing(ctx, c)
	return t
}

// driverMissing tells whether the vault lies in a git repository that has no merge
// driver of ours.
func driverMissing(ctx context.Context, c config.Config) bool {
	self, err := system.OwnPath()
	return err == nil && gitvault.DriverMissing(ctx, c.Vault, c.Folder, self)
}
