package content

import (
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

// What an agent keeps of a memory in frontmatter is no part of what it says.
func TestFrontmatterOfAMemory(t *testing.T) {
	const meta = "---\nname: store-sharding\ndescription: \"When to shard\"\nmetadata:\n  type: project\n---\n\n"
	for name, c := range map[string]struct{ kind, text, title, shown string }{
		"the description names it": {sources.Memory, meta + "Not before p99 is above 1 ms.\n", "When to shard", "\nNot before p99 is above 1 ms.\n"},
		"a heading goes before":    {sources.Memory, meta + "# Sharding\n\nNot yet.\n", "Sharding", "\nNot yet.\n"},
		"none":                     {sources.Memory, "Not yet, since nobody measured it on a real machine. Measure first.\n", "Not yet, since nobody measured it on a real machine.", "Not yet, since nobody measured it on a real machine. Measure first.\n"},
		"never closed":             {sources.Memory, "---\nname: x\n", "name: x", "---\nname: x\n"},
		"links lose their targets": {sources.Memory, "- [Sharding](store-sharding.md): later\n", "Sharding: later", "- [Sharding](store-sharding.md): later\n"},
		"a saved file keeps it":    {sources.File, meta + "Text.\n", "a.md", meta + "Text.\n"},
	} {
		a := sources.Artifact{Kind: c.kind, Name: "a.md", Text: c.text}
		title := ArtifactTitle(a, "")
		if shown := Shown(a, title); title != c.title || shown != c.shown {
			t.Errorf("%s: %q is shown as %q, want %q as %q", name, title, shown, c.title, c.shown)
		}
	}
}

// A task is no word of consent, in whatever script.
func TestIsNod(t *testing.T) {
	for said, want := range map[string]bool{
		"yes": true, "ok go": true, "好的，继续": true, "はい、お願いします": true, "계속 해줘": true, "ตกลง": true,
		"帮我写一个排序函数": false, "登録画面の誤りを直して": false, "ปุ่มเข้าสู่ระบบ": false, "你有什么技能呢？": false, "and now?": true, "write it all": false, "/go": false, "": false,
	} {
		if got := IsNod(sources.Turn{User: said}); got != want {
			t.Errorf("%q: %v, want %v", said, got, want)
		}
	}
}

func TestFirstPrompt(t *testing.T) {
	for want, turns := range map[string][]sources.Turn{
		"":                    {{User: " "}},
		"Tidy up":             {{User: "Tidy up", Tools: make([]sources.Tool, 1)}, {User: "And by size, please"}},
		"By size, if you can": {{User: "hi"}, {User: "By size, if you can"}},
		"Compare":             {{User: "Compare"}, {User: "Go on", Tools: make([]sources.Tool, 1)}},
		"hello":               {{User: "hello"}, {User: "thanks"}},
		"Sort it all by date": {{User: "go", Inherited: true}, {User: "ok"}, {User: "Sort it all by date"}},
		"And by size, please": {{User: "Sort it all by date", Inherited: true}, {User: "And by size, please"}},
		"Sort it by the date": {{User: "Sort it by the date", Inherited: true}, {User: "continue"}},
	} {
		if got := FirstPrompt(turns); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
