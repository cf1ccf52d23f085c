package main

import (
	"flag"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/terminal"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

var benchHomes = flag.String("bench.homes", "", "homes of Copilot CLI that BenchmarkFirstSync reads, with commas (default: the sample's)")

// BenchmarkFirstSync makes the vaults of some homes. `make profile` takes the profile from
// it by which the compiler optimizes the program.
func BenchmarkFirstSync(b *testing.B) {
	homes := strings.Split(*benchHomes, ",")
	if *benchHomes == "" {
		homes = []string{filepath.Join(root, "testdata/sample/copilot-home")}
	}
	for b.Loop() {
		for _, home := range homes {
			dir := b.TempDir()
			cmd := expect.Value(newRoot(&terminal.Printer{Out: io.Discard, Err: io.Discard}))(b)
			cmd.SetArgs([]string{"sync", "--create", "--copilot-home", home, "--source", "copilot-cli", "--vault", filepath.Join(dir, "vault"), "--state", filepath.Join(dir, "state")})
			expect.OK(b, cmd.ExecuteContext(b.Context()))
		}
	}
}
