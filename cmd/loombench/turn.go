package main

import (
	"fmt"
	"strconv"
	"time"
)

// turn is a prompt, the calls it took and the answer. It returns the prompt.
func (c *scribe) turn(calls int) string {
	text := c.lex.prompt(c.r, c.s.project.file(c.r))
	c.user(text, "")
	at := c.now
	for i := range calls {
		c.step(stepArgs{turn: i, text: c.narration(), calls: 1 + c.r.IntN(5)/4})
	}
	answer := c.lex.answer(c.r)
	c.step(stepArgs{turn: calls, text: answer})
	c.rows.turns = append(c.rows.turns, turnRow{user: text, answer: answer, at: at})
	return text
}

// narration is what the agent says before a call: mostly nothing.
func (c *scribe) narration() string {
	switch c.r.IntN(5) {
	case 0:
		return c.lex.task(c.r) + " first."
	case 1:
		return "\n\n"
	default:
		return ""
	}
}

// abort ends a prompt that was never answered.
func (c *scribe) abort() {
	text := c.lex.prompt(c.r, c.s.project.file(c.r))
	c.user(text, "")
	c.rows.turns = append(c.rows.turns, turnRow{user: text, at: c.now})
	c.pass(time.Second, 20*time.Second)
	c.event("abort", c.begin().str("reason", "user_abort"))
}

// stepArgs say what one answer of the model holds.
type stepArgs struct {
	turn  int // counted within the prompt
	text  string
	calls int // of tools
}

// step is one call of the model and of the tools it asked for.
func (c *scribe) step(a stepArgs) {
	turn, api := strconv.Itoa(a.turn), "chatcmpl-"+c.opaque(24)
	c.pass(300*time.Millisecond, 20*time.Second)
	c.event("assistant.turn_start", c.begin().str("turnId", turn).str("interactionId", uuid(c.r)))
	if !c.s.hooked() {
		c.usage(api)
	}
	calls := make([]call, a.calls)
	for i := range calls {
		calls[i] = c.newCall()
	}
	c.message(a.text, turn, api, calls)
	for _, k := range calls {
		c.event("tool.execution_start", c.begin().str("toolCallId", k.id).str("toolName", k.tool).raw("arguments", k.args).
			str("turnId", turn).str("model", model).str("toolTitle", k.title))
	}
	for _, k := range calls {
		c.pass(10*time.Millisecond, 4*time.Second)
		c.complete(k, turn)
	}
	c.event("assistant.turn_end", c.begin().str("turnId", turn))
}

func (c *scribe) usage(api string) {
	in, out := c.r.Int64N(90000)+9000, c.r.Int64N(900)+20
	c.event("session.usage_record", c.begin().open("usage").str("model", model).str("modelDisplayName", model).num("inputTokens", in).
		num("outputTokens", out).num("cacheReadTokens", in/2).num("cacheWriteTokens", 0).raw("cost", c.zero()).num("duration", c.r.Int64N(30000)).
		str("initiator", "agent").str("interactionType", "conversation-agent").raw("isByok", "false").str("transport", "http").
		num("requestBodyBytes", in*4).str("requestBodyEncoding", "identity").str("apiCallId", api).str("apiEndpoint", "/chat/completions").
		open("accounting").str("sourceSessionId", c.s.id).num("sequence", int64(len(c.rows.turns))).str("usageId", api).close().
		num("availableToolCount", 18).num("toolTokenCount", 7019).str("finishReason", "stop").raw("contentFilterTriggered", "false").close())
}

func (c *scribe) message(text, turn, api string, calls []call) {
	o := c.begin().str("messageId", uuid(c.r)).str("model", model).str("content", text).key("toolRequests")
	o = append(o, '[')
	for i, k := range calls {
		if i > 0 {
			o = append(o, ',')
		}
		o = append(o, '{').str("toolCallId", k.id).str("name", k.tool).raw("arguments", k.args).str("type", "function").str("toolTitle", k.title).close()
	}
	o = append(o, ']').str("turnId", turn)
	if chance(c.r, 3) {
		o = o.str("reasoningText", c.lex.sentence(c.r)).str("reasoningOpaque", c.opaque(between(c.r, 200, 900)))
	}
	c.event("assistant.message", o.num("outputTokens", c.r.Int64N(900)).str("apiCallId", api))
}

// complete writes the result of a call. Versions with hooks log it twice.
func (c *scribe) complete(k call, turn string) {
	out, name := c.output(c.outputSize()), "content"
	if c.s.hooked() {
		invocation := uuid(c.r)
		c.event("hook.start", c.begin().str("hookInvocationId", invocation).str("hookType", "postToolUse").open("input").
			str("sessionId", c.s.id).str("toolName", k.tool).open("toolResult").str("resultType", "success").lines("textResultForLlm", out).close().close())
		c.event("hook.end", c.begin().str("hookInvocationId", invocation).str("hookType", "postToolUse").raw("success", "true"))
		c.tool += c.size(out)
	}
	o := c.begin().str("toolCallId", k.id).str("model", model).str("turnId", turn).raw("rte", "false")
	if k.edits != "" && !c.s.hooked() {
		o = o.key("fileEdits")
		o = append(o, '[', '{').str("path", k.edits).str("kind", k.kind).close()
		o = append(o, ']')
	}
	failed := chance(c.r, 25)
	if failed {
		o = o.raw("success", "false").open("error").lines("message", out).str("code", "failure").close()
	} else {
		if k.kind != "" {
			o, name = o.raw("success", "true").open("result").str("content", "File "+k.edits+" updated.\n"+k.note), "detailedContent"
		} else {
			o = o.raw("success", "true").open("result")
			if k.note != "" {
				out = append([]string{string(appendEscaped(nil, k.note))}, out...)
			}
		}
		o = o.lines(name, out).close()
	}
	o = o.open("toolTelemetry").open("metrics").num("context_current_tokens", c.bytes/5).num("large_output_threshold_bytes", 20480).close().close()
	c.event("tool.execution_complete", o)
	if !failed {
		c.learn(k)
	}
}

func (c *scribe) size(lines []string) (n int64) {
	for _, s := range lines {
		n += int64(len(s))
	}
	return n
}

// outputSize keeps tool output near its share of the log: most are small, some
// have tens of kilobytes, and in a large log one in a while has up to 1 MB. (The
// current CLI cuts what a shell printed at 20,480 bytes; other tools and earlier
// versions left lines of more than a megabyte.)
func (c *scribe) outputSize() int {
	owed := max(60, c.owed())
	if c.s.hooked() {
		owed = max(60, owed/2)
	}
	if owed > 1<<19 && chance(c.r, 3) {
		return min(owed, 1_000_000)
	}
	if c.s.budget > 600_000 && chance(c.r, c.rarity()) {
		return between(c.r, 100_000, int(min(1_000_000, c.s.budget/2)))
	}
	return min(between(c.r, owed/3, owed+owed/2), 18_000+c.r.IntN(80_000))
}

// rarity is how many outputs there are for each very long one.
func (c *scribe) rarity() int {
	if c.s.long {
		return 400
	}
	return 60
}

// call is one use of a tool.
type call struct {
	id, tool, title string
	args            string // JSON
	edits, kind     string // path and kind of a change
	note            string // head of the output
	ref             refRow
}

func (c *scribe) newCall() call {
	path := c.s.project.cwd + "/" + c.s.project.file(c.r)
	k := call{id: "call_" + c.opaque(24)}
	o := object("{")
	kind := c.r.IntN(10)
	if kind == 7 && c.s.project.root == "" {
		kind = 9 // nothing to commit to
	}
	switch kind {
	case 0, 1, 2:
		k.tool, k.title = "view", "Viewing file"
		o = o.str("path", path)
	case 3, 4, 5:
		k.tool, k.title, k.edits, k.kind = "edit", "Editing file", path, "edit"
		o = o.str("path", path).str("old_str", c.lex.code(c.r, between(c.r, 1, 4))).str("new_str", c.lex.code(c.r, between(c.r, 1, 9)))
	case 6:
		k.tool, k.title = "grep", "Searching"
		o = o.str("pattern", c.lex.name(c.r)).str("path", c.s.project.cwd)
	case 7:
		k.tool, k.title = "bash", "Running command"
		subject := c.lex.task(c.r)
		hash := strconv.FormatUint(c.r.Uint64()>>36|1<<27, 16)
		o = o.str("command", fmt.Sprintf("cd %s && git add -A && git commit -m %q", c.s.project.cwd, subject)).str("description", "Commit")
		k.note = fmt.Sprintf("[%s %s] %s\n 2 files changed, %d insertions(+)\n", c.s.branch, hash, subject, between(c.r, 1, 99))
		k.ref = refRow{kind: "commit", value: hash}
	default:
		k.tool, k.title = "bash", "Running command"
		o = o.str("command", "cd "+c.s.project.cwd+" && go test ./...").str("description", c.lex.task(c.r))
	}
	k.args = string(o.close())
	return k
}

// learn keeps what the store takes from a call (formats/copilot-cli.md, section 1).
func (c *scribe) learn(k call) {
	turn := len(c.rows.turns)
	if k.ref.kind != "" {
		k.ref.turn, k.ref.at = turn, c.now
		c.rows.refs = append(c.rows.refs, k.ref)
	}
	if k.edits != "" {
		c.rows.touch(fileRow{path: k.edits, tool: k.tool, turn: turn, at: c.now})
	}
}
