//go:build linux

package faults

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// idle is what a pass takes at least, in memory: the program itself and what it
// keeps in memory, as docs/performance.md promises for any history.
const idle = 120 << 20

// gathered is what a pass may take where it makes much garbage at once: the heap is
// collected when it comes near 172 MiB, and SQLite has its memory beside it.
const gathered = 256 << 20

// shapes are histories that grow in one way each.
var shapes = []struct {
	name string
	n    int // of the smaller of two
	by   int // factor of the larger one
	make func(p *place, n int)
}{
	{"turns of a session", 8000, 5, func(p *place, n int) {
		p.log(1, func(w *bufio.Writer) {
			for i := range n {
				event(w, "user.message", 2*i+1, `{"content":"question %d about things"}`, i)
				event(w, "assistant.message", 2*i+2, `{"content":"answer %d"}`, i)
			}
		})
	}},
	{"calls of a turn", 8000, 5, func(p *place, n int) {
		p.log(1, func(w *bufio.Writer) {
			event(w, "user.message", 1, `{"content":"edit all"}`)
			for i := range n {
				event(w, "tool.execution_start", 2*i+2, `{"toolCallId":"c%d","toolName":"edit","arguments":{"path":"/home/dev/src/widget/f%d.go","old_str":"a","new_str":"b"}}`, i, i)
				event(w, "tool.execution_complete", 2*i+3, `{"toolCallId":"c%d","success":true,"result":{"content":"ok"}}`, i)
			}
		})
	}},
	{"checkpoints of a session", 300, 5, func(p *place, n int) {
		p.log(1, func(w *bufio.Writer) {
			event(w, "user.message", 1, `{"content":"go on"}`)
			for i := range n {
				event(w, "session.compaction_complete", i+2, `{"success":true,"summaryContent":"<overview>\nover %d\n</overview>\n<work_done>\ndone\n</work_done>","checkpointNumber":%d}`, i, i+1)
			}
		})
	}},
	{"bytes of a prompt", 2 << 20, 8, func(p *place, n int) {
		p.log(1, func(w *bufio.Writer) {
			bulk(w, "user.message", 1, "do this **now** [x](http://e.org) #tag ", n)
			event(w, "assistant.message", 2, `{"content":"done"}`)
		})
	}},
	{"bytes of an answer", 2 << 20, 8, func(p *place, n int) {
		p.log(1, func(w *bufio.Writer) {
			event(w, "user.message", 1, `{"content":"say it"}`)
			bulk(w, "assistant.message", 2, "- [ ] item `code` <b> | $x$ %% key:: value\\n", n)
		})
	}},
	{"issues of a prompt", 20000, 8, func(p *place, n int) {
		p.log(1, func(w *bufio.Writer) {
			event(w, "user.message", 1, `{"content":"it fails with%s"}`, strings.Repeat(" o/r#12 pr 17", n))
			event(w, "assistant.message", 2, `{"content":"done"}`)
		})
	}},
	{"errors of a turn", 4000, 5, func(p *place, n int) {
		p.log(1, func(w *bufio.Writer) {
			event(w, "user.message", 1, `{"content":"try it"}`)
			for i := range n {
				event(w, "tool.execution_start", 2*i+2, `{"toolCallId":"c%d","toolName":"bash","arguments":{"command":"go test ./a/b%d/c.go"}}`, i, i)
				event(w, "tool.execution_complete", 2*i+3, `{"toolCallId":"c%d","success":true,"result":{"content":"FAIL\\n<exited with exit code 1>"}}`, i)
			}
			event(w, "assistant.message", 2*n+2, `{"content":"no"}`)
		})
	}},
	{"entries of a plan", 8000, 5, func(p *place, n int) {
		p.log(1, func(w *bufio.Writer) { event(w, "user.message", 1, `{"content":"plan it"}`) })
		var plan bytes.Buffer
		for i := range n {
			fmt.Fprintf(&plan, "- [ ] do thing %d\n", i)
		}
		p.write("copilot/session-state/"+numbered(1)+"/plan.md", plan.Bytes())
	}},
	{"sessions", 100, 5, func(p *place, n int) {
		for i := range n {
			p.log(i+1, func(w *bufio.Writer) {
				event(w, "user.message", 10*i+1, `{"content":"question %d"}`, i)
				event(w, "assistant.message", 10*i+2, `{"content":"answer"}`)
			})
		}
	}},
	{"bytes of a record that is no text", 64 << 20, 32, func(p *place, n int) {
		p.log(1, func(w *bufio.Writer) { event(w, "user.message", 1, `{"content":"before"}`) })
		path := p.at("copilot/session-state/" + numbered(1) + "/events.jsonl")
		info, err := os.Stat(path)
		p.must(err)
		p.must(os.Truncate(path, info.Size()+int64(n))) // a hole is read as NUL bytes
		f := expect.Value(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0))(p.t)
		_, err = f.WriteString("\n" + `{"type":"assistant.message","id":"99999999-0000-4000-8000-000000000000","timestamp":"2026-05-11T10:00:00Z","data":{"content":"after"}}` + "\n")
		p.must(err)
		p.must(f.Close())
	}},
}

func numbered(i int) string { return fmt.Sprintf("%08x-0000-4000-8000-%012x", i, i) }

// log writes the event log of the i-th session.
func (p *place) log(i int, write func(w *bufio.Writer)) {
	p.t.Helper()
	path := p.at("copilot/session-state/" + numbered(i) + "/events.jsonl")
	p.must(os.MkdirAll(filepath.Dir(path), 0o700))
	f := expect.Value(os.Create(path))(p.t)
	w := bufio.NewWriterSize(f, 1<<20)
	event(w, "session.start", 0, `{"sessionId":"%s","version":1,"producer":"copilot-agent","startTime":"2026-05-11T09:02:12Z","context":{"cwd":"/home/dev/src/widget"}}`, numbered(i))
	write(w)
	p.must(w.Flush())
	p.must(f.Close())
}

func event(w *bufio.Writer, kind string, i int, data string, args ...any) {
	at := time.Date(2026, 5, 11, 9, 2, 13, 0, time.UTC).Add(time.Duration(i) * time.Second)
	fmt.Fprintf(w, `{"type":"%s","id":"%08x-0000-4000-8000-000000000000","timestamp":"%s","data":%s}`+"\n",
		kind, i+1, at.Format(time.RFC3339), fmt.Sprintf(data, args...))
}

// bulk writes an event with n bytes of text. It holds none of them: what the test
// once took counts for the memory of the programs that it starts.
func bulk(w *bufio.Writer, kind string, i int, unit string, n int) {
	fmt.Fprintf(w, `{"type":"%s","id":"%08x-0000-4000-8000-000000000000","timestamp":"2026-05-11T09:03:00Z","data":{"content":"`, kind, i+1)
	for range n / len(unit) {
		_, _ = w.WriteString(unit) // Flush tells of errors
	}
	_, _ = w.WriteString("\"}}\n")
}

// What a pass takes of the processor grows no faster than the history, whichever
// way that grows, and the memory no faster than the longest session.
func TestHostileSizes(t *testing.T) {
	for _, s := range few(1, shapes) {
		t.Run(s.name, func(t *testing.T) {
			var cpu [2]time.Duration
			for i, n := range []int{s.n, s.n * s.by} {
				p := newPlace(t)
				s.make(p, n)
				cmd := p.command(nil, "sync")
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%d: %v\n%s", n, err, out)
				}
				use := cmd.ProcessState.SysUsage().(*syscall.Rusage)
				cpu[i] = cmd.ProcessState.UserTime()
				rss, longest := use.Maxrss<<10, p.longest()
				t.Logf("%d: %v of the processor, %d MB, longest log %d MB", n, cpu[i].Round(time.Millisecond), rss>>20, longest>>20)
				if own := maxOwn(); own > idle {
					t.Logf("this test took %d MB itself: the memory cannot be judged", own>>20)
				} else if rss > gathered+12*longest {
					t.Errorf("%d: %d MB of memory", n, rss>>20)
				}
			}
			// Half again as much as linear; what is quadratic takes by times more.
			if base := max(cpu[0], 60*time.Millisecond); cpu[1] > base*time.Duration(s.by)*3/2+200*time.Millisecond {
				t.Errorf("%d times as much takes %v in place of %v", s.by, cpu[1], cpu[0])
			}
			proved(t, fmt.Sprintf("%d times as many %s", s.by, s.name), 2, 2, "processor linear, memory bounded")
		})
	}
}

// A log that is large for what its tools printed takes no more memory than a
// small one.
func TestResultsAreNotHeld(t *testing.T) {
	const calls, size = 600, 256 << 10
	p := newPlace(t)
	line := strings.Repeat("a line of what a tool says\\n", size/28)
	p.log(1, func(w *bufio.Writer) {
		event(w, "user.message", 1, `{"content":"test it"}`)
		for i := range calls {
			event(w, "tool.execution_start", 2*i+2, `{"toolCallId":"c%d","toolName":"bash","arguments":{"command":"make"}}`, i)
			event(w, "tool.execution_complete", 2*i+3, `{"toolCallId":"c%d","success":true,"result":{"content":"%s"}}`, i, line)
		}
		event(w, "assistant.message", 2*calls+2, `{"content":"done"}`)
	})
	cmd := p.command(nil, "sync")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	rss := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	t.Logf("%d MB of memory for a log of %d MB", rss>>20, p.longest()>>20)
	if own := maxOwn(); own > idle {
		t.Logf("this test took %d MB itself: the memory cannot be judged", own>>20)
	} else if rss > idle {
		t.Errorf("%d MB of memory", rss>>20)
	}
	proved(t, "150 MB of results of tools in one log", 1, 1, "memory as for a small one")
}

// maxOwn is the most memory that this process ever took, in bytes.
func maxOwn() int64 {
	var use syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &use) != nil {
		return 0
	}
	return use.Maxrss << 10
}

// longest is the size in bytes that the longest log takes on disk.
func (p *place) longest() (most int64) {
	p.t.Helper()
	logs := expect.Value(filepath.Glob(p.at("copilot/session-state/*/*")))(p.t)
	for _, log := range logs {
		info := expect.Value(os.Stat(log))(p.t)
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			most = max(most, st.Blocks*512)
		}
	}
	return most
}

// However many files there are, few are open at a time.
func TestFewFilesAreOpen(t *testing.T) {
	p := newPlace(t)
	shapes[6].make(p, 300)
	if out := p.runUnder([]string{"prlimit", "--nofile=64"}, "sync"); out.code != 0 {
		t.Errorf("with 64 files: %s", out)
	}
	p.sound("with 64 files")
	proved(t, "no more than 64 open files for 300 sessions", 1, 1, "as without")
}
