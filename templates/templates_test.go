package templates

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// No type of a view holds text that does not escape itself, and no function gives text
// of a view as a plain string, which would be printed as it is.
func TestNoPlainStringIsTextOfATranscript(t *testing.T) {
	var visit func(of string, typ reflect.Type)
	visit = func(of string, typ reflect.Type) {
		for typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		switch {
		case typ.Kind() == reflect.Struct && typ.PkgPath() == reflect.TypeFor[Set]().PkgPath() && strings.Count(of, ".") < maxDepth:
			for i := range typ.NumField() {
				visit(of+"."+typ.Field(i).Name, typ.Field(i).Type)
			}
		case typ.Kind() == reflect.Int, typ.Kind() == reflect.Bool, typ.Kind() == reflect.Struct:
		case typ.Kind() != reflect.String || !typ.Implements(reflect.TypeFor[fmt.Stringer]()):
			t.Errorf("%s is a %s: it would be printed as it is", of, typ)
		}
	}
	for _, v := range allViews() {
		visit(reflect.TypeOf(v).Name(), reflect.TypeOf(v))
	}
	for name, f := range escaping() {
		if out := reflect.TypeOf(f).Out(0); out != reflect.TypeFor[*Markdown]() {
			t.Errorf("%s gives a %s", name, out)
		}
	}
	for name, f := range choosing() {
		if out := reflect.TypeOf(f).Out(0); out != reflect.TypeFor[Text]() {
			t.Errorf("%s gives a %s", name, out)
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
		s, err := parseSet(fstest.MapFS{"nav.tmpl": {Data: []byte(text)}}, nil, nil, "")
		must(t, err)
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
	_, err := parseSet(fstest.MapFS{"nav.tmpl": {Data: []byte(`{{define "nav"}}{{link .Up}}{{shell .Up}}{{end}}`)}}, nil, nil, "")
	if err == nil || !strings.Contains(err.Error(), "shell") {
		t.Errorf("got %v", err)
	}
}
