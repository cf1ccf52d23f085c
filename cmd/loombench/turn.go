package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// turn writes a prompt, rounds of tools and the answer.
func (l *logWriter) turn(rounds int) {
	prompt := l.prompt(l.s.project.file(l.words))
	l.wait(5*time.Second, 20*time.Minute)
	l.user(prompt, "")
	at := l.now
	for i := range rounds {
		text := ""
		if l.chance(5) {
			text = l.task() + " first."
		}
		l.step(i, text, 1+l.IntN(5)/4)
	}
	answer := l.answer()
	l.step(rounds, answer, 0)
	l.told.turns = append(l.told.turns, turn{prompt, answer, at})
}

// user writes a prompt; source is "" for a person's.
func (l *logWriter) user(text, source string) {
	data := object{"content", text, "transformedContent", "<current_datetime>" + stamp(l.now) + "</current_datetime>\n\n" + text,
		"messageId", l.uuid(), "delivery", "idle", "interactionId", l.uuid(), "turnId", "0", "agentMode", "interactive"}
	if source != "" {
		data = append(data, "source", source)
	}
	l.event("user.message", data...)
}

// step writes one call of the model and its calls of tools.
func (l *logWriter) step(n int, text string, tools int) {
	turnID, api := strconv.Itoa(n), "chatcmpl-"+l.letters(24)
	l.wait(300*time.Millisecond, 20*time.Second)
	l.event("assistant.turn_start", "turnId", turnID, "interactionId", l.uuid())
	l.usage(api)
	calls := make([]call, tools)
	asked := make([]object, tools)
	for i := range calls {
		k := l.newCall()
		calls[i] = k
		asked[i] = object{"toolCallId", k.id, "name", k.tool, "arguments", k.args, "type", "function", "toolTitle", k.title}
	}
	message := object{"messageId", l.uuid(), "model", model, "content", text, "toolRequests", asked, "turnId", turnID}
	if l.chance(3) {
		message = append(message, "reasoningText", l.sentence(), "reasoningOpaque", l.letters(l.between(200, 900)))
	}
	l.event("assistant.message", append(message, "outputTokens", l.IntN(900), "apiCallId", api)...)
	for _, k := range calls {
		l.event("tool.execution_start", "toolCallId", k.id, "toolName", k.tool, "arguments", k.args, "turnId", turnID, "model", model, "toolTitle", k.title)
	}
	for _, k := range calls {
		l.wait(10*time.Millisecond, 4*time.Second)
		l.complete(k, turnID)
	}
	l.event("assistant.turn_end", "turnId", turnID)
}

func (l *logWriter) usage(api string) {
	in := l.between(9000, 99000)
	l.event("session.usage_record", "usage", object{"model", model, "modelDisplayName", model, "inputTokens", in, "outputTokens", l.between(20, 920),
		"cacheReadTokens", in / 2, "cacheWriteTokens", 0, "cost", jsontext.Value("0.0"), "duration", l.IntN(30000), "initiator", "agent",
		"interactionType", "conversation-agent", "isByok", false, "transport", "http", "requestBodyBytes", in * 4, "requestBodyEncoding", "identity",
		"apiCallId", api, "apiEndpoint", "/chat/completions", "accounting", object{"sourceSessionId", l.s.id, "sequence", len(l.told.turns), "usageId", api},
		"availableToolCount", 18, "toolTokenCount", 7019, "finishReason", "stop", "contentFilterTriggered", false})
}

// call is a call of a tool.
type call struct {
	id, tool, title string
	args            object
	edits, commits  string // the path or the commit
	prints          string // empty: as much as keeps the share of the log
}

func (l *logWriter) newCall() call {
	p := l.s.project
	path := p.folder + "/" + p.file(l.words)
	k := call{id: "call_" + l.letters(24), tool: "bash", title: "Running command"}
	switch n := l.IntN(10); {
	case n < 3:
		k.tool, k.title, k.args = "view", "Viewing file", object{"path", path}
	case n < 6:
		k.tool, k.title, k.edits = "edit", "Editing file", path
		k.args = object{"path", path, "old_str", lines(l.between(1, 4), l.codeLine), "new_str", lines(l.between(1, 9), l.codeLine)}
	case n < 7:
		k.tool, k.title, k.args = "grep", "Searching", object{"pattern", l.name(), "path", p.folder}
	case n < 8 && p.git && !l.committed():
		subject := l.task()
		k.commits = fmt.Sprintf("%07x", l.between(1<<24, 1<<28-1))
		k.args = object{"command", fmt.Sprintf("cd %s && git add -A && git commit -m %q", p.folder, subject), "description", "Commit"}
		k.prints = fmt.Sprintf("[%s %s] %s\n 2 files changed, %d insertions(+)\n", l.s.branch, k.commits, subject, l.between(1, 99))
	default:
		k.args = object{"command", "cd " + p.folder + " && go test ./...", "description", l.task()}
	}
	return k
}

// committed reports whether this turn made a commit: most make one.
func (l *logWriter) committed() bool {
	n := len(l.told.commits)
	return n > 0 && l.told.commits[n-1].turn == len(l.told.turns)
}

// complete writes the result of a call.
func (l *logWriter) complete(k call, turnID string) {
	out := k.prints
	if out == "" {
		out = l.output(l.outputSize())
	}
	l.printed += int64(len(out))
	data := object{"toolCallId", k.id, "model", model, "turnId", turnID, "rte", false}
	if k.edits != "" {
		data = append(data, "fileEdits", []object{{"path", k.edits, "kind", "edit"}})
	}
	failed := l.chance(25)
	switch {
	case failed:
		data = append(data, "success", false, "error", object{"message", out, "code", "failure"})
	case k.edits != "":
		data = append(data, "success", true, "result", object{"content", "File " + k.edits + " updated.\n", "detailedContent", out})
	default:
		data = append(data, "success", true, "result", object{"content", out})
	}
	l.event("tool.execution_complete", append(data, "toolTelemetry", object{"metrics", object{"context_current_tokens", l.size / 5}})...)
	switch {
	case failed:
	case k.edits != "":
		l.changed(k.edits)
	case k.commits != "":
		l.told.commits = append(l.told.commits, touch{k.commits, len(l.told.turns), l.now})
	}
}

// outputSize returns a size that keeps outputs at about two thirds of the log: most are small, some have tens
// of kilobytes, and rarely one has up to a megabyte in a large log.
func (l *logWriter) outputSize() int {
	if l.s.size > 600_000 && l.chance(200) {
		return l.between(100_000, int(min(1_000_000, l.s.size/2)))
	}
	owed := int(max(60, (l.size-l.printed)*2-l.printed))
	return min(l.between(owed/3, owed*3/2), 100_000)
}
