package eventlog

import (
	"strings"
	"testing"
)

func TestParseSections(t *testing.T) {
	cp := ParseSections("<checkpoint_title>Key\nring</checkpoint_title>\r\n<overview>\r\nO\r\n</overview> <history>H\n</history>\n" +
		"<work_done>\n- [x] a\n</work_done>\n<technical_details>\nthe tag `<next_steps>` is literal,\n<next_steps> even here, and `</overview>`\n</technical_details>\n" +
		"<important_files>\nf\n</important_files>\n<decisions>kept</decisions>\n<next_steps>\nN `</next_steps>` N\n</next_steps>")
	for _, c := range []struct{ what, got, want string }{
		{"title", cp.Title, "Key ring"}, {"overview", cp.Overview, "O"}, {"history", cp.History, "H"},
		{"work done", cp.WorkDone, "- [x] a"}, {"important", cp.Important, "f"},
		{"technical", cp.Technical, "the tag `<next_steps>` is literal,\n<next_steps> even here, and `</overview>`\n\n<decisions>kept</decisions>"},
		{"next steps", cp.NextSteps, "N `</next_steps>` N"}, {"raw", cp.Raw, ""},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.what, c.got, c.want)
		}
	}
}

func TestTextWithoutSectionsIsRaw(t *testing.T) {
	for _, text := range []string{"Just text.", "a <overview> within a line </overview>", "<overview>never closed", "</overview><overview>"} {
		if cp := ParseSections("\n" + text + "\n"); cp.Raw != text || cp.Overview != "" {
			t.Errorf("%q: %+v", text, cp)
		}
	}
}

func FuzzParseSections(f *testing.F) {
	f.Add("<overview>\na\n</overview>\n<history>b</history>x")
	f.Add("<checkpoint_title>t</checkpoint_title>\n<next_steps>\n<overview>\n</next_steps></overview>")
	f.Fuzz(func(t *testing.T, text string) {
		cp := ParseSections(text)
		all := cp.Title + cp.Overview + cp.History + cp.WorkDone + cp.Technical + cp.Important + cp.NextSteps + cp.Raw
		for _, tag := range []string{"checkpoint_title", "overview", "history", "work_done", "technical_details", "important_files", "next_steps"} {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "<"+tag+">", ""), "</"+tag+">", "")
			all = strings.ReplaceAll(strings.ReplaceAll(all, "<"+tag+">", ""), "</"+tag+">", "")
		}
		// No word of a checkpoint is lost, whatever its tags.
		if len(text) < 200 && letters(all) != letters(text) {
			t.Errorf("%q became %q", text, all)
		}
	})
}

// letters counts the letters of a text that are no part of a tag.
func letters(text string) int {
	n := 0
	for _, r := range text {
		if r >= 'A' && r <= 'Z' {
			n++
		}
	}
	return n
}
