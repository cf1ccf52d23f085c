package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// owner is a person at a vault with notes, bases, canvases and images, who does
// there what they like, and what they made.
type owner struct {
	*scenario
	r       *rand.Rand
	talks   []*talk
	chat    *chat
	images  int
	made    int
	words   map[string]string // each is in a file they made or wrote in; that of the file it was written to
	copies  map[string]bool   // paths of copies they made
	deleted int               // files they deleted since the last pass
	emptied int               // files they emptied: where one is moved nothing tells what it was
	log     []string
}

func (o *owner) did(format string, args ...any) { o.log = append(o.log, fmt.Sprintf(format, args...)) }

// word is one that is nowhere else.
func (o *owner) word(at string) string {
	o.made++
	w := fmt.Sprintf("humanword%04d", o.made)
	o.words[w] = at
	return w
}

// all lists the files of the managed folder that a person sees.
func (o *owner) all(exts ...string) (out []string) {
	for name := range walk(o.t, o.at(".")) {
		if !strings.HasPrefix(name, ".") && (len(exts) == 0 || slices.Contains(exts, path.Ext(name))) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func (o *owner) one(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[o.r.IntN(len(list))]
}

func (o *owner) read(name string) string {
	text := expect.Value(os.ReadFile(o.at(name)))(o.t)
	return string(text)
}

func (o *owner) save(name, text string) {
	o.check(os.MkdirAll(filepath.Dir(o.at(name)), 0o700))
	o.check(os.WriteFile(o.at(name), []byte(text), 0o600))
}

// gone forgets what they themselves removed.
func (o *owner) gone(name string) {
	delete(o.copies, name)
	text := o.read(name)
	for w := range o.words {
		if strings.Contains(text, w) {
			delete(o.words, w)
		}
	}
}

// carried keeps track of what was renamed.
func (o *owner) carried(from, to string) {
	for name := range maps.Clone(o.copies) {
		if rest, ok := strings.CutPrefix(name+"/", from+"/"); ok {
			delete(o.copies, name)
			o.copies[strings.TrimSuffix(to+"/"+rest, "/")] = true
		}
	}
}

// operation is something they or their agents do.
func (o *owner) operation() {
	switch o.r.IntN(15) {
	case 0, 1:
		var dirs []string
		for _, name := range o.all() {
			for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
				dirs = append(dirs, dir)
			}
		}
		slices.Sort(dirs)
		if from := o.one(slices.Compact(dirs)); from != "" {
			o.made++
			to := path.Join(path.Dir(from), fmt.Sprintf("my %d", o.made))
			if o.r.IntN(3) == 0 {
				to = fmt.Sprintf("moved %d/%s", o.made, path.Base(from))
			}
			o.moves(from, to)
		}
	case 2, 3:
		if from := o.one(o.all()); from != "" {
			o.made++
			to := path.Join(path.Dir(from), fmt.Sprintf("name %d%s", o.made, path.Ext(from)))
			if o.r.IntN(2) == 0 {
				to = fmt.Sprintf("kept %d/%s", o.made, path.Base(from))
			}
			o.moves(from, to)
		}
	case 4, 5:
		o.copiesNote()
	case 6:
		if from := o.one(o.all(".canvas", ".png", ".base")); from != "" {
			o.made++
			to := path.Join(path.Dir(from), fmt.Sprintf("%s copy %d%s", strings.TrimSuffix(path.Base(from), path.Ext(from)), o.made, path.Ext(from)))
			o.save(to, o.read(from))
			o.copies[to] = true
			o.did("copy %s to %s", from, to)
		}
	case 7:
		if at := o.one(o.all(".canvas")); at != "" && strings.Contains(o.read(at), `"nodes":[`) {
			o.save(at, strings.Replace(o.read(at), `"nodes":[`, `"nodes":[`+"\n\t\t"+`{"id":"mine`+fmt.Sprint(o.made)+`","type":"text","text":"`+o.word(at)+`","x":900,"y":900,"width":10,"height":10},`, 1))
			o.did("edit %s", at)
		}
	case 8:
		if at := o.one(o.all(".base")); at != "" {
			o.save(at, o.read(at)+"  - type: cards\n    name: "+o.word(at)+"\n")
			o.did("edit %s", at)
		}
	case 9:
		if at := o.one(o.all(".md")); at != "" {
			o.save(at, o.read(at)+"\n"+o.word(at)+"\n")
			o.did("edit %s", at)
		}
	case 10:
		if at := o.one(o.all()); at != "" {
			o.gone(at)
			o.deleted++
			o.check(os.Remove(o.at(at)))
			o.did("delete %s", at)
		}
	case 11:
		if at := o.one(o.all(".md", ".canvas", ".png", ".base")); at != "" {
			o.gone(at)
			o.save(at, "")
			o.emptied++
			o.did("empty %s", at)
		}
	case 12:
		o.putsForeign()
	case 13:
		o.check(os.RemoveAll(o.vault + ".state"))
		o.did("lose the ledger")
	case 14:
		o.tampers()
	}
}

// moves renames something, with its links or without.
func (o *owner) moves(from, to string) {
	linked := o.r.IntN(2) == 0
	o.renames(from, to, linked)
	o.carried(from, to)
	o.did("rename %s to %s, links %t", from, to, linked)
}

// copiesNote makes a copy of a note, most often with an id of its own.
func (o *owner) copiesNote() {
	from := o.one(o.all(".md"))
	if from == "" {
		return
	}
	o.made++
	text := o.read(from)
	id := noteID(text)
	to := path.Join(path.Dir(from), fmt.Sprintf("%s %d.md", strings.TrimSuffix(path.Base(from), ".md"), o.made))
	if o.r.IntN(3) == 0 {
		to = fmt.Sprintf("snapshots %d/%s", o.made, path.Base(from))
	}
	if id == "" {
		return
	}
	forms := []string{id + ":old", id + " copy", id + "-old", id + ":7", "old " + id, "my:" + id, "day:2019-01-01", "file:github.com/octo-org/widget:x.go", "project:github.com/octo-org/x"}
	now := o.one(forms)
	o.save(to, strings.Replace(text, id, now, 1))
	o.copies[to] = true
	o.did("copy %s to %s as %s", from, to, now)
}

// putsForeign puts a file of theirs where we would put one of ours.
func (o *owner) putsForeign() {
	var dirs []string
	for _, name := range o.all(".md") {
		if dir := path.Dir(path.Dir(name)); path.Base(path.Dir(name)) == "sessions" {
			dirs = append(dirs, dir)
		}
	}
	dir := o.one(slices.Compact(dirs))
	at := o.one([]string{
		"Sessions.base", "Files.base", "Home.md", dir + "/" + path.Base(dir) + ".canvas", dir + "/" + path.Base(dir) + ".md",
		fmt.Sprintf("%s/attachments/%x.png", dir, sha256.Sum256(image(o.images)))[:len(dir)+len("/attachments/")+16] + ".png",
	})
	if _, err := os.Lstat(o.at(at)); err == nil || dir == "" {
		return
	}
	o.save(at, "words of mine: "+o.word(at)+"\n")
	o.copies[at] = true
	o.did("put %s", at)
}

// grows lets the agents continue.
func (o *owner) grows() {
	switch o.r.IntN(4) {
	case 0:
		id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", len(o.talks))
		o.talks = append(o.talks, o.begins(id, o.one([]string{widget, latency, "/home/ada/lab/new"})).asks("Measure "+id[6:8]).says("Measured.").edits("a.go"))
	case 1:
		o.chat.asks(fmt.Sprintf("What is %d?", o.images), picture("shot.png", image(o.images))).says("A number.")
		o.images++
	default:
		o.talks[o.r.IntN(len(o.talks))].asks("Go on").says("Gone on.").edits("b.go")
	}
}

// tampers makes a plan and changes it: nothing of it is carried out.
func (o *owner) tampers() {
	file := filepath.Join(o.t.TempDir(), "plan.json")
	if _, _, code := o.pass(o.vault, "--plan", file); code != exitDone && code != exitPartial {
		return
	}
	text := expect.Value(os.ReadFile(file))(o.t)
	var honest, plan extract.Plan
	o.check(json.Unmarshal(text, &honest))
	o.check(json.Unmarshal(text, &plan))
	for range 1 + o.r.IntN(3) {
		o.tamper(&plan)
	}
	if reflect.DeepEqual(honest, plan) {
		return
	}
	o.check(os.WriteFile(file, []byte(encode(o.t, plan)), 0o600))
	before := o.bytes()
	_, stderr, code := o.applyPlan(file)
	o.did("apply a tampered plan: %d", code)
	if code != exitUsage && code != exitDone { // the latter if all of it stands
		o.t.Errorf("apply ends with %d: %s", code, stderr)
	}
	if after := o.bytes(); !maps.Equal(before, after) {
		o.t.Error("apply wrote what a tampered plan says")
	}
}

func (o *owner) tamper(plan *extract.Plan) {
	theirs := o.one(o.all())
	if len(plan.Targets) == 0 || o.r.IntN(3) == 0 {
		text := o.one([]string{"views: []\n", `{"nodes":[{"id":"1","type":"link","url":"https://example.com","x":0,"y":0,"width":1,"height":1}],"edges":[]}`, "<html></html>", "---\nid: \"home\"\n---\nx\n"})
		f := extract.PlannedFile{Path: o.one([]string{theirs, "x.base", "x/x.canvas", "x/attachments/0123456789abcdef.png", "x.md"}), Text: text}
		if o.r.IntN(2) == 0 && f.Path == theirs && theirs != "" {
			f.Expect = hashOf(o.read(theirs))
			f.Remove = o.r.IntN(3) == 0
		}
		if o.r.IntN(2) == 0 {
			f.ID = o.one([]string{"home", "base:sessions", "mine", "session:" + alpha})
		}
		plan.Targets = append(plan.Targets, f)
		return
	}
	f := &plan.Targets[o.r.IntN(len(plan.Targets))]
	switch o.r.IntN(9) {
	case 0:
		f.ID = ""
	case 1:
		f.Expect = ""
	case 2:
		f.Path = o.one([]string{theirs, "x" + path.Ext(f.Path), "../x.md"})
	case 3:
		f.Text = ""
	case 4:
		f.Remove, f.Text = true, ""
	case 5:
		f.From = theirs
	case 6:
		f.Outcome = "kept"
	case 7:
		f.Text = strings.Replace(f.Text, "views:", "views: []\nother:", 1)
	case 8:
		if theirs != "" {
			f.Path, f.Expect = theirs, hashOf(o.read(theirs))
		}
	}
}

// bytes are the files that a person sees.
func (o *owner) bytes() map[string]string {
	out := map[string]string{}
	for _, name := range o.all() {
		out[name] = o.read(name)
	}
	return out
}

// tombstones counts the tombstones.
func (o *owner) tombstones() int {
	list, _ := os.ReadDir(o.at(".sessionloom/tombstones"))
	return len(list)
}

// syncs does a pass and sees that the promises hold.
func (o *owner) syncs() {
	before := o.tombstones()
	r, stderr, code := o.pass(o.vault)
	expect.Is(o.t, code, exitDone, "exit code", stderr, r.Problems)
	n := o.tombstones() - before
	if n > o.deleted+o.emptied {
		o.t.Errorf("%d new tombstones, %d files were deleted", n, o.deleted)
	}
	o.emptied -= max(0, n-o.deleted)
	o.deleted = 0
	var all strings.Builder
	o.check(filepath.WalkDir(o.vault, func(name string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			text := expect.Value(os.ReadFile(name))(o.t)
			all.Write(text)
		}
		return err
	}))
	for w, at := range o.words {
		if !strings.Contains(all.String(), w) {
			o.t.Errorf("%s is lost, it was written to %s", w, at)
		}
	}
	for name := range o.copies {
		if _, err := os.Lstat(o.at(name)); err != nil {
			o.t.Errorf("a copy is lost: %v", err)
		}
	}
	now := walk(o.t, o.vault)
	again, stderr, code := o.pass(o.vault)
	if code != exitDone || len(again.Changed) > 0 {
		o.t.Errorf("the second pass ends with %d and changes %v: %s", code, again.Changed, stderr)
	}
	expect.Is(o.t, differences(now, walk(o.t, o.vault), true), "", "the second pass writes")
}

// Whatever a person does to the files of their vault, and whatever a plan says
// that was tampered with: nothing of theirs goes, nothing of ours that stands
// somewhere counts as deleted, no renaming stops a pass.
func FuzzOwned(f *testing.F) {
	for _, seed := range few(2, []uint64{3, 0, 1, 2}) {
		f.Add(seed)
	}
	f.Fuzz(owns)
}

func owns(t *testing.T, seed uint64) {
	s := newStage(t)
	s.config = "sources: {vscode: {images: true}}\nhot_files:\n  min_sessions: 2\n"
	o := &owner{scenario: s, r: rand.New(rand.NewPCG(seed, 13)), words: map[string]string{}, copies: map[string]bool{}}
	for i, dir := range []string{widget, widget, widget, latency, latency, latency, "/home/ada/lab/new"} {
		id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)
		o.talks = append(o.talks, o.begins(id, dir).asks(fmt.Sprintf("Measure %d", i)).says("Measured.").edits("a.go"))
	}
	o.talks[0].compacts("Half way", "It is half done.", "The rest")
	o.chat = o.edition("Code").opens(latency).chat(alpha)
	for range 2 {
		o.chat.asks(fmt.Sprintf("What is %d?", o.images), picture("shot.png", image(o.images))).says("A number.")
		o.images++
	}
	o.syncs()
	for range 5 {
		for range 1 + o.r.IntN(3) {
			o.operation()
		}
		if o.r.IntN(2) == 0 {
			o.grows()
		}
		o.did("sync")
		o.syncs()
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, strings.Join(o.log, "\n"))
		}
	}
}
