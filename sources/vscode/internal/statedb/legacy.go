package statedb

import (
	"bytes"
	"errors"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// legacy reads interactive.sessions, where all sessions of a workspace stood in
// one array until March 2025. One that cannot be read leaves the others.
func legacy(value []byte) (all []*chatlog.Session, err error) {
	var broken error
	d := decode.New(bytes.NewReader(value))
	err = elements(d, func() error {
		one, err := d.ReadValue()
		if err != nil {
			return err
		}
		s, err := chatlog.DecodeDocument(decode.New(bytes.NewReader(one)))
		if err != nil {
			broken = err
		} else {
			all = append(all, s)
		}
		return nil
	})
	return all, errors.Join(err, broken)
}
