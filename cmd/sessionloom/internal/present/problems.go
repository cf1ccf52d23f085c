package present

import (
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/extract"
)

// Failures words the problems of a run as pairs of error and hint.
func Failures(problems []extract.Problem, home string) []*exit.Error {
	var out []*exit.Error
	for _, p := range problems {
		what := p.Path
		if what == "" {
			what = p.Item
		}
		f := &exit.Error{Code: exit.CodePartial, Hint: p.Hint, Err: fmt.Errorf("%s", p.Error)}
		if what != "" && !strings.Contains(p.Error, what) {
			f.Err = fmt.Errorf("%s: %s", homepath.Tilde(what, home), p.Error)
		}
		out = append(out, f)
	}
	return out
}
