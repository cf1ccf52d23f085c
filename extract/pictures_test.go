package extract

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// pictureItem is a chat with two pictures and something that calls itself one.
func pictureItem() *thing {
	s := chat(idA, 0, widget)
	s.Turns[0].Attachments = []sources.Attachment{
		{Kind: "image", Name: "screen.png", Content: []byte("\x89PNG\r\n\x1a\nIHDR one")},
		{Kind: "image", Name: "photo", Content: []byte("\xff\xd8\xff\xe0 two")},
		{Kind: "image", Name: "evil.svg", Content: []byte("<svg onload=alert(1)>")},
		{Kind: "file", Name: "main.go"},
	}
	return of("a", sources.KindSession, true, "tale/log", 0, s)
}

// pictures lists the files beside the notes.
func (b *bench) pictures() []string {
	b.t.Helper()
	var out []string
	for path := range tree(b.t, b.vault) {
		if strings.Contains(path, "/attachments/") {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

func TestPicturesOfAPrompt(t *testing.T) {
	b, it := newBench(t), pictureItem()
	src := &pile{name: "tale", items: []*thing{it}}
	b.mustSync(src)
	files := b.pictures()
	if len(files) != 2 || filepath.Ext(files[0])+filepath.Ext(files[1]) != ".jpg.png" && filepath.Ext(files[0])+filepath.Ext(files[1]) != ".png.jpg" {
		t.Fatalf("pictures %q", files)
	}
	for _, f := range files {
		expect.Has(t, b.text(names.SessionID(idA)), "> ![["+f+"]]\n", f, "not shown")
	}
	b.steady(true, src)

	// One that its user changed or deleted stays so, with a new ledger too.
	must(t, os.WriteFile(filepath.Join(b.vault, files[0]), []byte("cropped"), 0o644))
	must(t, os.Remove(filepath.Join(b.vault, files[1])))
	b.mustSync(src)
	it.version++
	it.layers[0].Layers[0].Session.Turns[0].Assistant = "More."
	b.mustSync(src)
	if got := b.pictures(); !slices.Equal(got, files[:1]) || strings.Contains(b.text(names.SessionID(idA)), files[1]) {
		t.Errorf("pictures %q", got)
	}
	if text, err := os.ReadFile(filepath.Join(b.vault, files[0])); err != nil || !bytes.Equal(text, []byte("cropped")) {
		t.Errorf("the changed picture is %q, %v", text, err)
	}
	b.steady(false, src)
}

// TestPictureOfAnEditedNote: what a note takes in beside its user's edits is
// shown with its pictures; what it does not take in brings none.
func TestPictureOfAnEditedNote(t *testing.T) {
	for _, lost := range []bool{false, true} {
		b, it := newBench(t), pictureItem()
		src := &pile{name: "tale", items: []*thing{it}}
		session := it.layers[0].Layers[0].Session
		added := session.Turns[0].Attachments
		session.Turns[0].Attachments = nil
		b.mustSync(src)
		must(t, edit((&stage{bench: b}).find(names.SessionID(idA)), func(s string) string { return strings.Replace(s, "# ", "# My ", 1) }))
		b.mustSync(src)
		if lost {
			must(t, os.RemoveAll(b.state))
		}
		it.version++
		session.Turns[0].Attachments = added
		b.mustSync(src)
		want := 2
		if lost {
			want = 0
		}
		if files, shown := b.pictures(), strings.Count(b.text(names.SessionID(idA)), "![["); len(files) != want || shown != want {
			t.Errorf("ledger lost %v: pictures %q, %d shown", lost, files, shown)
		}
		b.steady(false, src)
	}
}

func TestPictureDeletedWhileTheLedgerWasLost(t *testing.T) {
	b := newBench(t)
	src := &pile{name: "tale", items: []*thing{pictureItem()}}
	b.mustSync(src)
	for _, f := range b.pictures() {
		must(t, os.Remove(filepath.Join(b.vault, f)))
	}
	must(t, os.RemoveAll(b.state))
	b.mustSync(src)
	if got := b.pictures(); len(got) != 0 || strings.Contains(b.text(names.SessionID(idA)), "![[") {
		t.Errorf("deleted pictures came back: %q", got)
	}
	b.steady(false, src)
	must(t, b.pass(src, false, func(y *Engine) error {
		y.Settings.Transcript = "none"
		_, err := y.Run(t.Context())
		return err
	}))
}

// One picture in two projects: who deletes it in one wants to see it nowhere.
func TestPictureDeletedInOneOfTwoProjects(t *testing.T) {
	b, one := newBench(t), pictureItem()
	s := chat(idB, 1, sources.Place{Cwd: "/home/dev/lab/latency"})
	s.Turns[0].Attachments = one.layers[0].Layers[0].Session.Turns[0].Attachments
	two := of("b", sources.KindSession, true, "tale/log", 0, s)
	src := &pile{name: "tale", items: []*thing{one, two}}
	b.mustSync(src)
	files := b.pictures()
	if len(files) != 4 {
		t.Fatalf("pictures %q", files)
	}
	must(t, os.Remove(filepath.Join(b.vault, files[0])))
	b.mustSync(src)
	for _, id := range []string{names.SessionID(idA), names.SessionID(idB)} {
		expect.Lacks(t, b.text(id), filepath.Base(files[0]), id, "still shows it")
	}
	b.steady(false, src)
}

func TestPicturesAreOfNoUseWithoutAConversation(t *testing.T) {
	b := newBench(t)
	b.settings.Transcript = "none"
	b.mustSync(&pile{name: "tale", items: []*thing{pictureItem()}})
	if got := b.pictures(); len(got) != 0 {
		t.Errorf("pictures %q", got)
	}
}
