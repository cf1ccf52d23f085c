package builder

import (
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// TestChanged has files that changed by no call, beside those that a call changed.
func TestChanged(t *testing.T) {
	b := New()
	b.Session.Place = sources.Place{Cwd: `D:\src\app`}
	turn := b.Prompt(Prompt{Text: "Q"})
	turn.Touch("a.go", sources.Created, "")
	turn.Touch(`D:\src\app\b.go`, sources.Viewed, "")
	for _, path := range []string{`D:\src\app\a.go`, "D:/src/app/b.go", `D:\src\app\b.go`, "/etc/x", ""} {
		b.Changed(path)
	}
	var got []string
	for _, f := range b.Finish().Files {
		got = append(got, f.Kind+" "+b.Short(f.Path))
	}
	expect.Is(t, strings.Join(got, ", "), "created a.go, viewed b.go, edited b.go, edited /etc/x")
	for path, want := range map[string]string{`D:\src\app`: ".", `D:\src\application\x`: `D:\src\application\x`, "/home/ada/x": "~/x", "./y": "y", "": ""} {
		expect.Is(t, b.Short(path), want, path)
	}
}
