package redact

import "github.com/sessionloom/sessionloom/sources"

// Session masks every text of s in place and counts the secrets by rule; counts
// may be nil. Ids of sessions and turns are masked by who keeps them, words of our
// own are no text. After an error nothing of s may be kept.
func (m *Masker) Session(s *sources.Session, counts map[string]int) error {
	w := &worker{m: m, counts: counts}
	w.each(&s.Title, &s.Summary)
	p := &s.Place
	w.each(&p.Cwd, &p.GitRoot, &p.Repository, &p.Host, &p.HostType, &p.Branch, &p.BaseBranch, &p.Workspace)
	w.list(p.Folders)
	w.list(s.Models)
	w.list(s.Damage)
	for i := range s.Turns {
		w.turn(&s.Turns[i])
	}
	for i := range s.Checkpoints {
		c := &s.Checkpoints[i]
		w.each(&c.Title, &c.Overview, &c.History, &c.WorkDone, &c.Technical, &c.Important, &c.NextSteps, &c.Raw)
	}
	for i := range s.Artifacts {
		a := &s.Artifacts[i]
		w.each(&a.Name, &a.Text, &a.Left)
	}
	for i := range s.Todos {
		t := &s.Todos[i]
		w.each(&t.ID, &t.Title, &t.Raw, &t.Origin, &t.Description)
		w.list(t.After)
	}
	for i := range s.Files {
		w.each(&s.Files[i].Path, &s.Files[i].Tool)
	}
	for i := range s.Refs {
		r := &s.Refs[i]
		w.each(&r.Type, &r.Value, &r.Text, &r.Repo)
	}
	return w.err
}

// worker masks the fields of one session, up to the first error.
type worker struct {
	m      *Masker
	counts map[string]int
	err    error
}

func (w *worker) each(fields ...*string) {
	for _, f := range fields {
		if *f != "" {
			*f = w.text(*f, nil)
		}
	}
}

// text masks one text. After an error there is none.
func (w *worker) text(s string, offsets []int) string {
	if w.err != nil {
		return ""
	}
	out, err := w.m.mask(s, offsets, w.counts)
	w.err = err
	return out
}

func (w *worker) list(values []string) {
	for i := range values {
		w.each(&values[i])
	}
}

// turn masks a turn; the places of its calls move with the answer.
func (w *worker) turn(t *sources.Turn) {
	w.each(&t.User, &t.Error, &t.Model, &t.Mode, &t.Agent)
	offsets := make([]int, len(t.Tools))
	for i := range t.Tools {
		offsets[i] = t.Tools[i].After
	}
	t.Assistant = w.text(t.Assistant, offsets)
	for i := range t.Tools {
		tool := &t.Tools[i]
		tool.After = offsets[i]
		w.each(&tool.Name, &tool.Detail)
	}
	for i := range t.Attachments {
		w.each(&t.Attachments[i].Kind, &t.Attachments[i].Name)
	}
	for i := range t.Citations {
		w.each(&t.Citations[i].License, &t.Citations[i].Value)
	}
}
