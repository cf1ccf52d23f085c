package ingest

import (
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// A clock that is set back while we list the files makes none of them old.
func TestClockSetBackMeanwhile(t *testing.T) {
	now := time.Unix(2e9, 0)
	g := &ingestion{o: Options{Now: func() time.Time { return now.Add(-time.Hour) }}, began: now}
	for _, at := range []time.Time{now, now.Add(-time.Hour), now.Add(-time.Minute)} {
		if !g.tooRecent(sources.Stamp{MTime: at.UnixNano()}) {
			t.Errorf("what was written at %s counts as old", at)
		}
	}
}
