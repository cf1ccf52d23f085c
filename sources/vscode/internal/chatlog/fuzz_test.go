package chatlog

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// weigh counts what is kept; null weighs as much as its comma.
func weigh(s *Session) int { return len(strings.ReplaceAll(dump(s), "null", "")) }

// Whatever a log holds, what is kept of it is bounded by its size.
func FuzzReplay(f *testing.F) {
	f.Add(worked)
	f.Add(initial("a") + push("b") + `{"kind":2,"k":["requests"],"i":1}` + "\n")
	f.Add(push("b") + "\x00{}" + initial("a") + `{"v":1,"k":["customTitle"],"kind":1}`)
	f.Add(`{"kind":2,"k":["requests"],"i":60000}` + "\n" + `{"kind":1,"k":["requests",61000,"response",7],"v":1}`)
	f.Add(strings.Repeat(`{"kind":1,"k":[`, 50) + "\n")
	f.Add(`{"kind":0,"v":{"requests":[{"response":[{"treeData":` + strings.Repeat(`{"children":[`, 700))
	path := filepath.Join(f.TempDir(), "s.jsonl")
	f.Fuzz(func(t *testing.T, log string) {
		put(t, path, log)
		file := expect.Value(Read(context.Background(), path, false))(t)
		if w := weigh(file.State); w > 10*len(log)+2*maxPadding+1000 {
			t.Fatalf("%d kept of %d bytes", w, len(log))
		}
	})
}

func FuzzDocument(f *testing.F) {
	f.Add(`{"requests":[` + asks("a") + `]}`)
	f.Add(`{"requests":[{"variableData":{"variables":[{"value":{"0":1,"data":[1,"x"],"$base64":"AA=="}}]}}]}`)
	f.Add(`{"requests":[` + strings.Replace(asks("a", "b", "c"), `"say b"`, `"say b`, 1) + `],"pendingRequests":[{}]}`)
	f.Add("0") // no session at all
	path := filepath.Join(f.TempDir(), "s.json")
	f.Fuzz(func(t *testing.T, text string) {
		put(t, path, text)
		file, err := Read(context.Background(), path, false)
		if err != nil || file.State == nil && text != "" && len(file.Damage)+len(file.Unknown) == 0 || file.State == nil && file.Whole {
			t.Fatalf("%+v, %v", file, err)
		}
		if w := weigh(file.State); w > 10*len(text)+1000 {
			t.Fatalf("%d kept of %d bytes", w, len(text))
		}
		n := &Session{}
		_ = large(text).Read(n)
		if w := weigh(n); w > 10*len(text)+100 {
			t.Fatalf("%d kept of %d bytes", w, len(text))
		}
	})
}

func large(text string) *decode.Decoder {
	d := decode.New(strings.NewReader(text))
	d.Large = true
	return d
}

// writeLarge writes a session of requests of about 1 MiB, which nearly all is
// left out, and returns its size.
func writeLarge(t testing.TB, path, before string, requests int) int64 {
	t.Helper()
	f := expect.Value(os.Create(path))(t)
	defer f.Close()
	rnd := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 1024)
	for i := range noise {
		noise[i] = byte('a' + rnd.IntN(26))
	}
	result := `"c":{"$mid":20,"content":[{"value":{"node":{"type":1,"children":[{"type":2,"text":"` + string(noise) + `\n"}]}}}]}`
	edits := `[{"text":"` + string(noise[:100]) + `","range":{"startLineNumber":19,"startColumn":1,"endLineNumber":19,"endColumn":1}}]`
	request := `{"requestId":"r","message":{"text":"ask"},"response":[{"value":"say"},{"kind":"textEditGroup","edits":[` +
		strings.Repeat(edits+",", 1500) + edits + `]}],"result":{"metadata":{"toolCallResults":{` + strings.Repeat(result+",", 700) + result + `}}}}`
	write := func(s string) {
		if _, err := f.WriteString(s); err != nil {
			t.Fatal(err)
		}
	}
	write(before + `{"version":3,"requests":[`)
	for i := range requests {
		if i > 0 {
			write(",")
		}
		write(request)
	}
	write("]}")
	if before != "" {
		write("}\n")
	}
	info := expect.Value(f.Stat())(t)
	return info.Size()
}

// A session of tens of megabytes is held as far as it is kept.
func TestEdgeCase23LargeSession(t *testing.T) {
	for name, read := range map[string]func(path string) (File, error){
		"s.json":  func(path string) (File, error) { return Read(t.Context(), path, false) },
		"s.jsonl": func(path string) (File, error) { return Read(t.Context(), path, false) },
	} {
		path, before := filepath.Join(t.TempDir(), name), ""
		if strings.HasSuffix(name, "l") {
			before = `{"kind":0,"v":`
		}
		size := writeLarge(t, path, before, 64)
		done, peak := make(chan struct{}), make(chan uint64)
		var base runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&base)
		go func() {
			var top uint64
			for {
				select {
				case <-done:
					peak <- top
					return
				default:
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					top = max(top, m.HeapAlloc)
				}
			}
		}()
		f, err := read(path)
		close(done)
		top := <-peak
		if err != nil || len(f.State.Requests) != 64 {
			t.Fatalf("%v, %d requests", err, len(f.State.Requests))
		}
		if grown := int64(top) - int64(base.HeapAlloc); grown > 24<<20 {
			t.Errorf("%s of %d MiB: %d MiB of heap", name, size>>20, grown>>20)
		}
	}
}

func BenchmarkReadDocument(b *testing.B) {
	path := filepath.Join(b.TempDir(), "s.json")
	b.SetBytes(writeLarge(b, path, "", 16))
	for b.Loop() {
		if _, err := Read(b.Context(), path, false); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadLog(b *testing.B) {
	path := filepath.Join(b.TempDir(), "s.jsonl")
	var log strings.Builder
	h := newHistory(5)
	for log.Len() < 4<<20 {
		log.WriteString(push("x"))
	}
	put(b, path, h.log.String()+log.String())
	b.SetBytes(int64(log.Len()))
	for b.Loop() {
		if _, err := Read(b.Context(), path, false); err != nil {
			b.Fatal(err)
		}
	}
}
