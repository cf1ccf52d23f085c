package cursor

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// The store of the CLI is a table of blobs, named by their digests: messages in JSON, and nodes in
// protobuf that list others. What the newest root leads to is the conversation as it stands.

// agentMeta is what the store tells of its session, in hex.
type agentMeta struct {
	Root    string        `json:"latestRootBlobId"`
	Name    loose         `json:"name"`
	Created words.Instant `json:"createdAt"`
	Model   loose         `json:"lastUsedModel"`
}

// besideStore is what a file beside the store tells, since 2026.
type besideStore struct {
	Title   loose         `json:"title"`
	Created words.Instant `json:"createdAtMs"`
	Updated words.Instant `json:"updatedAtMs"`
	Cwd     string        `json:"cwd"`
}

// maxMeta bounds the file beside the store, in bytes.
const maxMeta = 1 << 20

// stored reads the store of the CLI. The transcript tells the same with times; the store knows the
// title, the model and the folder.
func (r *reading) stored(ctx context.Context) error {
	return r.Layer(ctx, sources.Layer{Name: layerCLI, Rank: sources.RankStore}, partStore, func(la *sources.Layer, file string) error {
		var beside besideStore
		if p, ok := r.Item.Part(partMeta); ok {
			text, err := files.ReadText(r.Item.File(p), maxMeta)
			if err != nil {
				return fmt.Errorf("read %q: %w", r.Item.File(p), err)
			}
			_ = decode.Text(text.Body, &beside) // what is damaged tells nothing
		}
		var b *blobs
		var meta agentMeta
		err := sqlite.View(ctx, file, r.src.cfg.TempDir, func(db *sqlite.DB) (err error) {
			b, meta = &blobs{talk: newTalk(), seen: map[string]bool{}}, agentMeta{}
			if meta, err = metaOf(ctx, db); err == nil {
				err = b.walk(ctx, db, meta.Root, maxDepth)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("read store: %w", err)
		}
		r.Out.Records += b.records
		r.Unknown(b.unknown)
		la.Session = b.session(meta, beside, filepath.Base(filepath.Dir(filepath.Dir(file))))
		la.Provisional = len(la.Session.Turns) == 0
		return nil
	})
}

// metaOf reads the one row of the table meta.
func metaOf(ctx context.Context, db *sqlite.DB) (meta agentMeta, err error) {
	if ok, err := isTable(ctx, db, "meta"); !ok {
		return meta, err
	}
	err = db.Each(ctx, "SELECT "+value+" FROM meta WHERE key = '0'", func(c []string) {
		text, failed := hex.DecodeString(c[0])
		if failed != nil || decode.Text(string(text), &meta) != nil {
			meta = agentMeta{}
		}
	})
	return meta, err
}

// Bounds of a walk through blobs.
const (
	maxDepth = 8
	maxBlobs = 100_000
)

// blobs is a walk through a store.
type blobs struct {
	*talk
	seen                   map[string]bool
	records, missing, torn int
}

// walk takes in what a blob holds or leads to, in order.
func (b *blobs) walk(ctx context.Context, db *sqlite.DB, id string, depth int) error {
	if id == "" || b.seen[id] || len(b.seen) >= maxBlobs {
		return nil
	}
	columns, err := db.Columns(ctx, "blobs")
	if err != nil || !columns["id"] || !columns["data"] {
		return err
	}
	b.seen[id] = true
	data, found := []byte(nil), false
	err = db.Each(ctx, "SELECT CASE WHEN octet_length(data) <= 67108864 THEN hex(data) END FROM blobs WHERE id = ?", func(c []string) {
		data, _ = hex.DecodeString(c[0]) // hex is what was asked for
		found = true
	}, id)
	switch {
	case err != nil:
		return err
	case !found:
		b.missing++
	case len(data) > 0 && data[0] == '{':
		b.records++
		var m message
		if decode.Text(string(data), &m) != nil {
			b.torn++
		} else {
			b.take(&m)
		}
	case depth > 0:
		for _, child := range childrenOf(data) {
			if err := b.walk(ctx, db, child, depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// childrenOf are the blobs that a node lists, by the digests in its first field. What is no
// protobuf lists none.
func childrenOf(data []byte) (ids []string) {
	for len(data) > 0 {
		tag, n := binary.Uvarint(data)
		if n <= 0 {
			return ids
		}
		data = data[n:]
		size := uint64(0)
		switch tag & 7 {
		case 0:
			_, n = binary.Uvarint(data)
		case 1:
			n, size = 0, 8
		case 2:
			size, n = binary.Uvarint(data)
		case 5:
			n, size = 0, 4
		default:
			return ids
		}
		if n < 0 || tag&7 != 1 && tag&7 != 5 && n == 0 || size > uint64(len(data)-n) {
			return ids
		}
		field := data[n : n+int(size)]
		if tag>>3 == 1 && tag&7 == 2 && len(field) == 32 {
			ids = append(ids, hex.EncodeToString(field))
		}
		data = data[n+int(size):]
	}
	return ids
}

// session is what a store tells. folder is the digest of where it worked.
func (b *blobs) session(meta agentMeta, beside besideStore, folder string) *sources.Session {
	s := finish(b.Builder, "")
	if b.torn > 0 {
		s.Damage = append(s.Damage, words.Count(b.torn, "message")+" could not be read")
	}
	if b.missing > 0 {
		s.Damage = append(s.Damage, words.Count(b.missing, "message")+" missing")
	}
	s.Complete = len(s.Turns) > 0
	if s.Title = title(string(meta.Name)); s.Title == "" {
		s.Title = title(string(beside.Title))
	}
	if s.Title != "" {
		s.TitleFrom = sources.TrustNamed
	}
	if s.Created = meta.Created.Time; s.Created.IsZero() {
		s.Created = beside.Created.Time
	}
	s.Updated = later(s.Created, beside.Updated.Time)
	if name := model(meta.Model); name != "" {
		s.Models = []string{name}
	}
	s.Place.Cwd = editor.FileOf(beside.Cwd)
	if s.Place.Cwd == "" {
		s.Place.Cwd = b.folder(func(dir string) bool { return isFolderOf(folder, dir) })
	}
	s.Place.Guessed = s.Place.Cwd == ""
	return s
}
