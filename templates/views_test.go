package templates

import "time"

// at returns a time of November 2026.
func at(day, hour, minute int) time.Time {
	return time.Date(2026, time.November, day, hour, minute, 0, 0, time.UTC)
}

const folder = "Agents/projects/widget (octo-org)/"

var (
	widget   = Link{Path: folder + "widget (octo-org)", Text: "widget"}
	docsSite = Link{Path: "Agents/projects/docs-site (octo-org)/docs-site (octo-org)", Text: "docs-site"}
	rotation = Link{Path: folder + "sessions/2026-11-03 0830 How could we rotate the signing key without", Text: "Key rotation without logging everyone out"}
	jwtAuth  = Link{Path: folder + "sessions/2026-11-02 0911 Implement JWT auth for the widget API every", Text: "JWT authentication for the widget API"}
	flaky    = Link{Path: folder + "sessions/2026-11-04 1015 TestExpiry fails", Text: "Flaky TestExpiry in internal/store"}
	jwtGo    = Link{Path: folder + "files/jwt.go (internal-auth)", Text: "internal/auth/jwt.go"}
	routerGo = Link{Path: folder + "files/router.go (internal-httpx)", Text: "internal/httpx/router.go"}
)

const designs = "Three designs:\n\n" +
	"| design | rotation | cost |\n|---|---|---|\n" +
	"| two variables, `…_KEY` and `…_KEY_OLD` | restart | none, but only ever two keys |\n" +
	"| key file, read again on SIGHUP | no restart | a small parser |\n" +
	"| key service | central | a new dependency on every request path |\n\n" +
	"I'd take the **key file**: `kid` tells which key signed.\n\n" +
	"```go\ntype Ring struct {\n\tkeys atomic.Pointer[[]key]\n}\n\n\n// Add makes k the active key.\nfunc (r *Ring) Add(k key) { … }\n```\n\n" +
	"## What it costs\n\n1. a parser\n2. a signal handler, see [the docs](https://pkg.go.dev/os/signal#Notify)\n   - tested with `kill -HUP`\n"

// rotationView is a session as most are: several prompts over two days.
func rotationView() Session {
	return Session{
		Title:   "Key rotation without logging everyone out",
		Summary: "Key rotation is complete on branch `key-rotation`: ring, key file, reload, pull request. An issue tracks the removal of `WIDGET_AUTH_KEY`.",
		Project: widget, Folders: []Link{docsSite}, Agent: "copilot-cli", Branch: "key-rotation", BaseBranch: "jwt-auth",
		Models: []Code{"claude-opus-4.5"},
		Spans:  []Span{{at(3, 8, 30), at(3, 9, 28)}, {at(4, 8, 3), at(4, 8, 3)}}, Prompts: 3,
		Open: []Box{
			{Text: "Docs page: how to rotate (docs-site)", Block: "open-76a2cf01", From: Link{Path: folder + "checkpoints/2026-11-03 (7524f8de-3)", Text: "plan"}},
			{Text: "Load test with ten keys", Block: "open-44721602", From: Link{Path: "#^t-fa053c09", Text: "question"}},
			{Text: "Remove `WIDGET_AUTH_KEY`", Block: "open-bb49c603", From: Link{Text: "task list"}, After: []Text{"Docs page: how to rotate", "Release v0.5"}},
		},
		Done:    []Box{{Text: "Decide where the key id lives"}, {Text: "`Ring` with one active key"}},
		Commits: []Ref{{Type: "commit", Value: "63eee27", Text: "auth: keyring", URL: "https://github.com/octo-org/widget/commit/63eee27", Turn: Link{Path: "#^t-fa053c09", Text: "2"}}, {Type: "commit", Value: "2ba9e72"}},
		Others: []Ref{
			{Type: "issue", Value: "42", Text: "Remove WIDGET_AUTH_KEY", URL: "https://github.com/octo-org/widget/issues/42"},
			{Type: "pr", Value: "43", URL: "https://github.com/octo-org/widget/pull/43"},
		},
		Decided: []Decided{{
			From: Link{Path: "#^t-fa053c09", Text: "2"}, Kind: "answered",
			Text: "Where does `kid` live? → in the **claims**",
		}},
		Words: []Worded{
			{"claude", at(26, 9, 0), true, "Outcome", "Keys rotate without a restart.", "Pull request 43 and issue 42 are open.", Link{"#^t-cc6c6f49", "3"}},
			{Kind: "Learned", Text: "The `ring` holds *two* keys.", Quote: "an empty key file is an error", From: Link{"#^t-fa053c09", "2"}},
			{Text: "Tests inject the clock.", Quote: "inject the clock, no sleeps", From: Link{"#^t-fa053c09", "2"}},
		},
		Remembered: []Remembered{{"tests", "inject the clock, no sleeps", Link{"#^t-fa053c09", "2"}}},
		Ended: Ended{
			Prompt: "Open the pull request, and an issue for `WIDGET_AUTH_KEY`.", Turn: Link{"#^t-cc6c6f49", "3"}, Words: []Text{"Pull request 43 and issue 42 are open.", "The docs page is left."},
			Steps: []Text{"Docs page: how to rotate"}, Checkpoint: Link{folder + "checkpoints/2026-11-03 (7524f8de-3)", "checkpoint 3"}, At: at(3, 9, 12), Followed: 2,
			Check: LastCheck{"go test ./...", "1", Link{"#^t-fa053c09", "2"}},
		},
		Saved:    []Link{{folder + "memory/2026-11-03 0830 plan How could we rotate", "Plan: keys"}},
		Commands: []Command{{Turn: Link{"#^t-fa053c09", "2"}, What: "Format, vet, test", Line: "gofmt -w . && go test ./..."}, {Turn: Link{Text: "3"}, Line: "go build ./...", Failed: "exit code 1"}},
		Failed:   1,
		Headless: true,
		SubAgents: []SubAgent{
			{Name: "Averroes", Calls: 3, Turn: Link{"#^t-fa053c09", "2"}, Task: "Look for callers of Sign. Say where they lie.", Answer: "Two callers:\n\n- `router.go`\n- `main.go`"},
			{Name: "explorer"},
		},
		Actions:   []Action{{Link{"#^t-fa053c09", "2"}, "!git status --short"}, {Link{}, "/context"}},
		TakenBack: []Turn{{At: at(3, 8, 50), Prompt: "Use Redis.\nNo, wait.", Answer: "Redis it is."}},
		GoOn:      []Text{"cd ~/src/widget && copilot --resume=7524f8de", "", "Quoted from the session \"Key rotation\":", "> Last prompt: Push it.", "> Open: Load test with `ten` keys"},
		Checkpoints: []CheckpointLine{
			{1, Link{folder + "checkpoints/2026-11-03 keyring (7524f8de-1)", "Keyring for token signing keys"}, at(3, 8, 50), "The user wants to rotate the signing key of `widgetd`. We agreed on a keyring."},
			{2, Link{folder + "checkpoints/2026-11-03 middleware (7524f8de-2)", "Middleware on a Verifier interface"}, at(3, 9, 20), ""},
		},
		Files: []FileLine{
			{"internal/auth/jwt.go", []Text{"edited"}, []Link{{Path: "#^t-fa053c09", Text: "2"}}},
			{"internal/auth/keyring.go", []Text{"created", "edited"}, []Link{{Path: "#^t-9d5b0cc9", Text: "1"}, {Path: "#^t-fa053c09", Text: "2"}, {Text: "5"}}},
		},
		MoreFiles: 3,
		LeftOut:   []Text{"files/profile.pb.gz: binary"},
		Part:      1, Parts: 1, Transcript: "digest",
		Turns: []Turn{
			{
				Number: 1, Block: "t-9d5b0cc9", At: at(3, 8, 30), Prompt: "How could we rotate the signing key without logging everyone out? Compare two or three designs, no code yet.",
				Answer: designs, Status: "complete", Digest: true,
				Tools: []ToolLine{
					{Kind: "read", Details: []ToolDetail{{Text: "internal/auth/jwt.go", Times: 1}, {Text: "cmd/widgetd/main.go", Times: 1}}},
					{Kind: "search", Details: []ToolDetail{{Text: "kid", Times: 2}}},
				},
			},
			{
				Number: 2, Block: "t-fa053c09", Open: true, Joined: []Turn{{Number: 3, At: at(3, 8, 40), Prompt: "ok go", Answer: "Going on.", Status: "complete"}}, At: at(3, 8, 36), Prompt: "Agreed, key file.\n\nStart with a keyring type only:\n- don't touch the middleware\n- new branch",
				Answer: "`auth.Ring` is in: `Add` makes a key the active one.", Status: "failed", Error: "rate limit: try again in 5 minutes",
				Model: "gpt-5.2", Mode: "plan", Attachments: []Code{"internal/auth", "notes [old].md"},
				Images:    []Path{folder + "attachments/0123456789abcdef.png", folder + "attachments/x]].png"},
				Citations: []Text{"MIT: github.com/example/ring"}, Digest: true,
				Tools: []ToolLine{
					{Kind: "edit", Details: []ToolDetail{{Text: "jwt.go", Times: 2}}},
					{Kind: "run", Details: []ToolDetail{{Text: "go test ./...", Times: 2}, {Text: "gofmt -l .", Failed: true, Times: 1}}},
					{Kind: "mcp", Name: "github-mcp-server-issue_read", Details: []ToolDetail{{Times: 1}}},
					{Kind: "task", Details: []ToolDetail{{Text: "audience [check]", Times: 1, Within: []ToolLine{
						{Kind: "search", Details: []ToolDetail{{Times: 1}}},
						{Kind: "read", Details: []ToolDetail{{Text: "a.go", Times: 1}, {Text: "b.go", Times: 2}}}}}, {Text: "docs", Times: 1}}},
				},
			},
			{Number: 3, At: at(4, 8, 3), NewDay: true, Prompt: "Push it.", Status: "cancelled", Digest: true},
		},
	}
}

func checkpointView() Checkpoint {
	return Checkpoint{
		Number: 1, Title: "Keyring for token signing keys", At: at(3, 8, 50), Session: rotation, Project: widget,
		Overview:  "The user wants to rotate the HS256 signing key of `widgetd` without logging everyone out.",
		History:   "1. The user asked how rotation could work\n   - Compared three designs\n   - The user chose a key file\n2. The user asked for the keyring type first",
		WorkDone:  "Files updated:\n- `internal/auth/keyring.go`: new, type `Ring`\n\nWork completed:\n- [x] Decide where the key id lives\n- [ ] Tests for the ring",
		Technical: "- **Why `kid` is a claim**: `Verify` compares the MAC first.\n- Literal text that must survive: `a < b && c > d`, `<kid>`, and a pipe | in a table.",
		Important: "- internal/auth/keyring.go\n   - The heart of the change",
		NextSteps: "Immediate next steps:\n- Write `keyring_test.go`",
	}
}

func memoryView() Memory {
	return Memory{
		Kind: "plan", Name: "plan.md", Title: "Plan: JWT authentication", At: at(2, 9, 40), Session: jwtAuth, Project: widget,
		Scope: "session", Text: "# Plan\n\n## Steps\n- [x] Claims type\n- [ ] Docs page\n\n---\n\nNothing else.\n",
	}
}

func projectView() Project {
	return Project{
		Name: "widget", Repository: "octo-org/widget", URL: "https://github.com/octo-org/widget",
		First: time.Date(2026, time.May, 11, 9, 2, 0, 0, time.UTC), Last: at(13, 9, 4), Folders: []Link{docsSite}, Count: 12, Agents: []Text{"claude-code", "copilot-cli", "new *one*"},
		Usage: Usage{[]ModelUse{{"claude-opus-4.5", 11}, {"gpt`5", 1}}, 1_249_000},
		Now:   Now{"PR 43: `ring`", rotation, "key-rotation"},
		GoOn:  []Text{"cd ~/src/widget && copilot --resume=7524f8de", "", "> Last prompt: Push it."},
		Words: []Worded{{By: "claude", At: at(3, 9, 2), Text: "The `ring` holds *two* keys.", From: rotation}},
		Decided: []Decided{
			{at(3, 9, 2), "What is an empty key file? → an error", "answered", rotation},
			{at(2, 9, 2), "Turn `auth` off", "taken back", jwtAuth},
		},
		Ended: []SessionEnded{{
			At: at(4, 13, 5), Session: flaky, Prompt: "Push it.", Words: "It is pushed.", Steps: []Text{"Release `v0.5`"},
			Checkpoint: Link{Text: "checkpoint 1"}, Check: LastCheck{"go test ./store", "0", Link{flaky.Path + "#^t-4129ca5a", "last check"}},
		}, {Session: jwtAuth, Prompt: "Go on."}},
		Details: []Fact{{"`kid` is a claim", Link{Text: "checkpoint 1"}}},
		Others:  []Link{docsSite, {Text: "a question"}}, MoreOthers: 2,
		Memory:   []Fact{{"No sleeps in tests: inject the clock.", Link{folder + "memory/testing", "Testing"}}},
		Commands: []Worked{{"test", "go test ./...", rotation}},
		Fixes:    []Fixed{{at(4, 13, 5), "TestExpiry fails", "`3ee38ba` injectable clock", flaky}},
		Saved:    []Link{{folder + "memory/2026-11-02 0911 plan Implement JWT auth", "JWT authentication"}},
		Canvas:   folder + "widget (octo-org).canvas", SessionsBase: "Agents/Sessions.base", FilesBase: "Agents/Files.base",
		Open: threadsView().Groups[0].Projects[0].Sessions[0].Threads, MoreOpen: 6, Threads: Link{"Agents/Open threads", "Open threads"},
		Sessions: []SessionRow{
			{At: at(4, 13, 5), Link: flaky, Agent: "claude-code", What: "The test slept for less than the clock's step. Now it has a fake clock."},
			{At: at(3, 8, 30), Link: rotation, What: "PR 43, issue 42"},
		},
		MoreSessions: 10,
		Files:        []FileRow{{jwtGo, 7, at(12, 14, 0), Link{rotation.Path, "auth: keyring"}}, {routerGo, 3, at(11, 10, 0), Link{}}},
		Refs:         []RefRow{{Ref{Type: "pr", Value: "43", Text: "Key rotation", URL: "https://github.com/octo-org/widget/pull/43"}, []Link{rotation, jwtAuth}}, {Ref{Type: "issue", Value: "42", URL: "https://github.com/octo-org/widget/issues/42", Note: folder + "issues/issue 42 (widget)"}, []Link{rotation}}},
	}
}

func fileView() File {
	return File{
		Path: "internal/auth/jwt.go", Project: widget, URL: "https://github.com/octo-org/widget/blob/HEAD/internal/auth/jwt.go",
		First: at(2, 9, 11), Last: at(12, 14, 3), Count: 2,
		Changes:  []FileChange{{At: at(3, 8, 30), Link: rotation, Why: "`63eee27` `Claims.KeyID` added after `Audience`"}, {At: at(2, 9, 11), Link: jwtAuth}},
		Together: []FileRow{{routerGo, 3, at(11, 10, 0), Link{}}},
	}
}

func issueView() Issue {
	return Issue{
		Name: "Issue 42: Remove `WIDGET_AUTH_KEY`", Where: "octo-org/widget#42", URL: "https://github.com/octo-org/widget/issues/42", Project: widget,
		First: at(3, 9, 28), Last: at(9, 8, 15), Count: 22, MoreSessions: 20,
		Sessions: []IssueSession{
			{At: at(3, 9, 28), Link: rotation, What: "Key rotation is complete.", Asked: []Entry{{What: "An [[issue]] for its removal.", Link: Link{rotation.Path + "#^t-cc6c6f49", "3 Nov 2026"}}}},
			{At: at(9, 8, 15), Link: jwtAuth, Project: docsSite},
		},
		Days: []Link{{"Agents/journal/2026-11-03", "Tue 3 Nov 2026"}, {"", "Mon 9 Nov 2026"}}, MoreDays: 1,
		Commits: []Entry{{At: at(3, 9, 28), Link: Link{rotation.Path + "#^t-cc6c6f49", "5ab6ffd"}, What: "widgetd: -keys, #reload on SIGHUP"}}, MoreCommits: 3,
		Files: []FileRow{{Link: jwtGo, Sessions: 2}, {Link: Link{Text: "docs-site: content/guides/auth.md"}, Sessions: 1}}, MoreFiles: 1,
	}
}

func dayView() Day {
	return Day{Date: at(4, 0, 0), Count: 3, Projects: []DayProject{
		{Project: widget, Sessions: []PeriodRow{
			{At: at(4, 8, 3), Link: rotation, What: "Key rotation is complete.", Continued: true},
			{At: at(4, 13, 5), Link: flaky, Refs: []PeriodRef{{Link{flaky.Path + "#^t-4129ca5a", "3ee38ba"}, "store: injectable `clock`"}}, Files: []Code{"internal/auth/jwt.go", "store.go"}, MoreFiles: 3},
		}, Others: []PeriodRow{{At: at(4, 15, 2), Link: jwtAuth, What: "Where is the key? In the ring."}, {Link: docsSite}}},
		{Project: Link{Text: "latency (3fa2)"}, Sessions: []PeriodRow{{At: at(4, 17, 12), Link: Link{Text: "レイテンシ計測のまとめ 📈"}}}},
	}}
}

func weekView() WeekSummary {
	return WeekSummary{
		Year: 2026, Number: 45, First: at(2, 0, 0), Last: at(8, 0, 0), Days: []Link{{"Agents/journal/2026-11-03", "Tue"}}, Usage: Usage{Tokens: 12_400},
		Projects: []WeekProject{{
			Project: widget, MoreRefs: 1,
			Refs:     []Ref{{Type: "pr", Value: "43", Text: "Key rotation", URL: "https://github.com/octo-org/widget/pull/43"}, {Type: "issue", Value: "42 [x](y)"}},
			Sessions: []Entry{{Link: rotation, What: "PR 43: `ring`, [[key file]]"}, {Link: jwtAuth}}, Others: 2, OtherDays: []Link{{"Agents/journal/2026-11-03", "Tue"}},
			Decided: []Entry{{What: "What is an empty key file? → an error", Link: rotation}},
			Open:    []OpenLine{{Text: "Docs page: how to rotate (docs-site)", From: rotation}, {Text: "Run the tests", From: jwtAuth}}, MoreOpen: 3,
			Memory: []Link{{folder + "memory/2026-11-02 0911 plan Implement JWT auth", "Plan: JWT authentication"}},
		}},
	}
}

func homeView() Home {
	return Home{
		Zone:    "Europe/Berlin",
		Threads: Link{"Agents/Open threads", "Open threads"}, Weeks: []Link{{"Agents/journal/2026-W45", "Week 45 of 2026"}},
		SessionsBase: "Agents/Sessions.base", FilesBase: "Agents/Files.base",
		Projects:  []ProjectRow{{widget, 12, 7, at(13, 9, 4)}, {docsSite, 1, 0, at(12, 9, 31)}},
		Sessions:  []SessionRow{{At: at(3, 8, 30), Link: rotation, Project: widget, What: "PR 43"}},
		Open:      []HomeThread{{Link{"Agents/Open threads#^open-76a2cf01", "Docs page"}, widget, at(4, 8, 3)}},
		OpenCount: 1234, OldCount: 3, Others: []Link{docsSite}, MoreOthers: 7,
		Memory: []MemoryRow{{"memory", Link{"Agents/memory/likes", "Likes"}, at(2, 9, 40)}},
		Count:  13, First: at(2, 9, 0), Last: at(13, 9, 4),
	}
}

func threadsView() Threads {
	docs := Thread{
		Text: "Docs page: how to rotate (docs-site)", Block: "open-76a2cf01", Session: rotation, Project: widget, Since: at(3, 9, 32),
		From: Link{rotation.Path, "plan"},
	}
	ring := Thread{Text: "`Ring` in the docs", Block: "open-11223344", Session: jwtAuth, Project: widget, From: Link{jwtAuth.Path, "task list"}, Refused: true}
	return Threads{Open: 3, Old: 1, More: 1, Groups: []ThreadGroup{
		{"Open", []ThreadProject{{widget, []ThreadSession{{jwtAuth, []Thread{ring}}}}}},
		{"Old", []ThreadProject{{widget, []ThreadSession{{rotation, []Thread{docs}}}}}},
	}}
}

func navView() Nav {
	return Nav{
		Prev: jwtAuth, Next: flaky, Up: widget,
		Days:  []Link{{"Agents/journal/2026-11-03", "Tue 3 Nov 2026"}, {"Agents/journal/2026-11-04", "Wed 4 Nov 2026"}},
		Files: []Link{jwtGo}, Issues: []Link{{folder + "issues/issue 42 (widget)", "Issue 42"}}, Memory: []Link{{folder + "memory/2026-11-02 0911 plan Implement JWT auth", "Plan: JWT authentication"}},
		Forks: []Link{flaky},
	}
}
