package vscode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/vscode"
)

// Lists longer than any of VS Code's own must cost no more than their length:
// four times as many, four times the time.
//
//	go test ./sources/vscode -run '^$' -bench LongLists -benchtime 1x
func BenchmarkLongLists(b *testing.B) {
	for _, n := range []int{10_000, 40_000} {
		for name, requests := range longLists(n) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				dir := b.TempDir()
				write(b, logOf(dir, id), []byte(`{"kind":0,"v":{"requests":[`+requests+"]}}\n"))
				for b.Loop() {
					s := vscode.New(vscode.Config{UserDirs: []string{dir}})
					l, err := s.List(b.Context())
					if err != nil || len(l.Items) != 1 {
						b.Fatal(len(l.Items), err)
					}
					if _, err := s.Read(b.Context(), l.Items[0]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// longLists are requests of one session by what is long in them.
func longLists(n int) map[string]string {
	many := func(f string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString("," + strings.ReplaceAll(f, "#", fmt.Sprintf("%06d", i)))
		}
		return b.String()[1:]
	}
	parts := func(p string) string {
		return `{"requestId":"request_1","message":{"text":"x"},"modelState":{"value":1},"response":[` + p + `]}`
	}
	const (
		address   = `{"scheme":"file","path":"/home/dev/src/widget/f#.go"}`
		reference = `{"kind":"inlineReference","inlineReference":{"scheme":"file","path":"/a#.go"}}`
	)
	blanks := strings.Repeat(" ", 30*n)
	return map[string]string{
		"requests nobody typed": many(`{"requestId":"r#","isSystemInitiated":true,"message":{"text":"x"},"response":[{"value":"` +
			strings.Repeat("a", 80) + `"},{"kind":"toolInvocationSerialized","toolId":"x"}],"modelState":{"value":1}}`),
		"changed files": parts(`{"kind":"multiDiffData","multiDiffData":{"resources":[` + many(`{"modifiedUri":`+address+`}`) + `]}}`),
		"a long line":   parts(`{"value":"` + blanks + `b"},` + many(reference)),
		"a long fence":  parts("{\"value\":\"```\\n" + blanks + `"},` + many(`{"kind":"codeblockUri","uri":`+address+`}`)),
		"links": parts(`{"kind":"toolInvocationSerialized","toolId":"x","pastTenseMessage":{"value":"` +
			strings.ReplaceAll(many(`[](file:///a#)`), ",", " ") + `","uris":{` + many(`"file:///a#":`+address) + `}}}`),
	}
}
