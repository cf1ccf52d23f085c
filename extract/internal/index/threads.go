package index

import (
	jsonv1 "encoding/json"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Threads implements [pages.Notes].
func (n *Notes) Threads(limit int) []pages.Thread {
	return Threads(n.Ledger, n.Ledger.OpenThreads(limit))
}

// ThreadsOf implements [pages.Notes].
func (n *Notes) ThreadsOf(project string) []pages.Thread {
	return Threads(n.Ledger, n.Ledger.OpenThreadsOf(project))
}

// Thread is the open thread with an id, empty where there is none.
func (n *Notes) Thread(id string) (t pages.Thread) {
	if row, known := n.Ledger.OpenThread(id); known {
		for _, found := range Threads(n.Ledger, []ledger.OpenThread{row}) {
			t = found
		}
	}
	return t
}

// Threads reads threads as [Notes.PutThreads] packed them.
func Threads(l *ledger.Ledger, rows []ledger.OpenThread) []pages.Thread {
	out := make([]pages.Thread, 0, len(rows))
	for _, r := range rows {
		var t pages.Thread
		if err := json.Unmarshal(r.Data, &t); err != nil {
			_ = l.Harmed(fmt.Errorf("decode open thread %q: %w", r.ID, err))
			continue
		}
		out = append(out, t)
	}
	return out
}

// PutThreads stores what is open in a project.
func (n *Notes) PutThreads(project string, threads []pages.Thread) {
	rows := make([]ledger.OpenThread, 0, len(threads))
	for _, t := range threads {
		data, err := jsonv1.Marshal(t)
		if err != nil {
			_ = n.Ledger.Fail(fmt.Errorf("encode open thread %q: %w", t.ID(), err))
			return
		}
		rows = append(rows, ledger.OpenThread{Project: project, ID: t.ID(), At: Stamp(t.Newest().At), Data: data})
	}
	n.Ledger.PutOpenThreads(project, rows)
}

// CountThreads implements [pages.Notes].
func (n *Notes) CountThreads(before time.Time) (all, old int) {
	return n.Ledger.CountOpenThreads(Stamp(before))
}
