package session

import (
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/sources"
)

// mergePlace fills each field from the best layer that has it. A folder that
// can be no project (an editor's own, a bare home) gives way to a real one of
// any layer.
func (m *merger) mergePlace() {
	out := placeFields(&m.out.Place)
	for f, field := range out {
		from := m.bestPlace(f, field.folder)
		if from < 0 {
			continue
		}
		*field.value = *placeFields(&m.session(from).Place)[f].value
		m.use(from)
		if !field.moves {
			m.conflicts += m.disagreeing(f, from)
		}
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

// byEvidence are the layers in order, those that guessed their place last.
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
	moves  bool // changes in the course of a session: layers may rightly differ
}

func placeFields(p *sources.Place) []placeField {
	return []placeField{
		{value: &p.Cwd, folder: true, moves: true},
		{value: &p.GitRoot, folder: true},
		{value: &p.Repository},
		{value: &p.Host},
		{value: &p.HostType},
		{value: &p.Branch, moves: true},
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

// disagreeing counts layers of another rank that give field f another value.
func (m *merger) disagreeing(f, from int) (n int) {
	want := *placeFields(&m.session(from).Place)[f].value
	for i := range m.layers {
		v := *placeFields(&m.session(i).Place)[f].value
		if v != "" && m.layers[i].Rank != m.layers[from].Rank && !identity.SamePlace(v, want) {
			n++
		}
	}
	return n
}
