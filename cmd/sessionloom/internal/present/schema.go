package present

import (
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/extract/query"
)

// Schema is what `sql --schema --json` prints (schema 1).
type Schema struct {
	Schema  int          `json:"schema"`
	Version int          `json:"views_version"`
	Views   []schemaView `json:"views"`
}

type schemaView struct {
	Name    string         `json:"name"`
	Row     string         `json:"row"` // what one is
	Columns []schemaColumn `json:"columns"`
}

type schemaColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Says string `json:"says"`
}

// NewSchema is the schema of all views.
func NewSchema() Schema {
	s := Schema{Schema: 1, Version: query.Version}
	for _, v := range query.Views() {
		one := schemaView{Name: v.Name, Row: v.Says}
		for _, c := range v.Columns {
			one.Columns = append(one.Columns, schemaColumn{c.Name, c.Type, c.Says})
		}
		s.Views = append(s.Views, one)
	}
	return s
}

// Lines puts the views into lines of so many columns.
func (s Schema) Lines(width int) []string {
	out := []string{fmt.Sprintf("views of version %d; what is not known is NULL", s.Version)}
	const name, kind = 18, 8
	for _, v := range s.Views {
		out = append(out, "", v.Name+": "+v.Row)
		for _, c := range v.Columns {
			lines := WrapTo(c.Says, 2+name+kind, width)
			lead := fmt.Sprintf("  %-*s%-*s", name, c.Name, kind, strings.ToLower(c.Type))
			lines[0] = lead + strings.TrimLeft(lines[0], " ")
			out = append(out, lines...)
		}
	}
	return out
}
