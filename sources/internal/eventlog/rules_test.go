package eventlog

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestWhatIsATurn(t *testing.T) {
	for name, c := range map[string]struct {
		data string
		want string // the prompt, "-" for no turn
	}{
		"typed":                {`{"content":"Hi"}`, "Hi"},
		"empty":                {`{"content":""}`, ""},
		"null content":         {`{"content":null,"source":null}`, ""},
		"wrong type":           {`{"content":{"a":1},"attachments":7}`, ""},
		"empty source":         {`{"content":"Hi","source":""}`, "Hi"},
		"injected by a skill":  {`{"content":"Hi","source":"skill-x"}`, "-"},
		"of a sub-agent":       {`{"content":"Hi","parentToolCallId":"c1"}`, "-"},
		"steering":             {`{"content":"Hi","delivery":"steering"}`, "Hi"},
		"datetime behind":      {`{"content":"Hi\n\n<current_datetime>2025-12-01</current_datetime>"}`, "Hi"},
		"blocks around":        {`{"content":"<system_reminder>a</system_reminder>\n\n  Hi <current_datetime>x</current_datetime> you\n<system_reminder>b</system_reminder>\n"}`, "  Hi <current_datetime>x</current_datetime> you"},
		"half a block":         {`{"content":"why does <system_reminder> show?"}`, "why does <system_reminder> show?"},
		"half a surrogate":     {`{"content":"a\ud83db"}`, "a\ufffdb"},
		"surrogates":           {`{"content":"\ud83d\ude00"}`, "\U0001F600"},
		"raw line separator":   {"{\"content\":\"a\u2028b\"}", "a\u2028b"},
		"not UTF-8":            {"{\"content\":\"a\xffb\"}", "a\ufffdb"},
		"data is null":         {`null`, "-"},
		"spaces at the margin": {`{"content":"  code\n"}`, "  code\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s := readRecords(t, ev("user.message", 1, c.data))
			got := "-"
			if len(s.Turns) == 1 {
				got = s.Turns[0].User
			}
			expect.Is(t, got, c.want)
		})
	}
}

func TestTouchesOfCalls(t *testing.T) {
	for name, c := range map[string]struct {
		tool, args, end string
		want            string
	}{
		"created":            {"create", `{"path":"/p/a"}`, `"success":true`, "created /p/a"},
		"failed":             {"create", `{"path":"/p/a"}`, `"success":false`, ""},
		"unknown outcome":    {"edit", `{"path":"/p/a"}`, `"x":1`, "edited /p/a"},
		"file edits win":     {"edit", `{"path":"/p/a"}`, `"success":true,"fileEdits":[{"path":"/p/b","kind":"delete"}]`, "deleted /p/b"},
		"editor of 2025":     {"str_replace_editor", `{"command":"view","path":"/p/a"}`, `"success":true`, "viewed /p/a"},
		"arguments in text":  {"create", `"{\"path\":\"/p/a\"}"`, `"success":true`, "created /p/a"},
		"patch as a member":  {"apply_patch", `{"input":"*** Begin Patch\n*** Update File: a.go\n+*** Add File: no\n"}`, `"success":true`, "edited a.go"},
		"own folder":         {"create", `{"path":"C:\\Users\\ada\\.copilot\\session-state\\` + testID + `\\plan.md"}`, `"success":true`, ""},
		"another's folder":   {"create", `{"path":"/x/.copilot/session-state/` + parentID + `/files/a"}`, `"success":true`, ""},
		"arguments are null": {"create", `null`, `"success":true`, ""},
		"path of wrong type": {"create", `{"path":["/p/a"]}`, `"success":true`, ""},
		"arguments nested":   {"create", `{"x":` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + `,"path":"/p/a"}`, `"success":true`, "created /p/a"},
	} {
		t.Run(name, func(t *testing.T) {
			s := readRecords(t, ev("user.message", 1, `{"content":"Q"}`),
				ev("tool.execution_start", 2, `{"toolCallId":"c","toolName":"`+c.tool+`","arguments":`+c.args+`}`),
				ev("tool.execution_complete", 3, `{"toolCallId":"c",`+c.end+`}`))
			var got []string
			for _, f := range s.Files {
				got = append(got, f.Kind+" "+f.Path)
			}
			expect.Is(t, strings.Join(got, ", "), c.want)
			if len(s.Damage) > 0 {
				t.Error(s.Damage)
			}
		})
	}
}

func TestDetailOfCalls(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for _, c := range []struct{ tool, args, want string }{
		{"bash", `{"command":"ls","description":"List"}`, "List"},
		{"bash", `{"command":"cd /home/ada/src/app &&\n  make  all"}`, "cd ~/src/app && make all"},
		{"view", `{"path":"/home/ada/src/app/x/y.go"}`, "x/y.go"},
		{"view", `{"path":"/home/ada/src/app"}`, "."},
		{"view", `{"path":"/home/ada/notes.md"}`, "~/notes.md"},
		{"view", `{"path":"C:\\Users\\ada\\notes.md"}`, `~\notes.md`},
		{"view", `{"path":"/root/x"}`, "~/x"},
		{"view", `{"path":"/srv/home/x"}`, "/srv/home/x"},
		{"str_replace_editor", `{"command":"view","path":"a.go"}`, "a.go"},
		{"grep", `{"pattern":"foo","path":"/home/ada/src/app"}`, "foo"},
		{"web_fetch", `{"url":"https://example.org/","max":3}`, "https://example.org/"},
		{"apply_patch", `"*** Begin Patch\n*** Update File: a.go\n"`, "a.go"},
		{"mystery", `{"n":1,"what":"this"}`, "this"},
		{"bash", `{"command":"` + long + `"}`, strings.TrimSpace(long[:195]) + "…"},
		{"bash", `{"command":"` + strings.Repeat("é", 150) + `"}`, strings.Repeat("é", 98) + "…"},
	} {
		s := readRecords(t, ev("user.message", 1, `{"content":"Q"}`),
			ev("tool.execution_start", 2, `{"toolCallId":"c","toolName":"`+c.tool+`","arguments":`+c.args+`}`))
		got := s.Turns[0].Tools[0].Detail
		if got != c.want || len(got) > tools.DetailSize {
			t.Errorf("%s %.60s: %q, want %q", c.tool, c.args, got, c.want)
		}
	}
}

// How a command ended stands in a field, or at the end of what it gave: nowhere else, and
// in a long record as in a short one.
func TestCommandsAndTheirExitCodes(t *testing.T) {
	script, long := "cat > a.go <<'EOF'\npackage a\nEOF\ngo test ./...", strings.Repeat("x ", longText)
	for name, c := range map[string]struct {
		tool, command, end string
		want               string
		exit               int // -1: unknown
	}{
		"a field":              {"bash", script, `"shellExecution":{"exitCode":2}`, script, 2},
		"a field of 0":         {"powershell", "dir", `"shellExecution":{"exitCode":0}`, "dir", 0},
		"1.0.40":               {"bash", "ls", `"result":{"content":"a\n<exited with exit code 1>"}`, "ls", 1},
		"1.0.60":               {"bash", "ls", `"result":{"content":"\n<shellId: 0 completed with exit code 0>"}`, "ls", 0},
		"as text":              {"bash", "ls", `"result":"\n<exited with exit code 127>"`, "ls", 127},
		"a long one":           {"bash", "ls", `"result":{"content":"` + long + `<exited with exit code 1>","detailedContent":"` + long + `"}`, "ls", 1},
		"a long one that asks": {"bash", "ls", `"result":{"content":"` + long + `\"<exited with exit code 1>\" was printed"}`, "ls", -1},
		"told in the middle":   {"bash", "ls", `"result":{"content":"<exited with exit code 1>\" was printed"}`, "ls", -1},
		"in the background":    {"bash", "sleep 9", `"result":{"content":"<command with shellId: 4 is still running>"}`, "sleep 9", -1},
		"no command":           {"str_replace_editor", "view", `"result":{"content":"<exited with exit code 1>"}`, "", -1},
		"colours":              {"bash", "printf '\x1b[31mred\x1b[0m'\r\nls\n", `"success":true`, "printf 'red'\nls", -1},
		"a long script":        {"bash", strings.Repeat("word ", 2000), `"success":true`, strings.TrimSpace(strings.Repeat("word ", 1638)) + "…", -1},
	} {
		t.Run(name, func(t *testing.T) {
			args, _ := json.Marshal(map[string]string{"command": c.command})
			s := readRecords(t, ev("user.message", 1, `{"content":"Q"}`),
				ev("assistant.message", 2, `{"content":"","toolRequests":[{"toolCallId":"c","name":"`+c.tool+`","arguments":`+string(args)+`}]}`),
				ev("tool.execution_complete", 3, `{"toolCallId":"c","success":true,`+c.end+`}`))
			tool, exit := s.Turns[0].Tools[0], -1
			if tool.Exit != nil {
				exit = *tool.Exit
			}
			if tool.Command != c.want || exit != c.exit {
				t.Errorf("%.80q ended with %d, want %.80q and %d", tool.Command, exit, c.want, c.exit)
			}
		})
	}
}

func TestRefsInResults(t *testing.T) {
	for _, c := range []struct{ command, result, want string }{
		{"git commit -m x", `[main (root-commit) abc1234] First\n 1 file`, "commit abc1234 First"},
		{"git commit -m x", `[detached HEAD abc1234] On its own`, "commit abc1234 On its own"},
		{"make", `[main abc1234] not by git`, ""},
		{"git log", `x [main abc1234] within a line`, ""},
		{"gh pr create", `https://github.com/ada/app/pull/12`, "pr 12"},
		{"gh pr create --body 'a && b' --title 'Key rotation' && gh issue create -t \\\"Load test\\\"", `https://github.com/ada/app/pull/12 https://github.com/ada/app/issues/13`, "pr 12 Key rotation, issue 13 Load test"},
		{"gh pr create --title \\\"$T\\\"", `https://github.com/ada/app/pull/12`, "pr 12"},
		{"gh issue create --title 'one'; gh issue create --fill", `https://github.com/ada/app/issues/1 https://github.com/ada/app/issues/2`, "issue 1, issue 2"},
		{"gh pr view 12", `https://ghe.example.com:8443/team/x.y/issues/3`, "issue 3 ghe.example.com:8443/team/x.y"},
		{"curl x", `https://github.com/ada/app/pull/12`, ""},
		{"git commit -qm 'Quiet one'", ``, "commit Quiet one"},
		{"git add . && git commit --quiet -m Two && git log --oneline -1", `1234abc Two`, "commit 1234abc Two"},
		{"git commit -m x", `nothing to commit\n<exited with exit code 1>`, ""},
		{"gh issue create", `https://github.com/ada/app/issues/0 https://github.com/ada/app/issues/99999999999`, ""},
	} {
		s := readRecords(t, ev("user.message", 1, `{"content":"Q"}`),
			ev("tool.execution_start", 2, `{"toolCallId":"c","toolName":"bash","arguments":{"command":"`+c.command+`"}}`),
			ev("tool.execution_complete", 3, `{"toolCallId":"c","success":true,"result":{"content":"`+c.result+`"}}`))
		var got []string
		for _, r := range s.Refs {
			got = append(got, strings.Join(strings.Fields(r.Type+" "+r.Value+" "+r.Text+" "+r.Repo), " "))
		}
		expect.Is(t, strings.Join(got, ", "), c.want, c.command)
	}
}

func TestAttachments(t *testing.T) {
	s := readRecords(t, ev("user.message", 1, `{"content":"","attachments":[
{"type":"file","path":"/home/ada/src/app/a.go","displayName":"a.go"},
{"type":"selection","filePath":"/home/ada/src/app/b.go","displayName":"b.go","text":"x"},
{"type":"directory","path":"/home/ada/docs"},{"type":"blob","mimeType":"image/png","displayName":"shot.png"},
{"type":"github_reference","referenceType":"pr","number":9,"title":"Title","url":"https://github.com/ada/app/pull/9"},
{"type":"github_commit","sha":"ABCDEF1234567890","title":"Subject"},null,7,{}]}`))
	var got []string
	for _, a := range s.Turns[0].Attachments {
		got = append(got, a.Kind+" "+a.Name)
	}
	for _, f := range s.Files {
		got = append(got, f.Kind+" "+f.Path)
	}
	for _, r := range s.Refs {
		got = append(got, r.Type+" "+r.Value+" "+r.Text)
	}
	want := "file a.go, selection b.go, directory ~/docs, image shot.png, pr Title, commit Subject, " +
		"viewed /home/ada/src/app/a.go, viewed /home/ada/src/app/b.go, pr 9 Title, commit abcdef123456 Subject"
	expect.Is(t, strings.Join(got, ", "), want)
}

func TestDamageIsToldAndTheRestRead(t *testing.T) {
	question, answer := ev("user.message", 1, `{"content":"Q"}`), ev("assistant.message", 2, `{"content":"A"}`)
	for name, c := range map[string]struct {
		between string
		want    string
	}{
		"nothing":          {`{"type":"hook.end","data":{}}`, ""},
		"garbage":          {`}{`, "1 line could not be read"},
		"two bad lines":    {"[]\n" + `{"type":7,"data":{}}`, "2 lines could not be read"},
		"torn and resumed": {question[:40] + answer, "1 line could not be read"},
		"blank lines":      {"\n \r\n\x00\x00", ""},
		"a long record":    {ev("assistant.message", 3, `{"content":"`+strings.Repeat("x", 60_000)+`"}`), "a record of 0 MB was skipped"},
		"nested too deep":  {ev("assistant.message", 3, `{"x":`+strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000)+`}`), "1 line could not be read"},
		"a long hook":      {ev("hook.start", 3, `{"content":"`+strings.Repeat("x", 60_000)+`"}`), ""},
		"type comes last":  {`{"data":{"x":"` + strings.Repeat("y", 9000) + `"},"type":"hook.end"}`, ""},
		"NUL bytes inside": {strings.Replace(ev("session.info", 3, `{}`), `"data"`, "\x00\x00\"data\"", 1), ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := writeLog(t, "\ufeff"+strings.ReplaceAll(startEvent(), "\n", "")+"\r", question, c.between, answer)
			r := expect.Value(read(context.Background(), path, testID, 50_000, nil))(t)
			s := r.Session
			expect.Is(t, strings.Join(s.Damage, "; "), c.want, "damage")
			if len(s.Turns) != 1 || s.Turns[0].Assistant != "A" || !s.Complete {
				t.Errorf("the rest was not read: %s", asJSON(t, s))
			}
		})
	}
}

func TestUnknownTypesAreCounted(t *testing.T) {
	path := writeLog(t, strings.ReplaceAll(startEvent(), "\n", ""), ev("session.brand_new", 1, `{}`), ev("session.brand_new", 2, `{}`),
		ev("strange", 3, `{}`), ev("model.whatever", 4, `{}`), ev("x\u001b"+strings.Repeat("y", 99), 5, `{}`))
	r := expect.Value(Read(context.Background(), path, testID))(t)
	if len(r.Unknown) != 3 || r.Unknown["session.brand_new"] != 2 || r.Unknown["strange"] != 1 {
		t.Errorf("%v", r.Unknown)
	}
}

func TestHiddenRunsAndOtherBeginnings(t *testing.T) {
	hidden := ev("session.start", 0, `{"sessionId":"x","detachedFromSpawningParentSessionId":"`+parentID+`"}`)
	question := ev("user.message", 1, `{"content":"Q"}`)
	for name, c := range map[string]struct {
		records []string
		turns   int
		whole   bool
	}{
		"hidden run":        {[]string{hidden, question}, 0, true},
		"cut beginning":     {[]string{ev("assistant.message", 0, `{"content":"A"}`), question}, 2, false},
		"empty log":         {nil, 0, false},
		"fork of another":   {[]string{question, ev("session.info", 2, `{"infoType":"fork","message":"Forked from \"a\" (`+parentID+`) as \"b\" (someone-else)."}`)}, 1, false},
		"notice of a fork":  {[]string{question, ev("session.info", 2, `{"infoType":"fork","message":"Forked this session into \"b\" (`+parentID+`)."}`)}, 1, false},
		"moved into events": {[]string{ev("session.import_legacy", 1, `{"legacySession":`+strings.ReplaceAll(legacyDocument, "\n", "")+`}`), question}, 3, true},
	} {
		r := expect.Value(Read(context.Background(), writeLog(t, c.records...), testID))(t)
		if len(r.Session.Turns) != c.turns || r.Session.Complete != c.whole {
			t.Errorf("%s: %s", name, asJSON(t, r.Session))
		}
	}
}

func TestLogThatCannotBeRead(t *testing.T) {
	if _, err := Read(context.Background(), filepath.Join(t.TempDir(), "none"), testID); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, writeLog(t, "{}"), testID); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestCompactionsBecomeCheckpoints(t *testing.T) {
	s := readRecords(t,
		ev("session.compaction_complete", 1, `{"success":true,"summaryContent":"<checkpoint_title>One</checkpoint_title>\n<overview>\na\n</overview>","checkpointNumber":"4"}`),
		ev("session.compaction_complete", 2, `{"success":false,"summaryContent":"failed"}`),
		ev("session.compaction_complete", 3, `{"success":true,"summaryContent":" \n"}`),
		ev("session.compaction_complete", 4, `{"success":true,"summaryContent":"Two"}`),
		ev("session.compaction_complete", 5, `{"success":true,"summaryContent":"Two again","checkpointNumber":5}`))
	var got []string
	for _, c := range s.Checkpoints {
		got = append(got, strings.Join(strings.Fields(strconv.Itoa(c.Number)+" "+c.Title+" "+c.Overview+c.Raw), " "))
	}
	expect.Is(t, strings.Join(got, ", "), "4 One a, 5 Two again")
}

func TestPathsInASessionsFolderAreNoFilesOfAProject(t *testing.T) {
	for path, want := range map[string]bool{
		"/home/dev/.copilot/session-state/x/plan.md":       true,
		`C:\Users\dev\.copilot\session-state\x\files\a.md`: true,
		"/home/dev/src/session-state/notes.md":             false,
		"src/a.go":                                         false,
		"session-state/x/plan.md":                          true,
	} {
		expect.Is(t, InStateFolder(path), want, path)
	}
}
