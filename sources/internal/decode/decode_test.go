package decode

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// thing declares a little of everything.
type thing struct {
	Name   string        `json:"name" as:"text" max:"4"`
	Number int64         `json:"number"`
	Maybe  *int64        `json:"maybe"`
	Yes    bool          `json:"yes"`
	Any    Scalar        `json:"any" max:"4"`
	Parts  []*thing      `json:"parts" as:"list"`
	Open   Table[Scalar] `json:"open"`
	inner
}

type inner struct {
	Deep []string `json:"deep" max:"2"`
}

func TestWhatIsDeclaredIsKept(t *testing.T) {
	var got thing
	text := `{"name":"ä b cd","else":{"name":"x"},"number":7.9,"maybe":-1e3,"yes":true,"any":12,"parts":["a",{"number":2},[3],null],` +
		`"open":{"b":1,"a":"x"},"deep":["one","2"]}`
	expect.OK(t, Text(text, &got))
	if got.Name != "ä b" || got.Number != 7 || *got.Maybe != -1000 || !got.Yes || got.Any != (Scalar{Kind: '0', Text: "12"}) ||
		!reflect.DeepEqual(got.Deep, []string{"on", "2"}) {
		t.Errorf("%+v", got)
	}
	if len(got.Parts) != 4 || got.Parts[0].Name != "a" || got.Parts[1].Number != 2 || len(got.Parts[2].Parts) != 1 || got.Parts[3] != nil {
		t.Errorf("%+v", got.Parts)
	}
	var names []string
	for name, value := range got.Open.All() {
		names = append(names, name+value.String())
	}
	expect.Deep(t, names, []string{"b", "ax"})
}

// A cut text ends behind a word: half a secret would be no secret to anybody who looks for one.
func TestCut(t *testing.T) {
	for text, want := range map[string]string{
		"key ghp_SYNTHETIC and more": "key ", `{"token":"ghp_SYNTHETIC"}`: `{"token":"`, "url?k=ghp_SYNTHETIC": "url?", "\nghp_SYNTHETIC and": "\n",
		"two words more than": "two words ", "密码是ghp_SYNTHETIC": "密码是", "密码是什么呢": "密码是", "one": "one", "toolu_01ABCDEF": "toolu_01AB", "fix/ghp_SYNTHETIC": "fix",
	} {
		expect.Is(t, Cut(text, 10), want, text)
	}
}

// A value of another type than declared is as good as absent, and is counted.
func TestMisfitsAreAbsentAndCounted(t *testing.T) {
	d := New(strings.NewReader(`{"name":[],"number":"7","maybe":true,"yes":1,"parts":{"name":"x"},"deep":"x","open":[]} ` +
		`{"parts":[1,{"number":null}],"yes":true}`))
	var got thing
	expect.OK(t, d.Read(&got))
	expect.Deep(t, got, thing{})
	want := map[string]int{"name": 1, "number": 1, "maybe": 1, "yes": 1, "parts": 1, "deep": 1, "open": 1}
	expect.Deep(t, d.Misfits, want)
	if err := d.Read(&got); err != nil || len(got.Parts) != 2 || got.Parts[0] != nil || got.Parts[1] == nil || !got.Yes || d.Misfits["parts"] != 2 {
		t.Errorf("%+v, %v, %v", got, d.Misfits, err)
	}
	if !d.AtEnd() {
		t.Error("there is more")
	}
}

// The last of two members counts, and any bytes are text.
func TestLenient(t *testing.T) {
	var got struct {
		A thing  `json:"a"`
		B string `json:"b"`
	}
	expect.OK(t, Text("{\"a\":{\"number\":1,\"yes\":true},\"b\":\"\xff\\ud800\",\"a\":{\"number\":2}}", &got))
	if got.A.Number != 2 || got.A.Yes || got.B != "\ufffd\ufffd" {
		t.Errorf("%+v", got)
	}
}

func TestTornInput(t *testing.T) {
	const text = `{"parts":[1,{"name":"c"}],"maybe":null,"open":{"a":1}}`
	for i := range len(text) {
		var got thing
		if err := Text(text[:i], &got); err == nil || !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%q: %v", text[:i], err)
		}
	}
}

// A value that is not kept may be of any size, one of its texts may not.
func TestHugeTexts(t *testing.T) {
	var got thing
	d := New(io.MultiReader(strings.NewReader(`{"else":"`), &letters{files.MaxLine + 1}, strings.NewReader(`"}`)))
	if err := d.Read(&got); !errors.Is(err, files.ErrTooLong) {
		t.Error(err)
	}
}

type letters struct{ n int }

func (l *letters) Read(b []byte) (int, error) {
	if l.n == 0 {
		return 0, io.EOF
	}
	n := min(len(b), l.n)
	l.n -= n
	for i := range n {
		b[i] = 'x'
	}
	return n, nil
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{"1793711400000": "1793711400000 true", "1.9": "1 true", "-2e3": "-2000 true",
		"1e400": "0 false", "9223372036854775808": "0 false", "true": "0 false"} {
		n, ok := Number(text)
		expect.Is(t, fmt.Sprint(n, ok), want, text)
	}
}

func FuzzText(f *testing.F) {
	f.Add(`{"parts":[1,{"name":"c"}],"maybe":null,"open":{"a":1}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var got thing
		_ = Text(text, &got)
	})
}
