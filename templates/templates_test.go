package templates

import (
	"maps"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"text/template/parse"
	"time"
)

func TestEveryFieldPassesAnEscaper(t *testing.T) {
	base, err := builtin(embedded)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*parse.Tree{}
	for _, s := range base {
		maps.Copy(all, s.trees)
	}
	for _, s := range base {
		for _, tree := range s.trees {
			for _, f := range guard(tree, all) {
				t.Error(f)
			}
		}
	}
}

func TestWordsTakeNoText(t *testing.T) {
	plain := []reflect.Type{reflect.TypeFor[time.Time](), reflect.TypeFor[int](), reflect.TypeFor[[]int](), reflect.TypeFor[[]Span]()}
	for name, f := range wording() {
		for i := range reflect.TypeOf(f).NumIn() {
			in := reflect.TypeOf(f).In(i)
			known := name == "count" && i > 0 // its nouns are literals
			for _, p := range plain {
				known = known || in == p
			}
			if !known {
				t.Errorf("%s takes %s: it belongs to the escapers", name, in)
			}
		}
	}
}

func TestFingerprintFollowsTheTemplates(t *testing.T) {
	parsed := func(text string) *Set {
		s, err := parseSet(fstest.MapFS{"nav.tmpl": {Data: []byte(text)}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	a, b := parsed(`{{define "nav"}}{{inline .Up.Text}}{{end}}`), parsed(`{{define "nav"}}{{link .Up}}{{end}}`)
	if a.Fingerprint() == b.Fingerprint() || a.Fingerprint() != parsed(`{{define "nav"}}{{inline .Up.Text}}{{end}}`).Fingerprint() {
		t.Errorf("fingerprints %s, %s", a.Fingerprint(), b.Fingerprint())
	}
	if len(embeddedSet(t).Fingerprint()) != 16 {
		t.Errorf("fingerprint %q", embeddedSet(t).Fingerprint())
	}
}

func TestUnknownFunctionIsAnError(t *testing.T) {
	_, err := parseSet(fstest.MapFS{"nav.tmpl": {Data: []byte(`{{define "nav"}}{{link .Up}}{{shell .Up}}{{end}}`)}}, nil)
	if err == nil || !strings.Contains(err.Error(), "shell") {
		t.Errorf("got %v", err)
	}
}
