package opencode

import (
	"context"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// reading is one Read of an item under way.
type reading struct {
	files.Reading
}

// read reads a session. It begins afresh each time.
func (r *reading) read(ctx context.Context, a archive) error {
	r.Out = sources.Reading{}
	i, err := a.info(ctx, r.Item.Session)
	if err != nil || i == nil { // it was deleted meanwhile
		return err
	}
	p := newParser(i)
	if err = p.all(ctx, a); err != nil {
		return err
	}
	if i.Parent == i.ID {
		i.Parent = ""
	}
	root, err := rootOf(ctx, a, i)
	if err != nil {
		return err
	}
	r.Out.Records, r.Out.BytesRead = p.records, p.size
	s := p.finish()
	r.Unknown(p.unknown)
	if root != "" { // a sub-agent's is a layer of the session that it worked for
		out := builder.WorkOf(s, sources.Delegation{ID: s.ID, Name: agentTitle(i.Title, i.Agent)})
		out.ID, out.Agent = root, agentName
		la := sources.Layer{Name: layerAgents, Rank: sources.RankLog, Session: out}
		r.Out.Sessions = append(r.Out.Sessions, sources.SessionLayers{ID: root, Layers: []sources.Layer{la}})
		return nil
	}
	if i.Parent != "" { // whom it worked for is not known
		s.Class = sources.Automatic
	}
	r.Add(sources.Layer{Name: layerSession, Rank: sources.RankLog, Provisional: i.bad || p.bad+p.tooLarge > 0, Session: s})
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
