package claudecode_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/claudecode"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

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
