package geminicli_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata"
)

// What lies in several files, or apart, stands in one note.
func TestSampleInNotes(t *testing.T) {
	notes := sourcetest.NewVault(t).Sync(open(sourcetest.Sample(t)))
	pages, links := notes.Of("4e8c3872-"), notes.Of("18bea205-")
	for what, has := range map[string]bool{
		"four sessions":                  strings.Count(strings.Join(slices.Collect(maps.Values(notes)), ""), "\nid: \"session:") == 4,
		"turns without what was undone":  strings.Contains(pages, "\nturn_count: 5\n"),
		"what was taken back":            strings.Contains(pages, "> [!info]- Taken back (1)") && strings.Contains(pages, "That one stays as it is."),
		"a resumed session in one note":  strings.Contains(pages, "One more question: is it committed?"),
		"the command to go on":           strings.Contains(pages, "gemini --resume 4e8c3872-f4dc-438d-a34f-351fbec77419"),
		"the sub-agent":                  strings.Contains(links, "layer gemini-cli/subagents") && strings.Contains(links, "LINKS: which links are broken?"),
		"the title":                      strings.Contains(links, "# A short summary\n"),
		"no note of the sub-agent":       notes.Of("0d46bb68-") == "",
		"the failed command":             strings.Contains(notes.Of("cb4153cb-"), "**failed, exit code 128**"),
		"prompts of any script, masked":  strings.Contains(notes.Of("2ea73155-"), "各ルートの中央値を表にしてください。") && !strings.Contains(notes.Of("2ea73155-"), "ghp_SYNTHETIC"),
		"no prompt of the program's own": !strings.Contains(pages, "session_context") && !strings.Contains(pages, "Got it. Thanks"),
	} {
		if !has {
			t.Errorf("missing: %s", what)
		}
	}
}

// A history that grows, is rewound, resumed, compressed, moved and deleted: after each step the
// vault is what an empty one becomes, but for what is gone.
func TestGrowth(t *testing.T) {
	dir, v := t.TempDir(), sourcetest.NewVault(t)
	name := chatAt("w", firstID)
	hashed := strings.Replace(name, "/w/", "/"+hashOf("/w")+"/", 1)
	lines := []string{head(firstID), user("u", 1, "first"), gemini("g", 1, "one")}
	add := func(more ...string) files {
		lines = append(lines, more...)
		return files{name: linesOfChat(lines...)}
	}
	for _, step := range []struct {
		what  string
		files files
		moves [2]string // a file that goes elsewhere
		has   []string
	}{
		{what: "a document in a folder of a hash", files: files{strings.TrimSuffix(hashed, "l"): document(firstID, hashOf("/w"), "This is the Gemini CLI.", user("u", 1, "first"), gemini("g", 1, "one"))}, has: []string{"first", "one"}},
		{what: "the folder gets a name", moves: [2]string{"tmp/" + hashOf("/w"), "tmp/w"}, files: files{"tmp/w/.project_root": []byte("/w")}, has: []string{"first", "~"}},
		{what: "resumed as a log", files: add(user("v", 2, "second"), gemini("h", 2, "two")), has: []string{"second"}},
		{what: "a line that was typed", files: files{"tmp/w/logs.json": []byte(`[{"sessionId":"` + firstID + `","type":"user","message":"/stats","timestamp":"2026-04-02T09:02:50.000Z"}]`)}, has: []string{"/stats"}},
		{what: "rewound", files: add(rewindTo("v")), has: []string{"Taken back (1)"}},
		{what: "goes on", files: add(user("w", 3, "third"), gemini("i", 3, "three")), has: []string{"third", "Taken back (1)"}},
		{what: "compressed", files: add(sets(`"messages":[` + user("n", 4, "<state_snapshot><overall_goal>Thirds</overall_goal></state_snapshot>") + `]`)), has: []string{"Thirds", "third"}},
		{what: "another file of it", files: files{strings.Replace(name, "09-00", "10-00", 1): linesOfChat(head(firstID), user("x", 20, "fourth"), gemini("j", 20, "four"))}, has: []string{"fourth", "third"}},
		{what: "a sub-agent", files: files{"tmp/w/chats/" + firstID + "/" + thirdID + ".jsonl": linesOfChat(strings.Replace(head(thirdID), `"main"`, `"subagent"`, 1), user("u", 1, "dig"), gemini("g", 1, "dug"))}, has: []string{"dug"}},
		{what: "a plan", files: files{"tmp/w/" + firstID + "/plans/p.md": []byte("# Plan\n- [ ] thatch\n")}, has: []string{"|Plan]]"}},
		{what: "a title", files: add(sets(`"summary":"Counting"`)), has: []string{"# Counting"}},
	} {
		if step.moves[0] != "" {
			must(t, os.Rename(filepath.Join(dir, filepath.FromSlash(step.moves[0])), filepath.Join(dir, filepath.FromSlash(step.moves[1]))))
		}
		step.files.write(t, dir)
		sourcetest.Age(t, dir)
		text := v.SyncAsFresh(step.what, func() sources.Source { return open(dir) }).Of(firstID)
		for _, want := range step.has {
			if !strings.Contains(text, want) && want != "~" {
				t.Errorf("%s: %q is missing in\n%s", step.what, want, text)
			}
		}
	}
	before := v.Sync(open(dir))
	must(t, os.RemoveAll(filepath.Join(dir, "tmp", "w"))) // after 30 days
	if diff := v.Sync(open(dir)).Differ(before); diff != "" {
		t.Errorf("chats that are gone changed their notes:\n%s", diff)
	}
}

// structural are the members whose texts are no prose: records are told apart by them.
var structural = strings.Fields(`id sessionId projectHash startTime lastUpdated kind type timestamp status name mimeType agentId messageId
	$rewindTo source created_at conversationId updatedAt`)

// Whatever stands in any field of any file acts nowhere in the vault, and shows no secret.
func TestHostileFields(t *testing.T) {
	dir := sourcetest.Sample(t)
	f := files{
		logsDir + "transcript_full.jsonl": agyConversation, brainDir + "task.md": []byte("- [ ] " + testdata.Hostile + "\nghp_SYNTHETIC0example0token0for0tests000"),
		"GEMINI.md": []byte(testdata.Hostile + "ghp_SYNTHETIC0example0token0for0tests000"),
		"tmp/docs-site/18bea205-2940-4ffb-a6d0-32ebaf21cdfd/plans/p [[x]].md":    []byte(testdata.Hostile + "ghp_SYNTHETIC0example0token0for0tests000"),
		"tmp/docs-site/chats/session-2026-11-22T07-20-" + firstID[:8] + ".json":  document(secondID, "", "This is the Gemini CLI.", user("u", 1, "p"), gemini("g", 1, "a")),
		"tmp/docs-site/chats/session-2026-11-22T07-20-" + thirdID[:8] + ".jsonl": linesOfChat(head(thirdID), `{"id":"u","type":"user","timestamp":"2026-04-02T09:01:00.000Z","content":"x\n--- Content from referenced files ---\nContent from @a [[x]] <% y %>:\nz","displayContent":"typed"}`, `{"id":"e","type":"error","timestamp":"2026-04-02T09:01:01.000Z","content":"bad"}`),
		"antigravity-cli/history.jsonl":                                          []byte(`{"display":"p","workspace":"/w","conversationId":"` + firstID + `"}` + "\n"),
	}
	f.write(t, dir)
	projects := read(t, filepath.Join(dir, "projects.json"))
	secrets := sourcetest.Poison(t, dir, structural...)
	must(t, os.WriteFile(filepath.Join(dir, "projects.json"), projects, 0o600)) // names the folders
	v := sourcetest.NewVault(t)
	notes := v.Sync(open(dir))
	v.Harmless(append(secrets, "ghp_SYNTHETIC0example0token0for0tests000")...)
	if masked := strings.Count(strings.Join(slices.Collect(maps.Values(notes)), ""), "redacted"); masked < 100 {
		t.Errorf("%d of %d secrets are masked in the notes", masked, len(secrets))
	}
	if len(secrets) < 150 || len(notes) < 12 {
		t.Errorf("%d secrets in %d notes", len(secrets), len(notes))
	}
}
