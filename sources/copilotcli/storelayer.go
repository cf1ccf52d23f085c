package copilotcli

import (
	"context"
	"slices"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/snapshot"
)

// readStore fills gaps from the store. It is opened only when its stamp moved,
// and the layer is made again only when the session's rows did.
func (r *reading) readStore(ctx context.Context) error {
	p, ok := findPart(r.item, partStore)
	if !ok {
		return nil
	}
	parts := []sources.Part{p}
	digest := partsDigest(parts)
	known := slices.Concat(r.log.Numbers, r.sidecars)
	basis := basisOf(r.hasLog, r.log, known)
	raw := r.prior.Cursor(layerStore)
	old := decodeCursor(raw)
	if old.stands(digest, basis) {
		r.keep(layerStore, sources.RankStore, raw)
		return nil
	}
	st, session := r.src.store(p.Path), sessionName(r.item)
	rows, err := st.digest(ctx, session, hasLog(r.item))
	if err == nil {
		next := cursor{Parts: digest, Basis: basis, Rows: rows, Young: young(parts, r.src.cfg.Now())}
		if rows == "" {
			return nil
		}
		if old.Basis == basis && old.Rows == rows {
			r.keep(layerStore, sources.RankStore, next.encode())
			return nil
		}
		var s *sources.Session
		err = st.view(ctx, func(db *snapshot.DB) (err error) {
			reader := &rowsReader{store: st, db: db, name: session, hasLog: r.hasLog, log: r.log, known: known}
			s, err = reader.session(ctx)
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
