package eventlog

import (
	"path/filepath"
	"strings"
	"testing"
)

const parentID = "99999999-2222-4333-8444-555555555555"

// busyLog is a fork's log in which something of everything happens, in an order
// that leaves something open at every line.
func busyLog() []byte {
	own, parents := "/home/ada/.copilot/session-state/"+testID+"/", "/home/ada/.copilot/session-state/"+parentID+"/"
	records := oneLineEvents(
		startEvent(),
		ev("user.message", 1, `{"content":"Inherited"}`),
		ev("tool.execution_start", 2, `{"toolCallId":"p1","toolName":"create","arguments":{"path":"`+parents+`plan.md"}}`),
		ev("tool.execution_complete", 3, `{"toolCallId":"p1","success":true}`),
		ev("tool.execution_start", 4, `{"toolCallId":"p2","toolName":"create","arguments":{"path":"`+parents+`files/a b.txt"}}`),
		ev("tool.execution_complete", 5, `{"toolCallId":"p2","success":true}`),
		ev("tool.execution_start", 6, `{"toolCallId":"p3","toolName":"edit","arguments":{"path":"/home/ada/src/app/inherited.go"}}`),
		ev("tool.execution_complete", 7, `{"toolCallId":"p3","success":true}`),
		ev("assistant.message", 8, `{"content":"Parent's answer"}`),
		ev("session.task_complete", 9, `{"summary":"Parent's summary"}`),
		ev("session.compaction_complete", 10, `{"success":true,"summaryContent":"of the parent"}`),
		ev("session.info", 11, `{"infoType":"fork","message":"Forked from \"a (b) as \\\"c\" (`+parentID+`) as \"x\" (`+testID+`)."}`),
		ev("session.resume", 12, `{"context":{"cwd":"/home/ada/src/app","gitRoot":"/home/ada/src/app","branch":"topic"},"selectedModel":"vendor/opus"}`),
		ev("session.mode_changed", 13, `{"previousMode":"interactive","newMode":"plan"}`),
		ev("subagent.selected", 14, `{"agentName":"reviewer"}`),
		`{"type":"user.message","data":{"content":"No id, no time"}}`,
		ev("assistant.message", 15, `{"content":"","apiCallId":"a1","outputTokens":7,"toolRequests":[
{"toolCallId":"c1","name":"report_intent","arguments":{"intent":"x"}},
{"toolCallId":"c2","name":"apply_patch","arguments":"*** Begin Patch\n*** Add File: new.go\n+x\n*** Update File: old.go\n*** Move to: moved.go\n*** Delete File: gone.go\n*** End Patch"},
{"toolCallId":"c3","name":"bash","arguments":{"command":"git commit -m x && gh pr create","description":"Commit"}},
{"toolCallId":"c4","name":"github-mcp-server-get_issue","arguments":{"owner":"ada","repo":"other","issue_number":7}},
{"toolCallId":"c5","name":"edit","arguments":{"path":"/home/ada/src/app/failed.go"}}]}`),
		ev("session.usage_record", 16, `{"usage":{"inputTokens":100,"outputTokens":7,"apiCallId":"a1"}}`),
		ev("tool.execution_start", 17, `{"toolCallId":"c2","toolName":"apply_patch","arguments":"*** Begin Patch\n*** Add File: new.go\n*** End Patch"}`),
		ev("tool.execution_complete", 18, `{"toolCallId":"c2","success":true}`),
		"not JSON at all",
		ev("user.message", 19, `{"content":"Steering","delivery":"steering","agentMode":"autopilot"}`),
		ev("tool.execution_complete", 20, `{"toolCallId":"c3","success":true,"result":{"content":"[topic abc1234] Fix it\nhttps://github.com/ada/app/pull/5"},"shellExecution":{"exitCode":0}}`),
		ev("tool.execution_complete", 21, `{"toolCallId":"c4","success":true}`),
		ev("tool.execution_complete", 22, `{"toolCallId":"c5","success":false,"error":{"message":"no"}}`),
		ev("session.error", 23, `{"errorType":"x","message":"It broke\n    at f (x.js:1)"}`),
		ev("assistant.message", 24, `{"content":"One ","apiCallId":"a2","chunkIndex":0,"chunkCount":3}`),
		ev("assistant.message", 25, `{"content":"\n\n","apiCallId":"a2","chunkIndex":1,"chunkCount":3}`),
		ev("assistant.message", 26, `{"content":"two.","apiCallId":"a2","chunkIndex":2,"chunkCount":3}`),
		ev("assistant.message", 26, `{"content":"two.","apiCallId":"a2","chunkIndex":2,"chunkCount":3}`),
		"\x00\x00\x00"+ev("tool.execution_start", 27, `{"toolCallId":"c6","toolName":"create","arguments":{"path":"`+own+`plan.md"}}`),
		ev("tool.execution_complete", 28, `{"toolCallId":"c6","success":true,"fileEdits":[{"path":"`+own+`plan.md","kind":"create"}]}`),
		ev("session.plan_changed", 29, `{"operation":"update"}`),
		ev("session.compaction_complete", 30, `{"success":true,"summaryContent":"<overview>\nx\n</overview>"}`),
		ev("session.task_complete", 31, `{"summary":"Own summary"}`),
		ev("session.handoff", 32, `{"summary":"Weaker"}`),
		ev("session.shutdown", 33, `{"codeChanges":{"filesModified":["/home/ada/src/app/inherited.go","/home/ada/src/app/new.go","/home/ada/src/app/silent.go"]},"modelMetrics":{"haiku":{}}}`),
		ev("tool.execution_start", 34, `{"toolCallId":"c7","toolName":"view","arguments":{"path":"new.go"}}`),
		ev("abort", 35, `{"reason":"user_abort"}`),
	)
	return []byte(strings.Join(records, "\n") + "\n")
}

func TestBusyLog(t *testing.T) {
	body := busyLog()
	path := filepath.Join(t.TempDir(), "events.jsonl")
	got := readBytes(t, path, body, testID)
	want := `{"id":"` + testID + `","summary":"Own summary","summary_from":3,"summary_at":"2026-03-01T10:00:31Z",
"place":{"cwd":"/home/ada/src/app","git_root":"/home/ada/src/app","repository":"ada/app","host":"github.com","branch":"topic"},
"models":["gpt-5","opus","haiku"],"created":"2026-03-01T10:00:11Z","updated":"2026-03-01T10:00:34Z",
"parent":"` + parentID + `","whole":true,
"damage":["1 line could not be read"],"turns":[
{"index":0,"id":"user.message-1","at":"2026-03-01T10:00:01Z","end":"2026-03-01T10:00:08Z","user":"Inherited","assistant":"Parent's answer\n\nParent's summary","last":17,
"model":"gpt-5","status":"complete","inherited":true,"tools":[
{"name":"create","kind":"create","detail":"plan.md","ok":true,"after":0},
{"name":"create","kind":"create","detail":"files/a b.txt","ok":true,"after":0},
{"name":"edit","kind":"edit","detail":"inherited.go","ok":true,"after":0}]},
{"index":1,"at":"2026-03-01T10:00:14Z","end":"2026-03-01T10:00:22Z","user":"No id, no time","assistant":"",
"model":"opus","mode":"plan","agent":"reviewer","status":"complete","tokens":{"in":100,"out":7},"tools":[
{"name":"apply_patch","kind":"edit","detail":"new.go, old.go, moved.go","ok":true,"after":0},
{"name":"bash","kind":"run","detail":"Commit","ok":true,"command":"git commit -m x && gh pr create","exit":0,"after":0},
{"name":"github-mcp-server-get_issue","kind":"mcp","detail":"ada","ok":true,"after":0},
{"name":"edit","kind":"edit","detail":"failed.go","ok":false,"after":0,"errors":"no"}]},
{"index":2,"id":"user.message-19","at":"2026-03-01T10:00:19Z","end":"2026-03-01T10:00:34Z","user":"Steering","assistant":"One \n\ntwo.\n\nOwn summary","last":12,
"model":"opus","mode":"autopilot","agent":"reviewer","status":"cancelled","tools":[
{"name":"create","kind":"create","detail":"plan.md","ok":true,"after":10},
{"name":"view","kind":"read","detail":"new.go","after":23}]}],
"checkpoints":[{"number":1,"at":"2026-03-01T10:00:10Z","raw":"of the parent","inherited":true},
{"number":2,"at":"2026-03-01T10:00:30Z","overview":"x"}],
"artifacts":[{"kind":"plan","name":"plan.md","at":"2026-03-01T10:00:29Z"},
{"kind":"file","name":"a b.txt","at":"2026-03-01T10:00:05Z"}],
"files":[{"path":"/home/ada/src/app/inherited.go","kind":"edited","tool":"edit","turn":0,"at":"2026-03-01T10:00:07Z"},
{"path":"new.go","kind":"created","tool":"apply_patch","turn":1,"at":"2026-03-01T10:00:18Z"},
{"path":"old.go","kind":"deleted","tool":"apply_patch","turn":1,"at":"2026-03-01T10:00:18Z"},
{"path":"moved.go","kind":"renamed","tool":"apply_patch","turn":1,"at":"2026-03-01T10:00:18Z"},
{"path":"gone.go","kind":"deleted","tool":"apply_patch","turn":1,"at":"2026-03-01T10:00:18Z"},
{"path":"/home/ada/src/app/silent.go","kind":"edited","turn":-1,"at":"2026-03-01T10:00:33Z"}],
"refs":[{"type":"commit","value":"abc1234","text":"Fix it","turn":1,"at":"2026-03-01T10:00:14Z"},{"type":"pr","value":"5","turn":1,"at":"2026-03-01T10:00:14Z"},
{"type":"issue","value":"7","repo":"github.com/ada/other","turn":1,"at":"2026-03-01T10:00:14Z"}],
"acts":[{"kind":"wrote","turn":0,"at":"2026-03-01T10:00:03Z","text":"plan.md"},{"kind":"wrote","turn":0,"at":"2026-03-01T10:00:05Z","text":"a b.txt"},
{"kind":"wrote","turn":2,"at":"2026-03-01T10:00:29Z","text":"plan.md"}]}`
	if g, w := asJSON(t, got), indented(t, want); g != w {
		t.Errorf("%s\n%s", firstDifference(g, w), g)
	}
}
