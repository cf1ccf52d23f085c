package vault

import (
	"path/filepath"
	"strings"
	"testing"
)

// race lets a human save the note between our look at it and the swap, and
// tells what of the two texts is missing afterwards, in the note and among what
// was rescued.
func race(t *testing.T, save func(string) string) (r Result, note, missing string) {
	t.Helper()
	v, dir := newVault(t, Options{})
	first, second := firstDraft(), secondDraft()
	first.Body = text("# One\n\nsaid first\n\nsaid then\n\n- [ ] a box\n")
	second.Body = text("# One and two\n\nsaid first\n\nsaid then\n\n- [ ] a box\n- [ ] another\n")
	at := mustPut(t, v, first).Path
	file := filepath.Join(dir, filepath.FromSlash(at))
	var saved string
	worldOf(v).step = func(s step) {
		if s == stepSwap {
			worldOf(v).step = nil
			saved = save(readFile(t, file))
			writeFile(t, file, saved)
		}
	}
	second.At = at
	r = mustPut(t, v, second)
	note = readFile(t, file)
	all := note
	rescued, err := v.Rescued(t.Context())
	must(t, err)
	for _, p := range rescued {
		all += readFile(t, filepath.Join(dir, filepath.FromSlash(p)))
	}
	for line := range strings.Lines(saved) {
		if strings.Contains(line, "mine") && !strings.Contains(all, line) {
			missing += "theirs: " + line
		}
	}
	if !strings.Contains(strings.ReplaceAll(all, "\r\n", "\n"), "- [ ] another\n") && !strings.Contains(saved, "without yours") {
		missing += "ours: another\n"
	}
	return r, note, missing
}

var races = map[string]struct {
	save    func(string) string
	outcome Outcome
	want    string // in the note
}{
	"below": {func(s string) string { return s + "mine\n" }, Updated, "# One and two\n"},
	"in our text": {replaceOnce("said first\n", "said first, says mine\nmine too\n"), Merged,
		"# One and two\n\nsaid first, says mine\nmine too\n\nsaid then\n\n- [ ] a box\n- [ ] another\n"},
	"in the same line": {replaceOnce("# One\n", "# mine\n"), Kept, "# mine\n\nsaid first\n\nsaid then\n\n- [ ] a box\n- [ ] another\n"},
	"with other line ends": {func(s string) string {
		return strings.ReplaceAll(replaceOnce("said then\n", "said then, says mine\n")(s), "\n", "\r\n")
	}, Merged, "# One and two\r\n\r\nsaid first\r\n\r\nsaid then, says mine\r\n"},
	"a property": {replaceOnce("title: \"One\"", "title: mine"), Updated, "title: mine\n"},
	"all of our text": {func(s string) string {
		from, to := strings.Index(s, "# One"), strings.Index(s, "%% /sessionloom body")
		return s[:from] + s[to:] + "mine, without yours\n"
	}, Updated, "\n\n%% /sessionloom body "},
}

// TestRace: both texts exist after a race, as one wherever that is possible.
func TestRace(t *testing.T) {
	for name, tt := range races {
		t.Run(name, func(t *testing.T) {
			r, note, missing := race(t, tt.save)
			if missing != "" || r.Outcome != tt.outcome || !strings.Contains(note, tt.want) {
				t.Errorf("outcome %q, missing:\n%s\nnote:\n%s", r.Outcome, missing, note)
			}
		})
	}
}
