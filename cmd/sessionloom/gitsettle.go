package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/repo"
)

// newGitSettle ends what no merge driver is asked about.
func newGitSettle(a *app) *cobra.Command {
	cmd := a.gitCommand("settle", "settle a merge that stopped at notes which one side deleted or moved", (*app).gitSettle)
	cmd.Long = "Settle what a merge or rebase stopped at where one side deleted or moved a note\n" +
		"that the other one changed. A note with a tombstone stays deleted, any other one\n" +
		"stays. Conflicts in texts are left to you. Go on with git rebase --continue or\n" +
		"git merge --continue."
	helpsWith(cmd, ofKeys("vault", "folder"))
	return cmd
}

func (a *app) gitSettle(cmd *cobra.Command, r *repo.Repo, s repo.Setup) error {
	stuck, err := r.Conflicts(cmd.Context(), s.Folder)
	if err != nil {
		return err
	}
	settled, left := 0, 0
	for _, c := range stuck {
		ok, err := settleConflict(cmd, r, s.Folder, c)
		if err != nil {
			return fmt.Errorf("settle %q: %w", c.Path, err)
		}
		if ok {
			settled++
		} else {
			left++
			a.print.warn(fmt.Sprintf("%s: left to you", c.Path))
		}
	}
	a.print.say(fmt.Sprintf("%s settled", count(settled, "conflict")))
	if left > 0 {
		return silent(exitPartial)
	}
	return nil
}

// settleConflict settles a conflict at a path where not both sides have a note.
func settleConflict(cmd *cobra.Command, r *repo.Repo, folder string, c repo.Conflict) (bool, error) {
	if c.Ours && c.Theirs {
		return false, nil
	}
	if !c.Ours && !c.Theirs {
		return true, r.Resolve(cmd.Context(), c.Path, false) // both moved it: it stands elsewhere
	}
	text, err := r.Version(cmd.Context(), c)
	if err != nil {
		return false, err
	}
	n := vault.Parse(c.Path, text)
	if n.ID == "" || n.Broken != "" {
		return false, nil
	}
	elsewhere, err := standsElsewhere(r, folder, c.Path, n.ID)
	if err != nil || elsewhere {
		return true, errors.Join(err, r.Resolve(cmd.Context(), c.Path, false))
	}
	_, err = os.Lstat(filepath.Join(r.Top(), filepath.FromSlash(folder), filepath.FromSlash(vault.TombstonePath(n.ID))))
	return true, r.Resolve(cmd.Context(), c.Path, err != nil)
}

// standsElsewhere tells whether another file of the folder is the same note.
func standsElsewhere(r *repo.Repo, folder, path, id string) (found bool, err error) {
	top := filepath.Join(r.Top(), filepath.FromSlash(folder))
	err = filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != top && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case found || !d.Type().IsRegular() || !strings.EqualFold(filepath.Ext(file), ".md") ||
			file == filepath.Join(r.Top(), filepath.FromSlash(path)):
			return nil
		}
		text, err := os.ReadFile(file)
		found = err == nil && vault.Parse(d.Name(), text).ID == id
		return err
	})
	return found, err
}
