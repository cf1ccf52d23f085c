package tools

import (
	"fmt"
	"strings"
	"testing"
)

// TestUnwrap has outputs in the wrappings of all agents, and some that are none.
func TestUnwrap(t *testing.T) {
	for text, want := range map[string]string{
		"Exit code: 0\nWall time: 0.3 seconds\nOutput:\n[main abc1234] x\n":                                                                                                  "0 [main abc1234] x\n",
		"Chunk ID: 1\nWall time: 0.3 seconds\nProcess exited with code 2\nOutput:\nno\n":                                                                                     "2 no\n",
		"Script completed\nWall time 0.5 seconds\nOutput:\n\nExit code: 1\nWall time: 0 seconds\nOutput:\nx":                                                                 "1 x",
		"Script completed\nWall time 0.5 seconds\nOutput:\n\nx":                                                                                                              "? x",
		"Chunk ID: 1\nWall time: 9 seconds\nProcess running with session ID 3\nOutput:\nx":                                                                                   "running x",
		"Command: /bin/zsh -lc 'ls'\nChunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 27\nOutput:\nx":                                 "0 x",
		"Command: sh -c 'cat <<E\n" + strings.Repeat("a\n", edge) + "E'\nChunk ID: a1\nWall time: 1 seconds\nProcess exited with code 3\nOriginal token count: 2\nOutput:\n": "3 ",
		"Command: sh -c '" + strings.Repeat("a", 2*edge) + "'\nChunk ID: a1\nWall time: 1 seconds\nProcess running with session ID 7\nOriginal token count: 2\nOutput:\nx":   "running x",
		`{"output":"a\nb","metadata":{"exit_code":3,"duration_seconds":0.1}}`:                                                                                                "3 a\nb",
		`{"exit_code":0,"stdout":"a"}`:                           "0 a",
		`"{\"output\":\"a\",\"metadata\":{\"exit_code\":0}}"`:    "0 a",
		"Exited with code 0.Final output:\n\n[main abc1234] x\n": "0 [main abc1234] x\n",
		"Exit code 1\nno such file":                              "1 no such file",
		"ok\n<exited with exit code 0>":                          "0 ok",
		"ok\n<shellId: 3 completed with exit code 7>":            "7 ok",
		"Output: ok\nExit Code: 4\nProcess Group PGID: 12":       "4 \nok",
		"<tool_output_masked>\nOutput: a\nExit Code: 1\nProcess Group PGID: 7\n\nOutput too large. Full output available at: /t/x.txt\n</tool_output_masked>": "1 \na",
		"Command: ls\nDirectory: (root)\nOutput: a\nExit Code: (none)":                                                                                        "running \nCommand: ls\nDirectory: (root)\na\nExit Code: (none)",
		"a\n\n<bash_metadata>\nbash tool terminated command after exceeding timeout 5 ms\n</bash_metadata>":                                                   "running a\n\n<bash_metadata>\nbash tool terminated command after exceeding timeout 5 ms\n</bash_metadata>",
		"it says\nExit code: 3\nin the middle": "? it says\nExit code: 3\nin the middle",
		`{"output": "of a program"}`:           `? {"output": "of a program"}`,
		"":                                     "? ",
	} {
		out := Unwrap(text)
		code := "?"
		switch {
		case out.Exit != nil:
			code = fmt.Sprint(*out.Exit)
		case out.Running:
			code = "running"
		}
		if got := code + " " + out.Text; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
