package templates

import (
	"strconv"
	"text/template"

	"github.com/sessionloom/sessionloom/templates/escape"
)

// funcs are the functions of the templates.
func funcs() template.FuncMap {
	all := template.FuncMap{}
	for _, group := range []template.FuncMap{escaping(), wording(), choosing()} {
		for name, f := range group {
			all[name] = f
		}
	}
	return all
}

// escaping are the functions that give text of a view escaped, as [*Markdown].
func escaping() template.FuncMap {
	return template.FuncMap{
		"inline": of(escape.Inline), "heading": of(escape.Heading), "cell": of(escape.Cell), "markdown": of(escape.Block),
		"quote": quote, "fence": ofTwo(escape.Fence), "code": of(escape.Code), "codes": ofList(codes), "cellCode": of(escape.CellCode),
		"document": ofTwo(document), "link": link, "links": links, "cellLink": cellLink, "about": about, "webLink": ofTwo(escape.WebLink),
		"label": of(escape.Label), "safe": of(escape.Inline),
		"agent": of(agent), "branch": ofTwo(branch), "models": ofList(models), "forked": forked, "waiting": waiting,
		"reference": reference, "tools": tools, "kind": of(kind), "scope": of(scope), "before": before, "after": after,
		"within": within, "showView": showView, "opened": opened, "references": references,
		"shown": shown, "model": of(model), "mode": of(mode), "checkpoint": checkpoint, "address": address, "dots": dots,
	}
}

// wording are the functions that print times and numbers only.
func wording() template.FuncMap {
	return template.FuncMap{
		"day": day, "date": date, "longDay": in("Monday 2 January 2006"), "clock": clock, "moment": in(dayLayout + ", " + clockLayout), "since": since,
		"period": period, "tall": tall, "spans": spans, "count": count, "number": number, "numbers": numbers,
		"open": open, "plain": strconv.Itoa,
	}
}

// choosing are the functions that give text to go on with.
func choosing() template.FuncMap {
	return template.FuncMap{
		"answer": answer, "promptTitle": choice(promptTitle), "promptRest": choice(promptRest), "remark": choice(remark), "print": joinedText,
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
