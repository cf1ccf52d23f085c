package statedb

import (
	"bytes"
	"errors"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// legacy reads interactive.sessions, where all sessions of a workspace stood in
// one array until March 2025. One that cannot be read leaves the others.
func legacy(value []byte) (all []*tree.Node, err error) {
	var broken error
	d := tree.NewDecoder(bytes.NewReader(value))
	err = elements(d, func() error {
		one, err := d.ReadValue()
		if err != nil {
			return err
		}
		n, err := chatlog.DecodeDocument(bytes.NewReader(one), chatlog.Options{})
		switch {
		case err != nil:
			broken = err
		case n.Kind() == tree.Object:
			all = append(all, n)
		}
		return nil
	})
	return all, errors.Join(err, broken)
}
