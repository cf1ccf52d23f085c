package words

import (
	"slices"
	"testing"
)

func TestFiles(t *testing.T) {
	const text = "*** Begin Patch\r\n*** Add File: a.go\r\n+x\n*** Update File: b.go\n*** Move to: c/b.go\n@@\n-*** Delete File: no.go\n*** Delete File: d.go\n*** Update File: \n*** End Patch\n"
	want := []PatchFile{{"a.go", "created"}, {"b.go", "deleted"}, {"c/b.go", "renamed"}, {"d.go", "deleted"}}
	if got := PatchFiles(text, 10); !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
	if got := PatchFiles(text, 3); !slices.Equal(got, want[:3]) {
		t.Errorf("three files %v", got)
	}
	if got := PatchFiles("no patch: at all", 10); got != nil {
		t.Errorf("no patch gives %v", got)
	}
}
