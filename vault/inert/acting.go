package inert

import (
	"fmt"
	"regexp"
	"strings"
)

// Acting names what would act in a page, each by its kind and its place: "html: <b>".
// Given a word, it names only that in which the word stands. A word beside something
// that acts is not in it.
func Acting(page, word string) []string {
	found := Find(page)
	if word != "" {
		found = around(page, word)
	}
	var out []string
	for _, f := range found {
		out = append(out, fmt.Sprintf("%s: %q", f.Kind, f.Text))
	}
	return out
}

// enclosures are what acts with all that stands in it, from its first sign to its last.
// Where the last is missing, that is all that follows.
var enclosures = []rule{
	{kindComment, "%%", regexp.MustCompile(`(?s)%%.*?(?:%%|\z)`)},
	{kindFormula, "$", regexp.MustCompile(`(?s)\$\$.*?(?:\$\$|\z)|\$[^$\n]+\$`)},
	{kindHTML, "<", regexp.MustCompile(`(?s)<[A-Za-z/!?][^>]*`)},
	{kindTag, "#", regexp.MustCompile(`(?m)(?:^|[^A-Za-z0-9/])(#\S+)`)},
	{kindBlockID, "^", regexp.MustCompile(`(?m)(?:^|\s)(\^\S+)\s*$`)},
	{kindFootnote, "^", regexp.MustCompile(`(?:\[\^|\^\[)[^\]\n]*`)},
	{kindWikilink, "[[", regexp.MustCompile(`\[\[[^\]|\n]*`)},
	{kindEmbed, "![", regexp.MustCompile(`!\[[^\]\n]*(?:\]\([^)\n]*)?`)},
	{kindLink, "](", regexp.MustCompile(`\]\([^)\n]*`)},
	{kindDefinition, "]:", regexp.MustCompile(`(?m)^[> ]*\[[^\]\n]*\]:.*`)},
	{kindCallout, "[!", regexp.MustCompile(`(?m)^[> ]*\[![^\]\n]*`)},
	{kindTask, "[", regexp.MustCompile(`(?m)^[> \t]*(?:[-*+]|\d+[.)])[ \t]+\[[^\]\n]\](?:\s|$)`)},
	{kindField, "::", regexp.MustCompile(`[^\n\[(]*::`)},
}

var command = regexp.MustCompile(`(?s)<%.*?(?:%>|\z)`)

// around names what a word stands in.
func around(page, word string) []Finding {
	p := newPage(page)
	p.structure()
	var out []Finding
	add := func(kind, text string) {
		if strings.Contains(text, word) {
			out = append(out, Finding{Kind: kind, Text: shortened(text)})
		}
	}
	for _, s := range p.closed {
		add(s.kind, page[s.from:s.to])
	}
	for _, text := range command.FindAllString(page, -1) { // which acts in code, too
		add(kindTemplate, text)
	}
	p.blankLinks()
	text := string(withoutEscapes(p.bare))
	for _, at := range scheme.FindAllStringIndex(text, -1) {
		if word, _, _ := strings.Cut(text[at[0]:], " "); !webScheme.MatchString(word) {
			add(kindLink, word)
		}
	}
	for _, r := range enclosures {
		if !strings.Contains(text, r.sign) {
			continue
		}
		for _, at := range r.form.FindAllStringSubmatchIndex(text, -1) {
			add(r.kind, text[at[len(at)-2]:at[len(at)-1]])
		}
	}
	return out
}
