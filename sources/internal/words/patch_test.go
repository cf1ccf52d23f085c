package words

import (
	"slices"
	"testing"
)

func TestFiles(t *testing.T) {
	const text = "*** Begin Patch\r\n*** Add File: a.go\r\n+x\n*** Update File: b.go\n*** Move to: c/b.go\n@@\n-*** Delete File: no.go\n*** Delete File: d.go\n*** Update File: \n*** End Patch\n"
	want := []PatchFile{{"a.go", "created"}, {"b.go", "deleted"}, {"c/b.go", "renamed"}, {"d.go", "deleted"}}
	if got := patchOf(text).Files; !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
	if got := patchOf("no patch: at all").Files; got != nil {
		t.Errorf("no patch gives %v", got)
	}
}
