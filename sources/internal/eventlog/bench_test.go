package eventlog

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// writeBulk writes a log of about size bytes as long sessions have them: most of
// it hook inputs and tool output, full of escapes, that no note shows.
func writeBulk(b *testing.B, path string, size int) int64 {
	b.Helper()
	f := expect.Value(os.Create(path))(b)
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	code := strings.Repeat(`\tif err := do(\"x\", 12); err != nil { return fmt.Errorf(\"do: %w\", err) }\n`, 250)
	prose := strings.Repeat(`The ring tries the keys in order, newest first.\n`, 40)
	fprintln(w, strings.ReplaceAll(startEvent(), "\n", ""))
	written := 0
	for n := 0; written < size; n++ {
		id := fmt.Sprintf("c%d", n)
		if n%20 == 0 {
			written += fprintln(w, fmt.Sprintf(`{"type":"user.message","data":{"content":"Go on","transformedContent":"%s"},"id":"u%d","timestamp":"2026-03-01T10:00:00Z"}`, prose, n))
		}
		written += fprintln(w, fmt.Sprintf(`{"type":"assistant.message","data":{"content":"%s","toolRequests":[{"toolCallId":"%s","name":"edit","arguments":{"path":"/home/ada/src/app/f%d.go","old_str":"%s","new_str":"%s"}}]},"id":"m%d","timestamp":"2026-03-01T10:00:00Z"}`, prose, id, n%50, prose, prose, n))
		written += fprintln(w, fmt.Sprintf(`{"type":"tool.execution_complete","data":{"toolCallId":"%s","success":true,"result":{"content":"%s","detailedContent":"%s"},"fileEdits":[{"path":"/home/ada/src/app/f%d.go","kind":"edit"}]},"id":"t%d","timestamp":"2026-03-01T10:00:00Z"}`, id, code, prose, n%50, n))
		written += fprintln(w, fmt.Sprintf(`{"type":"hook.start","data":{"input":"%s"},"id":"h%d","timestamp":"2026-03-01T10:00:00Z"}`, prose, n))
	}
	must(b, w.Flush())
	info := expect.Value(f.Stat())(b)
	return info.Size()
}

func fprintln(w *bufio.Writer, line string) int {
	n, _ := fmt.Fprintln(w, line)
	return n
}

// BenchmarkReadLog reads a log whose bytes are two thirds tool output.
func BenchmarkReadLog(b *testing.B) {
	path := filepath.Join(b.TempDir(), "events.jsonl")
	b.SetBytes(writeBulk(b, path, 200<<20))
	for b.Loop() {
		r, err := Read(context.Background(), path, testID)
		if err != nil || len(r.Session.Damage) > 0 {
			b.Fatal(err, r.Session.Damage)
		}
	}
}

var must = expect.OK
