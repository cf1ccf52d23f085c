package note

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestSlug(t *testing.T) {
	tests := []struct {
		in   string
		max  int
		want string
	}{
		{"Key rotation, without logging everyone out!", 60, "key-rotation-without-logging-everyone-out"},
		{"Key rotation without logging everyone out", 20, "key-rotation-without"},
		{"Key rotation without", 15, "key-rotation"},
		{"Don't  panic / don’t", 60, "dont-panic-dont"},
		{"../../etc/passwd", 60, "etc-passwd"},
		{"Größe der Straße", 60, "größe-der-straße"},
		{"e\u0301te\u0301", 60, "été"},
		{"日本語 テスト", 8, "日本"},
		{"hi\u200b\u202ede", 60, "hide"},
		{"--- \n\t***", 60, ""},
		{"😀👩‍💻", 60, ""},
		{"abc\xff\xfedef", 60, "abc-def"},
		{strings.Repeat("a", 100), 10, "aaaaaaaaaa"},
		{"", 60, ""},
		{"abc", 0, ""},
	}
	for _, tt := range tests {
		expect.Is(t, Slug(tt.in, tt.max), tt.want, "Slug", tt.in, tt.max, "=")
	}
}

func TestWords(t *testing.T) {
	tests := []struct {
		in   string
		max  int
		want string
	}{
		{"How could we rotate the signing key without logging everyone out?", 44, "How could we rotate the signing key without"},
		{"/plan a page on `rotating` keys", 60, "a page on rotating keys"},
		{"/etc/passwd is odd", 60, "etc-passwd is odd"},
		{"Shorten the intro of #file:auth.md.", 60, "Shorten the intro of auth.md"},
		{"Fix this: [[a|b]] and internal/auth", 60, "Fix this a-b and internal-auth"},
		{"Go の slices.Reverse はいつから使えますか？", 44, "Go の slices.Reverse"},
		{"日本語", 7, "日本"},
		{"\u202eevil\u202c\n\n# next", 60, "evil next"},
		{"<% tp.file %> {{x}} ==", 60, "% tp.file % {{x}} =="},
		{"😀 ---", 60, ""},
		{"a\x00b", 60, "ab"},
		{"", 60, ""},
	}
	for _, tt := range tests {
		expect.Is(t, Words(tt.in, tt.max), tt.want, "Words", tt.in, tt.max, "=")
	}
}

func FuzzWords(f *testing.F) {
	f.Add("Ein Titel: mit /Zeichen #file:x", 20)
	f.Add("/a /b .", 3)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit &= 0x7f
		words := Words(s, limit)
		if len(words) > limit || !utf8.ValidString(words) || strings.TrimSpace(words) != words {
			t.Errorf("Words(%q, %d) = %q", s, limit, words)
		}
		if name := "1 " + words + " (1)"; words != "" && len(name) < 100 && FileName(name) != name {
			t.Errorf("words %q are no part of a file name: %q", words, FileName(name))
		}
	})
}

func TestFileName(t *testing.T) {
	tests := map[string]string{
		"2026-04-02 fix the store (0a1b2c3d)": "2026-04-02 fix the store (0a1b2c3d)",
		"widget (octo-org)":                   "widget (octo-org)",
		"":                                    "Untitled",
		" . ":                                 "Untitled",
		"???":                                 "Untitled",
		"a/b\\c:d|e":                          "a-b-c-d-e",
		`a<b>"c"?*`:                           "abc",
		"[[x#y^z]]":                           "xyz",
		"100%% sure":                          "100% sure",
		"CON":                                 "_CON",
		"con.txt":                             "_con.txt",
		"nul .tar.gz":                         "_nul .tar.gz",
		"COM¹":                                "_COM¹",
		"LPT0":                                "_LPT0",
		"conin$":                              "_conin$",
		"CONSOLE":                             "CONSOLE",
		".git":                                "git",
		"..":                                  "Untitled",
		"Shorten auth.md":                     "Shorten auth",
		"trailing. . ":                        "trailing",
		"tab\tand\nline":                      "tab and line",
		"bidi\u202e\u200c\ufeff":              "bidi",
		"blank\u3164\u115f\u034f":             "blank",
		"mow 📅 2026-05-04 ✅ 2026-05-06":       "mow 2026-05-04 2026-05-06",
		"e\u0301":                             "é",
		"x\xffy":                              "x-y",
	}
	for in, want := range tests {
		expect.Is(t, FileName(in), want, "FileName", in, "=")
	}
	a, b := FileName(strings.Repeat("é", 300)), FileName(strings.Repeat("é", 301))
	if a == b || len(a) > maxName {
		t.Errorf("cut names %q and %q", a, b)
	}
}

func FuzzFileName(f *testing.F) {
	for _, s := range []string{"../x", "C:\\WINDOWS", "nul.", "CON .", strings.Repeat("👩‍💻", 80), "a\u0301\u0302", "%%%%", " .a. "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name := FileName(s)
		switch {
		case !filepath.IsLocal(name) || strings.ContainsAny(name, `<>:"/\|?*#^[]`) || strings.Contains(name, "%%"):
			t.Errorf("%q is not legal", name)
		case len(name) > maxName || name == "" || !utf8.ValidString(name) || !norm.NFC.IsNormalString(name):
			t.Errorf("%q is too long, empty or not normal", name)
		case strings.Trim(name, " ") != name || name[0] == '.' || name[len(name)-1] == '.':
			t.Errorf("%q has a bad end", name)
		case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
			t.Errorf("%q holds what does not print", name)
		case isDevice(strings.ToUpper(strings.TrimRight(strings.SplitN(name, ".", 2)[0], " "))):
			t.Errorf("%q is a device", name)
		case FileName(name) != name:
			t.Errorf("%q is not stable: %q", name, FileName(name))
		case CheckPath("a/"+name+".md") != nil:
			t.Errorf("%q is no name of a note", name)
		}
	})
}

func FuzzSlug(f *testing.F) {
	f.Add("Ein Titel: mit Zeichen", 20)
	f.Add("İstanbul\u0301", 3)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit &= 0xff
		slug := Slug(s, limit)
		if len(slug) > limit || !utf8.ValidString(slug) || strings.Trim(slug, "-") != slug || strings.Contains(slug, "--") {
			t.Errorf("Slug(%q, %d) = %q", s, limit, slug)
		}
		for _, r := range slug {
			if r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
				t.Errorf("Slug(%q, %d) = %q holds %q", s, limit, slug, r)
			}
		}
		if slug != "" && FileName(slug+" (1)") != slug+" (1)" && len(slug) < 100 {
			t.Errorf("slug %q is no file name: %q", slug, FileName(slug+" (1)"))
		}
	})
}
