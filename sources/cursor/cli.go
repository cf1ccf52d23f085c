package cursor

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// The store of the CLI is a table of blobs, named by their digests: messages in JSON, and nodes in protobuf that list others.
// What the newest root leads to is the conversation as it stands.

// agentMeta is what the store tells of its session, in hex.
type agentMeta struct {
	Root    string        `json:"latestRootBlobId"`
	Name    decode.Loose  `json:"name"`
	Created words.Instant `json:"createdAt"`
	Model   decode.Loose  `json:"lastUsedModel"`
}

// besideStore is what a file beside the store tells, since 2026.
type besideStore struct {
	Title   decode.Loose  `json:"title"`
	Created words.Instant `json:"createdAtMs"`
	Updated words.Instant `json:"updatedAtMs"`
	Cwd     string        `json:"cwd"`
}

// Bounds of what is read: of the file beside the store, in bytes, and of a walk through blobs.
const (
	maxMeta  = 1 << 20
	maxDepth = 8
	maxBlobs = 100_000
)

// stored reads the store of the CLI. The transcript tells the same with times; the store knows the title, the model and the
// folder.
func (r *reading) stored(ctx context.Context) error {
	return r.Layer(ctx, sources.Layer{Name: layerCLI, Rank: sources.RankStore}, partStore, func(la *sources.Layer, file string) error {
		var beside besideStore
		if p, ok := r.Item.Part(partMeta); ok {
			if _, err := decode.File(r.Item.File(p), maxMeta, &beside); err != nil { // what is damaged tells nothing
				return fmt.Errorf("read %q: %w", r.Item.File(p), err)
			}
		}
		var b *blobs
		var meta agentMeta
		err := sqlite.View(ctx, file, r.src.TempDir, func(db *sqlite.DB) error {
			b, meta = &blobs{talk: newTalk(), db: db, seen: map[string]bool{}}, agentMeta{}
			err := db.Rows(ctx, "meta", "WHERE key = '0'", func(c []string) {
				text, _ := hex.DecodeString(c[0]) // what is damaged tells nothing
				_ = decode.Text(string(text), &meta)
			}, nil, "value")
			columns, cerr := db.Columns(ctx, "blobs")
			if err = cmp.Or(err, cerr); err != nil || !columns["id"] || !columns["data"] {
				return err
			}
			return b.walk(ctx, meta.Root, maxDepth)
		})
		if err != nil {
			return fmt.Errorf("read store: %w", err)
		}
		b.tell(meta, beside, filepath.Base(filepath.Dir(filepath.Dir(file))))
		r.count(b.talk)
		la.Session = r.finish(b.talk, "")
		la.Session.Complete, la.Provisional = len(la.Session.Turns) > 0, len(la.Session.Turns) == 0
		if name := (named{meta.Model}).model(); name != "" {
			la.Session.Models = []string{name}
		}
		return nil
	})
}

// tell takes in what the store tells beside its messages. folder is the digest of where it worked.
func (b *blobs) tell(meta agentMeta, beside besideStore, folder string) {
	s := b.Session
	b.Entitle(cmp.Or(title(meta.Name), title(beside.Title)), sources.TrustNamed)
	s.Created = cmp.Or(meta.Created, beside.Created).Time
	s.Updated = later(s.Created, beside.Updated.Time)
	s.Place.Cwd = editor.FileOf(beside.Cwd)
	b.locate(func(dir string) bool {
		sum := md5.Sum([]byte(dir))
		return hex.EncodeToString(sum[:]) == folder
	})
}

type blobs struct {
	*talk
	db   *sqlite.DB
	seen map[string]bool
}

// walk takes in what a blob holds or leads to, in order.
func (b *blobs) walk(ctx context.Context, id string, depth int) error {
	if id == "" || b.seen[id] || len(b.seen) >= maxBlobs {
		return nil
	}
	b.seen[id] = true
	var data []byte
	found := false
	err := b.db.Each(ctx, "SELECT CASE WHEN octet_length(data) <= 67108864 THEN hex(data) END FROM blobs WHERE id = ?", func(c []string) {
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
			b.bad++
		} else {
			b.take(&m)
		}
	case depth > 0:
		for _, child := range childrenOf(data) {
			if err := b.walk(ctx, child, depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// childrenOf are the blobs that a node lists: the digests in its first field, which stand in front of the others.
func childrenOf(data []byte) (ids []string) {
	const digest = 32
	for len(data) >= 2+digest && data[0] == 1<<3|2 && data[1] == digest {
		ids = append(ids, hex.EncodeToString(data[2:2+digest]))
		data = data[2+digest:]
	}
	return ids
}
