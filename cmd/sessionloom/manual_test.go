package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/help"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/terminal"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// What is packed beside the program is written by the tests that check it, so that
// nothing of it is linked into the program.
var (
	packed     = flag.String("packed", "", "write man pages, completions and licences into this `folder`")
	packedDate = flag.Int64("packed.date", 0, "the `time` in Unix seconds that man pages are dated by")
)

// Every command has a man page, and every shell a script that completes them. They
// are the same bytes when written again.
func TestManual(t *testing.T) {
	t.Parallel()
	dir, again := *packed, t.TempDir()
	if dir == "" {
		dir = t.TempDir()
	}
	writeManual(t, dir)
	writeManual(t, again)
	files := expect.Value(filepath.Glob(filepath.Join(dir, "*", "*")))(t)
	var pages, scripts []string
	for _, file := range files {
		switch text := readFile(t, file); filepath.Base(filepath.Dir(file)) {
		case "man":
			pages = append(pages, filepath.Base(file))
		case "completions":
			scripts = append(scripts, filepath.Base(file))
			if !bytes.Contains(text, []byte("__complete")) {
				t.Errorf("%s does not ask the program", file)
			}
		}
		below, _ := filepath.Rel(dir, file)
		if !bytes.Equal(readFile(t, file), readFile(t, filepath.Join(again, below))) {
			t.Errorf("%s differs when written again", below)
		}
	}
	if want := manPages(t); !slices.Equal(pages, want) || len(want) < 20 {
		t.Errorf("man pages %q, want %q", pages, want)
	}
	expect.List(t, scripts, strings.Fields("_sessionloom sessionloom.bash sessionloom.fish sessionloom.ps1"), "completions")
}

func manualRoot(t *testing.T) *cobra.Command {
	root := expect.Value(newRoot(&terminal.Printer{}))(t)
	return root
}

// manPages lists the names of all man pages.
func manPages(t *testing.T) (names []string) {
	for _, cmd := range help.EveryCommand(manualRoot(t)) {
		if hasPage(cmd) {
			names = append(names, pageName(cmd))
		}
	}
	slices.Sort(names)
	return names
}

func hasPage(cmd *cobra.Command) bool { return cmd.Parent() == nil || cmd.IsAvailableCommand() }

func pageName(cmd *cobra.Command) string {
	return strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1.gz"
}

func writeManual(t *testing.T, dir string) {
	root := manualRoot(t)
	man, completions := filepath.Join(dir, "man"), filepath.Join(dir, "completions")
	for _, d := range []string{man, completions} {
		expect.OK(t, os.MkdirAll(d, 0o755))
	}
	script := func(name string) string { return filepath.Join(completions, name) }
	for _, err := range []error{
		root.GenBashCompletionFileV2(script("sessionloom.bash"), true),
		root.GenZshCompletionFile(script("_sessionloom")),
		root.GenFishCompletionFile(script("sessionloom.fish"), true),
		root.GenPowerShellCompletionFileWithDesc(script("sessionloom.ps1")),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	date := time.Unix(*packedDate, 0).UTC()
	for _, cmd := range help.EveryCommand(root) {
		if hasPage(cmd) {
			writePage(t, cmd, date, man)
		}
	}
}

// writePage writes the man page of one command, packed as systems keep them.
func writePage(t *testing.T, cmd *cobra.Command, date time.Time, dir string) {
	page, zipped := manPage(t, cmd, date), bytes.Buffer{}
	z, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	_, err := z.Write(page)
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, pageName(cmd)), zipped.Bytes(), 0o644)
	}
	expect.OK(t, err)
}

func readFile(t *testing.T, path string) []byte {
	text := expect.Value(os.ReadFile(path))(t)
	return text
}
