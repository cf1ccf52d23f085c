//go:build unix

package faults

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// malformed are texts that no program of ours would write, by what is wrong.
// Each begins with what is put before it and is one record of a log.
func malformed() map[string]string {
	keys, many, depth := strings.Builder{}, 1_000_000, 100_000
	if *every == sampled {
		many, depth = 20_000, 20_000
	}
	deep := strings.Repeat(`{"a":[`, depth)
	for i := range many {
		fmt.Fprintf(&keys, `"k%d":0,`, i)
	}
	record := func(kind, data string) string {
		return `{"type":"` + kind + `","id":"11111111-0000-4000-8000-000000000000","timestamp":"2026-05-11T10:00:00Z","data":` + data + "}\n"
	}
	wide := utf16.Encode([]rune(record("user.message", `{"content":"wide"}`)))
	text := binary.LittleEndian.AppendUint16(nil, 0xfeff)
	for _, u := range wide {
		text = binary.LittleEndian.AppendUint16(text, u)
	}
	return map[string]string{
		"deep, open":          deep + "\n",
		"deep in a record":    record("user.message", deep+strings.Repeat("]}", depth)),
		"deep arguments":      record("tool.execution_start", `{"toolCallId":"c","toolName":"bash","arguments":`+strings.Repeat("[", depth)+strings.Repeat("]", depth)+"}"),
		"very many keys":      record("tool.execution_start", `{"toolCallId":"c","toolName":"bash","arguments":{`+keys.String()+`"z":0}}`),
		"keys twice":          record("user.message", `{"content":"one","content":"two","content":null}`),
		"no numbers":          record("session.compaction_complete", `{"success":true,"summaryContent":"x","checkpointNumber":NaN}`),
		"huge numbers":        record("session.compaction_complete", `{"success":true,"summaryContent":"<overview>x</overview>","checkpointNumber":1e999}`) + record("session.shutdown", `{"totalPremiumRequests":99999999999999999999999999999}`),
		"lone surrogates":     record("user.message", `{"content":"a \ud800 b \udfff c \ud83d"}`),
		"NUL and controls":    record("user.message", `{"content":"a \u0000 b \u001b[31m c `+"\x00\x01\x1b"+`"}`),
		"broken UTF-8":        record("user.message", "{\"content\":\"\xff\xfe\xc3\x28\"}"),
		"byte order marks":    "\ufeff" + record("user.message", `{"content":"\ufeffmark"}`),
		"UTF-16":              string(text),
		"line ends of DOS":    strings.ReplaceAll(record("user.message", `{"content":"dos"}`), "\n", "\r\n"),
		"unknown types":       record("session.quantum_entangled", `{"content":"x"}`) + record("", `{}`) + record(strings.Repeat("long.", 9999), `{}`),
		"other kinds of data": record("user.message", `[1,2,3]`) + record("user.message", `"text"`) + record("assistant.message", `{"content":{"text":"renamed"}}`) + record("user.message", `{"text":"renamed"}`),
		"no object":           "null\n[]\n\"x\"\n1e9\n{}\n",
		"an alias bomb":       "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f,*f]\nname: *g\n",
		"deep YAML":           strings.Repeat("a: {", depth/5) + strings.Repeat("}", depth/5) + "\nname: " + strings.Repeat("[", depth/5) + "\n",
	}
}

// Every file of a history may hold anything: what is well is read, the rest is
// told, and a second pass changes nothing.
func TestMalformedSources(t *testing.T) {
	p := newHistory(t)
	log, chat := p.read(eventLog), p.read(chatLog)
	first := log[:bytes.IndexByte(log, '\n')+1]
	n := 0
	for _, text := range malformed() {
		n++
		id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", n)
		to := "copilot/session-state/" + id + "/"
		p.write(to+"events.jsonl", bytes.Join([][]byte{bytes.ReplaceAll(first, []byte(middle), []byte(id)), []byte(text), log[len(first):]}, nil))
		for _, name := range []string{"workspace.yaml", "plan.md", "vscode.metadata.json", "index.md", "checkpoints/index.md", "checkpoints/001-x.md",
			"checkpoints/002-y.json", "rewind-file-snapshots/index.json", "files/x.md"} {
			p.write(to+name, []byte(text[:min(len(text), 1<<20)]))
		}
		at := chatOf + "chatSessions/" + id
		p.write(at+".jsonl", append(bytes.ReplaceAll(chat, []byte("20d0eb6c-c224-4b67-a68d-795fbfbe12a0"), []byte(id)), text...))
		p.write(fmt.Sprintf("%schatSessions/%08x-0000-4000-9000-000000000000.json", chatOf, n), []byte(text))
		p.write(chatOf+"GitHub.copilot-chat/transcripts/"+id+".jsonl", []byte(text))
		p.write(chatOf+"chatEditingSessions/"+id+"/state.json", []byte(text))
		p.write(fmt.Sprintf("user/workspaceStorage/%032x/workspace.json", n), []byte(text))
		p.write(fmt.Sprintf("copilot/history-session-state/session_%08x-0000-4000-a000-000000000000_1.json", n), []byte(text))
	}
	p.endures("everything is malformed")
	notes := p.sessionNotes()
	for i := range n {
		if id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", i+1); notes[id] == "" {
			t.Errorf("no note of session %s", id)
		}
	}
	before := tree(t, p.vault)
	p.endures("once more")
	expect.Is(t, differences(before, tree(t, p.vault), true), "", "a second pass writes")
	expect.Is(t, differences(p.undisturbedly(), before, false), "", "the vault (+) is not that of another run (-)")
	proved(t, "malformed JSON, YAML, encodings in every file of a session", n, 3, "what is well is read, nothing is written twice")
}

// undisturbedly is undisturbed where some of the sources cannot be read.
func (p *place) undisturbedly() contents {
	p.t.Helper()
	q := *p
	q.dir = p.t.TempDir()
	q.vault, q.state = q.dir+"/vault", q.dir+"/state"
	q.write("vault/.keep", nil)
	q.endures("another run")
	all := tree(p.t, q.vault)
	delete(all, ".keep")
	return all
}
