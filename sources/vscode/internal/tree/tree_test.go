package tree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// show is a node in short: members in order, texts unquoted.
func show(n *Node) string {
	var all []string
	switch n.Kind() {
	case 0:
		return "-"
	case Object:
		for name, v := range n.Members() {
			all = append(all, name+":"+show(v))
		}
		return "{" + strings.Join(all, " ") + "}"
	case Array:
		for _, v := range n.Items() {
			all = append(all, show(v))
		}
		return "[" + strings.Join(all, " ") + "]"
	case String, Number:
		return n.text
	}
	return string(rune(n.Kind()))
}

func parse(t *testing.T, text string, keep *Keep) *Node {
	t.Helper()
	n, err := Read(NewDecoder(strings.NewReader(text)), keep)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return n
}

func TestKeep(t *testing.T) {
	upper := &Keep{Leaf: func(n *Node) *Node {
		if n.Text() == "" {
			return nil
		}
		return NewString(strings.ToUpper(n.Text()))
	}}
	count := &Keep{Take: func(d *jsontext.Decoder) (*Node, error) {
		start := d.InputOffset()
		err := d.SkipValue()
		return NewInt(d.InputOffset() - start), err
	}}
	const in = `{"a":"x","b":{"c":1,"d":[1,2]},"e":[{"f":"y"},7,"z"],"pre1":true}`
	for name, c := range map[string]struct {
		keep *Keep
		want string
	}{
		"all":      {nil, "{a:x b:{c:1 d:[1 2]} e:[{f:y} 7 z] pre1:t}"},
		"nothing":  {Dropped, "-"},
		"fields":   {&Keep{Fields: map[string]*Keep{"a": nil, "b": {Fields: map[string]*Keep{"c": nil}, Rest: Dropped}}, Rest: Dropped}, "{a:x b:{c:1}}"},
		"prefixes": {&Keep{Prefixes: map[string]*Keep{"pre": Dropped}}, "{a:x b:{c:1 d:[1 2]} e:[{f:y} 7 z]}"},
		"places":   {&Keep{Fields: map[string]*Keep{"e": {Each: Dropped}}, Rest: Dropped}, "{e:[n n n]}"},
		"leaves":   {&Keep{Fields: map[string]*Keep{"a": upper, "e": {Each: upper}}, Rest: Dropped}, "{a:X e:[n n Z]}"},
		"taken":    {&Keep{Fields: map[string]*Keep{"b": count}, Rest: Dropped}, "{b:18}"},
	} {
		if got := show(parse(t, in, c.keep)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestMade(t *testing.T) {
	leaf := func(n *Node) *Node { return n }
	for want, keep := range map[bool]*Keep{true: {Leaf: leaf}, false: {Leaf: leaf, Open: true}} {
		if keep.Made() != want {
			t.Error(want)
		}
	}
	if (*Keep)(nil).Made() || Dropped.Made() {
		t.Error("made of nothing")
	}
}

// VS Code reads the last of two members, and any bytes for text.
func TestLenient(t *testing.T) {
	n := parse(t, "{\"a\":1,\"b\":\"\xff\\ud800\",\"a\":2}", nil)
	if v, ok := n.Get("a").Int(); v != 2 || !ok {
		t.Error(v)
	}
	if got := n.Get("b").Text(); got != "\ufffd\ufffd" {
		t.Errorf("%q", got)
	}
	if n.Set("a", nil); n.Get("a") != nil {
		t.Error("one of two is left")
	}
}

// What is nested too deep is left out, the rest is read.
func TestDeepNesting(t *testing.T) {
	text := `{"a":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `,"b":1}`
	n := parse(t, text, nil)
	depth := 0
	for v := n.Get("a"); v.Kind() == Array; v = v.At(0) {
		depth++
	}
	if v, _ := n.Get("b").Int(); v != 1 || depth != maxDepth {
		t.Errorf("b is %d, %d deep", v, depth)
	}
}

func TestTornInput(t *testing.T) {
	const text = `{"a":[1,{"b":"c"}],"d":null}`
	for i := range len(text) {
		if n, err := Parse(text[:i]); err == nil {
			t.Errorf("%q: %s", text[:i], show(n))
		}
	}
}

func TestReadingWhatIsNotThere(t *testing.T) {
	for _, n := range []*Node{nil, NewString("x"), NewArray(), NewObject(), NewNull(), NewInt(3)} {
		if n.Get("a").Get("b").At(3).Text() != "" || n.At(-1) != nil || n.Get("a").Len() != 0 || n.Get("a").Has() {
			t.Errorf("%v", n.Kind())
		}
		if _, ok := n.Bool(); ok {
			t.Errorf("%v is a truth value", n.Kind())
		}
		for range n.Members() {
			t.Errorf("%v has members", n.Kind())
		}
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{"1793711400000": "1793711400000 true", "1.9": "1 true", "-2e3": "-2000 true",
		"1e400": "0 false", "9223372036854775808": "0 false", `"5"`: "0 false", "true": "0 false"} {
		n := parse(t, text, nil)
		v, ok := n.Int()
		if got := fmt.Sprint(v, ok); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestChange(t *testing.T) {
	n := parse(t, `{"a":1,"list":[1,2,3]}`, nil)
	n.Set("b", NewString("x"))
	n.Set("a", NewNull())
	n.Set("none", nil)
	list := n.Get("list")
	list.SetAt(1, nil)
	list.SetAt(4, NewString("y"))
	list.Push(NewInt(9))
	if got := show(n); got != "{a:n list:[1 n 3 n y 9] b:x}" {
		t.Error(got)
	}
	list.Resize(2)
	list.Resize(3)
	if n.Set("a", nil); show(n) != "{list:[1 n n] b:x}" {
		t.Error(show(n))
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"a":[1,{"b":"c"}],"d":null}`)
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Parse(text)
		if (err == nil) != (n != nil) {
			t.Fatal(n.Kind(), err)
		}
		_ = show(n)
	})
}

// A large object finds its members as a small one does, also when one of several
// of a name is taken away.
func TestLargeObject(t *testing.T) {
	n := NewObject()
	for i := range int64(300) {
		n.Set(fmt.Sprint("m", i), NewInt(i))
	}
	n.Set("m7", NewInt(1000))
	n.Set("m9", nil)
	n.Set("late", NewInt(1))
	for name, want := range map[string]string{"m7": "1000", "m8": "8", "m9": "", "m10": "10", "m299": "299", "late": "1", "none": ""} {
		if got := n.Get(name).Literal(); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if n.Len() != 300 {
		t.Errorf("%d members", n.Len())
	}
}
