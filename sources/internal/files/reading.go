package files

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/fnv"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// Reading is one Read of an item in progress.
type Reading struct {
	Item sources.Item
	Out  sources.Reading

	Source  string // name of the source
	Agent   string // agent of the sessions
	Program string // display name of the program that wrote them
}

// Layer reads a layer from the part with a name, if there is one. A layer that cannot be read now is Failed
// and reported as a problem; one without a session is dropped. The error is the context's.
func (r *Reading) Layer(ctx context.Context, la sources.Layer, part string, read func(la *sources.Layer, path string) error) error {
	p, ok := r.Item.Part(part)
	if !ok {
		return nil
	}
	path := r.Item.File(p)
	err := read(&la, path)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.Problem(path, err)
		la.Failed, la.Session = true, nil
		r.Add(la)
	case la.Session != nil:
		r.Add(la)
	}
	return nil
}

// Add appends a layer, and sets the fields of its session that all layers share.
func (r *Reading) Add(la sources.Layer) {
	if s := la.Session; s != nil {
		s.ID, s.Agent = r.Item.Session, r.Agent
		SetUpdated(s)
	}
	r.Out.Layers = append(r.Out.Layers, la)
}

// Give adds layers of a session other than the item's.
func (r *Reading) Give(id string, layers ...sources.Layer) {
	for _, la := range layers {
		la.Session.ID, la.Session.Agent = id, r.Agent
		SetUpdated(la.Session)
	}
	r.Out.Sessions = append(r.Out.Sessions, sources.SessionLayers{ID: id, Layers: layers})
}

// SetUpdated dates an undated session by its newest turn, checkpoint or todo.
func SetUpdated(s *sources.Session) {
	if !s.Updated.IsZero() {
		return
	}
	newer := func(t time.Time) {
		if t.After(s.Updated) {
			s.Updated = t
		}
	}
	for _, t := range s.Turns {
		newer(t.At)
		newer(t.End)
	}
	for _, c := range s.Checkpoints {
		newer(c.At)
	}
	for _, t := range s.Todos {
		newer(t.At)
	}
}

// CountBytes counts the bytes of the item's own parts; the name besides is another item's.
func (r *Reading) CountBytes(besides string) {
	for _, p := range r.Item.Parts {
		if !p.Shared && p.Name != Names && p.Name != besides {
			r.Out.BytesRead += p.Stamp.Size
		}
	}
}

// Artifact reads a part with a text of at most limit bytes; other parts are listed without text. Its
// time stays unknown: a modification time never becomes output.
func (r *Reading) Artifact(p sources.Part, kind, name string, limit int64) (sources.Artifact, error) {
	a := sources.Artifact{Kind: kind, Name: strings.ToValidUTF8(name, "\ufffd")}
	if IsMore(p) {
		a.Left = "not all files are read"
		return a, nil
	}
	t, err := ReadText(r.Item.File(p), limit)
	a.Text, a.Size, a.Left = t.Body, t.Size, t.Left
	return a, err
}

// Texts returns the parts of a folder with this suffix as artifacts of at most limit bytes; kind maps
// their names to kinds. whole is false if one could not be read, which is reported.
func (r *Reading) Texts(folder, end string, limit int64, kind func(name string) string) (all []sources.Artifact, whole bool) {
	whole = true
	for _, p := range r.Item.Parts {
		name, ok := strings.CutPrefix(p.Name, folder)
		if !ok || !strings.HasSuffix(name, end) {
			continue
		}
		a, err := r.Artifact(p, kind(name), name, limit)
		if err != nil {
			r.Problem(r.Item.File(p), err)
			whole = false
			continue
		}
		all = append(all, a)
	}
	return all, whole
}

// Done ends the reading. If nothing could be read, it returns no layers.
func (r *Reading) Done(ctx context.Context, err error) (sources.Reading, error) {
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return sources.Reading{}, err
	}
	return r.Out, nil
}

// Problem reports a part that was not read.
func (r *Reading) Problem(path string, err error) {
	r.Out.Problems = append(r.Out.Problems, Problem(r.Source, r.Program, r.Item.Key, path, err))
}

// Damaged reports damage in a part whose rest was read, and which no session lacks.
func (r *Reading) Damaged(path string, err error) {
	r.Out.Problems = append(r.Out.Problems, sources.Problem{Source: r.Source, Item: r.Item.Key, Path: path, Err: err})
}

// Unknown adds up records that the reader does not know.
func (r *Reading) Unknown(unknown map[string]int) {
	for what, n := range unknown {
		if n == 0 {
			continue
		}
		if r.Out.Unknown == nil {
			r.Out.Unknown = map[string]int{}
		}
		r.Out.Unknown[what] += n
	}
}

// Problem returns a problem for something that was not read and is tried again. program is its writer.
func Problem(source, program, item, path string, err error) sources.Problem {
	return sources.Problem{Source: source, Item: item, Path: path, Err: err, Hint: hint(program, err), Fatal: true}
}

func hint(program string, err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "give the user who runs this permission to read it"
	case errors.Is(err, ErrNotRegular):
		return "something else lies where a plain file is expected; it is not touched"
	case errors.Is(err, ErrPointer):
		return "git lfs pull fetches the files"
	case errors.Is(err, syscall.ELOOP):
		return "the symbolic link leads to itself"
	case errors.Is(err, ErrBusy):
		return "it is read in the next run; close " + program + " if this goes on"
	case errors.Is(err, ErrNotDatabase):
		return "the file is damaged; " + program + " makes a new one when it is moved away"
	case errors.Is(err, fs.ErrNotExist):
		return "it vanished while being read; the next run looks again"
	default:
		return ""
	}
}

// WhyMissing says in plain words why a folder cannot be examined.
func WhyMissing(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "not there"
	case errors.Is(err, fs.ErrPermission):
		return "no permission to read it"
	case errors.Is(err, syscall.ELOOP):
		return "a symbolic link that leads to itself"
	default:
		return err.Error()
	}
}

// StampOf returns the stamp of a file; inode and change time are zero if the system has none.
func StampOf(info fs.FileInfo) sources.Stamp {
	s := sources.Stamp{Size: info.Size(), MTime: info.ModTime().UnixNano()}
	s.Inode, s.CTime = system(info)
	return s
}

// stampDatabase stamps a SQLite database, with info from a stat, together with the files beside it that
// hold its newest rows. Their change time is ignored, as SQLite run as root resets their owner on every
// read.
func stampDatabase(path string, info fs.FileInfo) sources.Stamp {
	s := StampOf(info)
	for _, suffix := range []string{"-wal", "-journal"} {
		if info, err := os.Lstat(path + suffix); err == nil {
			newest := StampOf(info)
			newest.CTime = 0
			s = joinStamps(s, newest)
		}
	}
	return s
}

// joinStamps returns one stamp for a database and its write-ahead log: it changes if either does.
func joinStamps(a, b sources.Stamp) sources.Stamp {
	return sources.Stamp{
		Size:  a.Size + b.Size,
		MTime: max(a.MTime, b.MTime),
		Inode: a.Inode ^ (b.Inode<<32 | b.Inode>>32),
		CTime: max(a.CTime, b.CTime),
	}
}

// StampNames returns a stamp that changes exactly if a set of names does.
func StampNames(set map[string]bool) sources.Stamp {
	var st sources.Stamp
	for n := range set {
		h := fnv.New64a()
		h.Write([]byte(n))
		st.Size++
		st.Inode ^= h.Sum64()
	}
	return st
}

// Hash hashes texts with separators between them.
func Hash(texts ...string) string {
	h := sha256.New()
	var n [8]byte
	for _, t := range texts {
		binary.LittleEndian.PutUint64(n[:], uint64(len(t)))
		h.Write(n[:])
		h.Write([]byte(t))
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}
