package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/repo"
)

// newGitSettle ends what no merge driver is asked about.
func newGitSettle(a *app) *cobra.Command {
	cmd := a.gitCommand("settle", "go on with a pull that stopped at a deleted or moved note", (*app).gitSettle)
	cmd.Long = "Settle what a merge or rebase stopped at where one side deleted or moved a note\n" +
		"that the other one changed, and go on with it to its end. A note with a tombstone\n" +
		"stays deleted, any other one stays. Conflicts in texts, in files that are no notes\n" +
		"and in notes that were edited since are left to you; call it again after that."
	return cmd
}

func (a *app) gitSettle(cmd *cobra.Command, r *repo.Repo, s repo.Setup) error {
	n, err := a.settleAll(cmd.Context(), r, s.Folder)
	if err != nil {
		return explainSettle(err)
	}
	a.print.say(fmt.Sprintf("%s settled", count(n, "conflict")))
	if r.Busy() != nil {
		return nil // git stopped where its user wanted it to
	}
	return a.renderQuietly(cmd)
}

// renderQuietly is a pass that says nothing but what went wrong.
func (a *app) renderQuietly(cmd *cobra.Command) error {
	a.print.quiet = true
	err := a.pass(cmd, extract.Mode{}, false, (*extract.Sync).Run)
	if codeOf(err) == exitLocked {
		return nil // a run is at work: it, or the next one, sees to it
	}
	return err
}

// explainSettle is explainGitSetup where git may have come to a halt halfway.
func explainSettle(err error) error {
	err = explainGitSetup(err)
	var told *failure
	if err == nil || errors.As(err, &told) {
		return err
	}
	return failed("once git can write again, sessionloom git settle goes on", "%w", err)
}

// settleAll settles conflicts and goes on until a merge or rebase has come to
// its end. What is left to the user is told of and ends it.
func (a *app) settleAll(ctx context.Context, r *repo.Repo, folder string) (settled int, err error) {
	for {
		stuck, err := r.Conflicts(ctx, ".")
		if err != nil {
			return settled, err
		}
		n, err := a.settleThese(ctx, r, folder, stuck)
		if settled += n; err != nil {
			return settled, err
		}
		err = r.Continue(ctx)
		if err == nil {
			return settled, nil // at its end, or where the user wanted it to stop
		}
		if next, more := r.Conflicts(ctx, "."); more != nil || len(next) == 0 {
			return settled, errors.Join(err, more)
		}
	}
}

// settleThese settles conflicts; it fails where some are left to the user.
func (a *app) settleThese(ctx context.Context, r *repo.Repo, folder string, stuck []repo.Conflict) (settled int, err error) {
	s := settler{repo: r, folder: folder}
	var left []string
	for _, c := range stuck {
		ok, err := s.settle(ctx, c)
		if err != nil {
			return settled, fmt.Errorf("settle %q: %w", c.Path, err)
		}
		if ok {
			settled++
		} else {
			left = append(left, c.Path)
		}
	}
	if len(left) == 0 {
		return settled, nil
	}
	for _, p := range left {
		a.print.warn(fmt.Sprintf("%q: a conflict that is left to you", p))
	}
	edit := "edit the files"
	if slices.ContainsFunc(left, s.isView) {
		edit += ", or of a base or canvas take one side with git checkout --theirs FILE or delete it (the next sync renders one of ours)"
	}
	return settled, &failure{code: exitPartial, err: fmt.Errorf("git stopped at %s", count(len(left), "conflict")),
		hint: edit + ", git add them, then sessionloom git settle goes on"}
}

// settler settles conflicts at which only one side has a note.
type settler struct {
	repo   *repo.Repo
	folder string              // from the top of the work tree
	places map[string][]string // id of a note → its files, from the top of the work tree; nil: not looked yet
}

// settle ends a conflict and says whether it did.
func (s *settler) settle(ctx context.Context, c repo.Conflict) (bool, error) {
	if c.Ours && c.Theirs || !s.inside(c.Path) {
		return false, nil
	}
	if !c.Ours && !c.Theirs {
		return true, s.end(ctx, c, "", false) // both moved it: it stands elsewhere
	}
	if edited, err := s.repo.Edited(ctx, c); err != nil || edited {
		return false, err
	}
	text, err := s.repo.Version(ctx, c)
	if err != nil {
		return false, err
	}
	n := note.Parse(c.Path, text)
	if n.ID == "" || n.Broken != "" {
		return false, nil
	}
	elsewhere, err := s.standsElsewhere(c.Path, n.ID)
	if err != nil {
		return false, err
	}
	_, err = os.Lstat(filepath.Join(s.repo.Top(), filepath.FromSlash(s.folder), filepath.FromSlash(vault.TombstonePath(n.ID))))
	return true, s.end(ctx, c, n.ID, err != nil && !elsewhere)
}

// inside tells whether a path is one of the managed folder.
func (s *settler) inside(p string) bool {
	return s.folder == "." || strings.HasPrefix(p, s.folder+"/")
}

// isView tells whether a path may be that of a base or canvas of ours.
func (s *settler) isView(p string) bool {
	ext := strings.ToLower(path.Ext(p))
	return s.inside(p) && (ext == ".base" || ext == ".canvas")
}

func (s *settler) end(ctx context.Context, c repo.Conflict, id string, stays bool) error {
	if !stays && s.places != nil {
		s.places[id] = slices.DeleteFunc(s.places[id], func(p string) bool { return p == c.Path })
	}
	return s.repo.Resolve(ctx, c.Path, stays)
}

// standsElsewhere tells whether another file of the folder is the same note.
func (s *settler) standsElsewhere(at, id string) (bool, error) {
	if s.places == nil {
		if err := s.look(); err != nil {
			return false, err
		}
	}
	return slices.ContainsFunc(s.places[id], func(p string) bool { return p != at }), nil
}

// look finds out where notes stand.
func (s *settler) look() error {
	s.places = map[string][]string{}
	top := filepath.Join(s.repo.Top(), filepath.FromSlash(s.folder))
	return filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != top && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.Type().IsRegular() || !strings.EqualFold(filepath.Ext(file), ".md"):
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(s.repo.Top(), file)
		if id := note.Parse(d.Name(), text).ID; id != "" {
			s.places[id] = append(s.places[id], filepath.ToSlash(rel))
		}
		return err
	})
}
