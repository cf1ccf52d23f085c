package vault

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"

	"github.com/sessionloom/sessionloom/vault/note"
)

// memoryHead begins what a check remembers. Its number is raised when a check
// looks at something new or keeps it in another form: then everything is read
// once more.
const memoryHead = "sessionloom check 3\n"

// memory is what the last check knew.
type memory struct {
	notes  []noted
	byPath map[string]int // → index of notes
	others []Entry
	shared []Finding // those that took several notes to see
	heap   string    // texts of what is not yet read
}

// linksOf gives the links of a note, from the memory where it was not read.
func (c *check) linksOf(n *noted) []note.Link {
	r := memoryReader{heap: c.before.heap, rows: n.kept}
	for r.rows != "" {
		n.links = append(n.links, note.Link{To: r.text(), Near: r.text(), Part: r.text(), Line: int(r.number())})
	}
	n.kept = ""
	return n.links
}

// remember writes down what the next check need not read again: notes by path,
// each with its stamp, findings and links. Texts that repeat stand there once.
func (c *check) remember() []byte {
	w := memoryWriter{texts: map[string]uint64{}}
	w.number(uint64(len(c.others)))
	for _, f := range c.others {
		w.text(f.Path)
		w.stamp(f.Stamp)
	}
	w.findings(c.shared)
	w.number(uint64(len(c.notes)))
	for i := range c.notes {
		if n := &c.notes[i]; !n.young {
			w.note(n, c.linksOf(n))
		}
	}
	head := memoryHead + c.rules() + "\n"
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

type memoryWriter struct {
	heap  []byte // texts, each behind its length
	rows  []byte
	texts map[string]uint64 // → offset in heap
}

func (w *memoryWriter) text(s string) {
	at, known := w.texts[s]
	if !known {
		at = uint64(len(w.heap))
		w.texts[s] = at
		w.heap = append(binary.AppendUvarint(w.heap, uint64(len(s))), s...)
	}
	w.number(at)
}

func (w *memoryWriter) number(n uint64) { w.rows = binary.AppendUvarint(w.rows, n) }

func (w *memoryWriter) flag(set bool) {
	if set {
		w.number(1)
	} else {
		w.number(0)
	}
}

func (w *memoryWriter) stamp(s Stamp) {
	for _, n := range []int64{s.Size, s.MTime, s.CTime, int64(s.Inode)} {
		w.rows = binary.AppendVarint(w.rows, n)
	}
}

func (w *memoryWriter) findings(list []Finding) {
	w.number(uint64(len(list)))
	for _, f := range list {
		w.text(f.Kind)
		w.text(f.Path)
		w.number(uint64(f.Line))
		w.text(f.Words)
	}
}

func (w *memoryWriter) note(n *noted, links []note.Link) {
	w.text(n.path)
	w.stamp(n.stamp)
	w.text(n.id)
	w.number(n.parts)
	w.flag(n.beyond)
	w.flag(n.sealed)
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

// recall reads what was remembered. Whatever is no memory of this version, under
// the same rules, is none at all.
func recall(b []byte, rules string) memory {
	rest, ok := bytes.CutPrefix(b, []byte(memoryHead+rules+"\n"))
	if !ok || len(rest) < 4 || binary.LittleEndian.Uint32(rest) != crc32.ChecksumIEEE(rest[4:]) {
		return memory{}
	}
	r := memoryReader{rows: string(rest[4:])}
	size := r.number()
	if r.failed || size > uint64(len(r.rows)) {
		return memory{}
	}
	r.heap, r.rows = r.rows[:size], r.rows[size:]
	m := memory{heap: r.heap}
	for left := r.number(); left > 0 && !r.failed; left-- {
		m.others = append(m.others, Entry{Path: r.text(), Stamp: r.stamp()})
	}
	m.shared = r.findings()
	about := min(r.number(), uint64(len(r.rows)))
	m.notes, m.byPath = make([]noted, 0, about), make(map[string]int, about)
	for r.rows != "" && !r.failed {
		n := r.note()
		m.byPath[n.path] = len(m.notes)
		m.notes = append(m.notes, n)
	}
	if r.failed {
		return memory{}
	}
	return m
}

// memoryReader reads rows; the texts it gives share one string.
type memoryReader struct {
	heap, rows string
	failed     bool
}

func (r *memoryReader) number() uint64 {
	n, used := uvarint(r.rows)
	if used <= 0 {
		r.failed, r.rows = true, ""
		return 0
	}
	r.rows = r.rows[used:]
	return n
}

func (r *memoryReader) signed() int64 {
	n := r.number()
	return int64(n>>1) ^ -int64(n&1)
}

func (r *memoryReader) text() string {
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

func (r *memoryReader) stamp() Stamp {
	return Stamp{Size: r.signed(), MTime: r.signed(), CTime: r.signed(), Inode: uint64(r.signed())}
}

func (r *memoryReader) findings() (list []Finding) {
	for left := r.number(); left > 0 && !r.failed; left-- {
		list = append(list, Finding{Kind: r.text(), Path: r.text(), Line: int(r.number()), Words: r.text()})
	}
	return list
}

func (r *memoryReader) note() noted {
	n := noted{path: r.text(), stamp: r.stamp(), id: r.text(), parts: r.number(), beyond: r.number() > 0, sealed: r.number() > 0, found: r.findings()}
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
