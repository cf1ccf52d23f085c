package refs

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Command is a simple command of a script: "git commit -m words".
type Command struct {
	Words []string // without quotes; unexpanded
	Input string   // text of a here-document
	// Passed says that the command succeeded if the script ended with exit code 0.
	Passed bool
}

// maxNested limits how deep nested scripts are searched.
const maxNested = 4

// Commands splits a script into its commands. A text that is not a script of a POSIX shell or Bash has none.
func Commands(script string) []Command { return commands(script, maxNested) }

func commands(script string, nested int) []Command {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(script), "")
	if err != nil {
		return nil
	}
	w := walker{script: script, nested: nested}
	w.list(file.Stmts, true)
	return w.all
}

type walker struct {
	script string
	nested int
	strict bool // errors end the script (set -e)
	left   bool // it may have ended with exit code 0 before
	all    []Command
}

// list visits consecutive statements, of which only the last one decides how the whole ended.
func (w *walker) list(all []*syntax.Stmt, told bool) {
	for i, s := range all {
		both, ok := s.Cmd.(*syntax.BinaryCmd)
		isAnd := ok && both.Op == syntax.AndStmt // its failure does not end a script
		w.statement(s, told && (i == len(all)-1 || w.strict && !isAnd))
	}
}

// statement visits a statement; passed says that it is known to have succeeded.
func (w *walker) statement(s *syntax.Stmt, passed bool) {
	passed = passed && !s.Negated && !s.Background && !w.left
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		w.call(c, s, passed)
	case *syntax.BinaryCmd:
		w.statement(c.X, passed && c.Op == syntax.AndStmt)
		w.statement(c.Y, passed && c.Op != syntax.OrStmt) // the last command decides how a pipe ended
	case *syntax.Block:
		w.list(c.Stmts, passed)
	case *syntax.Subshell:
		strict := w.strict
		w.list(c.Stmts, passed)
		w.strict = strict
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			w.list(c.Cond, false)
			w.list(c.Then, false)
		}
	case *syntax.ForClause:
		w.list(c.Do, false)
	case *syntax.WhileClause:
		w.list(c.Do, false)
	}
}

func (w *walker) call(c *syntax.CallExpr, s *syntax.Stmt, passed bool) {
	one := Command{Passed: passed}
	for _, word := range c.Args {
		one.Words = append(one.Words, w.text(word))
	}
	for _, r := range s.Redirs {
		if r.Hdoc != nil {
			one.Input = w.text(r.Hdoc)
		} else if r.Op == syntax.WordHdoc {
			one.Input = w.text(r.Word)
		}
	}
	if n := len(one.Words); n >= 3 && w.nested > 0 && slices.Contains([]string{"bash", "sh", "zsh"}, one.Words[0]) && strings.HasPrefix(one.Words[n-2], "-") && strings.HasSuffix(one.Words[n-2], "c") {
		for _, inner := range commands(one.Words[n-1], w.nested-1) {
			inner.Passed = inner.Passed && passed
			w.all = append(w.all, inner)
		}
		return
	}
	switch n := len(one.Words); {
	case n > 1 && one.Words[0] == "set" && strings.Contains(one.Words[1], "e"):
		w.strict = strings.HasPrefix(one.Words[1], "-")
	case n > 1 && one.Words[0] == "exit":
		code, err := strconv.Atoi(one.Words[1])
		w.left = w.left || err != nil || code == 0
	}
	w.all = append(w.all, one)
}

// text returns the value of a word: without quotes, and with the text of cat <<EOF.
func (w *walker) text(word *syntax.Word) string {
	var b strings.Builder
	for _, part := range word.Parts {
		w.part(&b, part)
	}
	return b.String()
}

func (w *walker) part(b *strings.Builder, part syntax.WordPart) {
	switch p := part.(type) {
	case *syntax.Lit:
		b.WriteString(unescaped(p.Value))
	case *syntax.SglQuoted:
		b.WriteString(p.Value)
	case *syntax.DblQuoted:
		for _, inner := range p.Parts {
			if lit, ok := inner.(*syntax.Lit); ok {
				b.WriteString(escapesInQuotes.Replace(lit.Value))
				continue
			}
			w.part(b, inner)
		}
	case *syntax.CmdSubst:
		if len(p.Stmts) == 1 {
			if c, ok := p.Stmts[0].Cmd.(*syntax.CallExpr); ok && len(c.Args) == 1 && c.Args[0].Lit() == "cat" && len(p.Stmts[0].Redirs) == 1 && p.Stmts[0].Redirs[0].Hdoc != nil {
				b.WriteString(strings.TrimRight(w.text(p.Stmts[0].Redirs[0].Hdoc), "\n"))
				return
			}
		}
		w.raw(b, p)
	default:
		w.raw(b, p)
	}
}

func (w *walker) raw(b *strings.Builder, n syntax.Node) {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from >= 0 && from <= to && to <= len(w.script) {
		b.WriteString(w.script[from:to])
	}
}

var escapesInQuotes = strings.NewReplacer(`\"`, `"`, `\$`, `$`, "\\`", "`", `\\`, `\`, "\\\n", "")

func unescaped(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			if i++; text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
