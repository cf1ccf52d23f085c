package vault

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func TestAttachWritesOnceAndNowhereElse(t *testing.T) {
	dir := t.TempDir()
	must(t, Create(dir, "Agents", Marker{ID: "0123456789abcdef", Layout: 1}))
	const p = "projects/w/attachments/0123456789abcdef.png"
	file := filepath.Join(dir, "Agents", filepath.FromSlash(p))
	open := func(o Options) *Vault {
		t.Helper()
		v, err := Open(dir, "Agents", o)
		must(t, err)
		t.Cleanup(func() { _ = v.Close() })
		return v
	}
	ctx := context.Background()
	if _, err := open(Options{DryRun: true}).Attach(ctx, p, []byte("one")); err != nil {
		t.Fatal(err)
	}
	v := open(Options{})
	if there, err := v.Attached(p); err != nil || there {
		t.Fatalf("a dry run wrote: %v, %v", there, err)
	}
	for _, content := range []string{"one", "two"} {
		if _, err := v.Attach(ctx, p, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != "one" {
			t.Errorf("the file holds %q, %v", text, err)
		}
	}
	if there, err := v.Attached(p); err != nil || !there {
		t.Errorf("it stands there: %v, %v", there, err)
	}
	for _, bad := range []string{"", ".", "../x.png", "/x.png", "a/../../x.png", ".sessionloom/x.png", "note.md", `a\x.png`, "a/.hidden.png"} {
		if _, err := v.Attach(ctx, bad, []byte("x")); err == nil {
			t.Errorf("%q was taken for the path of an attachment", bad)
		}
	}
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "Agents", "link")); err == nil {
		if _, err := v.Attach(ctx, "link/x.png", []byte("x")); err == nil {
			t.Error("it was written through a link")
		}
	}
}
