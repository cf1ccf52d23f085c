package outcome

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/sign"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

var begin = time.Date(2026, 11, 3, 8, 0, 0, 0, time.UTC)

func turn(prompt, answer string, minute int) sources.Turn {
	return sources.Turn{User: prompt, Assistant: answer, Status: sources.Complete, At: begin.Add(time.Duration(minute) * time.Minute)}
}

func TestSentences(t *testing.T) {
	for text, want := range map[string]string{
		"The cache is warm now. It took a minute.":                                                              "The cache is warm now.",
		"Done!\n\nThe cache is warm now.":                                                                       "The cache is warm now.",
		"Done.":                                                                                                 "Done.",
		"Perfect! Shall I go on with the docs?":                                                                 "Perfect!",
		"Shall I go on with the docs? The cache is warm now.":                                                   "Shall I go on with the docs? The cache is warm now.",
		"完了！\n\nキャッシュを温めました。":                                                                                   "キャッシュを温めました。",
		"好的。\n\n缓存已经预热完成。":                                                                                      "缓存已经预热完成。",
		"# Result\n\nThe cache is warm now.":                                                                    "Result: The cache is warm now.",
		"## What changed\n\n- The cache is warm now\n- Tests pass":                                              "What changed: The cache is warm now; Tests pass",
		"I changed these files:\n\n- `cache.go` keeps keys\n- `ring.go`":                                        "I changed these files: `cache.go` keeps keys; `ring.go`",
		"The cache is warm now. What follows:\n\n1. docs are to be written":                                     "The cache is warm now.",
		"```\nThe cache in code is none.\n```\n\nThe cache is warm now.":                                        "The cache is warm now.",
		"> quoted words of somebody\n\nThe cache is warm now.":                                                  "The cache is warm now.",
		"| cache | state |\n|---|---|\n| warm cache | yes |\n\nIt is warm, both.":                               "It is warm, both.",
		"- [x] The cache is warm now\n\nTests pass as before.":                                                  "Tests pass as before.",
		"**Summary:** the cache is warm now.":                                                                   "Summary: the cache is warm now.",
		"Edited `cache.go`\n\n*Ran a command*\n\nThe cache is warm now.":                                        "The cache is warm now.",
		"Changed [cache.go](<c:/a b(1)/cache.go:3>).\n\nThe cache is warm now.":                                 "The cache is warm now.",
		"Saved to `/tmp/cache.txt`. The cache is warm now.":                                                     "Saved to `/tmp/cache.txt`. The cache is warm now.",
		"See http://localhost:8080/cache\n\nThe cache is warm now.":                                             "The cache is warm now.",
		"You are right, I mixed them up. 2 of 3 caches are warm.":                                               "2 of 3 caches are warm.",
		"## Worth it, but the cache stays cold\n\nThe table shows it.":                                          "Worth it, but the cache stays cold",
		"**What I see**\n\nThe cache is warm now.":                                                              "What I see: The cache is warm now.",
		"**The cache is warm now.**\n\nNext is the ring of files.":                                              "The cache is warm now.",
		"{\"query\": \"warm caches\"}\n\nThe cache is warm now.":                                                "The cache is warm now.",
		"I will warm the cache first.\n\n```\nwarm\n```\n\nThe cache is warm now.":                              "The cache is warm now.",
		"Warm it with a ring:\n\n```\nwarm\n```\n\nThe cache is warm now.":                                      "Warm it with a ring: The cache is warm now.",
		"## Use\n\n```\nwarm\n```\n\nThe cache is warm now.":                                                    "The cache is warm now.",
		"## States\n\n| cache | state |\n|---|---|\n| a | b |\n\nThe cache is warm now.":                        "The cache is warm now.",
		"**Cache script added**\n\n**Use**\n\n```\nwarm\n```\n\nEnjoy all of your warm caches!":                 "Cache script added",
		"The cache is warm in two ways now:\n\n### By ring\n\nIt turns once.\n\n### By file\n\nIt is read.":     "The cache is warm in two ways now: By ring; By file",
		"Here is what I found about the project:\n\n## Ring\n\n**What it does:** It turns the keys once a day.": "Ring: What it does: It turns the keys once a day.",
		"Resumen de los cambios de hoy:\n\n**Cambios aplicados**\n\n- El anillo gira una vez al día.":           "Cambios aplicados: El anillo gira una vez al día",
		"以下是我对这个项目的了解情况：\n\n# 钥匙环\n\n它每天转动一次，旧钥匙仍然有效。":                                                          "钥匙环: 它每天转动一次，旧钥匙仍然有效。",
		"## Token\n\n9f8a7b6c5d4e3f2a is kept in the ring.":                                                     "9f8a7b6c5d4e3f2a is kept in the ring.",
		"## 密码\n\nXk39fjw2LqpZ1 现在保存在钥匙环里。":                                                                     "Xk39fjw2LqpZ1 现在保存在钥匙环里。",
		"Das Passwort:\n\n`Xk39fjw2LqpZ` liegt jetzt im Ring.":                                                  "`Xk39fjw2LqpZ` liegt jetzt im Ring.",
		"What was done:\n\n### By ring\n\nIt turns once a day.":                                                 "By ring: It turns once a day.",
		"✅ Warmed. The cache is warm now.":                                                                      "The cache is warm now.",
		"- ✅ The cache is warm now\n- ✅ tests":                                                                  "The cache is warm now",
		"What I changed\n- The cache is warm now":                                                               "What I changed: The cache is warm now",
		"The cache is now served at port 80:\n\nhttp://localhost:80\n\nAnother one was taken before.":           "The cache is now served at port 80: http://localhost:80",
		"<note>\n\nThe cache is warm now.":                                                                      "The cache is warm now.",
		"Warm the cache like this:\n\n```\nwarm\n```":                                                           "Warm the cache like this",
		// introductions of sections
		"Here is what was changed today:\n\n## Ring\n\nIt turns.\n\n### Size\n\nIt is small.\n\n## File\n\nIt is read.": "Here is what was changed today: Ring; File",
		"按照下面的步骤可以搭建缓存：\n\n**方案一**\n\n用环。\n\n**方案二**\n\n用文件。":                                                           "按照下面的步骤可以搭建缓存: 方案一; 方案二",
		"Four ways to warm the cache are:\n\n# A\n\nx\n\n# B\n\nx\n\n# C\n\nx\n\n# D\n\nx":                              "Four ways to warm the cache are: A; B; C; D",
		// lists and numbered sections as a whole, or the words that their entries begin with
		"## What changed\n\n- **Ring of keys** – " + strings.Repeat("it turns at night ", 6) + "\n- **File of keys** – " + strings.Repeat("it is read at noon ", 6): "What changed: Ring of keys; File of keys",
		"All three are done:\n\n- **A**: " + strings.Repeat("it turns at night ", 6) + "\n- **B**: " + strings.Repeat("it is read at noon ", 6):                     "All three are done: A: it turns at night it turns at night it turns at night it turns at night it turns at night it turns at night",
		"All is done.\n\n### 1. Ring of keys\n\nIt turns.\n\n### 2. File of keys\n\nIt is read.":                                                                    "1. Ring of keys; 2. File of keys",
		"All of it is done:\n\n- [x] The ring turns\n- ✅ The file is read\n- [ ] Docs":                                                                              "All of it is done: The ring turns; The file is read",
		"`★ Lesson ─────────`\n- A ring is read once.\n`─────────────`\n\nThe cache is warm now.":                                                                   "The cache is warm now.",
		"Report ═════════\n\nThe ring of keys turns at noon.\n\n══════════════":                                                                                     "The ring of keys turns at noon.",
		"- **Path**: `/a/b.md`: it tells of the ring": "Path: `/a/b.md`: it tells of the ring",
		// the heading of the whole
		"# The ring turns at noon\n\n## Files\n\n| a | b |\n|---|---|\n| c | d |\n\nIt turned at night before this.": "The ring turns at noon: It turned at night before this.",
		"**Windows (with PowerShell, as administrator)**\n\nThe ring turns at noon.":                                 "Windows (with PowerShell, as administrator): The ring turns at noon.",
		// where something is
		"The cache file was written: `C:\\a\\cache.bin`\n\nIt holds keys:\n- one":       "The cache file was written: `C:\\a\\cache.bin`",
		"文档已经生成：`d:\\a\\说明.docx`\n\n内容包含：\n- 说明":                                        "文档已经生成：`d:\\a\\说明.docx`",
		"Served now at this place: http://localhost:80/cache\n\nThe cache is warm now.": "Served now at this place: http://localhost:80/cache",
		"Place: `/a/b`\n\nThe cache is warm now.":                                       "Place: `/a/b`: The cache is warm now.",
		// short and long sentences in front
		"Done. The server stops when its window closes. Use `-k` to keep it.": "The server stops when its window closes.",
		"关闭窗口之后服务器就会自动停止运行。可以用 `-k` 保留。":                                      "关闭窗口之后服务器就会自动停止运行。",
		"That is a good idea. Use `-k` to keep the server.":                   "Use `-k` to keep the server.",
		"说得对。可以用 `-k` 来保留这个服务器。":                                              "可以用 `-k` 来保留这个服务器。",
		// headings that are sentences, or end in a bracket
		"## All tests of the ring pass!\n\n### Use\n\n- call it":           "All tests of the ring pass!",
		"## 缓存功能建立完成！\n\n**位置**: `a/b.md`\n\n## 使用\n\n- 调用它":               "缓存功能建立完成！",
		"## What changed in the ring of keys?\n\nIt turns once a day now.": "What changed in the ring of keys?: It turns once a day now.",
		"**Stack of the cache (short)**\n- The cache is warm now":          "Stack of the cache (short): The cache is warm now",
		"**技術構成（要約）**\n\nキャッシュを温めました。":                                     "技術構成（要約）: キャッシュを温めました。",
		// a short sentence that names something comes before the next
		"Done. `.env` criado. Agora vou gravar as chaves do anel.": "`.env` criado. Agora vou gravar as chaves do anel.",
		"`cache.go` да. Теперь я запущу все проверки кольца.":      "`cache.go` да. Теперь я запущу все проверки кольца.",
		"`ring.go` 好了。接下来运行全部的测试和检查。":                              "`ring.go` 好了。 接下来运行全部的测试和检查。",
		// lines that are titles without a mark
		"【Cache】- 问答结果\n\n缓存已经预热完成，可以使用了。":                         "【Cache】- 问答结果: 缓存已经预热完成，可以使用了。",
		"Ergebnis der Suche\n\nDer Ring dreht sich einmal am Tag.": "Ergebnis der Suche: Der Ring dreht sich einmal am Tag.",
		"Что было сделано\n\n- Кольцо поворачивается раз в день":   "Что было сделано: Кольцо поворачивается раз в день",
		// a slash in a script without blanks
		"现在可以使用的命令有：`ring`（创建/更新密钥）。": "现在可以使用的命令有：`ring`（创建/更新密钥）。",
		"鍵の追加/更新ができるようになりました。":        "鍵の追加/更新ができるようになりました。",
		"เพิ่ม/แก้ไขกุญแจได้แล้ว":     "เพิ่ม/แก้ไขกุญแจได้แล้ว",
		// an aside
		"(to switch these recaps off, see the settings)\n\nThe cache is warm now.": "The cache is warm now.",
		// drawn lines
		"━━━━━━━━\n**Checked:** the cache is warm now.\n━━━━━━━━": "Checked: the cache is warm now.",
		"────────\n\nThe cache is warm now.":                      "The cache is warm now.",
		"The cache is warm now.\n═════════\nWhat now?":            "The cache is warm now.",
		"": "",
	} {
		expect.Is(t, strings.Join(Sentences(text, 1), "|"), want, text)
	}
}

func TestOf(t *testing.T) {
	commits := []sources.Ref{{Type: sources.Commit, Value: "63eee27", Text: "auth: ring", Turn: 0}, {Type: sources.Issue, Value: "4"}, {Type: sources.Commit, Text: "auth: file", Turn: 1}, {Type: sources.Commit, Value: "2ba9e72", Text: "x"}, {Type: sources.PR, Value: "43", Text: "Keys"}}
	conversation := []sources.Turn{turn("Rotate the keys", "Keys rotate by a ring of files.", 0), turn("Why is that?", "Since the file is read once.", 5)}
	for name, c := range map[string]struct {
		s    sources.Session
		want string
	}{
		"commits before all": {sources.Session{Turns: conversation, Refs: commits, Summary: "Keys rotate.", SummaryFrom: sources.TrustNamed}, "commits auth: file; `2ba9e72` x; +1 more commit; PR 43 Keys"},
		"work after the commits": {
			sources.Session{Turns: append(slices.Clone(conversation), turn("Log it", "Each turn of the ring is logged now, with its time.", 9)), Refs: commits[:1], Files: []sources.FileTouch{{Path: "a", Kind: sources.Edited, Turn: 2}}},
			"commits `63eee27` auth: ring · Each turn of the ring is logged now, with its time.",
		},
		"a checkpoint that tells the task": {
			sources.Session{Turns: conversation, Files: []sources.FileTouch{{Path: "a", Kind: sources.Edited, Turn: 1}}, Checkpoints: []sources.Checkpoint{{At: begin.Add(time.Hour), Overview: "The user wants keys that rotate."}}},
			"answer Since the file is read once.",
		},
		"the last of several messages": {
			sources.Session{Turns: []sources.Turn{{User: "Rotate the keys of all", Assistant: "I will look at the ring of keys first.\n\nKeys rotate by a ring of files, all of them.", Last: 40, Status: sources.Complete}}},
			"answer Keys rotate by a ring of files, all of them.",
		},
		"a pull request that was looked at": {
			sources.Session{Turns: []sources.Turn{{User: "Review it, please", Assistant: "It reads well, but for the name.", Status: sources.Complete, Tools: []sources.Tool{{Command: "cd x && gh pr view 43"}, {Command: "gh pr diff 43"}}}}, Refs: commits[4:]},
			"answer It reads well, but for the name.",
		},
		"an answer that is code":   {sources.Session{Turns: []sources.Turn{turn("Give me the cell, please", "```python\ntotals.to_csv(path, index=False)\n```", 0)}}, "answer totals.to_csv(path, index=False)"},
		"one that introduces code": {sources.Session{Turns: []sources.Turn{turn("Give me the cell, please", "The cell for it:\n\n```\nx()\n```", 0)}}, "answer Give me the cell, please: The cell for it"},
		"done, and no more": {
			sources.Session{Turns: []sources.Turn{turn("Rotate the keys of all of them", "Fixed.", 0)}, Files: []sources.FileTouch{{Path: "a/ring.go", Kind: sources.Edited}, {Path: "b/file.go", Kind: sources.Edited}, {Path: "c", Kind: sources.Edited}}},
			"answer Rotate the keys of all of them: Fixed.",
		},
		"a word of what was done": {
			sources.Session{Turns: []sources.Turn{turn("Rotate the keys of all of them", "It is mended now.", 0)}, Files: []sources.FileTouch{{Path: "a/ring.go", Kind: sources.Edited}, {Path: "b/file.go", Kind: sources.Edited}, {Path: "c", Kind: sources.Edited}}},
			"answer It is mended now: `ring.go`, `file.go`",
		},
		"a greeting": {sources.Session{Turns: []sources.Turn{turn("hello there", "Hi! What shall we do?", 0)}}, "prompt asked: hello there"},
		"a file was changed without a word": {
			sources.Session{Place: sources.Place{Cwd: "/w"}, Turns: append(slices.Clone(conversation), sources.Turn{User: "Log it, please", Assistant: "I add lines.", Status: sources.Complete, Tools: []sources.Tool{{After: 12}}}), Files: []sources.FileTouch{{Path: "/w/b/a", Kind: sources.Edited, Turn: 2}}},
			"files changed `a` · no last answer",
		},
		"its changes were taken back": {
			sources.Session{Place: sources.Place{Cwd: "/w"}, Turns: []sources.Turn{{User: "Log it, please", Status: sources.Failed}}, Files: []sources.FileTouch{{Path: "/w/b/a", Kind: sources.Edited, Verdict: sources.Rejected}}},
			"prompt asked, not answered: Log it, please",
		},
		"the last prompt had no answer": {sources.Session{Turns: append(slices.Clone(conversation), sources.Turn{User: "Log it, please", Status: sources.Failed, Error: "limit"})}, "answer Why is that? Since the file is read once · asked, not answered: Log it, please"},
		"two sentences that fit": {
			sources.Session{Turns: []sources.Turn{turn("Rotate the keys of all", "Keys rotate by a ring of files, all of them. Each is read once a day, at four.", 0)}},
			"answer Keys rotate by a ring of files, all of them. Each is read once a day, at four.",
		},
		"a short one and the next": {
			sources.Session{Turns: []sources.Turn{turn("Rotate the keys of all", "## Done\n\nAll keys rotate now.\n\nThe ring is read once a day, at four.\n", 0)}, Files: []sources.FileTouch{{Path: "a", Kind: sources.Edited}}},
			"answer Done: All keys rotate now. The ring is read once a day, at four.",
		},
		"marks for a program": {
			sources.Session{Place: sources.Place{Cwd: "/w"}, Turns: []sources.Turn{turn("Rotate the keys of all", "Let me write it down:\n\n<KEYS_TURNED>\nTask: 7 - Rotate the keys\n</KEYS_TURNED>\n\n<ALL_DONE>", 0)}, Files: []sources.FileTouch{{Path: "/w/a", Kind: sources.Edited}}},
			"answer Let me write it down: `a`",
		},
		"nothing but marks": {
			sources.Session{Place: sources.Place{Cwd: "/w"}, Turns: []sources.Turn{turn("Rotate the keys of all", "<KEYS_TURNED>\nTask: 7 - Rotate the keys\n</KEYS_TURNED>\n<ALL_DONE>", 0)}, Files: []sources.FileTouch{{Path: "/w/a", Kind: sources.Edited}}},
			"files changed `a`",
		},
		"the same commit again":              {sources.Session{Turns: conversation, Refs: []sources.Ref{{Type: sources.Commit, Text: "ring"}, {Type: sources.Commit, Value: "63eee27", Text: "file"}, {Type: sources.Commit, Value: "2ba9e72", Text: "file"}}}, "commits ring; `2ba9e72` file; +1 more commit"},
		"a prompt that begins with a fence":  {sources.Session{Turns: []sources.Turn{{User: "## Input\n\n```text\nRotate all of the keys\n```\n\nMind the input."}}}, "prompt asked, no answer yet: Input – Rotate all of the keys"},
		"a prompt with a heading and a text": {sources.Session{Turns: []sources.Turn{{User: "## Task\n\nRotate all of the keys by a ring of files.\n\n```\nlog\n```"}}}, "prompt asked, no answer yet: Task Rotate all of the keys by a ring of files."},
		"a pull request":                     {sources.Session{Turns: conversation, Refs: commits[4:]}, "ref PR 43 Keys"},
		"an issue that it names":             {sources.Session{Turns: conversation, Refs: commits[1:2]}, "answer Why is that? Since the file is read once."},
		"a summary of the client":            {sources.Session{Turns: conversation, Summary: "Keys rotate by files now.", SummaryFrom: sources.TrustNamed}, "summary Keys rotate by files now."},
		"its title":                          {sources.Session{Turns: conversation, Summary: "# Made keys rotate by files\n\nContext: a long way.\n", SummaryFrom: sources.TrustNamed}, "summary Made keys rotate by files. Context: a long way."},
		"one that is the title again":        {sources.Session{Title: "Rotate keys by files", Turns: conversation, Summary: "Rotate keys by files.", SummaryFrom: sources.TrustNamed}, "answer Why is that? Since the file is read once."},
		"one that a turn followed":           {sources.Session{Turns: conversation, Summary: "Keys rotate by files now.", SummaryAt: begin.Add(time.Minute)}, "summary Keys rotate by files now · Why is that? Since the file is read once."},
		"a checkpoint":                       {sources.Session{Turns: conversation, Checkpoints: []sources.Checkpoint{{Number: 2, At: begin.Add(time.Hour), Overview: "The keys were rotated. All of them."}}}, "checkpoint The keys were rotated."},
		"a checkpoint halfway":               {sources.Session{Turns: conversation, Checkpoints: []sources.Checkpoint{{Number: 2, At: begin.Add(time.Minute), Overview: "The keys were rotated."}}}, "answer Why is that? Since the file is read once."},
		"after the last call":                {sources.Session{Turns: []sources.Turn{{User: "Rotate the keys, all of them", Assistant: "I look at the ring first. Keys rotate by a ring of files, all eight of them.", Tools: []sources.Tool{{After: 25}}}}}, "answer Keys rotate by a ring of files, all eight of them."},
		"the turn that changed most files": {
			sources.Session{Turns: []sources.Turn{turn("Rotate the keys", "Keys rotate by a ring of files, all of them.", 0), turn("Wider, please", "The margin of the page is wider now, by a bit.", 5), turn("And why?", "No key may stay in the ring for a day.", 9)},
				Files: []sources.FileTouch{{Path: "a", Kind: sources.Edited}, {Path: "b", Kind: sources.Edited}, {Path: "c", Kind: sources.Edited}, {Path: "d", Kind: sources.Edited, Turn: 1}}},
			"answer Keys rotate by a ring of files, all of them · And why? No key may stay in the ring for a day.",
		},
		"the turn that changed most and said nothing": {
			sources.Session{Turns: []sources.Turn{turn("Rotate the keys of all of them", "Done.", 0), turn("Wider, please", "The margin of the page is wider now, by a bit.", 5)},
				Files: []sources.FileTouch{{Path: "a", Kind: sources.Edited}, {Path: "b", Kind: sources.Edited}, {Path: "c", Kind: sources.Edited}, {Path: "d", Kind: sources.Edited, Turn: 1}}},
			"answer The margin of the page is wider now, by a bit.",
		},
		"a nod after an answer that was stopped": {sources.Session{Turns: append(slices.Clone(conversation), sources.Turn{User: "green", Status: sources.Cancelled, Tools: make([]sources.Tool, 1)})}, "answer Why is that? Since the file is read once · asked, then stopped: green"},
		"no turns":                               {sources.Session{Place: sources.Place{Cwd: "/w"}, Files: []sources.FileTouch{{Path: "/w/a", Kind: sources.Edited, Turn: -1}}}, "files changed `a`"},
		"an earlier summary":                     {sources.Session{Turns: []sources.Turn{{User: "Log it, please", At: begin.Add(time.Hour), Tools: make([]sources.Tool, 1)}}, Files: []sources.FileTouch{{Path: "a", Kind: sources.Edited}}, Summary: "Keys rotate by files now.", SummaryAt: begin}, "summary Keys rotate by files now · no last answer"},
		"a plan that was carried out":            {sources.Session{Turns: []sources.Turn{turn("Rotate the keys", "Keys rotate by a ring of files, all of them.", 0)}, Files: []sources.FileTouch{{Path: "a", Kind: sources.Edited}}, Acts: []sources.Act{{Kind: sources.ActPlanned, Text: "Rotate keys", Turn: -1, Verdict: sources.Accepted}}}, "answer Keys rotate by a ring of files, all of them."},
		"a plan that was accepted":               {sources.Session{Turns: conversation[1:], Acts: []sources.Act{{Kind: sources.ActPlanned, Text: "Rotate keys", Turn: -1, Verdict: sources.Accepted}}}, "answer plan accepted: Rotate keys · Why is that? Since the file is read once."},
		"the turn with most calls": {
			sources.Session{Turns: []sources.Turn{{User: "Rotate the keys", Assistant: "Keys rotate by a ring of files, all of them.", Tools: make([]sources.Tool, 5)}, turn("Wider, please", "The margin of the page is wider now, by a bit.", 5)},
				Files: []sources.FileTouch{{Path: "a", Kind: sources.Edited}, {Path: "b", Kind: sources.Edited, Turn: 1}}},
			"answer Keys rotate by a ring of files, all of them · The margin of the page is wider now, by a bit.",
		},
		"a summary before a prompt that was stopped": {
			sources.Session{Turns: append(slices.Clone(conversation), sources.Turn{User: "Log it, please", Status: sources.Cancelled}), Summary: "Keys rotate by files now.", SummaryFrom: sources.TrustNamed},
			"summary Keys rotate by files now · asked, then stopped: Log it, please",
		},
		"files before an error": {
			sources.Session{Place: sources.Place{Cwd: "/w"}, Turns: []sources.Turn{{User: "Log it, please", Status: sources.Failed}}, Files: []sources.FileTouch{{Path: "/w/b/a", Kind: sources.Edited}}},
			"files changed `a` · asked, not answered: Log it, please",
		},
		"a last answer without words":         {sources.Session{Turns: append(slices.Clone(conversation), turn("Log it, please", "OK.", 9))}, "answer Why is that? Since the file is read once."},
		"an answer to a nod after a question": {sources.Session{Turns: []sources.Turn{turn("Are both rings the same?", "No. Shall I join both of them?", 0), turn("no", "Both of the rings stay, then.", 5)}}, "answer Both of the rings stay, then."},
		"what changed a file before talk": {
			sources.Session{Turns: []sources.Turn{turn("Rotate the keys", "Keys rotate by a ring of files, all of them.", 0), turn("Should I open a new chat?", "Yes, a new chat saves tokens of the model.", 5)}, Files: []sources.FileTouch{{Path: "a", Kind: sources.Edited}}},
			"answer Keys rotate by a ring of files, all of them · Yes, a new chat saves tokens of the model.",
		},
		"work that was told to go on and did not": {
			sources.Session{Turns: []sources.Turn{turn("Rotate the keys", "Keys rotate by a ring of files, all of them.", 0), {User: "go on", Status: sources.Failed}}, Files: []sources.FileTouch{{Path: "a", Kind: sources.Edited}}},
			"answer Keys rotate by a ring of files, all of them.",
		},
		"work after which a task was not answered": {
			sources.Session{Turns: []sources.Turn{turn("Rotate the keys", "Keys rotate by a ring of files, all of them.", 0), {User: "Make it an endpoint instead", Status: sources.Cancelled}}, Files: []sources.FileTouch{{Path: "a", Kind: sources.Edited}}},
			"answer Keys rotate by a ring of files, all of them · asked, then stopped: Make it an endpoint instead",
		},
		"what was said before it was stopped": {sources.Session{Turns: []sources.Turn{{User: "resume", Assistant: "The branch has the fix of the web side.", Status: sources.Cancelled, Tools: []sources.Tool{{}}}}}, "prompt asked, then stopped: resume"},
		"what precedes a call":                {sources.Session{Turns: []sources.Turn{{User: "Build it all, please", Assistant: "I will build the whole of it now.", Tools: []sources.Tool{{After: 33}}}}}, "prompt asked, no last answer: Build it all, please"},
		"a cancelled turn":                    {sources.Session{Turns: []sources.Turn{conversation[0], {User: "Why?", Assistant: "Since the file is", Status: sources.Cancelled}}}, "answer Keys rotate by a ring of files."},
		"nothing was answered":                {sources.Session{Turns: []sources.Turn{{User: "Rotate the keys", Status: sources.Pending}, {User: "ok", Status: sources.Pending}}}, "prompt asked, no answer yet: Rotate the keys"},
		"a nod alone":                         {sources.Session{Turns: []sources.Turn{{User: "ok", Status: sources.Pending}}}, "prompt asked, no answer yet: ok"},
		"nothing at all":                      {sources.Session{}, "prompt "},
		"calls, and talk after them": {
			sources.Session{Turns: []sources.Turn{{User: "Can the ring turn?", Assistant: "It needs a file for that, I think.", Tools: []sources.Tool{{}}}, turn("But can it?", "No, the ring cannot turn by itself: each key needs a file of its own.", 5)}},
			"answer Can the ring turn? It needs a file for that, I think · No, the ring cannot turn by itself: each key needs a file of its own.",
		},
		"a place alone":                       {sources.Session{Turns: []sources.Turn{{User: "Rotate the keys of all"}, {User: "https://example.com/keys"}, {User: "go on"}}}, "prompt asked, no answer yet: Rotate the keys of all"},
		"a path and words":                    {sources.Session{Turns: []sources.Turn{{User: "Rotate the keys of all"}, {User: `C:\keys of the ring`}}}, `prompt asked, no answer yet: C:\keys of the ring`},
		"a path and a nod":                    {sources.Session{Turns: []sources.Turn{{User: "~/keys"}, {User: "jixu"}}}, "prompt asked, no answer yet: ~/keys"},
		"an answer to a nod":                  {sources.Session{Turns: []sources.Turn{turn("Rotate the keys of all", "Shall I, with a ring of files?", 0), turn("yes", "All eight are rotated.", 5)}}, "answer All eight are rotated."},
		"to a nod of another script":          {sources.Session{Turns: []sources.Turn{turn("轮换所有的密钥，一个也不要漏掉，谢谢", "可以吗？", 0), turn("同意", "八个密钥都换好了。", 5)}}, "answer 轮换所有的密钥，一个也不要漏掉，谢谢: 八个密钥都换好了。"},
		"a short question":                    {sources.Session{Turns: []sources.Turn{turn("Rotate the keys of all", "Shall I, with a ring of files?", 0), turn("Which ones?", "All eight of them.", 5)}}, "answer Which ones? All eight of them."},
		"a summary that begins with the task": {sources.Session{Turns: conversation, Summary: "You asked for keys that rotate. They do by a ring. (turn recaps off)", SummaryFrom: sources.TrustNamed}, "summary You asked for keys that rotate. They do by a ring."},
		"one in Cyrillic": {
			sources.Session{Turns: conversation, Summary: "Мы работаем с ключами всего сервера и всех клиентов. Перевели их на кольцо из восьми файлов и записали это в журнал изменений проекта.", SummaryFrom: sources.TrustNamed},
			"summary Мы работаем с ключами всего сервера и всех клиентов. Перевели их на кольцо из восьми файлов и записали это в журнал изменений проекта.",
		},
		"one that is long":  {sources.Session{Turns: conversation, Summary: strings.Repeat("鍵", 30) + "。" + strings.Repeat("環", 80) + "。", SummaryFrom: sources.TrustNamed}, "summary " + strings.Repeat("鍵", 30) + "。 " + strings.Repeat("環", 69) + "…"},
		"a long task":       {sources.Session{Turns: []sources.Turn{turn("Rotate the keys of all servers and of all clients by a ring of files, once a day at four", "All eight are rotated.", 0)}}, "answer All eight are rotated."},
		"a long question":   {sources.Session{Turns: []sources.Turn{turn("Can the ring rotate the keys of all servers and of all clients, each of them once a day, and at night?", "The ring can do that.", 0)}}, "answer Can the ring rotate the keys of all servers and of all clients, each of them once a day, and at… The ring can do that."},
		"a question in Han": {sources.Session{Turns: []sources.Turn{turn("你能轮换所有密钥吗？", "可以，八个密钥都换好了。", 0)}}, "answer 你能轮换所有密钥吗？ 可以，八个密钥都换好了。"},
		"nothing but nods":  {sources.Session{Turns: []sources.Turn{turn("go on", "All eight are rotated.", 5)}}, "answer All eight are rotated."},
	} {
		got := Of(&c.s)
		expect.Is(t, string(got.From)+" "+got.Text, c.want, name)
	}
}

func TestEndingOf(t *testing.T) {
	exit := func(n int) *int { return &n }
	answer := "All is done.\n\n## Left\n\nTwo things are left:\n\n- [ ] the docs\n- the tag\n  - signed\n- three\n- four\n- five\n- six"
	s := sources.Session{
		Turns: []sources.Turn{
			{User: "Test it", At: begin, Assistant: "It fails.", Tools: []sources.Tool{{Command: "cd /w && go test ./... | tail -5", Exit: exit(1)}, {Command: "go build ./... && git push", Exit: exit(0)}, {Command: "ls", Exit: exit(0)}}},
			{User: "Go on,\nplease", At: begin.Add(time.Hour), Assistant: answer}, {Assistant: ""},
		},
		Checkpoints: []sources.Checkpoint{{Number: 3, At: begin.Add(time.Minute), NextSteps: "Next:\n\n1. [ ] the docs\n2. ~~the ring~~\n3. [x] the file\n4. the tag", Technical: "- one thing\n- **two** things"}, {Number: 4, NextSteps: "none", Inherited: true}},
	}
	e := EndingOf(&s)
	if e.Prompt != "Go on, please" || e.Turn != 1 {
		t.Errorf("prompt %q in turn %d", e.Prompt, e.Turn)
	}
	if got, want := strings.Join(e.Words, "|"), "Two things are left:|☐ the docs|the tag: signed|three|four|five"; got != want {
		t.Errorf("closing words %q, want %q", got, want)
	}
	if got, want := strings.Join(e.Steps, "|"), "the docs|the tag"; got != want || e.Checkpoint != 3 || e.Followed != 1 {
		t.Errorf("steps %q of checkpoint %d, %d prompts followed; want %q", got, e.Checkpoint, e.Followed, want)
	}
	for status, want := range map[sources.Status]string{sources.Failed: "error: limit reached", sources.Cancelled: "stopped before it was answered", sources.Pending: "no answer yet", sources.Complete: ""} {
		s := sources.Session{Turns: []sources.Turn{{User: "Test it", Status: status, Error: "limit\nreached"}}}
		expect.Is(t, EndingOf(&s).Broke, want, status)
	}
	if e.Check == nil || e.Check.Line != "go test ./... | tail -5" || *e.Check.Exit != 1 || e.Check.Turn != 0 {
		t.Errorf("last check %+v", e.Check)
	}
	if details, number := Details(&s); strings.Join(details, "|") != "one thing|**two** things" || number != 3 {
		t.Errorf("details %q of checkpoint %d", details, number)
	}
	led := sources.Session{Checkpoints: []sources.Checkpoint{{NextSteps: "Add the totals to the list view of the report:\n- gross\n- net\n\nThen restart the service."}}}
	if got, want := strings.Join(EndingOf(&led).Steps, "|"), "Add the totals to the list view of the report:|gross|net"; got != want {
		t.Errorf("steps %q, want %q", got, want)
	}
	for message, want := range map[string]string{
		"Which one?": "Which one?",
		"Read it.\n\nThere are two:\n- one\n- two\n\nWhich one?": "There are two:|one|two|Which one?",
		"Read it.\n\nIt fails at four.\n\nShall I mend it?":      "It fails at four.|Shall I mend it?",
		"It fails.\n\n## Next\n\nShall I mend it?":               "Shall I mend it?",
	} {
		if got := strings.Join(closing(message), "|"); got != want {
			t.Errorf("%q ends with %q, want %q", message, got, want)
		}
	}
	long := strings.Repeat("A sentence of words. ", 60)
	if words := closing(long); len(words) != 1 || sign.Letters(words[0]) > maxWords || !strings.HasSuffix(words[0], "words.") {
		t.Errorf("closing words %q", words)
	}
	if words := closing(strings.Repeat("語", 400)); len(words) != 1 || words[0] != strings.Repeat("語", maxWords/2)+"…" {
		t.Errorf("closing words %q", words)
	}
}

func FuzzOutcome(f *testing.F) {
	for _, seed := range []string{"- a\n\n**b**:", "```\n", "> x", "| a |\n|-|\n", "[ ]", "a\xff.", "# x\n- [x] y", "1. ☐ é："} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, prompt, answer string) {
		s := sources.Session{Turns: []sources.Turn{{User: prompt, Assistant: answer}}, Summary: prompt, SummaryFrom: sources.TrustNamed, Checkpoints: []sources.Checkpoint{{Raw: answer, NextSteps: answer, Technical: prompt}}}
		if came := Of(&s); sign.Letters(came.Text) > maxText+1 || strings.ContainsAny(came.Text, "\r\n") {
			t.Errorf("%q", came.Text)
		}
		e := EndingOf(&s)
		for _, text := range append(append(e.Words, e.Steps...), e.Prompt) {
			if sign.Letters(text) > maxWords+1 || strings.ContainsAny(text, "\r\n") {
				t.Errorf("%q", text)
			}
		}
	})
}
