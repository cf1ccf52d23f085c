package templates

import (
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"text/template"

	"github.com/sessionloom/sessionloom/templates/escape"
)

// Text is text of a transcript. A template prints it as one line of markdown in which
// nothing acts.
type Text string

// String escapes the text for a line.
func (t Text) String() string { return escape.Inline(string(t)) }

// Code is a name of a transcript, such as that of a branch. A template prints it as a
// code span.
type Code string

// String escapes the name into a code span.
func (c Code) String() string { return escape.Code(string(c)) }

// Address is an address of the web, as a transcript has it. A template prints it as text;
// webLink and address make a link of it.
type Address string

// String escapes the address for a line.
func (a Address) String() string { return escape.Inline(string(a)) }

// Path leads to a file of ours from the vault's root. What shows a file in a page takes
// nothing else. A template prints it as a code span.
type Path string

// String escapes the path into a code span.
func (p Path) String() string { return escape.Code(string(p)) }

// Markdown is what an escaper gave. A template cannot take it apart.
type Markdown struct{ text string }

// String returns the markdown as it is in the page.
func (m *Markdown) String() string {
	if m == nil {
		return ""
	}
	return m.text
}

// markdown wraps what an escaper gave. Nothing becomes nil, which a template takes for false.
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

// joinedText is the function "print": it joins values, to be escaped when printed.
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

// printed returns a value as it is in the page. Lists and views have no such form.
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

// of makes a function of the templates of an escaper that takes one text.
func of(escape func(string) string) func(any) (*Markdown, error) {
	return func(v any) (*Markdown, error) {
		s, err := rawText(v)
		if err != nil {
			return nil, err
		}
		return markdown(escape(s)), nil
	}
}

// ofTwo makes a function of the templates of an escaper that takes two texts.
func ofTwo(escape func(a, b string) string) func(a, b any) (*Markdown, error) {
	return func(a, b any) (*Markdown, error) {
		first, err := rawText(a)
		if err != nil {
			return nil, err
		}
		return of(func(second string) string { return escape(first, second) })(b)
	}
}

// ofList makes a function of the templates of an escaper that takes a list of texts.
func ofList(escape func([]string) string) func(any) (*Markdown, error) {
	return func(v any) (*Markdown, error) {
		list, err := rawTexts(v)
		if err != nil {
			return nil, err
		}
		return markdown(escape(list)), nil
	}
}

// choice makes a function of the templates of one that picks a part of a text.
func choice(pick func(string) string) func(any) (Text, error) {
	return func(v any) (Text, error) {
		s, err := rawText(v)
		return Text(pick(s)), err
	}
}

func quote(depth int, v any) (*Markdown, error) {
	return of(func(s string) string { return escape.Quote(depth, s) })(v)
}
