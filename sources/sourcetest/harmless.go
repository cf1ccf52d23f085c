package sourcetest

import (
	"bytes"
	"context"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/sessionloom/sessionloom/vault/inert"
	"github.com/sessionloom/sessionloom/vault/inspect"
)

// region matches a generated text in a note.
var region = regexp.MustCompile(`(?ms)%% sessionloom (?:body|nav) %%\n(.*?)^%% /sessionloom [a-z]+ [0-9a-f]{16} %%$`)

// Harmless requires of a vault of hostile texts that each note has a generated text, that nothing in a note
// acts, and that no file of the vault or the state shows a secret in its text or name.
func (v *Vault) Harmless(secrets ...string) {
	v.t.Helper()
	for path, text := range v.Notes() {
		found := region.FindAllStringSubmatch(text, -1)
		if len(found) == 0 {
			v.t.Errorf("%s has no text of ours", path)
		}
		for _, m := range found {
			for _, act := range inert.Find(m[1]) {
				v.t.Errorf("%s:%d: %s: %q", path, act.Line, act.Kind, act.Text)
			}
		}
	}
	v.inspected()
	v.hides(secrets)
}

// inspected requires that the program's own check of the vault finds nothing.
func (v *Vault) inspected() {
	v.t.Helper()
	opened := v.open()
	defer func() { Must(v.t, opened.Close()) }()
	r, err := opened.Inspect(context.Background(), inspect.Options{})
	Must(v.t, err)
	for _, f := range r.Findings {
		v.t.Errorf("%s:%d: %s: %s", f.Path, f.Line, f.Kind, f.Words)
	}
	if all := len(v.Notes()); r.Notes != all {
		v.t.Errorf("%d of %d notes are ours", r.Notes, all)
	}
}

func (v *Vault) hides(secrets []string) {
	v.t.Helper()
	for _, dir := range []string{v.Dir, v.State} {
		Must(v.t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			var body []byte
			if e.Type().IsRegular() {
				body = Read(v.t, path)
			}
			for _, secret := range secrets {
				if bytes.Contains(body, []byte(secret)) || strings.Contains(path, secret) {
					v.t.Errorf("%s shows the secret %q", path, secret)
				}
			}
			return nil
		}))
	}
}
