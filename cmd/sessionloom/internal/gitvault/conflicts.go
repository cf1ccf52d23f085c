package gitvault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/merge"
	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/repo"
)

// LeftError says that git stopped at conflicts that are left to the user.
type LeftError struct {
	Paths []string // from the top of the work tree
}

// Error counts them.
func (e *LeftError) Error() string {
	return "git stopped at " + present.Count(len(e.Paths), "conflict")
}

// LeftHint is what the user can do about them.
const LeftHint = "edit the files (of a base or canvas take one side with git checkout --theirs FILE, or delete it: " +
	"the next sync renders one of ours), git add them, then sessionloom git settle goes on"

// ResolveAll settles conflicts until the merge or rebase ends. The rest is a [LeftError].
func (r *Repo) ResolveAll(ctx context.Context, folder string) (resolved int, err error) {
	for {
		stuck, err := r.Conflicts(ctx)
		if err != nil {
			return resolved, err
		}
		n, err := r.resolveThese(ctx, folder, stuck)
		if resolved += n; err != nil {
			return resolved, err
		}
		err = r.Continue(ctx)
		if err == nil {
			return resolved, nil // at its end, or where the user wanted it to stop
		}
		if next, more := r.Conflicts(ctx); more != nil || len(next) == 0 {
			return resolved, errors.Join(err, more)
		}
	}
}

func (r *Repo) resolveThese(ctx context.Context, folder string, stuck []repo.Conflict) (resolved int, err error) {
	s := resolver{repo: r.Repo, folder: folder, displaced: map[string]displaced{}}
	left := &LeftError{}
	for _, c := range stuck { // before any is resolved: git forgets the versions then
		if _, missing := os.Lstat(filepath.Join(r.Top(), filepath.FromSlash(c.Path))); missing != nil || !c.Ours || !c.Theirs || !s.holds(c) || !note.IsNote(c.Path) {
			continue
		}
		if s.displaced[c.Path], err = s.findDisplaced(ctx, c); err != nil {
			return 0, fmt.Errorf("settle %q: %w", c.Path, err)
		}
	}
	for _, c := range stuck {
		ok, err := s.resolve(ctx, c)
		if err != nil {
			return resolved, fmt.Errorf("settle %q: %w", c.Path, err)
		}
		if ok {
			resolved++
			continue
		}
		left.Paths = append(left.Paths, c.Path)
	}
	if len(left.Paths) > 0 {
		return resolved, left
	}
	return resolved, nil
}

// resolver ends conflicts in which only one side has a note or file of ours.
type resolver struct {
	repo   *repo.Repo
	folder string              // from the top of the work tree
	places map[string][]string // id of a note → its files, from the top of the work tree; nil: not looked yet

	displaced map[string]displaced // by the path where they were
}

// holds reports whether a conflict is in the managed folder.
func (s *resolver) holds(c repo.Conflict) bool {
	return s.folder == "." || strings.HasPrefix(c.Path, s.folder+"/")
}

func (s *resolver) resolve(ctx context.Context, c repo.Conflict) (bool, error) {
	switch {
	case !s.holds(c):
		return false, nil
	case c.Ours && c.Theirs:
		return s.place(ctx, c, s.displaced[c.Path])
	case !c.Ours && !c.Theirs:
		return true, s.end(ctx, c, "", false) // both moved it: it stands elsewhere
	}
	if edited, err := s.repo.Edited(ctx, c); err != nil || edited {
		return false, err
	}
	text, err := s.repo.Version(ctx, c)
	if err != nil {
		return false, err
	}
	if merge.IsAsWritten(c.Path, text) {
		return true, s.end(ctx, c, "", false) // the next run writes it anew, unless it was deleted
	}
	n := note.Parse(c.Path, text)
	if n.ID == "" || n.Broken != "" {
		return false, nil
	}
	elsewhere, err := s.standsElsewhere(c.Path, n.ID)
	if err != nil {
		return false, err
	}
	if elsewhere != "" {
		if clean, err := s.join(ctx, s.repo.Base(ctx, c), text, elsewhere); err != nil || !clean {
			return false, err
		}
	}
	return true, s.end(ctx, c, n.ID, elsewhere == "" && !s.wasDeleted(n.ID))
}

// displaced is the version of a note that another one has taken the place of.
type displaced struct {
	id         string
	base, text []byte
}

// findDisplaced looks at a conflict of two notes at one path, one of which stands there: the other was
// moved by one side and changed by the other side. An empty id: it is no such conflict.
func (s *resolver) findDisplaced(ctx context.Context, c repo.Conflict) (displaced, error) {
	base := s.repo.Base(ctx, c)
	for _, side := range []repo.Conflict{{Path: c.Path, Ours: true}, {Path: c.Path, Theirs: true}} {
		text, err := s.repo.Version(ctx, side)
		if err != nil {
			return displaced{}, err
		}
		edited, err := s.repo.Edited(ctx, repo.Conflict{Path: c.Path, Ours: side.Theirs, Theirs: side.Ours})
		if err != nil {
			return displaced{}, err
		}
		if n := note.Parse(c.Path, text); !edited && n.Broken == "" && n.ID == note.Parse(c.Path, base).ID {
			return displaced{n.ID, base, text}, nil
		}
	}
	return displaced{}, nil
}

// place brings what was changed in a displaced note to where it was moved.
func (s *resolver) place(ctx context.Context, c repo.Conflict, d displaced) (bool, error) {
	if d.id == "" {
		return false, nil
	}
	elsewhere, err := s.standsElsewhere(c.Path, d.id)
	clean := s.wasDeleted(d.id)
	if err == nil && elsewhere != "" {
		clean, err = s.join(ctx, d.base, d.text, elsewhere)
	}
	if err != nil || !clean {
		return false, err
	}
	return true, s.repo.Resolve(ctx, c.Path, true)
}

func (s *resolver) wasDeleted(id string) bool {
	_, err := os.Lstat(filepath.Join(s.repo.Top(), filepath.FromSlash(s.folder), filepath.FromSlash(vault.TombstonePath(id))))
	return err == nil
}

// join merges what one side changed into the note that the other side moved.
func (s *resolver) join(ctx context.Context, base, text []byte, elsewhere string) (clean bool, err error) {
	at := filepath.Join(s.repo.Top(), filepath.FromSlash(elsewhere))
	there, err := os.ReadFile(at)
	if err != nil {
		return false, err
	}
	merged, clean := merge.Versions(elsewhere, base, there, text)
	if !clean || bytes.Equal(merged, there) {
		return clean, nil
	}
	if err := os.WriteFile(at, merged, 0o600); err != nil {
		return false, err
	}
	return true, s.repo.Resolve(ctx, elsewhere, true)
}

func (s *resolver) end(ctx context.Context, c repo.Conflict, id string, stays bool) error {
	if !stays && s.places != nil {
		s.places[id] = slices.DeleteFunc(s.places[id], func(p string) bool { return p == c.Path })
	}
	return s.repo.Resolve(ctx, c.Path, stays)
}

func (s *resolver) standsElsewhere(at, id string) (string, error) {
	if s.places == nil {
		if err := s.look(); err != nil {
			return "", err
		}
	}
	if i := slices.IndexFunc(s.places[id], func(p string) bool { return p != at }); i >= 0 {
		return s.places[id][i], nil
	}
	return "", nil
}

func (s *resolver) look() error {
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

// MergeFiles merges two versions of a note into the file ours; false: with conflicts.
func MergeFiles(base, ours, theirs, path string) (clean bool, err error) {
	var texts [3][]byte
	for i, file := range []string{base, ours, theirs} {
		if texts[i], err = os.ReadFile(file); err != nil {
			return false, fmt.Errorf("merge %q: %w", path, err)
		}
	}
	if len(texts[0]) == 0 {
		texts[0] = nil // both sides are new
	}
	merged, clean := merge.Versions(path, texts[0], texts[1], texts[2])
	if err := os.WriteFile(ours, merged, 0o600); err != nil {
		return false, fmt.Errorf("merge %q: %w", path, err)
	}
	return clean, nil
}
