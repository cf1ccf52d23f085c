package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"testing"
)

// An overlay answers as the disk would if all that was done to it were done to the disk,
// and never touches the disk; its changes, done one by one, make the disk what it shows.
func TestOverlayIsTheDiskToCome(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 7))
		real, _ := openDisk(t, Options{})
		below, _ := openDisk(t, Options{})
		over := NewOverlay(below)
		paths := []string{"a.md", "b.md", "p/a.md", "p/b.md", "q/c.base"}
		for _, p := range paths[:3] {
			for _, s := range []Store{real, below} {
				if _, err := s.Create(p, []byte(p)); err != nil {
					t.Fatal(err)
				}
			}
		}
		before := texts(t, below, paths)
		for step := range 12 {
			p, q, what := paths[r.IntN(len(paths))], paths[r.IntN(len(paths))], r.IntN(4)
			text := fmt.Appendf(nil, "text %d", step%5)
			one, two := do(real, what, p, q, text), do(over, what, p, q, text)
			if fmt.Sprint(errors.Is(one, ErrTaken), one == nil) != fmt.Sprint(errors.Is(two, ErrTaken), two == nil) {
				t.Fatalf("seed %d, step %d: the disk says %v, the overlay %v", seed, step, one, two)
			}
		}
		want := texts(t, real, paths)
		if got := texts(t, over, paths); got != want {
			t.Fatalf("seed %d: the overlay shows\n%s, the disk\n%s", seed, got, want)
		}
		if now := texts(t, below, paths); now != before {
			t.Fatalf("seed %d: what lies below changed", seed)
		}
		if ok := apply(t, below, over); !ok {
			continue // one file took the place of another that moved on: a plan names that
		}
		if got := texts(t, below, paths); got != want {
			t.Fatalf("seed %d: the changes make\n%s, not\n%s", seed, got, want)
		}
	}
}

func do(s Store, what int, p, q string, text []byte) error {
	was, err := s.Read(p)
	switch what {
	case 0:
		_, err = s.Create(p, text)
		return err
	case 1:
		if err == nil {
			_, err = s.Replace(p, was, text)
		}
	case 2:
		if err == nil && p != q {
			_, err = s.Move(p, q, was)
		}
	case 3:
		if err == nil {
			err = s.Remove(p, was)
		}
	}
	return err
}

func texts(t *testing.T, s Store, paths []string) string {
	t.Helper()
	var b bytes.Buffer
	for _, p := range paths {
		f, err := s.Read(p)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		_, gone := s.Stat(p)
		if (gone == nil) != (err == nil) {
			t.Fatalf("%q: %v, but %v", p, err, gone)
		}
		fmt.Fprintf(&b, "%s: %q %v\n", p, f.Text, err == nil)
	}
	return b.String()
}

// apply does the changes of an overlay: moves, texts, then removals.
func apply(t *testing.T, below Store, over *Overlay) bool {
	t.Helper()
	changes, err := over.Changes()
	must(t, err)
	for turn := range 3 {
		for _, c := range changes {
			var err error
			switch {
			case turn == 0 && c.From != "":
				was, _ := below.Read(c.From)
				if Hash(was.Text) != c.Was {
					return false
				}
				if _, err = below.Move(c.From, c.Path, was); err == nil {
					_, err = below.Replace(c.Path, was, c.Text)
				}
			case turn == 1 && c.From == "" && c.Was == "":
				_, err = below.Create(c.Path, c.Text)
			case turn == 1 && c.From == "" && !c.Remove:
				was, _ := below.Read(c.Path)
				if Hash(was.Text) != c.Was {
					t.Fatalf("%q is not as the overlay saw it", c.Path)
				}
				_, err = below.Replace(c.Path, was, c.Text)
			case turn == 2 && c.Remove:
				was, _ := below.Read(c.Path)
				if Hash(was.Text) != c.Was {
					return false
				}
				err = below.Remove(c.Path, was)
			}
			if errors.Is(err, ErrTaken) {
				return false
			}
			must(t, err)
		}
	}
	return true
}
