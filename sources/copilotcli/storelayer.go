package copilotcli

import (
	"context"
	"slices"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/stamp"
	"github.com/sessionloom/sessionloom/sources/internal/storerows"
)

// readStore fills gaps from the store. It is opened only when its stamp moved,
// and the layer is made again only when the session's rows did.
func (r *reading) readStore(ctx context.Context) error {
	p, ok := r.item.Part(partStore)
	if !ok {
		return nil
	}
	parts := []sources.Part{p}
	known := slices.Concat(r.log.Numbers, r.sidecars)
	basis := basisOf(r.hasLog, r.log, known)
	mark := stamp.NewMark(parts, basis, r.src.cfg.Now())
	raw := r.prior.Cursor(layerStore)
	old := decodeCursor(r.prior.Cursor(layerStore))
	if old.Stands(mark) {
		r.keep(layerStore, sources.RankStore, raw)
		return nil
	}
	st, session := r.src.store(p.Path), sessionName(r.item)
	rows, err := st.digest(ctx, session, hasLog(r.item))
	if err == nil {
		next := cursor{Mark: mark, Rows: rows, Began: old.Began}
		if rows == "" {
			return nil
		}
		if old.Basis == basis && old.Rows == rows {
			r.keep(layerStore, sources.RankStore, next.encode())
			return nil
		}
		var s *sources.Session
		err = st.view(ctx, func(db *storerows.DB) (err error) {
			s, err = rowsReader{db: db, name: session, hasLog: r.hasLog, log: r.log, known: known}.session(ctx)
			return err
		})
		if err == nil && s != nil {
			r.add(layerStore, sources.RankStore, s, next)
		}
	}
	if err != nil && ctx.Err() == nil {
		if st.tell() {
			r.problem(p.Path, err)
		}
		if raw != nil {
			r.keep(layerStore, sources.RankStore, raw)
		}
	}
	return ctx.Err()
}
