package inspect

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"

	"github.com/sessionloom/sessionloom/vault/note"
)

// cacheHead begins what a check remembers. Its number is raised when a check
// looks at something new or keeps it in another form: then everything is read
// once more.
const cacheHead = "sessionloom check 3\n"

// cache is what the last check knew.
type cache struct {
	notes  []noteInfo
	byPath map[string]int // → index of notes
	others []note.Entry
	shared []Finding // those that took several notes to see
	heap   string    // texts of what is not yet read
}

// linksOf gives the links of a note, from the memory where it was not read.
func (c *check) linksOf(n *noteInfo) []note.Link {
	r := cacheReader{heap: c.before.heap, rows: n.kept}
	for r.rows != "" {
		n.links = append(n.links, note.Link{To: r.text(), Near: r.text(), Part: r.text(), Line: int(r.number())})
	}
	n.kept = ""
	return n.links
}

// encodeCache writes down what the next check need not read again: notes by path,
// each with its stamp, findings and links. Texts that repeat stand there once.
func (c *check) encodeCache() []byte {
	w := cacheWriter{texts: map[string]uint64{}}
	w.number(uint64(len(c.others)))
	for _, f := range c.others {
		w.text(f.Path)
		w.stamp(f.Stamp)
	}
	w.findings(c.shared)
	w.number(uint64(len(c.notes)))
	for i := range c.notes {
		if n := &c.notes[i]; !n.tooRecent {
			w.note(n, c.linksOf(n))
		}
	}
	head := cacheHead + c.rules() + "\n"
	out := append([]byte(head), make([]byte, 4)...)
	out = binary.AppendUvarint(out, uint64(len(w.heap)))
	out = append(append(out, w.heap...), w.rows...)
	binary.LittleEndian.PutUint32(out[len(head):], crc32.ChecksumIEEE(out[len(head)+4:]))
	return out
}

// rules sums up what decides about findings beside the notes.
func (c *check) rules() string {
	if c.Trusting {
		return c.Rules + " trusting"
	}
	return c.Rules
}

type cacheWriter struct {
	heap  []byte // texts, each behind its length
	rows  []byte
	texts map[string]uint64 // → offset in heap
}

func (w *cacheWriter) text(s string) {
	at, known := w.texts[s]
	if !known {
		at = uint64(len(w.heap))
		w.texts[s] = at
		w.heap = append(binary.AppendUvarint(w.heap, uint64(len(s))), s...)
	}
	w.number(at)
}

func (w *cacheWriter) number(n uint64) { w.rows = binary.AppendUvarint(w.rows, n) }

func (w *cacheWriter) flag(set bool) {
	if set {
		w.number(1)
	} else {
		w.number(0)
	}
}

func (w *cacheWriter) stamp(s note.Stamp) {
	for _, n := range []int64{s.Size, s.MTime, s.CTime, int64(s.Inode)} {
		w.rows = binary.AppendVarint(w.rows, n)
	}
}

func (w *cacheWriter) findings(list []Finding) {
	w.number(uint64(len(list)))
	for _, f := range list {
		w.text(f.Kind)
		w.text(f.Path)
		w.number(uint64(f.Line))
		w.text(f.Words)
	}
}

func (w *cacheWriter) note(n *noteInfo, links []note.Link) {
	w.text(n.path)
	w.stamp(n.stamp)
	w.text(n.id)
	w.number(n.parts)
	w.flag(n.external)
	w.flag(n.asRendered)
	w.findings(n.found)
	before := w.rows
	w.rows = nil
	for _, l := range links {
		w.text(l.To)
		w.text(l.Near)
		w.text(l.Part)
		w.number(uint64(l.Line))
	}
	packed := w.rows
	w.rows = before
	w.number(uint64(len(packed)))
	w.rows = append(w.rows, packed...)
}

// decodeCache reads what was remembered. Whatever is no memory of this version, under
// the same rules, is none at all.
func decodeCache(b []byte, rules string) cache {
	rest, ok := bytes.CutPrefix(b, []byte(cacheHead+rules+"\n"))
	if !ok || len(rest) < 4 || binary.LittleEndian.Uint32(rest) != crc32.ChecksumIEEE(rest[4:]) {
		return cache{}
	}
	r := cacheReader{rows: string(rest[4:])}
	size := r.number()
	if r.failed || size > uint64(len(r.rows)) {
		return cache{}
	}
	r.heap, r.rows = r.rows[:size], r.rows[size:]
	m := cache{heap: r.heap}
	for left := r.number(); left > 0 && !r.failed; left-- {
		m.others = append(m.others, note.Entry{Path: r.text(), Stamp: r.stamp()})
	}
	m.shared = r.findings()
	about := min(r.number(), uint64(len(r.rows)))
	m.notes, m.byPath = make([]noteInfo, 0, about), make(map[string]int, about)
	for r.rows != "" && !r.failed {
		n := r.note()
		m.byPath[n.path] = len(m.notes)
		m.notes = append(m.notes, n)
	}
	if r.failed {
		return cache{}
	}
	return m
}

// cacheReader reads rows; the texts it gives share one string.
type cacheReader struct {
	heap, rows string
	failed     bool
}

func (r *cacheReader) number() uint64 {
	n, used := uvarint(r.rows)
	if used <= 0 {
		r.failed, r.rows = true, ""
		return 0
	}
	r.rows = r.rows[used:]
	return n
}

func (r *cacheReader) signed() int64 {
	n := r.number()
	return int64(n>>1) ^ -int64(n&1)
}

func (r *cacheReader) text() string {
	at := r.number()
	if r.failed || at > uint64(len(r.heap)) {
		r.failed = true
		return ""
	}
	size, used := uvarint(r.heap[at:])
	rest := r.heap[at+uint64(max(used, 0)):]
	if used <= 0 || size > uint64(len(rest)) {
		r.failed = true
		return ""
	}
	return rest[:size]
}

func (r *cacheReader) stamp() note.Stamp {
	return note.Stamp{Size: r.signed(), MTime: r.signed(), CTime: r.signed(), Inode: uint64(r.signed())}
}

func (r *cacheReader) findings() (list []Finding) {
	for left := r.number(); left > 0 && !r.failed; left-- {
		list = append(list, Finding{Kind: r.text(), Path: r.text(), Line: int(r.number()), Words: r.text()})
	}
	return list
}

func (r *cacheReader) note() noteInfo {
	n := noteInfo{path: r.text(), stamp: r.stamp(), id: r.text(), parts: r.number(), external: r.number() > 0, asRendered: r.number() > 0, found: r.findings()}
	if size := r.number(); size <= uint64(len(r.rows)) {
		n.kept, r.rows = r.rows[:size], r.rows[size:]
	} else {
		r.failed = true
	}
	return n
}

func uvarint(s string) (uint64, int) {
	return binary.Uvarint([]byte(s[:min(len(s), binary.MaxVarintLen64)]))
}
