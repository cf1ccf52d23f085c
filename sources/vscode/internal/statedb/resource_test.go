package statedb_test

import (
	"testing"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/statedb"
)

func TestResources(t *testing.T) {
	for resource, want := range map[string][2]string{
		localA:                                 {"local", idA},
		localA + "?x#y":                        {"local", idA},
		"vscode-chat-session://local/Y2hhdC0z": {"local", "chat-3"},
		"vscode-chat-session://local/chat-3":   {"local", "chat-3"},
		"vscode-chat-session://claude/NDBBODYzNjktNmUxZC00ZDFhLThmNjUtZjg2ODIwODViMjA2": {"claude", idA},
		"copilotcli:/" + idB:                                {"copilotcli", idB},
		"copilotcli:" + idB:                                 {"copilotcli", idB},
		"copilotcli:///" + idB:                              {"copilotcli", idB},
		"agent-host-copilotcli:/" + idB:                     {"agent-host-copilotcli", idB},
		"claude-code:/B298A1E7-38aa-4f2f-bab3-7f6788b77fe5": {"claude-code", idB},
		"openai-codex:/local/some%20id":                     {"openai-codex", "local/some id"},
		idA:                                                 {},
		"":                                                  {},
		"copilotcli:/":                                      {},
		"file:///home/dev/x":                                {},
		"/home/dev/x":                                       {},
		`c:\x`:                                              {},
	} {
		scheme, id, ok := statedb.ResourceID(resource)
		if ok != (want[1] != "") || ok && (scheme != want[0] || id != want[1]) {
			t.Errorf("%q: %q %q %v", resource, scheme, id, ok)
		}
	}
}
