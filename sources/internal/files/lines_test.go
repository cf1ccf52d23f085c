package files

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// record is what a test saw of one line.
type record struct {
	text  string
	start int64
	err   error
}

func readAll(t testing.TB, src io.Reader, limit int) ([]record, *Lines) {
	t.Helper()
	var out []record
	r := NewLines(src, limit)
	for r.Next() {
		start := r.Start()
		b, err := r.Bytes()
		out = append(out, record{string(b), start, err})
	}
	return out, r
}

func TestLinesEndAtNewlinesOnly(t *testing.T) {
	in := "a\u2028b\rc\n\n\x00\x00d\r\ntorn"
	got, r := readAll(t, strings.NewReader(in), 0)
	want := []record{{"a\u2028b\rc", 0, nil}, {"", 8, nil}, {"\x00\x00d\r", 9, nil}, {"torn", 14, ErrTorn}}
	if len(got) != len(want) {
		t.Fatalf("%d lines: %+v", len(got), got)
	}
	for i := range want {
		if got[i].text != want[i].text || got[i].start != want[i].start || !errors.Is(got[i].err, want[i].err) {
			t.Errorf("line %d: %+v, want %+v", i, got[i], want[i])
		}
	}
	if r.Done() != 14 {
		t.Errorf("done at %d: the torn tail was passed", r.Done())
	}
	if r.Err() != nil {
		t.Error(r.Err())
	}
}

// Whether lines are read or skipped, the complete ones are the same.
func TestLinesOfAllSizes(t *testing.T) {
	var in bytes.Buffer
	var want []string
	for _, n := range []int{0, 1, headSize - 1, headSize, bufSize / 2, 5, bufSize - 1, bufSize, bufSize + 1, 3 * bufSize, 7} {
		line := strings.Repeat("x", n)
		want = append(want, line)
		in.WriteString(line + "\n")
	}
	r := NewLines(bytes.NewReader(in.Bytes()), 0)
	for i := 0; r.Next(); i++ {
		if head := r.Head(); string(head) != want[i][:min(len(want[i]), headSize)] {
			t.Fatalf("line %d: head of %d bytes", i, len(head))
		}
		if i%3 == 2 {
			continue
		}
		if b, err := r.Bytes(); err != nil || string(b) != want[i] {
			t.Fatalf("line %d: %d bytes, %v; want %d", i, len(b), err, len(want[i]))
		}
	}
	if r.Done() != int64(in.Len()) || r.Err() != nil {
		t.Errorf("done at %d, %v", r.Done(), r.Err())
	}
}

func TestOverlongLineIsNotHeld(t *testing.T) {
	in := strings.Repeat("x", 4*bufSize) + "\nnext\n" + strings.Repeat("y", 11) + "\n"
	got, r := readAll(t, strings.NewReader(in), 10)
	if len(got) != 3 || !errors.Is(got[0].err, ErrTooLong) || got[1].text != "next" || !errors.Is(got[2].err, ErrTooLong) {
		t.Fatalf("%+v", got)
	}
	if cap(r.long) > 0 {
		t.Errorf("%d bytes held", cap(r.long))
	}
}

func TestBufferIsGivenBack(t *testing.T) {
	r := NewLines(strings.NewReader(strings.Repeat("x", 4*keepSize)+"\nb\n"), 0)
	if !r.Next() {
		t.Fatal("no line")
	}
	if _, err := r.Bytes(); err != nil {
		t.Fatal(err)
	}
	if !r.Next() || cap(r.long) > 0 {
		t.Errorf("%d bytes kept", cap(r.long))
	}
}

func TestInputErrorEndsTheLines(t *testing.T) {
	broken := errors.New("broken")
	got, r := readAll(t, io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 0)
	if len(got) != 2 || !errors.Is(got[1].err, broken) || !errors.Is(r.Err(), broken) || r.Done() != 2 {
		t.Errorf("%+v, %v, done at %d", got, r.Err(), r.Done())
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\x00\n\r\n"), byte(3))
	f.Add([]byte("no end"), byte(0))
	f.Fuzz(func(t *testing.T, in []byte, pattern byte) {
		r := NewLines(bytes.NewReader(in), 0)
		complete := bytes.Count(in, []byte("\n"))
		n := 0
		for i := 0; r.Next(); i++ {
			rest := in[r.Start():]
			line, _, ok := bytes.Cut(rest, []byte("\n"))
			if pattern>>(i%8)&1 == 1 {
				if ok {
					n++
				}
				continue
			}
			got, err := r.Bytes()
			if ok != (err == nil) || ok && !bytes.Equal(got, line) {
				t.Fatalf("line %d: %q, %v; want %q", i, got, err, line)
			}
			if ok {
				n++
			}
		}
		if n != complete || r.Done() != int64(bytes.LastIndexByte(in, '\n')+1) {
			t.Fatalf("%d of %d lines, done at %d", n, complete, r.Done())
		}
	})
}
