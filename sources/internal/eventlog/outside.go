package eventlog

import (
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// RefsOf are the commits, pull requests and issues that a command tells of by what it
// gave, in logs of any agent. They are of no turn.
func RefsOf(command, result string) []sources.Ref {
	c := words.Command{Text: command}
	what := scanOf("", c)
	if what == 0 {
		return nil
	}
	p := newParser("", 0)
	p.scan(result, what, titlesOf(c), -1)
	return p.session.Refs
}
