package main

import (
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// editor is the user folder of an edition of VS Code that a scenario fills as VS
// Code and its chat extension do.
type editor struct {
	*history
	user string
}

// edition begins a user folder, which is read from then on: "Code".
func (s *scenario) edition(name string) *editor {
	s.t.Helper()
	e := &editor{history: s.history, user: filepath.Join(s.t.TempDir(), name, "User")}
	s.check(os.MkdirAll(e.user, 0o700))
	s.users = append(s.users, e.user)
	return e
}

// window is a workspace that was opened, with its folder below workspaceStorage.
type window struct {
	*editor
	hash   string
	folder string // empty: a window without one
	chats  []*chat
	others []fields // entries of the index of sessions that are no chats
}

// opens a folder. One folder has the same hash in every edition.
func (e *editor) opens(folder string) *window {
	e.t.Helper()
	return e.opensAs(folder, "folder", folder)
}

// joins opens a .code-workspace.
func (e *editor) joins(file string) *window {
	e.t.Helper()
	return e.opensAs("", "workspace", file)
}

func (e *editor) opensAs(folder, key, path string) *window {
	e.t.Helper()
	w := &window{editor: e, folder: folder, hash: fmt.Sprintf("%x", md5.Sum([]byte(path)))}
	e.put(w.path("workspace.json"), encode(e.t, fields{key: "file://" + path}))
	return w
}

// opensNothing is a window without a folder.
func (e *editor) opensNothing() *window { return &window{editor: e} }

// path of a file of the window's storage.
func (w *window) path(name string) string {
	return filepath.Join(w.user, "workspaceStorage", w.hash, filepath.FromSlash(name))
}

// extension is the path of a file the chat extension keeps for the window.
func (w *window) extension(name string) string { return w.path("GitHub.copilot-chat/" + name) }

// chat is one session of VS Code's chat and what is kept of it.
type chat struct {
	*window
	uuid     string
	began    time.Time
	title    string
	requests []fields
	old      bool // kept as .json, written anew each time
	told     int  // requests the transcript has
	calls    int

	operations, verdicts []any // of the session's edits
}

// chats begins a session, kept as a log of mutations.
func (w *window) chat(uuid string) *chat {
	w.t.Helper()
	w.later(time.Minute)
	c := &chat{window: w, uuid: uuid, began: w.clock}
	w.chats = append(w.chats, c)
	w.put(c.log(), c.initial())
	return c
}

// oldChat begins a session in a version that keeps one JSON object.
func (w *window) oldChat(uuid string) *chat {
	w.t.Helper()
	w.later(time.Minute)
	c := &chat{window: w, uuid: uuid, began: w.clock, old: true}
	w.chats = append(w.chats, c)
	c.save()
	return c
}

func (c *chat) log() string { return c.file(".jsonl") }

func (c *chat) file(ext string) string {
	if c.hash == "" {
		return filepath.Join(c.user, "globalStorage", "emptyWindowChatSessions", c.uuid+ext)
	}
	return c.path("chatSessions/" + c.uuid + ext)
}

// state is the whole session as VS Code serializes it.
func (c *chat) state() fields {
	requests := []fields{}
	requests = append(requests, c.requests...)
	state := fields{
		"version": 3, "creationDate": c.began.UnixMilli(), "initialLocation": "panel", "responderUsername": "GitHub Copilot",
		"sessionId": c.uuid, "hasPendingEdits": false, "requests": requests, "pendingRequests": []any{},
		"inputState": fields{"attachments": []any{}, "mode": fields{"id": "agent", "kind": "agent"}, "inputText": "half a tho", "contrib": fields{}},
	}
	if c.title != "" {
		state["customTitle"] = c.title
	}
	if c.folder == widget {
		state["repoData"] = fields{"workspaceType": "remote-git", "syncStatus": "synced", "remoteUrl": "https://github.com/octo-org/widget.git",
			"remoteVendor": "github", "localBranch": "main", "diffs": []any{}}
	}
	return state
}

func (c *chat) initial() string { return `{"kind":0,"v":` + encode(c.t, c.state()) + "}\n" }

// save writes the session as versions before 1.109 do.
func (c *chat) save() {
	c.t.Helper()
	text, err := json.MarshalIndent(c.state(), "", "  ")
	c.check(err)
	c.put(c.file(".json"), string(text))
}

// mutate appends a mutation, or saves the session again where it is an old one.
func (c *chat) mutate(kind int, value any, path ...any) {
	c.t.Helper()
	if c.old {
		c.save()
		return
	}
	c.add(c.log(), fmt.Sprintf(`{"kind":%d,"k":%s,"v":%s}`+"\n", kind, encode(c.t, path), encode(c.t, value)))
}

// cuts pushes onto what is left of an array after its first n elements.
func (c *chat) cuts(n int, value any, path ...any) {
	c.t.Helper()
	if c.old {
		c.save()
		return
	}
	v := ""
	if value != nil {
		v = `,"v":` + encode(c.t, value)
	}
	c.add(c.log(), fmt.Sprintf(`{"kind":2,"k":%s%s,"i":%d}`+"\n", encode(c.t, path), v, n))
}

// asks is a prompt, with what its user attached to it.
func (c *chat) asks(prompt string, attached ...any) *chat {
	c.t.Helper()
	c.later(time.Minute)
	r := fields{
		"requestId": "request_" + c.id(), "timestamp": c.clock.UnixMilli(),
		"message":      fields{"text": prompt, "parts": []any{fields{"kind": "text", "text": prompt, "range": fields{"start": 0, "endExclusive": len(prompt)}}}},
		"variableData": fields{"variables": append([]any{}, attached...)}, "response": []any{}, "responseId": "response_" + c.id(),
		"agent":   fields{"extensionId": fields{"value": "GitHub.copilot-chat"}, "id": "github.copilot.editsAgent", "name": "agent", "fullName": "GitHub Copilot"},
		"modelId": "copilot/gpt-5", "modeInfo": fields{"kind": "agent", "isBuiltin": true}, "modelState": fields{"value": 0},
	}
	c.requests = append(c.requests, r)
	c.mutate(2, []any{r}, "requests")
	return c
}

// picture is an image pasted into a prompt.
func picture(name string, content []byte) fields {
	return fields{"kind": "image", "id": name, "name": name, "mimeType": "image/png", "isPasted": true,
		"value": fields{"$base64": base64.StdEncoding.EncodeToString(content)}}
}

// last is the newest request and its place.
func (c *chat) last() (r fields, n int) {
	n = len(c.requests) - 1
	return c.requests[n], n
}

// shows adds parts to the answer.
func (c *chat) gives(parts ...any) *chat {
	c.t.Helper()
	r, n := c.last()
	r["response"] = append(r["response"].([]any), parts...)
	c.mutate(2, parts, "requests", n, "response")
	return c
}

func markdown(text string) fields {
	return fields{"value": text, "supportThemeIcons": false, "supportHtml": false, "uris": fields{}}
}

// begins answers with the first words, as a save in the middle of them has it.
func (c *chat) mutters(words string) *chat {
	c.t.Helper()
	return c.gives(markdown(words))
}

// says is the end of an answer: what was muttered gives way to the whole text.
func (c *chat) says(text string) *chat {
	c.t.Helper()
	c.later(10 * time.Second)
	r, n := c.last()
	c.mutters(text[:len(text)/2])
	parts := r["response"].([]any)
	parts[len(parts)-1] = markdown(text)
	c.cuts(len(parts)-1, []any{markdown(text)}, "requests", n, "response")
	return c.ends(fields{"value": 1, "completedAt": c.clock.UnixMilli()}, nil)
}

// ends closes the newest request.
func (c *chat) ends(state, failure fields) *chat {
	c.t.Helper()
	r, n := c.last()
	result := fields{"timings": fields{"firstProgress": 900, "totalElapsed": 9000}, "details": "GPT-5 • 1x", "metadata": fields{
		"sessionId": c.uuid, "toolCallRounds": r.rounds(), "toolCallResults": fields{"call": fields{"$mid": 20, "content": []any{fields{"value": "what a tool printed"}}}},
		"renderedUserMessage": []any{fields{"type": 1, "text": "<context>\nThe current date is 2026.\n</context>"}},
	}}
	if failure != nil {
		result["errorDetails"] = failure
	}
	r["result"], r["modelState"] = result, state
	c.mutate(1, result, "requests", n, "result")
	c.mutate(1, state, "requests", n, "modelState")
	return c
}

// rounds are the calls of a request with their parameters, which are nowhere
// else.
func (r fields) rounds() []any {
	calls := []any{}
	for _, p := range r["response"].([]any) {
		if args, ok := p.(fields)["arguments"]; ok {
			calls = append(calls, fields{"id": p.(fields)["toolCallId"].(string) + "__vscode-7", "name": p.(fields)["called"], "arguments": args})
		}
	}
	if len(calls) == 0 {
		return calls
	}
	return []any{fields{"response": "", "toolCalls": calls, "toolInputRetry": 0, "id": "round"}}
}

func uriOf(path string) fields {
	return fields{"$mid": 1, "fsPath": path, "external": "file://" + path, "path": path, "scheme": "file"}
}

// call makes the part of a tool call.
func (c *chat) call(tool, name, past string, args fields) fields {
	c.calls++
	return fields{
		"kind": "toolInvocationSerialized", "toolId": tool, "toolCallId": fmt.Sprintf("call_%s_%d", c.uuid[:8], c.calls), "isComplete": true,
		"isConfirmed": fields{"type": 1}, "source": fields{"type": "internal", "label": "Built-In"}, "invocationMessage": past, "pastTenseMessage": past,
		"called": name, "arguments": encode(c.t, args),
	}
}

// edits changes a file of the workspace.
func (c *chat) edits(path string) *chat {
	c.t.Helper()
	path = c.folder + "/" + path
	fence := markdown("\n```\n")
	return c.gives(
		c.call("copilot_replaceString", "replace_string_in_file", "Edited [](file://"+path+")", fields{"filePath": path}), fence,
		fields{"kind": "codeblockUri", "uri": uriOf(path), "isEdit": true},
		fields{"kind": "textEditGroup", "uri": uriOf(path), "edits": []any{[]any{fields{"text": "package p\n", "range": fields{"startLineNumber": 1}}}}, "done": true},
		fence)
}

// runs a command in the terminal.
func (c *chat) runs(command string, exit int) *chat {
	c.t.Helper()
	p := c.call("run_in_terminal", "run_in_terminal", "Ran", fields{"command": command})
	p["toolSpecificData"] = fields{"kind": "terminal", "commandLine": fields{"original": command}, "language": "sh",
		"terminalCommandOutput": fields{"text": "\x1b[31mred\x1b[0m"}, "terminalCommandState": fields{"exitCode": exit}}
	return c.gives(p)
}

// isCalled gives the session a title, by the model or its user.
func (c *chat) isCalled(title string) *chat {
	c.t.Helper()
	c.later(time.Minute)
	c.title = title
	c.mutate(1, title, "customTitle")
	return c
}

// rewindsTo takes back all requests but the first n.
func (c *chat) rewindsTo(n int) *chat {
	c.t.Helper()
	c.later(time.Minute)
	c.requests = c.requests[:n:n]
	c.told = min(c.told, n)
	c.cuts(n, nil, "requests")
	return c
}

// compacts writes the log again: one line with all that is.
func (c *chat) compacts() *chat {
	c.t.Helper()
	c.later(time.Minute)
	c.put(c.log(), c.initial())
	return c
}

// upgrades is the first save by a version that keeps a log: the object stays
// behind.
func (c *chat) upgrades() *chat {
	c.t.Helper()
	c.old = false
	return c.compacts()
}

// said is the text of an answer, without its tools.
func said(r fields) string {
	var b strings.Builder
	for _, p := range r["response"].([]any) {
		if text, ok := p.(fields)["value"].(string); ok && text != "\n```\n" {
			b.WriteString(text)
		}
	}
	return b.String()
}
