package vscode

import (
	"cmp"
	"context"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chat"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// readLog reads the mutation log. One that ends within the entry that holds the
// session is being written anew, and an emptied one is what a crash left.
func (r *reading) readLog(ctx context.Context) error {
	layer := sources.Layer{Name: layerLog, Rank: sources.RankLog}
	return r.Layer(ctx, layer, partLog, func(la *sources.Layer, path string) error {
		f, err := chatlog.ReadLog(ctx, path, r.options())
		if err != nil {
			r.chat = true
			return err
		}
		la.Session = r.convert(f, r.Item.Session)
		la.Provisional = f.Torn || f.State == nil
		r.chat = f.Torn || len(la.Session.Turns) > 0
		if r.complete = !damaged(f); r.complete {
			la.Session.Covers = []string{layerDocument}
		}
		return nil
	})
}

// readDocument reads the one file of before version 1.109. Later versions leave
// it behind when they begin a log, which holds the same and more; it serves
// where the log cannot (section 1). VS Code cannot read a damaged one either, so
// it is one that a crash cut off, or that is being written.
func (r *reading) readDocument(ctx context.Context) error {
	if r.complete {
		return nil
	}
	layer := sources.Layer{Name: layerDocument, Rank: sources.RankSidecar}
	return r.Layer(ctx, layer, partDocument, func(la *sources.Layer, path string) error {
		f, err := chatlog.ReadDocument(ctx, path, r.options())
		if err != nil {
			r.chat = true
			return err
		}
		la.Session, la.Provisional = r.convert(f, r.Item.Session), damaged(f)
		r.chat = r.chat || f.Torn || len(la.Session.Turns) > 0
		return nil
	})
}

func (r *reading) options() chatlog.Options { return chatlog.Options{Images: r.src.cfg.Images} }

// convert makes a session of a file. Without an id it is that of the file's own
// making.
func (r *reading) convert(f chatlog.File, id string) *sources.Session {
	res := chat.Convert(chat.Input{State: f.State, ID: id})
	r.Unknown(f.Unknown)
	r.Unknown(res.Unknown)
	s := res.Session
	s.Whole, s.Rewound = f.Whole, s.Rewound || f.Rewound
	s.Damage = append(s.Damage, f.Damage...)
	s.Place = placeOf(res.Hints, r.place)
	return s
}

// placeOf weighs what is known of where a session worked: the repository VS Code
// noted, the workspace, what the prompts told the model, the folder all edited
// files have in common (formats/vscode-copilot-chat.md, section 8).
func placeOf(h chat.Hints, workspace sources.Place) sources.Place {
	p := h.Repo
	p.Guessed = workspace.Guessed
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
	}
	if p.Repository == "" {
		p.Repository, p.Host, p.HostType = h.Context.Repository, h.Context.Host, h.Context.HostType
	}
	if h.Repo.Branch == "" {
		p.Branch = cmp.Or(h.Context.Branch, p.Branch)
	}
	return p
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
