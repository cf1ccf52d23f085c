package opencode

import (
	"context"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// archive is a store of sessions: the tables of a database, or files.
type archive interface {
	// info is what is known of a session beside its messages, nil where it is not there.
	info(ctx context.Context, id string) (*info, error)
	// messages gives the messages of a session in order.
	messages(ctx context.Context, i *info, each func(record)) error
	// parts gives the parts of a message of version 1 in order.
	parts(ctx context.Context, message string, each func(record)) error
	// todos gives the agent's list; known is false where it is kept nowhere but in calls.
	todos(ctx context.Context, i *info) (list []todo, known bool, err error)
	// origin finds the session that another one was forked from, by the times of prompts that
	// are older than it is.
	origin(ctx context.Context, i *info, copied []time.Time) (id string, err error)
	// undone gives what was removed of a session and is still known.
	undone(ctx context.Context, i *info) ([]removed, error)
}

// record is a message or a part as it is stored. No data: it is too large to be read.
type record struct {
	id, kind, data string
	at             time.Time
}

// reading is one Read of an item under way.
type reading struct {
	files.Reading
}

// read reads a session. It begins afresh each time.
func (r *reading) read(ctx context.Context, a archive) error {
	r.Out = sources.Reading{}
	i, err := a.info(ctx, r.Item.Session)
	if err != nil {
		return err
	}
	if i == nil {
		return nil // it was deleted meanwhile
	}
	p := newParser(i)
	err = p.all(ctx, a)
	if err != nil {
		return err
	}
	root, err := rootOf(ctx, a, i)
	if err != nil {
		return err
	}
	r.Out.Records, r.Out.BytesRead = p.records, p.size
	p.finish()
	r.Unknown(p.unknown)
	if root != "" {
		r.worked(root, p)
		return nil
	}
	if i.Parent != "" { // whom it worked for is not known
		p.session.Class = sources.Automatic
	}
	r.Add(sources.Layer{Name: layerSession, Rank: sources.RankLog, Provisional: i.bad, Session: p.session})
	return nil
}

// maxDepth is how deep sub-agents call each other.
const maxDepth = 20

// rootOf finds the session that a sub-agent worked for, over sub-agents between; none where it
// is not there.
func rootOf(ctx context.Context, a archive, i *info) (root string, err error) {
	for depth := 0; i.Parent != "" && depth < maxDepth; depth++ {
		above, err := a.info(ctx, i.Parent)
		if err != nil || above == nil {
			return "", err
		}
		i, root = above, above.ID
	}
	if i.Parent != "" { // a circle
		return "", nil
	}
	return root, nil
}
