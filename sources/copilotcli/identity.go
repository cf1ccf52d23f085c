package copilotcli

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// A session that the SDK started may be called anything, and alike in several
// homes. What its name lacks is taken from how it began, which never changes: the
// start that its log tells, else the time of creation in workspace.yaml, else that
// in the store. So a copied folder is the same session and another one is not.

// sessionID is the identity of a session, as far as its name alone tells: empty
// where that is no UUID.
func sessionID(name string) string {
	if id := sources.FoldUUID(name); sources.IsUUID(id) {
		return id
	}
	return ""
}

// namedID is the identity of a session whose name is no UUID, by how it began. Its
// digest is of letters: a number would read as that of a part of the session.
func namedID(name, began string) string {
	letters := strings.Map(func(r rune) rune {
		if r <= '9' {
			return r - '0' + 'g'
		}
		return r
	}, files.Hash(name, began)[:8])
	return agentName + ":" + name + ":" + letters
}

// unknownStart stands for the start that a layer does not tell.
const unknownStart = "-"

// startOf sums up the start of a log.
func startOf(e *logEvent) string {
	at, where := e.data.StartTime.Time, e.data.Context
	if at.IsZero() {
		at = e.at
	}
	if where == nil {
		where = &workContext{}
	}
	return beganBy("log", e.id, at.Format(time.RFC3339Nano), where.Cwd, where.GitRoot, where.Repository)
}

// createdAt sums up when a layer without a log says that the session was created.
func createdAt(t time.Time) string {
	if t.IsZero() {
		return unknownStart
	}
	return beganBy("created", t.UTC().Format(time.RFC3339Nano))
}

func beganBy(facts ...string) string {
	b, err := json.Marshal(facts)
	if err != nil {
		return unknownStart // texts always encode
	}
	return files.Hash(string(b))[:8]
}

// identify gives the layers of a session whose name is no UUID the id that the
// best of them tells. Under what others tell, and under the bare name, which notes of
// older vaults have, it may have been known before.
func (r *reading) identify() {
	if r.Item.Session != "" || len(r.Out.Layers) == 0 {
		return
	}
	name := sessionName(r.Item)
	began := beganBy("home", r.Item.Key) // nothing tells: it is the one in this folder
	aka := []string{agentName + ":" + name, namedID(name, began)}
	for i := len(r.Out.Layers) - 1; i >= 0; i-- {
		if told := r.began(r.Out.Layers[i]); told != unknownStart {
			began = told
			aka = append(aka, namedID(name, told))
		}
	}
	id := namedID(name, began)
	for _, l := range r.Out.Layers {
		if l.Session != nil {
			l.Session.ID, l.Session.Aka = id, otherIDs(aka, id)
		}
	}
	r.Out.Sessions, r.Out.Layers = []sources.SessionLayers{{ID: id, Layers: r.Out.Layers}}, nil
}

// otherIDs are the ids besides one, each once. A list of them is kept by line.
func otherIDs(ids []string, but string) (out []string) {
	seen := map[string]bool{but: true}
	for _, id := range ids {
		if !seen[id] && !strings.Contains(id, "\n") {
			out = append(out, id)
		}
		seen[id] = true
	}
	return out
}

// began is how a layer tells that the session began.
func (r *reading) began(l sources.Layer) string {
	switch {
	case l.Session == nil:
		return unknownStart
	case l.Name == layerEvents:
		return cmp.Or(r.start, unknownStart) // it may be cut at its start
	default:
		return createdAt(l.Session.Created)
	}
}

// forkedFrom is the id of the session that a log says it was forked from. A fork
// begins with the start of its parent.
func forkedFrom(name, start string) string {
	id := sessionID(name)
	if id == "" && name != "" {
		id = namedID(name, start)
	}
	return id
}
