package main

import (
	"errors"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// explain gives errors of the parts the exit code and the hint of the program.
func explain(err error) error {
	var f *exit.Error
	var held *extract.HeldError
	var not *extract.NotPlanError
	var lost *lostError
	switch {
	case err == nil || errors.As(err, &f):
		return err
	case errors.Is(err, ledger.ErrLocked):
		return &exit.Error{Code: exit.CodeLocked, Err: err, Hint: "wait until it is done, then try again"}
	case errors.Is(err, ledger.ErrNoLocks):
		return exit.Failed("name a folder on a local disk with --state: without a lock two runs could write at once", "%w", err)
	case errors.As(err, &lost):
		return exit.Failed(lost.hint, "%w", err)
	case errors.As(err, &held):
		return &exit.Error{Code: exit.CodeFailed, Err: err, Hint: held.Hint}
	case errors.As(err, &not):
		return exit.Usage("sessionloom sync --plan FILE makes one for this vault", "%w", err)
	case errors.Is(err, ledger.ErrDamaged):
		return exit.Failed("it is set aside: run again, the next pass reads everything anew", "%w", err)
	case errors.Is(err, vault.ErrNewer):
		return exit.Failed("update sessionloom on this machine: another one has a newer version", "%w", err)
	case errors.Is(err, vault.ErrNoMarker), errors.Is(err, vault.ErrNoVault):
		return exit.Failed("was the vault unmounted meanwhile?", "%w", err)
	case exit.SystemHint(err) != "":
		return exit.Failed(exit.SystemHint(err), "%w", err)
	}
	return err
}
