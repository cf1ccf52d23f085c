package main

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// Each message that the page on troubleshooting explains is one that the program prints.
func TestTroubleshootingKnowsTheMessages(t *testing.T) {
	t.Parallel()
	page := expect.Value(os.ReadFile(filepath.Join(root, "docs", "troubleshooting.md")))(t)
	var all strings.Builder
	eachFile(t, func(_ string, _ *token.FileSet, file *ast.File) {
		for _, text := range sentences(file) {
			all.WriteString(text + "\n")
		}
	})
	printed := regexp.MustCompile(`%[dqsv]`).ReplaceAllString(all.String(), "…")
	printed = strings.NewReplacer( // as they read when the words are in their places
		"new … touch", "new text touch", "no … is called", "no session is called",
	).Replace(printed)
	messages := regexp.MustCompile("(?m)^### `(.*)`$").FindAllStringSubmatch(string(page), -1)
	if len(messages) < 10 {
		t.Fatalf("%d messages are explained", len(messages))
	}
	for _, m := range messages {
		expect.Has(t, printed, m[1], "nothing prints")
	}
}
