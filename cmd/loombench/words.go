package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The vocabulary of a corpus. Sentences are built from these words, so that compression, redaction and
// escaping get text that does not repeat.
const (
	verbs = `add allow bound cache cancel check clean close compare compress copy count cover decode defer detect drop
encode escape expire export extract flush format guard handle hash import index join keep limit load lock log merge
migrate move open order parse poll prune queue read recover reject release rename render replace reset retry revert
rotate route skip sort split store sweep synchronise test trace trim update validate verify wait wrap write`
	nouns = `account adapter alias archive backoff batch branch buffer bundle cache caller channel checksum client clock
code column commit connection context cookie cursor deadline decoder digest directory driver entry envelope error event
field filter fixture folder frame gateway graph handler header index interface iterator job journal key label latency
layer lease ledger limit line listener loader lock loop map marker message metric middleware module mutex node offset
option owner package parser patch path permission pipeline plan pool prefix process protocol proxy query queue quota
race reader record region registry replica request resolver response retry route rule runner schema scope server
session shard signal slot snapshot socket span stack stage state stream string table tag task template thread token
trace transaction tree trigger type update user validator value version view volume watcher window worker wrapper`
	adjectives = `atomic blocking bounded broken cached clean cold concurrent corrupt current default derived double
durable early empty exact expired external final fixed flaky foreign fresh global hidden hot idle implicit inner invalid
large last late lazy local lost malformed missing mixed mutable narrow nested nil old open optional outer partial
pending plain private pure quiet random recent relative remote safe shared silent single slow small stable stale
temporary torn unknown unsafe unused upper valid verbatim volatile warm whole wide wrong zero`
)

// lexicon holds the words of a corpus and the outputs of its tools. It is read-only and shared by all
// sessions.
type lexicon struct {
	verbs, nouns, adjectives []string
	printed                  []string // code, a test log and a listing
}

// newLexicon is a pure function of the seed.
func newLexicon(seed uint64) *lexicon {
	l := &lexicon{verbs: strings.Fields(verbs), nouns: strings.Fields(nouns), adjectives: strings.Fields(adjectives)}
	w := words{l, rand.New(rand.NewPCG(seed, 0))}
	for _, line := range []func() string{w.codeLine, w.logLine, w.listLine} {
		l.printed = append(l.printed, lines(6000, line))
	}
	return l
}

// words makes text from a lexicon and a random source.
type words struct {
	*lexicon
	*rand.Rand
}

func (w words) pick(from []string) string { return from[w.IntN(len(from))] }
func (w words) verb() string              { return w.pick(w.verbs) }
func (w words) noun() string              { return w.pick(w.nouns) }
func (w words) adjective() string         { return w.pick(w.adjectives) }

// phrase returns a noun with its adjective.
func (w words) phrase() string { return w.adjective() + " " + w.noun() }

// name returns an identifier.
func (w words) name() string { return capital(w.verb()) + capital(w.noun()) }

// chance returns true once in n times.
func (w words) chance(n int) bool { return w.IntN(n) == 0 }

// between returns a number in the closed range.
func (w words) between(low, high int) int { return low + w.IntN(high-low+1) }

// uuid returns a version 4 UUID.
func (w words) uuid() string {
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", w.Uint32(), w.IntN(1<<16), w.IntN(1<<12), 0x8000|w.IntN(1<<14), w.Int64N(1<<48))
}

// letters returns random letters, as in tokens and encrypted text.
func (w words) letters(n int) string {
	const set = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	b := make([]byte, n)
	for i := range b {
		b[i] = set[w.IntN(len(set))]
	}
	return string(b)
}

// output returns n bytes of a tool's output. Long ones repeat themselves.
func (w words) output(n int) string {
	all := w.pick(w.printed)
	from := w.IntN(len(all) / 2)
	if from+n > len(all) {
		all = strings.Repeat(all, 2+n/len(all))
	}
	return all[from : from+n]
}

// sentence returns a statement about code, sometimes with inline code.
func (w words) sentence() string {
	switch w.IntN(5) {
	case 0:
		return fmt.Sprintf("The %s must %s the %s before the %s is gone.", w.phrase(), w.verb(), w.noun(), w.phrase())
	case 1:
		return fmt.Sprintf("`%s` would %s every %s, so the %s stays %s.", w.name(), w.verb(), w.phrase(), w.noun(), w.adjective())
	case 2:
		return fmt.Sprintf("When a %s is %s, we %s the %s and %s it once more.", w.noun(), w.adjective(), w.verb(), w.phrase(), w.verb())
	case 3:
		return fmt.Sprintf("That took %d ms with %d of them, because `%s(%s)` had to %s the %s.",
			w.between(2, 900), w.between(2, 4000), w.name(), w.noun(), w.verb(), w.phrase())
	default:
		return fmt.Sprintf("%s the %s, then %s what the %s left of the %s.", capital(w.verb()), w.phrase(), w.verb(), w.noun(), w.phrase())
	}
}

func (w words) paragraph(sentences int) string {
	all := make([]string, sentences)
	for i := range all {
		all[i] = w.sentence()
	}
	return strings.Join(all, " ")
}

// task returns a short imperative: a title, a list item, the subject of a commit.
func (w words) task() string { return capital(w.verb()) + " the " + w.phrase() + " of the " + w.noun() }

// list returns a markdown list.
func (w words) list(n int) string {
	return strings.TrimSuffix(lines(n, func() string { return "- **" + w.noun() + "**: " + w.sentence() }), "\n")
}

func (w words) codeLine() string {
	switch w.IntN(6) {
	case 0:
		return fmt.Sprintf("func (%s *%s) %s(ctx context.Context, %s string) error {", w.noun(), capital(w.noun()), w.name(), w.noun())
	case 1:
		return fmt.Sprintf("\tif err := %s.%s(%s); err != nil {", w.noun(), w.name(), w.noun())
	case 2:
		return fmt.Sprintf("\t\treturn fmt.Errorf(\"%s %s %%q: %%w\", %s, err)", w.verb(), w.noun(), w.noun())
	case 3:
		return "\t// " + w.sentence()
	case 4:
		return fmt.Sprintf("\t%s := make(map[string]*%s, %d)", w.noun(), capital(w.noun()), w.between(1, 512))
	default:
		return "}"
	}
}

func (w words) logLine() string {
	if w.chance(3) {
		return fmt.Sprintf("--- PASS: Test%s (%d.%02ds)", w.name(), w.IntN(3), w.IntN(100))
	}
	return fmt.Sprintf("2026/03/%02d %02d:%02d level=info msg=%q %s=%d", w.between(1, 28), w.IntN(24), w.IntN(60), w.phrase(), w.noun(), w.IntN(100000))
}

func (w words) listLine() string {
	return fmt.Sprintf("./internal/%s/%s.go:%d:\t%s", w.noun(), w.noun(), w.between(1, 900), w.codeLine())
}

// lines returns n lines, each with its end.
func lines(n int, line func() string) string {
	var b strings.Builder
	for range n {
		b.WriteString(line() + "\n")
	}
	return b.String()
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// prompt returns a person's prompt: mostly short, at times with a list, a pasted log or another script.
func (w words) prompt(path string) string {
	text := w.task() + " in " + path + "."
	switch w.IntN(12) {
	case 0:
		text += "\n\n- " + w.task() + "\n- " + w.task() + "\n- " + w.task()
	case 1:
		text += " " + w.paragraph(w.between(3, 8))
	case 2:
		text += "\n\n```\n" + lines(w.between(4, 20), w.logLine) + "```\nWhat is wrong here?"
	case 3:
		text += " Bitte ohne neue Abhängigkeit und mit einem Test für „" + w.noun() + "“ まず計測してください 📈"
	default:
		text += " " + w.sentence()
	}
	if w.chance(60) {
		text += " The token is " + w.secret() + "."
	}
	return text
}

// answer returns the final text of a turn: markdown with lists, tables and code.
func (w words) answer() string {
	text := w.paragraph(w.between(1, 4))
	for range w.between(0, 4) {
		text += "\n\n" + w.block()
	}
	return text
}

func (w words) block() string {
	switch w.IntN(7) {
	case 0:
		return fmt.Sprintf("| %s | before | after |\n|---|---|---|\n| %s | %d ms | %d ms |\n| %s | %d | %d |",
			w.noun(), w.phrase(), w.between(100, 900), w.between(1, 99), w.phrase(), w.between(1, 99), w.between(1, 99))
	case 1:
		return "```go\n" + lines(w.between(4, 24), w.codeLine) + "```"
	case 2:
		return "## " + w.task() + "\n\n" + w.paragraph(w.between(1, 3))
	case 3:
		if w.chance(4) {
			return w.hostile()
		}
		return "> " + w.sentence()
	case 4:
		return w.list(w.between(2, 6))
	default:
		return w.paragraph(w.between(2, 5))
	}
}

// hostile returns text that would act in a vault if unescaped.
func (w words) hostile() string {
	switch w.IntN(4) {
	case 0:
		return "See [[" + w.phrase() + "]] and ![[" + w.noun() + ".png]] %% " + w.verb() + " %% #" + w.noun() + " ^" + w.noun()
	case 1:
		return "<script>" + w.verb() + "()</script> <% tp.file.title %> <img src=x onerror=alert(1)>"
	case 2:
		return "```dataview\nLIST FROM #" + w.noun() + "\n```"
	default:
		return "---\ntitle: " + w.noun() + "\n---\n$" + w.noun() + "$ and [a](javascript:alert(1)) key " + w.secret()
	}
}

// secret returns a text with the shape of a token.
func (w words) secret() string {
	if w.chance(2) {
		return "ghp_" + w.letters(36)
	}
	return "password=" + w.letters(20)
}

// plan returns a session's plan.md.
func (w words) plan() string {
	return "# Plan: " + w.task() + "\n\n## Problem\n" + w.paragraph(3) + "\n\n## Steps\n" +
		lines(w.between(3, 9), w.box) + "\n## Notes\n" + w.list(3) + "\n"
}

// box returns a line with a box, mostly ticked.
func (w words) box() string {
	box := "x"
	if w.chance(3) {
		box = " "
	}
	return "- [" + box + "] " + w.task()
}

// slug returns a title as part of a file's name.
func slug(title string) string {
	title = strings.ToLower(strings.ReplaceAll(title, " ", "-"))
	return strings.Trim(title[:min(30, len(title))], "-")
}
