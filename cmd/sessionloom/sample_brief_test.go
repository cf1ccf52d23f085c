package main

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// What brief and standup say of the sample is committed, to be read. Each is asked for twice.
func TestSampleBriefsAreTheGoldenOnes(t *testing.T) {
	t.Parallel()
	vault, before := weaveSample(t)
	var a txtar.Archive
	for _, args := range []string{
		"brief github.com/octo-org/widget --until 2026-11-15",
		"brief github.com/octo-org/widget --until 2026-11-15 --tokens 300",
		"brief docs-site --until 2026-11-22 --tokens 4000",
		"brief latency",
		"standup --since 2026-11-09 --until 2026-11-15",
		"standup --until 2026-11-04 --project octo-org/*",
		"brief docs-site --until 2026-11-22 --json",
		"standup --until 2026-11-13 --json",
	} {
		words := append(strings.Fields(args), "--vault", vault, "--state", vault+".state")
		stdout, stderr, code := runProgram(t, "", words...)
		again, _, _ := runProgram(t, "", words...)
		if code != exitDone || stderr != "" || again != stdout {
			t.Fatalf("%s: exit code %d: %s, and then\n%s", args, code, stderr, again)
		}
		a.Files = append(a.Files, txtar.File{Name: args, Data: []byte(stdout)})
	}
	compareGolden(t, "golden/brief", a)
	for path, f := range walk(t, vault) {
		if f.text != before[path].text {
			t.Errorf("%s changed", path)
		}
	}
}
