package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// mergeArtifacts merges by kind and name: the text of the best layer that has it, the time of any layer.
// Artifacts without text are left out.
func (m *merger) mergeArtifacts() {
	at := make(map[string]int) // index in list
	var list []sources.Artifact
	var from [][]int // layers behind each
	for i := range m.besides {
		for _, a := range m.session(i).Artifacts {
			key := artifactKey(a)
			k, known := at[key]
			if !known {
				at[key] = len(list)
				list, from = append(list, a), append(from, []int{i})
				continue
			}
			if fillArtifact(&list[k], a) {
				from[k] = append(from[k], i)
			}
		}
	}
	last := lastTurnTime(m.out.Turns)
	for _, a := range list {
		if a.Text == "" && a.Left == "" {
			continue
		}
		a.At = cmp.Or(a.At, last)
		m.out.Artifacts = append(m.out.Artifacts, a)
	}
	slices.SortStableFunc(m.out.Artifacts, func(a, b sources.Artifact) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
	})
	named := slices.Clone(m.out.Artifacts)
	tellApart(m.out.Artifacts)
	m.saved = make(map[string][]string, len(named))
	for k, a := range m.out.Artifacts {
		for _, i := range from[at[artifactKey(named[k])]] {
			m.saved[artifactKey(a)] = append(m.saved[artifactKey(a)], m.nameOf(i))
		}
	}
}

// tellApart numbers artifacts whose names differ only by a secret: masked, they and their notes would be the
// same.
func tellApart(list []sources.Artifact) {
	seen := make(map[string]int)
	for i, a := range list {
		shown := a.Kind + "/" + names.PlainName(a)
		if seen[shown]++; seen[shown] > 1 {
			list[i].Name = fmt.Sprintf("%s (%d)", a.Name, seen[shown])
		}
	}
}

func artifactKey(a sources.Artifact) string { return a.Kind + "/" + a.Name }

func fillArtifact(a *sources.Artifact, b sources.Artifact) bool {
	before := *a
	a.At = cmp.Or(a.At, b.At)
	if a.Text == "" && b.Text != "" || a.Text == "" && a.Left == "" {
		a.Text, a.Left, a.Size = b.Text, b.Left, cmp.Or(b.Size, a.Size)
	}
	return *a != before
}

// mergeFiles merges by path, kind and turn. A touch without turn adds only its verdict if a better layer has
// the file and kind. An edit outside the turns is ignored if a turn created the file with its text.
func (m *merger) mergeFiles() {
	type touchKey struct {
		path, kind string
		turn       int
	}
	in := identity.NewPathResolver(&m.out)
	seen := make(map[touchKey]int) // index in out.Files
	for i := range m.layers {
		believed := i < m.believed
		for _, t := range m.session(i).Files {
			if !believed && t.TurnID == "" && !m.isOfAgent(i, t.Turn) {
				continue
			}
			beside := t.TurnID != ""
			t, ok := m.placed(i, t, believed)
			if !ok {
				continue
			}
			path, ok := in.Relative(t.Path)
			if !ok {
				path = "\x00" + identity.UnifyPath(t.Path)
			}
			key := touchKey{in.Key(path), t.Kind, t.Turn}
			anyTurn := touchKey{key.path, key.kind, -2}
			at, known := seen[key]
			if !known && t.Turn < 0 {
				at, known = seen[anyTurn]
			}
			if !known && beside && t.Kind == sources.Edited {
				at, known = seen[touchKey{key.path, sources.Created, t.Turn}]
			}
			if known {
				if have := &m.out.Files[at]; have.Verdict == "" && t.Verdict != "" {
					have.Verdict = t.Verdict
					m.use(i)
				}
				continue
			}
			seen[key] = len(m.out.Files)
			seen[anyTurn] = len(m.out.Files) // the latest, as a verdict is about its last change
			m.out.Files = append(m.out.Files, t)
			if !content.IsWeakTouch(t.Kind) { // the others are not shown
				m.use(i)
			}
		}
	}
}

// placed gives a touch its turn in the merged session. A turn that a whole log does not know, or that was
// taken back, becomes -1.
func (m *merger) placed(layer int, t sources.FileTouch, believed bool) (sources.FileTouch, bool) {
	own := t.Turn
	if t.Turn = m.turnOf(layer, own); m.isForeign(layer, own) {
		return t, false
	}
	if t.Turn < 0 && t.TurnID != "" {
		t.Turn = slices.IndexFunc(m.out.Turns, func(turn sources.Turn) bool { return turn.ID == t.TurnID })
		if t.Turn < 0 && (m.out.Complete || !believed) {
			return t, false
		}
	}
	t.TurnID = ""
	return t, true
}

// isForeign reports whether a layer's own turn is missing in a whole log: it was taken back before the log
// was rewritten.
func (m *merger) isForeign(layer, turn int) bool {
	return m.out.Complete && turn >= 0 && len(m.session(layer).Turns) > 0 && m.turnOf(layer, turn) < 0
}

// isOfAgent reports whether a layer's touch is a sub-agent's, in no turn of the session.
func (m *merger) isOfAgent(layer, turn int) bool {
	return turn < 0 && layer < m.besides && len(m.session(layer).Delegated) > 0
}

// mergeRefs merges by type and value. A short hash and a long one that begins with it are one commit.
func (m *merger) mergeRefs() {
	at := make(map[string][]int) // indexes in out.Refs
	for i := range m.layers {
		for _, r := range m.session(i).Refs {
			if i >= m.believed && !m.isOfAgent(i, r.Turn) || m.isForeign(i, r.Turn) {
				continue
			}
			r.Turn = m.turnOf(i, r.Turn)
			key := refKey(r)
			k := slices.IndexFunc(at[key], func(n int) bool { return sameRef(m.out.Refs[n], r) })
			if k < 0 {
				at[key] = append(at[key], len(m.out.Refs))
				m.out.Refs = append(m.out.Refs, r)
				m.use(i)
				continue
			}
			have := &m.out.Refs[at[key][k]]
			if have.Text == "" && r.Text != "" {
				have.Text = r.Text
				m.use(i)
			}
			if r.Turn >= 0 && (have.Turn < 0 || m.inherited(have.Turn) && !m.inherited(r.Turn)) {
				have.Turn = r.Turn
				m.use(i)
			}
		}
	}
	for i := range m.out.Refs {
		r := &m.out.Refs[i]
		if r.At = (time.Time{}); r.Turn >= 0 {
			r.At = m.out.Turns[r.Turn].At
		}
	}
}

func (m *merger) inherited(turn int) bool { return turn >= 0 && m.out.Turns[turn].Inherited }

// refKey is equal for refs that may be the same.
func refKey(r sources.Ref) string {
	value := strings.ToLower(r.Value)
	switch {
	case r.Type == sources.Commit && value == "":
		value = "-" + r.Text
	case r.Type == sources.Commit:
		value = texts.CutRunes(value, 7)
	}
	return r.Type + ":" + value
}

func sameRef(a, b sources.Ref) bool {
	if a.Repo != b.Repo && a.Repo != "" && b.Repo != "" {
		return false
	}
	x, y := strings.ToLower(a.Value), strings.ToLower(b.Value)
	if a.Type == sources.Commit {
		return strings.HasPrefix(x, y) || strings.HasPrefix(y, x)
	}
	return x == y
}

// mergeBesides merges the data beside the turns: the class, sub-agents' work, the user's actions and what
// they took back. A layer without turns does not decide the class if another has some.
func (m *merger) mergeBesides() {
	for i := range m.layers {
		s := m.session(i)
		if len(s.Turns) > 0 || len(m.out.Turns) == 0 {
			m.out.Class = s.Class
			break
		}
	}
	helpers := map[string]int{} // indexes of sub-agents
	for i := range m.layers {
		s := m.session(i)
		if i < m.besides {
			m.mergeDelegated(i, helpers)
		}
		if i < m.believed {
			takeFrom(m, i, &m.out.Actions, s.Actions, func(a *sources.Action) *int { return &a.Turn })
			takeFrom(m, i, &m.out.Acts, s.Acts, func(a *sources.Act) *int { return &a.Turn })
		}
		if len(m.out.TakenBack) == 0 && len(s.TakenBack) > 0 {
			m.out.TakenBack = slices.Clone(s.TakenBack)
			m.use(i)
		}
	}
	slices.SortStableFunc(m.out.Delegated, func(a, b sources.Delegation) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID))
	})
}

// mergeDelegated merges the work of sub-agents by id, or by task if one has no id; at are indexes of merged
// ones.
func (m *merger) mergeDelegated(layer int, at map[string]int) {
	for _, d := range m.session(layer).Delegated {
		byID, byTask := "id "+d.ID, "task "+d.Task
		k, known := at[byID]
		if known = known && d.ID != ""; !known {
			k, known = at[byTask]
			known = known && (d.ID == "" || m.out.Delegated[k].ID == "")
		}
		if !known {
			at[byID], at[byTask] = len(m.out.Delegated), len(m.out.Delegated)
			m.out.Delegated = append(m.out.Delegated, d)
			m.use(layer)
			continue
		}
		have, before := &m.out.Delegated[k], m.out.Delegated[k]
		have.ID, have.Name, have.Task, have.Answer = cmp.Or(have.ID, d.ID), cmp.Or(have.Name, d.Name), cmp.Or(have.Task, d.Task), cmp.Or(have.Answer, d.Answer)
		have.Calls, have.Tokens = cmp.Or(have.Calls, d.Calls), cmp.Or(have.Tokens, d.Tokens)
		have.At = cmp.Or(have.At, d.At)
		have.End = latest(have.End, d.End)
		if *have != before {
			m.use(layer)
		}
	}
}

// takeFrom copies a list from the first layer that has one, with turn numbers of the merged session.
func takeFrom[T any](m *merger, layer int, to *[]T, list []T, turn func(*T) *int) {
	if len(*to) > 0 || len(list) == 0 {
		return
	}
	*to = slices.Clone(list)
	for i := range *to {
		if at := turn(&(*to)[i]); *at >= 0 {
			*at = m.turnOf(layer, *at)
		}
	}
	m.use(layer)
}

// mergePlace fills each field from the best layer that has it. A folder that cannot be a project (an editor's
// own, a bare home) gives way to a real one of any layer.
func (m *merger) mergePlace() {
	out := placeFields(&m.out.Place)
	for f, field := range out {
		from := m.bestPlace(f, field.folder)
		if from < 0 {
			continue
		}
		*field.value = *placeFields(&m.session(from).Place)[f].value
		m.use(from)
	}
	m.mergeWorkspace()
}

func (m *merger) mergeWorkspace() {
	untitled := -1
	for _, i := range m.byEvidence() {
		p := m.session(i).Place
		switch {
		case p.Workspace != "" && identity.IsUntitled(identity.UnifyPath(p.Workspace)) && untitled < 0:
			untitled = i
		case p.Workspace != "" || len(p.Folders) > 0:
			m.takeWorkspace(i)
			return
		case identity.WorkFolder(p) != "":
			return
		}
	}
	if untitled >= 0 {
		m.takeWorkspace(untitled)
	}
}

func (m *merger) takeWorkspace(layer int) {
	p := m.session(layer).Place
	m.out.Place.Workspace, m.out.Place.Folders = p.Workspace, slices.Clone(p.Folders)
	m.use(layer)
}

// byEvidence returns the layers in order, layers with a guessed place last.
func (m *merger) byEvidence() (all []int) {
	for _, guessed := range []bool{false, true} {
		for i := range m.layers {
			if m.session(i).Place.Guessed == guessed {
				all = append(all, i)
			}
		}
	}
	return all
}

type placeField struct {
	value  *string
	folder bool // a folder: junk does not count
}

func placeFields(p *sources.Place) []placeField {
	return []placeField{
		{value: &p.Cwd, folder: true},
		{value: &p.GitRoot, folder: true},
		{value: &p.Repository},
		{value: &p.Host},
		{value: &p.HostType},
		{value: &p.Branch},
		{value: &p.BaseBranch},
	}
}

func (m *merger) bestPlace(f int, folder bool) int {
	junk := -1
	for _, i := range m.byEvidence() {
		v := *placeFields(&m.session(i).Place)[f].value
		if v == "" {
			continue
		}
		if folder && identity.IsJunkFolder(identity.UnifyPath(v)) {
			if junk < 0 {
				junk = i
			}
			continue
		}
		return i
	}
	return junk
}
