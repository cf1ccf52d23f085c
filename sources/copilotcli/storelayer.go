package copilotcli

import (
	"context"
	"slices"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

// readStore fills gaps from the store.
func (r *reading) readStore(ctx context.Context) error {
	p, ok := r.item.Part(partStore)
	if !ok {
		return nil
	}
	rows := rowsReader{name: sessionName(r.item), hasLog: r.hasLog, log: r.log, known: slices.Concat(r.log.numbers, r.sidecars)}
	st := r.src.store(p.Path)
	var s *sources.Session
	err := st.view(ctx, func(db *sqlite.Store) (err error) {
		rows.db = db
		s, err = rows.session(ctx)
		return err
	})
	if err != nil && ctx.Err() == nil {
		if st.tell() {
			r.problem(p.Path, err)
		}
		r.out.Layers = append(r.out.Layers, sources.Layer{Name: layerStore, Failed: true})
	} else if s != nil {
		r.add(layerStore, sources.RankStore, s, r.poorer)
	}
	return ctx.Err()
}
