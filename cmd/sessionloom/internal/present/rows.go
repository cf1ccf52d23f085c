package present

import (
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/extract/query"
)

// Rows are what `sql` prints (schema 1): nil, int64, float64, string or []byte in each column.
type Rows struct {
	Schema  int
	Columns []string
	Rows    [][]any
}

// MarshalJSON makes an object of each row, in the order of the columns.
func (r Rows) MarshalJSON() ([]byte, error) {
	names := r.names()
	head, err := json.Marshal(names)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, `{"schema":%d,"views":%d,"columns":%s,"rows":[`, r.Schema, query.Version, head)
	for i, row := range r.Rows {
		if i > 0 {
			b.WriteByte(',')
		}
		for k, v := range row {
			b.WriteByte("{,"[min(k, 1)])
			pair, err := pairOf(names[k], v)
			if err != nil {
				return nil, err
			}
			b.WriteString(pair)
		}
		b.WriteByte('}')
	}
	b.WriteString("]}")
	return []byte(b.String()), nil
}

func pairOf(name string, v any) (string, error) {
	switch x := v.(type) {
	case float64:
		if math.IsInf(x, 0) || math.IsNaN(x) { // not in JSON
			v = nil
		}
	case []byte:
		v = hex.EncodeToString(x)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(name); err != nil {
		return "", err
	}
	b.WriteByte(':')
	err := e.Encode(v)
	return strings.ReplaceAll(b.String(), "\n", ""), err // only line ends separate values
}

func (r Rows) names() []string {
	out := make([]string, 0, len(r.Columns))
	for _, name := range r.Columns {
		one := name
		for n := 2; slices.Contains(out, one); n++ {
			one = name + "_" + strconv.Itoa(n)
		}
		out = append(out, one)
	}
	return out
}

// CSV returns the rows as comma-separated values below a line with the columns.
func (r Rows) CSV() (string, error) {
	var b strings.Builder
	w := csv.NewWriter(&b)
	if err := w.Write(r.Columns); err != nil {
		return "", err
	}
	for _, row := range r.Rows {
		if err := w.Write(cells(row)); err != nil {
			return "", err
		}
	}
	w.Flush()
	return b.String(), w.Error()
}

// Markdown returns the rows as a Markdown table.
func (r Rows) Markdown() []string {
	line := func(cells []string) string {
		for i := range cells {
			cells[i] = markdownCell.Replace(strings.Join(strings.Fields(cells[i]), " "))
		}
		return "| " + strings.Join(cells, " | ") + " |"
	}
	out := []string{line(slices.Clone(r.Columns)), "|" + strings.Repeat(" --- |", len(r.Columns))}
	for _, row := range r.Rows {
		out = append(out, line(cells(row)))
	}
	return out
}

// markdownCell escapes text for a cell, so that it does not act as markup.
var markdownCell = strings.NewReplacer(`\`, `\\`, `|`, `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "$", `\$`, "~", `\~`, "%", `\%`)

// Table returns the rows in aligned columns within a width, with numbers at the right.
func (r Rows) Table(width int) []string {
	t := grid{width: width, rule: "-", right: r.isNumber}
	t.add(slices.Clone(r.Columns)...)
	for _, row := range r.Rows {
		one := cells(row)
		for i := range one {
			one[i] = Clean(one[i])
		}
		t.add(one...)
	}
	return t.lines()
}

func (r Rows) isNumber(column int) bool {
	found := false
	for _, row := range r.Rows {
		switch row[column].(type) {
		case int64, float64:
			found = true
		case nil:
		default:
			return false
		}
	}
	return found
}

// cells returns the values of a row as texts; unknown ones are empty.
func cells(row []any) []string {
	out := make([]string, 0, len(row))
	for _, v := range row {
		switch v := v.(type) {
		case nil:
			out = append(out, "")
		case float64:
			out = append(out, strconv.FormatFloat(v, 'g', 15, 64))
		case []byte:
			out = append(out, hex.EncodeToString(v))
		default:
			out = append(out, fmt.Sprint(v))
		}
	}
	return out
}

// Schema is what `sql --schema --json` prints (schema 1).
type Schema struct {
	Schema  int          `json:"schema"`
	Version int          `json:"views_version"`
	Views   []query.View `json:"views"`
}

// NewSchema returns the schema of all views.
func NewSchema() Schema { return Schema{Schema: 1, Version: query.Version, Views: query.Views()} }

// Lines lists the views within a width.
func (s Schema) Lines(width int) []string {
	out := []string{fmt.Sprintf("views of version %d; what is not known is NULL", s.Version)}
	const name, kind = 18, 8
	for _, v := range s.Views {
		out = append(out, "", v.Name+": "+v.Says)
		for _, c := range v.Columns {
			lines := WrapTo(c.Says, 2+name+kind, width)
			lead := fmt.Sprintf("  %-*s%-*s", name, c.Name, kind, strings.ToLower(c.Type))
			lines[0] = lead + strings.TrimLeft(lines[0], " ")
			out = append(out, lines...)
		}
	}
	return out
}
