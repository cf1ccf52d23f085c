package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// privateWords are words that only their authors understood. A term that everybody knows
// is in the place of each.
var privateWords = strings.Fields(`settle kin ground frame shelf parting peace graves bury aside away astray doubles twins
	foresee tidied typist placing rehearsal atlas card loom scribe deed tale`)

// partOfName matches a word of a name that is put together of several.
var partOfName = regexp.MustCompile(`[A-Z]+(?:[^a-zA-Z]|$)|[A-Z]?[a-z]+`)

func TestNamesAreNoPrivateWords(t *testing.T) {
	t.Parallel()
	eachFile(t, func(dir string, set *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			for _, part := range partOfName.FindAllString(id.Name, -1) {
				if slices.Contains(privateWords, strings.ToLower(part)) {
					t.Errorf("%s: %s holds the private word %q", set.Position(id.Pos()), id.Name, part)
				}
			}
			return true
		})
	})
}

// privateInTexts matches the words that messages and documents for users do without. The command
// `git settle` has one of them as its name, and everybody knows what a conflict marker is.
var privateInTexts = regexp.MustCompile(`(?i)\b(weav\w*|ledgers?|pass|passes|markers?|tombstones?|layers?|shel(?:f|ves)|props line|regions?|live text|settle[sd]?|bur(?:y|ied)|told|speaks?)\b`)

// sentences are the string literals that a person may read: of several words, and no query of a
// database.
func sentences(file *ast.File) map[token.Pos]string {
	query := regexp.MustCompile(`^[\s(]*(?:SELECT|INSERT|UPDATE|DELETE|PRAGMA|CREATE|ALTER|DROP|WHERE|\w+ (?:TEXT|INTEGER))\b`)
	out := map[token.Pos]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err := strconv.Unquote(lit.Value)
			if err == nil && strings.Contains(strings.TrimSpace(text), " ") && !query.MatchString(text) {
				out[lit.Pos()] = text
			}
		}
		return true
	})
	return out
}

func TestMessagesHoldNoPrivateWords(t *testing.T) {
	t.Parallel()
	known := strings.NewReplacer("git settle", "", "Settle what", "", "conflict marker", "", "settle %q", "")
	eachFile(t, func(dir string, set *token.FileSet, file *ast.File) {
		if dir == "sources/sourcetest" || strings.HasPrefix(dir, "cmd/loombench") || strings.HasPrefix(dir, "extract/internal/ends") {
			return // no user reads what they say, or they hold the words of agents
		}
		for at, text := range sentences(file) {
			if word := privateInTexts.FindString(known.Replace(text)); word != "" {
				t.Errorf("%s: %q holds the private word %q", set.Position(at), text, word)
			}
		}
	})
}
