package codexcli

import "testing"

// TestWhatNobodyTyped has prompts with what a client puts before them.
func TestWhatNobodyTyped(t *testing.T) {
	for name, c := range map[string][2]string{
		"files":    {"# Files mentioned by the user:\n\n## a.png: /w/a.png\n\n## My request for Codex:\nmend it\n", "mend it"},
		"findings": {"# Review findings:\n\n## Finding 1 (pump.go:3)\nIt drips.\n\n## My request for Codex:\nmend them", "mend them"},
		"tabs":     {"# Context from my IDE setup:\n\n## Open tabs:\n- a.go\n\n## My request for Codex:\nmend all", "mend all"},
		"talk":     {"\n## Prior conversation with Codex:\n{\"conversation\":[{\"role\":\"user\"}]}\n## My request for Codex:\ngo on\n", "go on"},
		"chat":     {"## Referenced ChatGPT conversation:\nOf a pump.\n\n## My request for Codex:\nmend\nit\n", "mend\nit"},
		"review":   {"## Code review guidelines:\n# Review guidelines:\nBe kind.\n## My request for Codex:\nno\n## My request for Codex:\nlook", "look"},
		"no head":  {"mend it\n## My request for Codex:\nnow", "mend it\n## My request for Codex:\nnow"},
		"a script": {"#!/bin/sh\n## My request for Codex:\nnow", "#!/bin/sh\n## My request for Codex:\nnow"},
		"theirs":   {"# A heading of mine\n\nand text", "# A heading of mine\n\nand text"},
	} {
		if got := typed(c[0]); got != c[1] {
			t.Errorf("%s: %q, want %q", name, got, c[1])
		}
	}
	for text, want := range map[string]string{
		"<environment_context>\nCurrent working directory: /w/pump\nApproval policy: never\n</environment_context>": "/w/pump",
		"<environment_context>\n  <cwd>/w/valve</cwd>\n</environment_context>":                                      "/w/valve",
		"<environment_context>\n</environment_context>":                                                             "",
	} {
		if got := folderIn(text); got != want {
			t.Errorf("folder %q, want %q", got, want)
		}
	}
}
