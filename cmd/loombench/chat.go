package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// Shape of the chats: bytes of a request, and of a hundred of them those in the
// branches of result.metadata that nobody is shown (formats/vscode-copilot-chat.md,
// section 0.6).
const (
	smallRequest = 8 << 10
	largeRequest = 56 << 10
	longRequest  = 1 << 20
	heavyShare   = 60
	talkBytes    = 9 << 10 // of prompt, answer and calls
)

// chatScribe writes a session of VS Code's chat: one object, or a log of mutations.
type chatScribe struct {
	out io.Writer
	r   *rand.Rand
	lex *lexicon
	s   *session
	now time.Time

	requests     int
	calls        int   // made so far
	bytes, heavy int64 // written so far; what is never shown among it
	prompts      []string
	data         []byte // scratch
	err          error  // first failure of out
}

// document tells whether the session is kept as one object, as before 1.109.
func (s *session) document() bool { return s.long || s.index%2 == 0 }

// writeChat writes the session into the folder of its workspace.
func writeChat(workspace string, s *session, lex *lexicon) (_ *chatScribe, err error) {
	ext := ".jsonl"
	if s.document() {
		ext = ".json"
	}
	path := filepath.Join(workspace, "chatSessions", s.id+ext)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriterSize(file, 1<<16)
	c := &chatScribe{out: w, r: s.rng("chat", 0), lex: lex, s: s, now: s.start}
	if s.document() {
		c.writeObject()
	} else {
		c.writeLog()
	}
	if err = c.err; err == nil {
		err = w.Flush()
	}
	if e := file.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chtimes(path, c.now, c.now)
	}
	if err != nil {
		return nil, fmt.Errorf("write chat %s: %w", s.id, err)
	}
	return c, nil
}

func (c *chatScribe) write(b []byte) {
	c.bytes += int64(len(b))
	if c.err == nil {
		_, c.err = c.out.Write(b)
	}
}

// head begins the fields of a session that stand before its requests.
func (c *chatScribe) head() object {
	o := append(object(nil), '{').num("version", 3).num("creationDate", c.s.start.UnixMilli()).str("initialLocation", "panel").
		str("responderUsername", "GitHub Copilot").str("sessionId", c.s.id).raw("hasPendingEdits", "false")
	if p := c.s.project; p.repository != "" {
		o = o.open("repoData").str("workspaceType", "remote-git").str("remoteUrl", "https://github.com/"+p.repository+".git").
			str("remoteVendor", "github").str("localBranch", c.s.branch).raw("diffs", "[]").close()
	}
	return o
}

// foot are those after them; it ends the session.
func (c *chatScribe) foot(o object) object {
	o = o.raw("pendingRequests", "[]").open("inputState").raw("attachments", "[]").open("mode").str("id", "agent").str("kind", "agent").close().
		str("inputText", "").raw("selections", "[]").close()
	if c.s.title != "" {
		o = o.str("customTitle", c.s.title)
	}
	return o.close()
}

// more tells whether another request fits the budget, and how large it is.
func (c *chatScribe) more() (size int, ok bool) {
	left := int(c.s.budget - c.bytes)
	switch {
	case c.s.bare || c.requests > 0 && left < smallRequest/2:
		return 0, false
	case c.s.long:
		return longRequest, true
	}
	return max(smallRequest/2, min(left, between(c.r, smallRequest, largeRequest))), true
}

// writeObject writes the session as one indented object, a request at a time.
func (c *chatScribe) writeObject() {
	var b bytes.Buffer
	flush := func(o []byte) {
		c.write(o)
		b.Reset()
	}
	indent := func(o []byte, prefix string) {
		if err := json.Indent(&b, o, prefix, "  "); err != nil && c.err == nil {
			c.err = err
		}
	}
	indent(c.head().close(), "")
	flush(append(bytes.TrimSuffix(b.Bytes(), []byte("\n}")), ",\n  \"requests\": ["...))
	for size, ok := c.more(); ok; size, ok = c.more() {
		if c.requests > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n    ")
		indent(c.request(size).whole(), "    ")
		flush(b.Bytes())
	}
	indent(c.foot(append(object(nil), '{')), "")
	flush(append([]byte("\n  ],\n"), b.Bytes()[2:]...))
}

// writeLog writes the session as a log of mutations, as it grew.
func (c *chatScribe) writeLog() {
	c.entry(0, "", c.foot(append(c.head().key("requests"), '[', ']')))
	for size, ok := c.more(); ok; size, ok = c.more() {
		q := c.request(size)
		at := fmt.Sprintf(`["requests",%d`, c.requests-1)
		c.entry(2, `["requests"]`, array(q.opening()))
		half := len(q.parts) / 2
		c.entry(2, at+`,"response"]`, array(q.parts[:half+1]...))
		// The part that was still growing gives way to the rest.
		c.cut(at+`,"response"]`, half, array(q.parts[half:]...))
		c.entry(1, at+`,"result"]`, q.result)
		c.entry(1, at+`,"modelState"]`, q.state)
		if c.requests == 1 && c.s.title != "" {
			c.entry(1, `["customTitle"]`, appendQuoted(nil, c.s.title))
		}
	}
}

func (c *chatScribe) entry(kind int, path string, v []byte) {
	o := append(object(c.data[:0]), '{').num("kind", int64(kind))
	if path != "" {
		o = o.raw("k", path)
	}
	o = append(o.key("v"), v...)
	c.data = append(o.close(), '\n')
	c.write(c.data)
}

func (c *chatScribe) cut(path string, i int, v []byte) {
	o := append(object(c.data[:0]), '{').num("kind", 2).raw("k", path)
	o = append(o.key("v"), v...)
	c.data = append(o.num("i", int64(i)).close(), '\n')
	c.write(c.data)
}

// array joins elements that are JSON already.
func array[T ~[]byte](elements ...T) []byte {
	b := []byte{'['}
	for i, e := range elements {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, e...)
	}
	return append(b, ']')
}

func appendQuoted(b []byte, s string) []byte { return append(appendEscaped(append(b, '"'), s), '"') }

// pass lets some time go by.
func (c *chatScribe) pass(low, high time.Duration) {
	c.now = c.now.Add((low + time.Duration(c.r.Int64N(int64(high-low)))).Truncate(time.Millisecond))
}
