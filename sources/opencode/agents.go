package opencode

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// worked adds what a sub-agent did as a layer of the session that it worked for.
func (r *reading) worked(root string, p *parser) {
	s := p.session
	d := sources.Delegation{ID: s.ID, Name: agentTitle(p.info.Title, p.info.Agent), At: s.Created}
	for _, t := range s.Turns {
		d.Task = cmp.Or(d.Task, t.User)
		d.Answer = cmp.Or(lastOf(t), d.Answer)
		d.Calls += len(t.Tools)
		if t.End.After(d.End) {
			d.End = t.End
		}
		if t.Tokens != nil {
			d.Tokens = cmp.Or(d.Tokens, &sources.Tokens{})
			d.Tokens.In, d.Tokens.Out = d.Tokens.In+t.Tokens.In, d.Tokens.Out+t.Tokens.Out
		}
	}
	out := &sources.Session{ID: root, Agent: agentName, Delegated: []sources.Delegation{d}, Damage: s.Damage}
	for _, f := range s.Files {
		f.Turn = -1
		out.Files = append(out.Files, f)
	}
	files.SetUpdated(out)
	la := sources.Layer{Name: layerAgents, Rank: sources.RankLog, Session: out}
	r.Out.Sessions = append(r.Out.Sessions, sources.SessionLayers{ID: root, Layers: []sources.Layer{la}})
}

// agentMark is what opencode puts behind the title of a sub-agent: "Count words (@general subagent)".
var agentMark = regexp.MustCompile(` \(@[^)]*subagent\)$`)

// agentTitle is what a sub-agent is called: by what it was asked to do, and its kind.
func agentTitle(title, kind string) string {
	title = strings.TrimSpace(agentMark.ReplaceAllString(title, ""))
	switch {
	case title == "" || hasNoName(title):
		return kind
	case kind == "":
		return title
	}
	return title + " (" + kind + ")"
}

// lastOf is what was said last in a turn: all behind the last call before it.
func lastOf(t sources.Turn) string {
	at := 0
	for _, c := range t.Tools {
		at = max(at, c.After)
	}
	return cmp.Or(strings.TrimSpace(t.Assistant[at:]), t.Assistant) // nothing was said behind a call
}

// mostDelegated is how many sub-agents of a session are told.
const mostDelegated = 5000

// delegated takes in a call that has a sub-agent work. What that has itself goes before it.
func (p *parser) delegated(x *part) {
	st := &x.State
	id := st.Metadata.SessionID
	if id == "" || len(p.session.Delegated) >= mostDelegated || slices.ContainsFunc(p.session.Delegated, func(d sources.Delegation) bool { return d.ID == id }) {
		return
	}
	answer := st.gave()
	if _, inner, ok := strings.Cut(answer, "<task_result>"); ok {
		answer, _, _ = strings.Cut(inner, "</task_result>")
	}
	p.session.Delegated = append(p.session.Delegated, sources.Delegation{
		ID: id, Name: agentTitle(st.Input.Description, cmp.Or(st.Input.Subagent, st.Input.Agent)), Task: st.Input.Prompt,
		Answer: strings.TrimSpace(answer), At: st.Time.Start.Time, End: st.Time.End.Time,
	})
}
