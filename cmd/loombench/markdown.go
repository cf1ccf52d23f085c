package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// prompt is what a person typed: mostly short, at times with a list, a path, a
// pasted log or another script.
func (x *lexicon) prompt(r *rand.Rand, path string) string {
	b := x.task(r) + " in " + path + "."
	switch r.IntN(12) {
	case 0:
		b += "\n\n- " + x.task(r) + "\n- " + x.task(r) + "\n- " + x.task(r)
	case 1:
		b += " " + x.paragraph(r, between(r, 3, 8))
	case 2:
		b += "\n\n```\n" + x.plainLog(r, between(r, 4, 20)) + "```\nWhat is wrong here?"
	case 3:
		b += " Bitte ohne neue Abhängigkeit, und mit einem Test für „" + pick(r, x.nouns) + "“ 🔑"
	case 4:
		b += " まず計測してください 📈"
	default:
		b += " " + x.sentence(r)
	}
	if chance(r, 60) {
		b += " The token is " + fakeSecret(r) + "."
	}
	return b
}

// answer is the final text of a turn: markdown with lists, tables and code.
func (x *lexicon) answer(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(x.paragraph(r, between(r, 1, 4)))
	for range between(r, 0, 4) {
		b.WriteString("\n\n")
		b.WriteString(x.block(r))
	}
	return b.String()
}

func (x *lexicon) block(r *rand.Rand) string {
	switch r.IntN(7) {
	case 0:
		return fmt.Sprintf("| %s | before | after |\n|---|---|---|\n| %s | %d ms | %d ms |\n| %s | %d | %d |",
			pick(r, x.nouns), x.phrase(r), between(r, 100, 900), between(r, 1, 99), x.phrase(r), between(r, 1, 99), between(r, 1, 99))
	case 1:
		return "```go\n" + x.code(r, between(r, 4, 24)) + "```"
	case 2:
		return "## " + x.task(r) + "\n\n" + x.paragraph(r, between(r, 1, 3))
	case 3:
		if chance(r, 4) {
			return x.hostile(r)
		}
		return "> " + x.sentence(r)
	case 4:
		return x.list(r, "- ", between(r, 2, 6))
	default:
		return x.paragraph(r, between(r, 2, 5))
	}
}

func (x *lexicon) list(r *rand.Rand, bullet string, n int) string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = bullet + "**" + pick(r, x.nouns) + "**: " + x.sentence(r)
	}
	return strings.Join(lines, "\n")
}

// hostile is text that would act in a vault if it got there alive.
func (x *lexicon) hostile(r *rand.Rand) string {
	switch r.IntN(5) {
	case 0:
		return "See [[" + x.phrase(r) + "]] and ![[" + pick(r, x.nouns) + ".png]] %% " + pick(r, x.verbs) + " %%"
	case 1:
		return "---\ntitle: " + pick(r, x.nouns) + "\n---\n#" + pick(r, x.nouns) + " ^" + pick(r, x.nouns)
	case 2:
		return "<script>" + pick(r, x.verbs) + "()</script> <% tp.file.title %> <img src=x onerror=alert(1)>"
	case 3:
		return "```dataview\nLIST FROM #" + pick(r, x.nouns) + "\n```"
	default:
		return "$" + pick(r, x.nouns) + "$ and ==" + x.phrase(r) + "== and [a](javascript:alert(1)) key " + fakeSecret(r)
	}
}

// fakeSecret has the shape of a token and is none.
func fakeSecret(r *rand.Rand) string {
	switch r.IntN(3) {
	case 0:
		return "ghp_" + letters(r, 36)
	case 1:
		return "AKIA" + strings.ToUpper(letters(r, 16))
	default:
		return "password=" + letters(r, 20)
	}
}

func (x *lexicon) code(r *rand.Rand, lines int) string {
	var b strings.Builder
	for range lines {
		b.WriteString(x.codeLine(r))
		b.WriteByte('\n')
	}
	return b.String()
}

func (x *lexicon) plainLog(r *rand.Rand, lines int) string {
	var b strings.Builder
	for range lines {
		b.WriteString(x.logLine(r))
		b.WriteByte('\n')
	}
	return b.String()
}

func (x *lexicon) codeLine(r *rand.Rand) string {
	switch r.IntN(9) {
	case 0:
		return fmt.Sprintf("func (%c *%s) %s(ctx context.Context, %s string) error {", 'a'+rune(r.IntN(26)), capital(pick(r, x.nouns)), x.name(r), pick(r, x.nouns))
	case 1:
		return fmt.Sprintf("\tif err := %s.%s(%s); err != nil {", pick(r, x.nouns), x.name(r), pick(r, x.nouns))
	case 2:
		return fmt.Sprintf("\t\treturn fmt.Errorf(\"%s %s %%q: %%w\", %s, err)", pick(r, x.verbs), pick(r, x.nouns), pick(r, x.nouns))
	case 3:
		return "\t}"
	case 4:
		return ""
	case 5:
		return "\t// " + x.sentence(r)
	case 6:
		return fmt.Sprintf("\t%s := make(map[string]*%s, %d)", pick(r, x.nouns), capital(pick(r, x.nouns)), between(r, 1, 512))
	case 7:
		return fmt.Sprintf("\tfor i, %s := range %ss[:%d] {", pick(r, x.nouns), pick(r, x.nouns), between(r, 2, 64))
	default:
		return "}"
	}
}

func (x *lexicon) logLine(r *rand.Rand) string {
	if chance(r, 3) {
		return fmt.Sprintf("--- PASS: Test%s (%d.%02ds)", x.name(r), r.IntN(3), r.IntN(100))
	}
	return fmt.Sprintf("2026/03/%02d %02d:%02d:%02d level=info msg=\"%s\" %s=%d", between(r, 1, 28), r.IntN(24), r.IntN(60), r.IntN(60),
		x.phrase(r), pick(r, x.nouns), r.IntN(100000))
}

func (x *lexicon) listLine(r *rand.Rand) string {
	return fmt.Sprintf("./internal/%s/%s.go:%d:\t%s", pick(r, x.nouns), pick(r, x.nouns), between(r, 1, 900), x.codeLine(r))
}
