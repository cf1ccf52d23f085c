package tools

import "testing"

// What a tool is called by a hostile log may be a secret: no letter of it is changed, so that it is
// found and masked.
func TestKnownChangesNamesOfOurTableAlone(t *testing.T) {
	for name, want := range map[string]string{
		"copilot_readFile":          "read_file",
		"StrReplace":                "str_replace",
		"edit_file_v2":              "edit_file",
		"AKIASYNTHETIC0TOKEN0":      "AKIASYNTHETIC0TOKEN0",
		"read AKIASYNTHETIC0TOKEN0": "read AKIASYNTHETIC0TOKEN0",
		"mcp_AKIASYNTHETIC0TOKEN0":  "mcp_AKIASYNTHETIC0TOKEN0",
		"":                          "",
	} {
		if got := Known(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
