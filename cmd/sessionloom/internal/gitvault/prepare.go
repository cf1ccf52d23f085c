package gitvault

import (
	"context"
	"errors"
	"slices"

	"github.com/sessionloom/sessionloom/vault/repo"
)

// DriverMissing tells whether a vault lies in a git repository that does not call
// program to merge notes. What cannot be known is not so.
func DriverMissing(ctx context.Context, vault, folder, program string) bool {
	r, err := Find(vault, folder)
	if err != nil {
		return false
	}
	s, err := r.Setup(program)
	if err != nil {
		return false
	}
	parts, err := r.Installed(ctx, s)
	return err == nil && slices.ContainsFunc(parts, func(p repo.Part) bool { return !p.There })
}

// Prepare says what is to be known of the git repository that a vault lies in. Where
// there is none and one is wanted, it makes one; shown is the vault as the user knows it.
func Prepare(ctx context.Context, vault, folder, shown string, wanted bool, say func(...string)) error {
	r, err := Find(vault, folder)
	switch {
	case errors.Is(err, repo.ErrNone) && !wanted:
		return nil
	case errors.Is(err, repo.ErrNone):
		say("making a git repository in " + shown)
		return Explain(repo.Init(ctx, vault), "", "")
	case err != nil:
		return err
	}
	if r.Born(ctx) {
		say("the vault lies in a git repository: sync --commit commits what it writes")
	} else {
		say("the vault lies in a git repository without a commit: make one before the first sync")
	}
	return nil
}
