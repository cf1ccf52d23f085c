package codexcli_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/codexcli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

// structural are the members whose texts are no prose: records are told apart by them.
var structural = strings.Fields(`type role id timestamp call_id name kind status record_type thread_id turn_id session_id conversation_id
	parent_thread_id item_id phase reason originator source cli_version history_mode history_base path rollout_path action subtype`)

// Whatever stands in any field of any file acts nowhere in the vault, and shows no secret.
func TestHostileFields(t *testing.T) {
	home := sourcetest.Sample(t)
	secrets, v := sourcetest.Poison(t, home, structural...), sourcetest.NewVault(t)
	notes := v.Sync(codexcli.New(codexcli.Config{Homes: []string{home}, PromptOnly: true}))
	v.Harmless(secrets...)
	if masked := strings.Count(strings.Join(slices.Collect(maps.Values(notes)), ""), "redacted"); masked < 100 {
		t.Errorf("%d of %d secrets are masked in the notes", masked, len(secrets))
	}
	if len(secrets) < 500 || len(notes) < 12 {
		t.Errorf("%d secrets in %d notes", len(secrets), len(notes))
	}
}
