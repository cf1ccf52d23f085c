package extract

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// mergeArtifacts unites by kind and name: the text from the best layer that has
// it, the time from any layer that knows it. What a fork only inherited, and
// what nobody has the text of, is left out.
func (m *merger) mergeArtifacts() {
	at := make(map[string]int) // place in list
	var list []sources.Artifact
	var from [][]int // layers behind each
	for i := range m.layers {
		if !m.believedSidecar(i) {
			continue
		}
		for _, a := range m.session(i).Artifacts {
			key := artifactKey(a)
			if slices.Contains(m.out.Inherited.Artifacts, key) {
				continue
			}
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
	for k, a := range list {
		if a.Text == "" && a.Left == "" {
			continue
		}
		if a.At.IsZero() {
			a.At = last
		}
		m.out.Artifacts = append(m.out.Artifacts, a)
		for _, i := range from[k] {
			m.use(i)
		}
	}
	slices.SortStableFunc(m.out.Artifacts, func(a, b sources.Artifact) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
	})
}

func artifactKey(a sources.Artifact) string { return a.Kind + "/" + a.Name }

// fillArtifact completes a by b and tells whether that changed anything.
func fillArtifact(a *sources.Artifact, b sources.Artifact) bool {
	before := *a
	if a.At.IsZero() {
		a.At = b.At
	}
	if a.Text == "" && b.Text != "" || a.Text == "" && a.Left == "" {
		a.Text, a.Left, a.Size = b.Text, b.Left, cmp.Or(b.Size, a.Size)
	}
	return *a != before
}

// mergeFiles unites by path, kind and turn. A touch without turn adds nothing
// where a better layer has the file and kind.
func (m *merger) mergeFiles() {
	type touchKey struct {
		path, kind string
		turn       int
	}
	in := newFileFrame(&m.out)
	seen := make(map[touchKey]bool)
	for i := range m.layers {
		if !m.believed(i) {
			continue
		}
		for _, t := range m.session(i).Files {
			t.Turn = m.turnOf(i, t.Turn)
			path, ok := in.relative(t.Path)
			if !ok {
				path = "\x00" + unifyPath(t.Path)
			}
			key := touchKey{in.key(path), t.Kind, t.Turn}
			anyTurn := touchKey{key.path, key.kind, -2}
			if seen[key] || t.Turn < 0 && seen[anyTurn] {
				continue
			}
			seen[key], seen[anyTurn] = true, true
			m.out.Files = append(m.out.Files, t)
			m.use(i)
		}
	}
}

// mergeRefs unites by type and value. A short hash and the long one it begins
// are one commit.
func (m *merger) mergeRefs() {
	at := make(map[string][]int) // places in out.Refs
	for i := range m.layers {
		if !m.believed(i) {
			continue
		}
		for _, r := range m.session(i).Refs {
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
			if have.Turn < 0 && r.Turn >= 0 {
				have.Turn = r.Turn
				m.use(i)
			}
		}
	}
}

// refKey is equal for refs that may be the same.
func refKey(r sources.Ref) string {
	value := strings.ToLower(r.Value)
	if r.Type == sources.Commit {
		value = cutRunes(value, 7)
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
