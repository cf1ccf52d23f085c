package opencode

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// inMemory is an archive of one session: messages and parts, one a line.
type inMemory struct{ lines []string }

func (a inMemory) records(_ context.Context, _ *info, message string, each func(record)) error {
	for n, line := range a.lines {
		kind, data, _ := strings.Cut(line, " ")
		if message != "" {
			kind = ""
		}
		each(record{id: cmp.Or(message, "m") + string(rune('0'+n%10)), kind: kind, data: data, at: time.UnixMilli(int64(n))})
	}
	return nil
}

func (a inMemory) todos(context.Context, *info) ([]sources.Todo, bool, error) { return nil, false, nil }

func (inMemory) info(context.Context, string) (*info, error) { return nil, nil }

func (a inMemory) origin(context.Context, *info) (string, error) { return "m", nil }

func (a inMemory) undone(context.Context, *info) ([]message, error) { return nil, nil }

// FuzzMessages fuzzes messages and parts of both versions, without a database.
func FuzzMessages(f *testing.F) {
	f.Add(true, `user {"text":"a","files":[{"uri":"file:///x","mime":"image/png"}]}`+"\n"+
		`assistant {"content":[{"type":"text","text":"b"},{"type":"tool","name":"bash","state":{"status":"completed","input":{"command":"git log"},"content":[{"type":"text","text":"[main abc1234] x"}],"metadata":{"exit":1}}}],"finish":"stop","time":{"completed":5}}`+"\n"+
		`shell {"command":"x"}`+"\n"+`compaction {"status":"completed","summary":"# x"}`+"\n"+`idle {"outcome":"interrupted"}`)
	f.Add(false, `x {"role":"user","type":"text","text":"a","summary":{"diffs":[{"file":"a","status":"added"}]},"time":{"created":5}}`+"\n"+
		`x {"role":"assistant","parentID":"m0","type":"patch","files":["/a"],"tokens":{"input":1,"output":-1,"cache":{"read":3}},"error":{"name":"MessageAbortedError"}}`+"\n"+
		`x {"role":"assistant","summary":true,"type":"tool","tool":"task","state":{"status":"completed","input":{"prompt":"p","subagent_type":"s","todos":[{"content":"x"}]},"metadata":{"sessionId":"x","files":[{"filePath":"a","movePath":"b"}]},"output":"<task_result>"}}`)
	f.Add(false, `x {"role":"user","type":"compaction"}`+"\n"+`x {"type":"tool","tool":"write","state":{"status":"completed","input":{"filePath":"/.opencode/plans/x","content":"y"},"metadata":{"exists":false}}}`+"\n"+`x {"role":5,"type":[],"state":"x"} 5`)
	f.Fuzz(func(t *testing.T, isV2 bool, lines string) {
		read := func() *sources.Session {
			i := &info{}
			expect.OK(t, decode.Text(`{"revert":{"messageID":"m3"},"permission":[{"permission":"question","action":"deny"}]}`, i))
			i.ID, i.IsV2 = "s", isV2
			i.Time.Created.Time = time.UnixMilli(2)
			p := newParser(i)
			expect.OK(t, p.read(context.Background(), inMemory{lines: strings.Split(lines, "\n")}))
			return p.finish()
		}
		s := read()
		one := expect.Value(json.Marshal(s))(t)
		if two, err := json.Marshal(read()); err != nil || string(one) != string(two) {
			t.Fatalf("two readings differ:\n%s\n%s", one, two)
		}
		for i, turn := range s.Turns {
			for _, tool := range turn.Tools {
				if turn.Index != i || tool.After < 0 || tool.After > len(turn.Assistant) {
					t.Fatalf("%+v", turn)
				}
			}
		}
		for _, touch := range s.Files {
			if touch.Turn < 0 || touch.Turn >= len(s.Turns) {
				t.Fatalf("%+v", touch)
			}
		}
	})
}
