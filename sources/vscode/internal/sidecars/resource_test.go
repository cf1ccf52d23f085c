package sidecars

import (
	"testing"

	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestResources(t *testing.T) {
	const (
		idA    = "40a86369-6e1d-4d1a-8f65-f8682085b206"
		idB    = "b298a1e7-38aa-4f2f-bab3-7f6788b77fe5"
		localA = "vscode-chat-session://local/NDBhODYzNjktNmUxZC00ZDFhLThmNjUtZjg2ODIwODViMjA2"
	)
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
		u, _ := editor.ParseURI(resource)
		if scheme, id := resourceID(u); id != want[1] || id != "" && scheme != want[0] {
			t.Errorf("%q: %q %q", resource, scheme, id)
		}
	}
}

var must = expect.OK
