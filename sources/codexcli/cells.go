package codexcli

import (
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/sources/codexcli/internal/script"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// cell is a script in JavaScript that calls tools (code mode of the newest models).
type cell struct {
	id    string
	calls []*builder.Called
}

// scripted takes in a script, whose calls stand for it. Where it shows none, it is a call itself.
func (p *parser) scripted(id, text string) (shown bool) {
	p.cell = &cell{id: id}
	for i, one := range script.Calls(text) {
		call := builder.Call{ID: id, Name: one.Name, Args: one.Args}
		if i > 0 {
			call.ID = fmt.Sprint(id, "#", i)
		}
		p.cell.calls = append(p.cell.calls, p.work().Call(call))
	}
	if len(p.cell.calls) > 0 {
		p.cells[id] = p.cell
	}
	return len(p.cell.calls) > 0
}

// next returns the first call that does a thing and has no outcome yet, nil where there is none.
func (c *cell) next(does tools.Does) *builder.Called {
	for _, call := range c.calls {
		if !call.Ended() && call.Does() == does {
			return call
		}
	}
	return nil
}

// end gives what the script printed to its calls. It tells how a call ended where there is one
// alone.
func (c *cell) end(text string) {
	for _, call := range c.calls {
		result := builder.Result{Text: text, Shared: len(c.calls) > 1}
		if failed := strings.HasPrefix(text, "Script failed"); failed && !result.Shared || strings.HasPrefix(text, "Script completed") && call.Does() != tools.Runs {
			result.OK = new(!failed)
		}
		call.End(result)
	}
}
