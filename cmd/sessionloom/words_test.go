package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// privateWords are words that only their authors understood. A term that everybody knows
// stands in the place of each.
var privateWords = strings.Fields(`settle kin ground frame shelf parting peace graves bury aside away astray doubles twins
	foresee tidied typist placing rehearsal atlas card loom scribe deed tale`)

// partOfName matches a word of a name that is put together of several.
var partOfName = regexp.MustCompile(`[A-Z]+(?:[^a-zA-Z]|$)|[A-Z]?[a-z]+`)

func TestNamesAreNoPrivateWords(t *testing.T) {
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
