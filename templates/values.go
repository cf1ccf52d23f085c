package templates

import (
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"text/template"

	"github.com/sessionloom/sessionloom/templates/escape"
)

// Text is transcript text. A template prints it as one line of inert markdown.
type Text string

// String escapes the text for a line.
func (t Text) String() string { return escape.Inline(string(t)) }

// Code is a name in a transcript, such as a branch. A template prints it as a code span.
type Code string

// String escapes the name into a code span.
func (c Code) String() string { return escape.Code(string(c)) }

// Address is a web address from a transcript. A template prints it as text; webLink and address turn it into
// a link.
type Address string

// String escapes the address for a line.
func (a Address) String() string { return escape.Inline(string(a)) }

// Path is the path of a generated file from the vault's root, the only value that shows a file in a page. A
// template prints it as a code span.
type Path string

// String escapes the path into a code span.
func (p Path) String() string { return escape.Code(string(p)) }

// Markdown is the result of an escaper. A template cannot take it apart.
type Markdown struct{ text string }

// String returns the markdown for the page.
func (m *Markdown) String() string {
	if m == nil {
		return ""
	}
	return m.text
}

// markdown wraps the result of an escaper. "" becomes nil, which is false in a template.
func markdown(s string) *Markdown {
	if s == "" {
		return nil
	}
	return &Markdown{s}
}

func rawText(v any) (string, error) {
	if m, ok := v.(*Markdown); ok {
		return m.String(), nil
	}
	if r := reflect.ValueOf(v); r.Kind() == reflect.String {
		return r.String(), nil
	}
	return "", fmt.Errorf("%T is no text", v)
}

func rawTexts(v any) ([]string, error) {
	list := reflect.ValueOf(v)
	if list.Kind() != reflect.Slice || list.Type().Elem().Kind() != reflect.String {
		return nil, fmt.Errorf("%T is no list of texts", v)
	}
	out := make([]string, list.Len())
	for i := range out {
		out[i] = list.Index(i).String()
	}
	return out, nil
}

// joinedText is the function "print": it joins values, which are escaped when printed.
func joinedText(values ...any) (Text, error) {
	var out Text
	for _, v := range values {
		s, err := rawText(v)
		if err != nil {
			s, err = printed(v)
		}
		if err != nil {
			return "", err
		}
		out += Text(s)
	}
	return out, nil
}

// printed returns a value for the page, or an error for lists and views.
func printed(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case fmt.Stringer:
		return v.String(), nil
	}
	if kind := reflect.ValueOf(v).Kind(); kind >= reflect.Bool && kind <= reflect.Uint64 {
		return fmt.Sprint(v), nil
	}
	return "", fmt.Errorf("%T cannot be printed as a whole", v)
}

func funcs() template.FuncMap {
	all := template.FuncMap{}
	for _, group := range []template.FuncMap{escaping(), wording(), choosing()} {
		maps.Copy(all, group)
	}
	return all
}

func escaping() template.FuncMap {
	return template.FuncMap{
		"inline": of(escape.Inline), "heading": of(escape.Heading), "cell": of(escape.Cell), "markdown": of(escape.Block),
		"quote": quote, "fence": ofTwo(escape.Fence), "code": of(escape.Code), "codes": ofList(codes), "cellCode": of(escape.CellCode),
		"document": ofTwo(document), "link": link, "links": links, "cellLink": cellLink, "about": about, "webLink": ofTwo(escape.WebLink),
		"safe": of(escape.Inline), "agent": of(agent), "agents": ofList(agentNames),
		"branch": ofTwo(branch), "models": ofList(models), "forked": forked, "waiting": waiting, "counts": counts, "quoted": quoted,
		"reference": reference, "tools": tools, "kind": of(kind), "scope": of(scope), "before": before, "after": after,
		"within": within, "showView": showView, "opened": opened, "references": references,
		"shown": shown, "model": of(model), "mode": of(mode), "checkpoint": checkpoint, "address": address, "dots": dots,
		"cellLinks": cellLinks, "anchor": of(escape.BlockID), "outline": outline, "timesIn": of(timesIn), "headless": headless, "usage": usage,
	}
}

func wording() template.FuncMap {
	return template.FuncMap{
		"day": day, "date": date, "longDay": in("Monday 2 January 2006"), "clock": clock, "moment": in(dayLayout + ", " + clockLayout), "since": since,
		"period": period, "spans": spans, "count": count, "number": number,
		"open": open, "plain": strconv.Itoa,
	}
}

func choosing() template.FuncMap {
	return template.FuncMap{
		"answer": answer, "shortAnswer": shortAnswer, "promptTitle": choice(promptTitle), "promptRest": choice(promptRest), "remark": choice(remark), "print": joinedText,
	}
}

// of turns an escaper of one text into a template function.
func of(escape func(string) string) func(any) (*Markdown, error) {
	return func(v any) (*Markdown, error) {
		s, err := rawText(v)
		if err != nil {
			return nil, err
		}
		return markdown(escape(s)), nil
	}
}

// ofTwo turns an escaper of two texts into a template function.
func ofTwo(escape func(a, b string) string) func(a, b any) (*Markdown, error) {
	return func(a, b any) (*Markdown, error) {
		first, err := rawText(a)
		if err != nil {
			return nil, err
		}
		return of(func(second string) string { return escape(first, second) })(b)
	}
}

// ofList turns an escaper of a list of texts into a template function.
func ofList(escape func([]string) string) func(any) (*Markdown, error) {
	return func(v any) (*Markdown, error) {
		list, err := rawTexts(v)
		if err != nil {
			return nil, err
		}
		return markdown(escape(list)), nil
	}
}

// choice turns a function that picks a part of a text into a template function.
func choice(pick func(string) string) func(any) (Text, error) {
	return func(v any) (Text, error) {
		s, err := rawText(v)
		return Text(pick(s)), err
	}
}

func quote(depth int, v any) (*Markdown, error) {
	return of(func(s string) string { return escape.Quote(depth, s) })(v)
}
