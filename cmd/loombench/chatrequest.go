package main

import (
	"fmt"
	"strings"
	"time"
)

// chatRequest is one request in the pieces a log pushes one after the other.
type chatRequest struct {
	head   object   // fields from requestId to variableData, open
	parts  []object // of the response
	tail   object   // fields after it
	result object
	state  object
}

// opening is the request as it is first saved: without an answer.
func (q chatRequest) opening() []byte {
	o := append(append(object(nil), q.head...), `,"response":[],`...)
	o = append(append(o, q.tail...), `,"modelState":{"value":0}`...)
	return o.close()
}

// whole is the request when it is over.
func (q chatRequest) whole() []byte {
	o := append(append(object(nil), q.head...), `,"response":`...)
	o = append(append(append(o, array(q.parts...)...), ','), q.tail...)
	o = append(append(o, `,"result":`...), q.result...)
	o = append(append(o, `,"modelState":`...), q.state...)
	return o.close()
}

// request makes the next request, about size bytes of JSON.
func (c *chatScribe) request(size int) chatRequest {
	c.requests++
	c.pass(time.Minute, 30*time.Minute)
	prompt := c.lex.prompt(c.r, c.s.project.file(c.r))
	c.prompts = append(c.prompts, prompt)
	q := chatRequest{}
	q.head = append(object(nil), '{').str("requestId", "request_"+uuid(c.r)).num("timestamp", c.now.UnixMilli())
	q.head = append(q.head.open("message").str("text", prompt).key("parts"), '[', '{')
	q.head = append(q.head.str("kind", "text").str("text", prompt).close(), ']').close()
	q.head = q.head.open("variableData").raw("variables", "[]").close()

	calls := make([]chatCall, 1+min(11, size/(14<<10)))
	changed := 0
	for i := range calls {
		if calls[i] = c.newCall(i); calls[i].edits != "" {
			changed++
		}
	}
	edits := max(200, size*(100-heavyShare)/100-talkBytes) / max(1, changed)
	q.parts = append(q.parts, append(object(nil), '{').str("kind", "thinking").str("value", c.lex.paragraph(c.r, 3)).str("id", "t").close())
	for i, k := range calls {
		if i%3 == 0 {
			q.parts = append(q.parts, c.markdown(c.lex.sentence(c.r)+" "))
		}
		q.parts = append(q.parts, k.part(c))
		if k.edits != "" {
			q.parts = append(q.parts, c.edit(k.edits, edits)...)
		}
	}
	q.parts = append(q.parts, c.answer()...)
	c.pass(2*time.Second, 4*time.Minute)
	q.state = append(object(nil), '{').num("value", 1).num("completedAt", c.now.UnixMilli()).close()
	q.tail = object(nil).str("responseId", "response_"+uuid(c.r))
	q.tail = q.tail.open("agent").open("extensionId").str("value", "GitHub.copilot-chat").close().str("id", "github.copilot.editsAgent").
		str("name", "agent").str("fullName", "GitHub Copilot").close().str("modelId", "copilot/"+model).
		open("modeInfo").str("kind", "agent").raw("isBuiltin", "true").close().raw("contentReferences", "[]").raw("codeCitations", "[]").
		num("promptTokens", c.r.Int64N(90000)).num("completionTokens", c.r.Int64N(2000))
	q.result = c.result(calls, size*heavyShare/100)
	return q
}

// answer is markdown with references in the middle of its sentences.
func (c *chatScribe) answer() []object {
	text := c.lex.answer(c.r)
	at := strings.IndexByte(text, ' ') + 1
	path := c.s.project.cwd + "/" + c.s.project.file(c.r)
	o := append(object(nil), '{').str("kind", "inlineReference").key("inlineReference")
	return []object{c.markdown(text[:at]), append(o, c.uri(path)...).close(), c.markdown(" " + text[at:])}
}

func (c *chatScribe) markdown(text string) object {
	return append(object(nil), '{').str("value", text).raw("supportThemeIcons", "false").raw("supportHtml", "false").raw("uris", "{}").close()
}

func (c *chatScribe) uri(path string) object {
	return append(object(nil), '{').num("$mid", 1).str("fsPath", path).str("external", "file://"+path).str("path", path).str("scheme", "file").close()
}

// edit is a change of about size bytes as the chat shows it.
func (c *chatScribe) edit(path string, size int) []object {
	fence := c.markdown("\n```\n")
	o := append(object(nil), '{').str("kind", "codeblockUri").key("uri")
	at := append(o, c.uri(path)...).raw("isEdit", "true").close()
	o = append(object(nil), '{').str("kind", "textEditGroup").key("uri")
	o = append(append(o, c.uri(path)...).key("edits"), '[', '[', '{')
	o = o.lines("text", c.output(size)).open("range").num("startLineNumber", 1).num("endLineNumber", 9).close().close()
	return []object{fence, at, append(o, ']', ']').raw("done", "true").close(), fence}
}

// result holds what the chat does not show: calls with their parameters, which
// stand nowhere else, and what they gave, which nobody needs.
func (c *chatScribe) result(calls []chatCall, heavy int) object {
	o := append(object(nil), '{').open("timings").num("firstProgress", c.r.Int64N(3000)).num("totalElapsed", c.r.Int64N(240000)).close().
		str("details", model+" • 1x").open("metadata").str("sessionId", c.s.id).key("toolCallRounds")
	o = append(o, '[', '{').str("response", c.lex.sentence(c.r)).key("toolCalls")
	o = append(o, '[')
	for i, k := range calls {
		if i > 0 {
			o = append(o, ',')
		}
		o = append(o, '{').str("id", k.id+"__vscode-1").str("name", k.name).str("arguments", k.args).close()
	}
	o = append(append(o, ']').num("toolInputRetry", 0).str("id", uuid(c.r)).close(), ']')
	from := len(o)
	o = o.open("toolCallResults")
	for i, k := range calls {
		lines := c.output(heavy * 4 / 5 / len(calls))
		o = append(o.open(k.id).num("$mid", 20).key("content"), '[', '{')
		if i%4 == 3 { // as a tree of the prompt
			o = append(o.open("value").open("node").num("type", 1).key("children"), '[', '{')
			o = append(o.num("type", 2).lines("text", lines).raw("lineBreakBefore", "true").close(), ']').close().close()
		} else {
			o = o.lines("value", lines)
		}
		o = append(o.close(), ']').close()
	}
	o = append(o.close().key("renderedUserMessage"), '[', '{')
	o = append(o.num("type", 1).lines("text", c.output(heavy/5)).close(), ']')
	c.heavy += int64(len(o) - from)
	return o.str("modelMessageId", uuid(c.r)).close().close()
}

// output is about n bytes of what a tool printed, as escaped pieces.
func (c *chatScribe) output(n int) []string {
	pool := c.lex.pools[c.r.IntN(len(c.lex.pools))]
	var lines []string
	for size, at := 0, c.r.IntN(len(pool)); size < n; at = (at + 1) % len(pool) {
		lines = append(lines, pool[at])
		size += len(pool[at])
	}
	return lines
}

// chatCall is one use of a tool.
type chatCall struct {
	id, tool, name, args string
	past                 string // what the chat says of it
	edits, command       string
}

// newCall makes the i-th call of a request; of five in a row one edits.
func (c *chatScribe) newCall(i int) chatCall {
	c.calls++
	k := chatCall{id: fmt.Sprintf("call_%s_%d", c.s.id[:8], c.calls)}
	path := c.s.project.cwd + "/" + c.s.project.file(c.r)
	o := append(object(nil), '{')
	switch (i + c.s.index) % 5 {
	case 0:
		k.tool, k.name, k.edits, k.past = "copilot_replaceString", "replace_string_in_file", path, "Edited [](file://"+path+")"
		o = o.str("filePath", path).str("oldString", c.lex.code(c.r, 2)).str("newString", c.lex.code(c.r, 6))
	case 1:
		k.tool, k.name, k.past = "copilot_findTextInFiles", "grep_search", "Searched for text, 12 results"
		o = o.str("query", c.lex.name(c.r))
	case 2:
		k.tool, k.name, k.command = "run_in_terminal", "run_in_terminal", "go test ./..."
		o = o.str("command", k.command)
	default:
		k.tool, k.name, k.past = "copilot_readFile", "read_file", "Read [](file://"+path+")"
		o = o.str("filePath", path).num("startLine", 1).num("endLine", 200)
	}
	k.args = string(o.close())
	return k
}

// part is the call as the chat keeps it: without parameters.
func (k chatCall) part(c *chatScribe) object {
	o := append(object(nil), '{').str("kind", "toolInvocationSerialized").open("invocationMessage").str("value", k.past).close().
		open("isConfirmed").num("type", 1).close().raw("isComplete", "true").open("source").str("type", "internal").str("label", "Built-In").close().
		str("toolCallId", k.id).str("toolId", k.tool)
	if k.command == "" {
		return o.open("pastTenseMessage").str("value", k.past).close().close()
	}
	return o.open("toolSpecificData").str("kind", "terminal").open("commandLine").str("original", k.command).close().str("language", "sh").
		open("terminalCommandOutput").lines("text", c.output(900)).close().open("terminalCommandState").num("exitCode", 0).close().close().close()
}
