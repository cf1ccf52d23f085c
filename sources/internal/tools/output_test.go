package tools

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
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
		"failed in sandbox MacosSeatbelt with execution error: sandbox denied exec error, exit code: 101, stdout: , stderr: error: no":                        "101 error: no",
		"failed in sandbox MacosSeatbelt with execution error: sandbox denied exec error, exit code: 1, stdout: a\n, stderr: b":                               "1 a\n, stderr: b",
		"exec_command failed for `/bin/zsh -lc ps`: CreateProcess { message: \"Codex(Sandbox(Denied { exit_code: 127, stdout: x })\" }":                       `127 stdout: x })" }`,
		"<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<stdout>\nok</stdout>":                                                                     "0 ok</stdout>",
		"<retrieval_status>success</retrieval_status>\n\n<task_id>b1</task_id>\n\n<status>failed</status>\n\n<exit_code>2</exit_code>\n\n<output>\nno":        "2 no",
		"<task_id>b1</task_id>\n\n<status>running</status>\n\n<output>\nso far":                                                                               "? <task_id>b1</task_id>\n\n<status>running</status>\n\n<output>\nso far",
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
		expect.Is(t, code+" "+out.Text, want, text)
	}
}

// TestInPlaceOfAnOutput has what programs answer in place of an output, and outputs that look like it.
func TestInPlaceOfAnOutput(t *testing.T) {
	for text, want := range map[string]string{
		"exec command rejected by user": "unrun",
		"`\"powershell.exe\" -Command 'git add .\ngit commit'` rejected: blocked by policy\n": "unrun",
		"failed to parse function arguments: missing field `command`":                         "unrun",
		"PreToolUse:Bash hook error: [node /h/block.js]: not this one":                        "unrun",
		"<tool_use_error>Cancelled: parallel tool call Bash(ls) errored</tool_use_error>":     "unrun",
		"failed in sandbox: target not found\n":                                               "failed",
		"execution error: No such file or directory (os error 2)":                             "failed",
		"apply_patch verification failed: no such file":                                       "failed",
		"Wall time: 0.1 seconds\naborted by user":                                             "failed",
		"aborted":                           "failed",
		"aborted the mission, as planned":   "",
		"PreToolUse: a hook":                "",
		"`x` rejected: of a review\nok":     "",
		"all exec command rejected by user": "",
		"Exit code: 0\nWall time: 1 seconds\nOutput:\nfailed in sandbox: a test of it": "",
	} {
		out, got := Unwrap(text), ""
		switch {
		case out.Unrun && out.Failed:
			got = "unrun"
		case out.Failed:
			got = "failed"
		}
		expect.Is(t, got, want, text)
	}
}
