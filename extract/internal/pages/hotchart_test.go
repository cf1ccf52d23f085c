package pages

import (
	"slices"
	"testing"
)

func TestShortPathsTellFilesApart(t *testing.T) {
	got := shortPaths([]string{"a/main.go", "b/main.go", "x/b/main.go", "README.md", "docs/README.md", "jwt.go"})
	want := []string{"a/main.go", "b/main.go", "x/b/main.go", "README.md", "docs/README.md", "jwt.go"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := shortPaths([]string{"internal/auth/jwt.go", "internal/auth/jwt_test.go"}); !slices.Equal(got, []string{"jwt.go", "jwt_test.go"}) {
		t.Errorf("got %q", got)
	}
}
