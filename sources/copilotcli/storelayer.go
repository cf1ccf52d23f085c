package copilotcli

import (
	"context"
	"slices"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

// readStore fills gaps from the store.
func (r *reading) readStore(ctx context.Context) error {
	p, ok := r.Item.Part(partStore)
	if !ok {
		return nil
	}
	rows := rowsReader{name: sessionName(r.Item), hasLog: r.hasLog, log: r.log, known: slices.Concat(r.log.numbers, r.sidecars)}
	st := r.src.store(p.Path)
	var s *sources.Session
	err := st.view(ctx, func(db *sqlite.Store) (err error) {
		rows.db = db
		s, err = rows.session(ctx)
		return err
	})
	if err != nil && ctx.Err() == nil {
		if st.tell() {
			r.Problem(p.Path, err)
		}
		r.Add(sources.Layer{Name: layerStore, Rank: sources.RankStore, Failed: true})
	} else if s != nil {
		r.Add(sources.Layer{Name: layerStore, Rank: sources.RankStore, Session: s, Provisional: r.poorer})
	}
	return ctx.Err()
}
