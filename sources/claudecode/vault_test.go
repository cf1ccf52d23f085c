package claudecode_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/claudecode"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

// notesOf has the engine make a vault of a home.
func notesOf(t *testing.T, home string) sourcetest.Notes {
	t.Helper()
	return sourcetest.NewVault(t).Sync(claudecode.New(claudecode.Config{Homes: []string{home}}))
}

// Files that name their session only inside, or by a line of it, are found by it.
func TestWhatLiesApartStandsInTheNoteOfItsSession(t *testing.T) {
	notes := notesOf(t, "testdata/home")
	timeouts, etag := notes.Of("0b5c1c0e-5d0a-4e0e-9a51-6b1a0a6d1c01"), notes.Of("78484eb6-deb0-4462-8570-5f8481fd5aa0")
	for what, has := range map[string]bool{
		"the title that another transcript gives": strings.Contains(timeouts, "# Server timeouts\n"),
		"the plan by its slug":                    strings.Contains(etag, "virtual-inventing-peacock") && strings.Contains(etag, "If-None-Match"),
		"what was taken back":                     !strings.Contains(notes.Of("aa81fc45-db5c-4d1a-852f-1885e56c3827"), "internal/httpx/page.go"),
		"a sub-agent in a file of its own":        strings.Contains(notes.Of("9d7a3c44-61b2-4f0c-b7a5-5e0c2f1d8a12"), "layer claude-code/subagents"),
		"a fork without what its parent tells":    !strings.Contains(notes.Of("6ed2f55e-9dd3-4b08-a407-1d6b7d39ac7e"), "stops accepting connections"),
	} {
		if !has {
			t.Errorf("missing: %s", what)
		}
	}
	for _, id := range []string{"8d4e1bc3-5f60-4182-8d9e-0f1a2b3c4d22", "fac74514-e78b-44e9-85c9-e60f2e23c2ba", "9e5f2cd4-6071-4293-9eaf-1a2b3c4d5e23"} {
		if notes.Of(id) != "" {
			t.Errorf("session %s, in which nobody prompted, has a note", id)
		}
	}
}

// structural are the members whose texts are no prose: records are told apart by them.
var structural = strings.Fields(`type subtype role uuid parentUuid logicalParentUuid sessionId leafUuid promptId requestId messageId id tool_use_id
	parentToolUseID toolUseID sourceToolAssistantUUID agentId timestamp status operation commandMode entrypoint userType version stop_reason name`)

// Whatever stands in any field of any file acts nowhere in the vault, and shows no secret.
func TestHostileFields(t *testing.T) {
	home := sourcetest.Sample(t)
	secrets, v := sourcetest.Poison(t, home, structural...), sourcetest.NewVault(t)
	notes := v.Sync(claudecode.New(claudecode.Config{Homes: []string{home}, PromptOnly: true}))
	v.Harmless(secrets...)
	if masked := strings.Count(strings.Join(slices.Collect(maps.Values(notes)), ""), "redacted"); masked < 100 {
		t.Errorf("%d of %d secrets are masked in the notes", masked, len(secrets))
	}
	if len(secrets) < 500 || len(notes) < 12 {
		t.Errorf("%d secrets in %d notes", len(secrets), len(notes))
	}
}
