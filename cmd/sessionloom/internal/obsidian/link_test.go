package obsidian

import "testing"

func TestLinkIsEscaped(t *testing.T) {
	const want = "obsidian://open?path=%2Fhome%2Fada%2FMy%20Vault%2Fa%2Bb%26c%3Dd%25%23%3F%2FHome.md"
	if got := Link("/home/ada/My Vault/a+b&c=d%#?/Home.md"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
