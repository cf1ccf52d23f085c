package geminicli_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

const brainDir = "antigravity-cli/brain/" + firstID + "/"
const logsDir = brainDir + ".system_generated/logs/"

// asked is a step with a prompt as agy writes it.
func asked(n int, text string) string {
	return step(n, "USER_EXPLICIT", "USER_INPUT", `,"content":`+quoted("<USER_REQUEST>\n"+text+"\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nThe current local time is: 2026-10-08T01:07:03+07:00.\n</ADDITIONAL_METADATA>\n"+
		"<USER_SETTINGS_CHANGE>\nThe user changed setting `Model Selection` from None to Gemini 3.8 Flash (Low). No need to comment on this change if the user doesn't ask about it.\n</USER_SETTINGS_CHANGE>"))
}

func step(n int, source, kind, more string) string {
	return fmt.Sprintf(`{"step_index":%d,"source":%q,"type":%q,"status":"DONE","created_at":"2026-10-07T18:%02d:00Z"%s}`, n, source, kind, n%60, more)
}

// answered is a step of the model; calls are pairs of names and arguments.
func answered(n int, text string, calls ...string) string {
	var all []string
	for i := 0; i+1 < len(calls); i += 2 {
		all = append(all, `{"name":"`+calls[i]+`","args":`+calls[i+1]+`}`)
	}
	return step(n, "MODEL", "PLANNER_RESPONSE", `,"content":`+quoted(text)+`,"thinking":"hm","tool_calls":[`+strings.Join(all, ",")+`]`)
}

func gave(n int, kind, text string) string {
	return step(n, "MODEL", kind, `,"content":`+quoted(text))
}

// agyConversation has all that is known of a transcript.
var agyConversation = linesOfChat(
	asked(0, "Rotate the key.\n<USER_REQUEST> is a tag."),
	step(1, "SYSTEM", "CONVERSATION_HISTORY", ""),
	answered(2, "I look first.", "view_file", `{"AbsolutePath":"/w/a.go","toolSummary":"Look"}`),
	gave(3, "VIEW_FILE", "package a"),
	answered(4, "", "run_command", `{"CommandLine":"git commit -m x","Cwd":"/w","toolAction":"Commit"}`),
	gave(5, "RUN_COMMAND", "The command exited with code 0.\nOutput:\n[main 0123abc] x"),
	answered(6, "", "run_command", `{"CommandLine":"false","Cwd":"/w"}`, "write_to_file", `{"TargetFile":"/w/b.go","Overwrite":false}`),
	gave(7, "GENERIC", "The command exited with code 1."), // of which of them?
	gave(8, "CODE_ACTION", "Created file file:///w/b.go"),
	answered(9, "", "replace_file_content", `{"TargetFile":"/w/c.go"}`),
	step(10, "MODEL", "CODE_ACTION", `,"error":"no such text"`),
	answered(11, "", "write_to_file", `{"TargetFile":"/home/dev/.gemini/antigravity-cli/brain/`+firstID+`/task.md"}`, "multi_replace_file_content", `{"TargetFile":"/w/d.go"}`),
	step(12, "SYSTEM", "SYSTEM_MESSAGE", `,"content":"not the user"`),
	answered(13, "Rotated."),
	step(14, "SYSTEM", "USER_INPUT", `,"content":"<USER_REQUEST>not typed</USER_REQUEST>"`),
	step(15, "SYSTEM", "CHECKPOINT", `,"content":"What was done so far."`),
	asked(16, "Fails?"),
	step(17, "SYSTEM", "ERROR_MESSAGE", `,"error":"quota"`),
	step(18, "USER_EXPLICIT", "USER_INPUT", `,"content":"plain text<USER_SETTINGS_CHANGE>x</USER_SETTINGS_CHANGE>"`),
	step(19, "MODEL", "TELEPATHY", ""),
	answered(20, "Yes."),
)

func agyOf(t *testing.T, f files) (log, artifacts *sources.Session, h home) {
	t.Helper()
	h = readHome(t, config(f.write(t, t.TempDir())))
	return h.others[firstID+" gemini-cli/transcript"], h.others[firstID+" gemini-cli/artifacts"], h
}

func TestAgyTranscript(t *testing.T) {
	s, _, h := agyOf(t, files{logsDir + "transcript_full.jsonl": agyConversation, logsDir + "transcript.jsonl": linesOfChat(asked(0, "cut"))})
	want := "Rotate the key.\n<USER_REQUEST> is a tag. | I look first. ¶ Rotated. | complete\nFails? |  | failed\nplain text | Yes. | complete\n"
	expect.Is(t, told(s.Turns), want)
	if s.Agent != "antigravity-cli" || !s.Complete || len(s.Damage) > 0 || s.Turns[1].Error != "quota" || s.Created.Hour() != 18 || s.Turns[0].ID != "step 0" ||
		fmt.Sprint(s.Models) != "[Gemini 3.8 Flash (Low)]" || s.Place.Cwd != "/w" || !s.Place.Guessed || len(s.Checkpoints) != 1 || s.Checkpoints[0].Raw != "What was done so far." {
		t.Errorf("%+v", s)
	}
	var did []string
	for _, tool := range s.Turns[0].Tools {
		one := tool.Name + " " + tool.Kind + " " + tool.Detail
		if tool.OK != nil {
			one += fmt.Sprint(" ", *tool.OK)
		}
		if tool.Exit != nil {
			one += fmt.Sprint(" ", *tool.Exit)
		}
		did = append(did, one)
	}
	for _, f := range s.Files {
		did = append(did, f.Kind+" "+f.Path)
	}
	for _, r := range s.Refs {
		did = append(did, r.Type+" "+r.Value)
	}
	wantDid := []string{
		"view_file read /w/a.go true", "run_command run git commit -m x true 0", "run_command run false", "write_to_file create /w/b.go true",
		"replace_file_content edit /w/c.go false", "write_to_file edit ~/.gemini/antigravity-cli/brain/" + firstID + "/task.md", "multi_replace_file_content edit /w/d.go",
		"viewed /w/a.go", "created /w/b.go", "edited /w/d.go", "commit 0123abc",
	}
	expect.Is(t, strings.Join(did, "\n"), strings.Join(wantDid, "\n"))
	if h.unknown["step TELEPATHY"] != 1 || len(h.unknown) != 1 || len(h.problems) > 0 {
		t.Errorf("unknown %v, problems %q", h.unknown, h.problems)
	}
}

// Where the whole transcript is missing, its chunks are read, which are cut anywhere; then
// the one that is cut in each step.
func TestAgyPoorerTranscripts(t *testing.T) {
	whole, _, _ := agyOf(t, files{logsDir + "transcript_full.jsonl": agyConversation})
	n := len(agyConversation) / 3
	chunks := files{logsDir + "transcript.jsonl": linesOfChat(asked(0, "cut"))}
	for i, part := range [][]byte{agyConversation[:n], agyConversation[n : 2*n], {}, agyConversation[2*n:]} {
		chunks[fmt.Sprintf("%schunks/transcript_full/%08d.jsonl", logsDir, i)] = part
	}
	if s, _, h := agyOf(t, chunks); told(s.Turns) != told(whole.Turns) || len(h.problems) > 0 {
		t.Errorf("chunks:\n%s%q", told(s.Turns), h.problems)
	}
	cut := linesOfChat(asked(0, "p"), answered(1, "", "view_file", `{"AbsolutePath":"\"/w/a b.go\"","toolSummary":"\"Look\""}`, "run_command", quoted(`{"CommandLine":"\"ls\"","Cwd":"\"/w\""}`)),
		step(2, "MODEL", "PLANNER_RESPONSE", `,"content":"a","truncated_fields":["content"]`))
	s, _, _ := agyOf(t, files{logsDir + "transcript.jsonl": cut})
	if told(s.Turns) != "p | a | complete\n" || s.Files[0].Path != "/w/a b.go" || s.Turns[0].Tools[1].Command != "ls" || len(s.Damage) != 1 || !strings.Contains(s.Damage[0], "1 step of the transcript") {
		t.Errorf("%+v", s)
	}
}

// The folder stands in files that all conversations share; plans and tasks stand beside.
func TestAgyBesides(t *testing.T) {
	f := files{
		logsDir + "transcript_full.jsonl":                                            agyConversation,
		brainDir + "task.md":                                                         []byte("- [x] one\n- [ ] two\n"),
		brainDir + "task.md.metadata.json":                                           []byte(`{"artifactType":"ARTIFACT_TYPE_TASK","updatedAt":"2026-10-07T18:11:00Z"}`),
		brainDir + "walkthrough.md":                                                  []byte("Done."),
		brainDir + "walkthrough.md.metadata.json":                                    []byte(`{"upd`),
		brainDir + "notes.md":                                                        {0},
		brainDir + "picture.png":                                                     {1},
		"antigravity-cli/cache/last_conversations.json":                              []byte(`{"/old":"` + firstID + `","/x":"` + secondID + `"}`),
		"antigravity-cli/conversations/" + firstID + ".db":                           []byte("never opened"),
		"antigravity-cli/oauth_token":                                                []byte("never opened"),
		"antigravity/brain/" + secondID + "/.system_generated/logs/transcript.jsonl": linesOfChat(asked(0, "of the desktop"), answered(1, "a")),
	}
	s, artifacts, h := agyOf(t, f)
	if s.Place.Cwd != "/old" || s.Place.Guessed || s.Turns[0].Tools[0].Detail != "/w/a.go" {
		t.Errorf("%+v", s.Place)
	}
	got := ""
	for _, a := range artifacts.Artifacts {
		got += fmt.Sprintln(a.Kind, a.Name, a.At.Minute(), a.Left)
	}
	if want := "file notes.md 0 binary\nplan task.md 11 \nsummary walkthrough.md 0 \n"; got != want || len(h.problems) > 0 {
		t.Errorf("got\n%s%q", got, h.problems)
	}
	if other := h.others[secondID+" gemini-cli/transcript"]; other == nil || other.Agent != "antigravity" {
		t.Errorf("of the desktop: %+v", other)
	}
	f["antigravity-cli/history.jsonl"] = []byte(`{"display":"p","timestamp":1,"workspace":"/first"}` + "\n" + `{"display":"p","timestamp":1,"workspace":"/w","conversationId":"` + firstID + `"}` + "\n")
	if s, _, _ = agyOf(t, f); s.Place.Cwd != "/w" || s.Turns[0].Tools[0].Detail != "a.go" {
		t.Errorf("%+v", s.Place)
	}
}

// A transcript that cannot be read leaves what is stored, and says why.
func TestAgyFails(t *testing.T) {
	dir := files{logsDir + "transcript_full.jsonl": agyConversation, brainDir + "task.md": []byte("x")}.write(t, t.TempDir())
	src := open(dir)
	l := expect.Value(src.List(context.Background()))(t)
	it := l.Items[0]
	it.Parts = append([]sources.Part{}, it.Parts...)
	for i := range it.Parts {
		it.Parts[i].Path = it.File(it.Parts[i]) + "-gone"
	}
	r := expect.Value(src.Read(context.Background(), it))(t)
	if len(r.Layers) != 2 || !r.Layers[0].Failed || !r.Layers[1].Failed || len(r.Problems) != 2 || !r.Problems[0].Fatal {
		t.Errorf("%+v", r)
	}
}
