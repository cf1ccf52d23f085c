package main

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// What is no message is answered with an error, and the server continues.
func TestLinesThatAreNoMessages(t *testing.T) {
	t.Parallel()
	_, flags := sampleVault(t)
	cmd := serverCommand(t, flags...)
	in := expect.Value(cmd.StdinPipe())(t)
	out := expect.Value(cmd.StdoutPipe())(t)
	expect.OK(t, cmd.Start())
	answers, refused := bufio.NewReader(out), 0
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":`, `not JSON`, "\x00\xff", `42`, `[]`, `{}`, `[{"jsonrpc":"2.0","id":7,"method":"ping"}]`,
		`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"` + strings.Repeat("x", 20<<20) + `"}}`,
		"\n" + `{"jsonrpc":"2.0","id":9,"method":"tools/list"}`,
	} {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
		answer, err := answers.ReadString('\n')
		if err != nil {
			t.Fatalf("%.80q is answered by %q: %v", line, answer, err)
		}
		if strings.Contains(answer, `"id":null,"error"`) {
			refused++
		} else if strings.Contains(line, `"id":9`) != strings.Contains(answer, "search_history") {
			t.Errorf("%.80q is answered by %q", line, answer)
		}
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil || refused != 8 {
		t.Errorf("%d lines were refused; at the end: %v", refused, err)
	}
}

// Calls that are under way when the input ends are answered.
func TestAnswersUnderWayAreFinished(t *testing.T) {
	t.Parallel()
	_, flags := sampleVault(t)
	c := serverCommand(t, flags...)
	c.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_history","arguments":{"query":"keys"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`)
	out, err := c.Output()
	for _, id := range []string{`"id":0`, `"id":1`, `"id":2`} {
		if err != nil || !strings.Contains(string(out), id) {
			t.Errorf("%v, no answer %s: %s", err, id, out)
		}
	}
}
