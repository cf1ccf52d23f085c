package ingest

import "testing"

func TestRemotesLoseTheirLogin(t *testing.T) {
	for remote, want := range map[string]string{
		"https://me:token@github.com/octo-org/widget.git": "https://github.com/octo-org/widget.git",
		"https://token@github.com/octo-org/widget.git":    "https://github.com/octo-org/widget.git",
		"ssh://git:pass@example.org:22/widget.git":        "ssh://example.org:22/widget.git",
		"ssh://git@example.org/widget.git":                "ssh://git@example.org/widget.git",
		"git@github.com:octo-org/widget.git":              "git@github.com:octo-org/widget.git",
		"octo-org/widget":                                 "octo-org/widget",
		"":                                                "",
	} {
		if got := withoutLogin(remote); got != want {
			t.Errorf("%q became %q", remote, got)
		}
	}
}
