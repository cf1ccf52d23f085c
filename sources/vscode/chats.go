package vscode

import (
	"cmp"
	"context"
	"errors"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chat"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// readLog reads the mutation log, resuming where the last read ended.
func (r *reading) readLog(ctx context.Context) error {
	parts := partsNamed(r.item, partLog)
	if len(parts) == 0 {
		return nil
	}
	old := decodeCursor(r.prior.Cursor(layerLog))
	r.complete = old.Whole // where the log stands or cannot be read now
	return r.derived(ctx, layerLog, sources.RankLog, parts, r.basis, func(old cursor) (*sources.Session, cursor, error) {
		var from []byte
		if old.Basis == r.basis {
			from = old.Log
		}
		s, next, err := r.convertLog(ctx, r.item.File(parts[0]), from, old)
		if err == nil {
			r.complete = next.Whole
		}
		return s, next, err
	})
}

// convertLog makes a session of a log. What was kept of it is read on only where
// log and conversion agree that it can be.
func (r *reading) convertLog(ctx context.Context, path string, from []byte, old cursor) (*sources.Session, cursor, error) {
	f, err := chatlog.ReadLog(ctx, path, from, old.Sealed, r.options())
	if err != nil {
		return nil, cursor{}, err
	}
	r.out.BytesRead += f.BytesRead
	if f.Same {
		old.Log = f.Cursor
		return nil, old, errSame
	}
	if f.Torn && old.Whole { // it is being written anew: what was read before is more
		return nil, old, r.keepBefore(path, errTorn)
	}
	if f.State == nil && old.Parts != "" && !old.Whole { // package extract keeps a whole one
		return nil, old, r.keepBefore(path, errEmptied)
	}
	in := chat.Input{State: f.State, Sealed: f.Sealed, Carry: old.Carry, ID: r.item.Session, Images: r.src.cfg.Images}
	if f.Sealed > 0 {
		if in.Prior, err = r.prior.Layer(layerLog); err != nil || in.Prior == nil {
			return r.convertLog(ctx, path, nil, cursor{})
		}
	}
	res := chat.Convert(in)
	if res.Again {
		return r.convertLog(ctx, path, nil, cursor{})
	}
	s := res.Session
	s.Whole, s.Rewound = f.Whole, s.Rewound || f.Rewound
	s.Damage = append(s.Damage, f.Damage...)
	if !damaged(f) {
		s.Covers = []string{layerDocument}
	}
	var rooted bool
	s.Place, rooted = placeOf(res.Hints, r.place, in.Prior, old.Rooted)
	if in.Prior != nil && folderOf(s.Place) != folderOf(in.Prior.Place) { // files are told from there
		return r.convertLog(ctx, path, nil, cursor{})
	}
	r.count(f.Unknown)
	r.count(res.Unknown)
	return s, cursor{Log: f.Cursor, Carry: res.Carry, Sealed: res.Sealed, Rooted: rooted, Whole: !damaged(f)}, nil
}

var (
	// errTorn says that a log ends within the entry that holds the session.
	errTorn = errors.New("the log ends within its only entry, what was read before is kept")
	// errEmptied says that nothing is left in a log.
	errEmptied = errors.New("the log holds no entry any more, what was read before is kept")
	// errLess says that a document is damaged and holds no more than it did.
	errLess = errors.New("the file is damaged, what was read before is kept")
)

// keepBefore tells why what was read before stays.
func (r *reading) keepBefore(path string, why error) error {
	p := newProblem(r.item.Key, path, why)
	p.Fatal = false
	r.out.Problems = append(r.out.Problems, p)
	return errSame
}

func (r *reading) options() chatlog.Options { return chatlog.Options{Images: r.src.cfg.Images} }

// readDocument reads the one file of before version 1.109. Later versions leave
// it behind when they begin a log, which holds the same and more; it serves
// where the log cannot (section 1).
func (r *reading) readDocument(ctx context.Context) error {
	if r.complete {
		return nil
	}
	parts := partsNamed(r.item, partDocument)
	return r.derived(ctx, layerDocument, sources.RankSidecar, parts, r.basis, func(old cursor) (*sources.Session, cursor, error) {
		path := r.item.File(parts[0])
		f, err := chatlog.ReadDocument(ctx, path, r.options())
		if err != nil {
			return nil, cursor{}, err
		}
		r.out.BytesRead += f.BytesRead
		s := r.convertDocument(f, r.item.Session)
		if damaged(f) && old.Whole {
			before, err := r.prior.Layer(layerDocument)
			if err == nil && before != nil && len(before.Turns) >= len(s.Turns) {
				return nil, old, r.keepBefore(path, errLess)
			}
		}
		return s, cursor{Whole: !damaged(f)}, nil
	})
}

// convertDocument makes a session of a file that is read whole. Without an id it
// is that of the file's own making.
func (r *reading) convertDocument(f chatlog.File, id string) *sources.Session {
	res := chat.Convert(chat.Input{State: f.State, ID: id, Images: r.src.cfg.Images})
	r.count(f.Unknown)
	r.count(res.Unknown)
	s := res.Session
	s.Whole = f.Whole
	s.Damage = append(s.Damage, f.Damage...)
	s.Place, _ = placeOf(res.Hints, r.place, nil, false)
	return s
}

// placeOf weighs what is known of where a session worked: the repository VS Code
// noted, the workspace, what the prompts told the model, the folder all edited
// files have in common (formats/vscode-copilot-chat.md, section 8). rooted tells
// that the folder is of the last kind, now and for the prior session.
func placeOf(h chat.Hints, workspace sources.Place, prior *sources.Session, wasRooted bool) (p sources.Place, rooted bool) {
	p = h.Repo
	if h.Kept && prior != nil {
		p = prior.Place
		if wasRooted {
			p.Cwd = ""
		}
	}
	if isPlaced(workspace) {
		p = worksIn(p, workspace)
	} else if !isPlaced(p) {
		p = worksIn(p, h.Cache)
	}
	if !isPlaced(p) {
		p = worksIn(p, h.Context)
	}
	if !isPlaced(p) {
		p.Cwd = h.EditedRoot
		if p.Cwd == "" && wasRooted && prior != nil {
			p.Cwd = prior.Place.Cwd
		}
		rooted = p.Cwd != ""
	}
	if p.Repository == "" {
		p.Repository, p.Host, p.HostType = h.Context.Repository, h.Context.Host, h.Context.HostType
	}
	if h.Repo.Branch == "" {
		p.Branch = cmp.Or(h.Context.Branch, p.Branch)
	}
	return p, rooted
}

// isPlaced tells whether a folder or workspace is known.
func isPlaced(p sources.Place) bool { return p.Cwd != "" || p.Workspace != "" }

// worksIn is a place with folder or workspace of another; what the workspace
// tells of a repository fills gaps.
func worksIn(p, where sources.Place) sources.Place {
	p.Cwd, p.Workspace, p.Folders = where.Cwd, where.Workspace, where.Folders
	if p.Repository == "" {
		p.Repository, p.Host, p.HostType = where.Repository, where.Host, where.HostType
	}
	return p
}
