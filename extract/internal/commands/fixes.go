package commands

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/templates/escape"
)

// Fix is an error and what fixed it: one of Commit and Worked.
type Fix struct {
	Turn   int
	Text   string // the line of the error, or the failed command
	Commit *sources.Ref
	Worked *Success
}

// By returns the commit or the command that fixed it, in one line.
func (f Fix) By() string {
	if f.Commit != nil {
		return f.Commit.Line()
	}
	return "`" + f.Worked.Line + "`"
}

const (
	maxTurns  = 2       // turns after which a commit no longer counts as a fix
	maxPrompt = 8 << 10 // bytes of a prompt that are searched for an error
)

// Fixes returns the errors of a session that were fixed. A fix of several is reported once.
func Fixes(s *sources.Session) []Fix {
	// maxErrors limits the errors of a session, as each is compared with all calls.
	const maxErrors = 100
	var out []Fix
	add := func(f Fix) {
		again := slices.ContainsFunc(out, func(o Fix) bool {
			return f.Commit != nil && o.Commit == f.Commit || f.Worked != nil && o.Worked != nil && *o.Worked == *f.Worked
		})
		if !again && (f.Commit != nil || f.Worked != nil) {
			out = append(out, f)
		}
	}
	looked := 0
	for i, t := range s.Turns {
		if t.Inherited {
			continue
		}
		if text := errorIn(t.User); text != "" && looked < maxErrors {
			looked++
			add(Fix{Turn: i, Text: shown(text), Commit: nextCommit(s, i, 0)})
		}
		for j, c := range t.Tools {
			parts := partsOf(c.Command, s.Place)
			if len(parts) == 0 || c.Exit == nil || slices.Contains(notErrors, *c.Exit) || looked == maxErrors {
				continue
			}
			if looked++; namesMissing(s, c.Command) {
				continue
			}
			f := Fix{Turn: i, Text: shown(withoutRoot(withoutBodies(c.Command), s.Place)), Commit: nextCommit(s, i, j)}
			if f.Commit == nil {
				f.Worked = nextSuccess(s, i, j, parts)
			}
			add(f)
		}
	}
	return out
}

// notErrors are exit codes of unknown or stopped commands.
var notErrors = []int{0, 126, 127, 130, 137, 143}

// namesMissing reports whether a command names a path that nothing else in the session does: the path then
// counts as missing, as the output of commands is not stored.
func namesMissing(s *sources.Session, command string) bool {
	for _, p := range chain(withoutBodies(withoutRoot(command, s.Place))) {
		for _, w := range strings.Fields(p.text) {
			name := strings.Trim(w, `./"'`)
			if kind, _ := kindOf(p.text); kind == "" || !strings.Contains(strings.TrimLeft(w, "./"), "/") || strings.ContainsAny(w, ":*$=@") || w[0] == '-' || strings.Contains(w, "...") {
				continue
			}
			named := slices.ContainsFunc(s.Files, func(f sources.FileTouch) bool { return names(strings.ReplaceAll(f.Path, `\`, "/"), name) })
			for _, t := range s.Turns {
				named = named || slices.ContainsFunc(t.Tools, func(c sources.Tool) bool { return c.Command != command && names(c.Command, name) })
			}
			if !named {
				return true
			}
		}
	}
	return false
}

// names reports whether a text contains a path, whole or as the folder of another.
func names(text, name string) bool {
	_, behind, ok := strings.Cut(text, name)
	return ok && (behind == "" || strings.ContainsAny(behind[:1], "/\"' \n;&|)")) || ok && names(behind, name)
}

// nextCommit returns the first commit after a call, in its turn or the next ones.
func nextCommit(s *sources.Session, turn, call int) *sources.Ref {
	before := 0 // commits of the turn
	for _, c := range s.Turns[turn].Tools[:call] {
		if strings.Contains(c.Command, "git commit") && (c.Exit == nil || *c.Exit == 0) {
			before++
		}
	}
	var found *sources.Ref
	for i := range s.Refs {
		r := &s.Refs[i]
		if r.Type != sources.Commit || r.Turn < turn || r.Turn > turn+maxTurns {
			continue
		}
		if r.Turn == turn && before > 0 {
			before--
		} else if found == nil || r.Turn < found.Turn {
			found = r
		}
	}
	return found
}

// nextSuccess returns the first successful part after a call that runs one of its programs.
func nextSuccess(s *sources.Session, turn, call int, failed []known) *Success {
	for i, t := range s.Turns[turn:] {
		for j, c := range t.Tools {
			if i == 0 && j <= call || c.Exit == nil || *c.Exit != 0 {
				continue
			}
			for _, p := range partsOf(c.Command, s.Place) {
				if p.proven && slices.ContainsFunc(failed, func(f known) bool { return f.program == p.program }) {
					return &Success{Turn: turn + i, Kind: p.kind, Line: p.line}
				}
			}
		}
	}
	return nil
}

// How a person reports an error: with a line or the output, or by saying that something fails.
var (
	errorLine = pattern.Lazy(`^[ \t>]*(?:\S+:\d+(?::\d+)?:? )?(?:[\w.]*(?:Error|Exception)\b|(?i:(?:fatal |compile )?error|fatal|panic|npm err!|traceback)\b(?:\[\w+\])?[:! (]|(?:--- )?FAIL[: \t]).*$`)
	shows     = pattern.Lazy(`(?i)\b(?:gets?|got|sees?|saw|shows?|says?|throws?|gives?|returns?|prints?|reports?|hits?|bekomm\w*|zeigt|meldet|sale|muestra|affiche|obtien\w+)\b[^.\n]{0,40}(?:['"“„«‘\x60])[^'"”“»’\x60\n]*(?:error|fail|expired|invalid|denied|refused|not found|cannot|undefined|timed? ?out|panic|exception|unexpected|fehl|ungültig|inválid|erreur)`)
	fails     = pattern.Lazy(`(?i)\b(?:fails|failed|is failing|are failing|crash(?:es|ed)|breaks|broke|is broken|panics|schlägt .*fehl|fehlgeschlagen|stürzt .*ab|abgestürzt|kaputt|(?:geht|funktioniert) nicht|fallan?|se rompe|no funciona|plante|ne (?:marche|fonctionne) (?:pas|plus))\b|falló|échoue|失敗し|落ちる|落ちます|壊れ|クラッシュ|エラーが出|エラーになる|動かない|动不了|失败了?|崩溃|报错|出错|坏了`)
	supposes  = pattern.Lazy(`(?i)\b(?:if|unless|should|must|would|could|never|until|so that|make sure|ensure|wenn|falls|si|cuando|quand)\b|もし|如果|若`)
	demands   = pattern.Lazy(`(?i)^(?:add|make|return|use|show|print|write|change|let|say|throw|give|rename|replace|refuse)\b`)
)

// errorIn returns the line or sentence of a prompt that reports an error, or "".
func errorIn(prompt string) string {
	var telling []string
	for line := range strings.Lines(texts.CutRunes(prompt, maxPrompt)) {
		if holdsOne(line, errorWords) {
			telling = append(telling, strings.TrimSuffix(line, "\n"))
		}
	}
	for _, line := range telling {
		for _, s := range texts.Sentences(strings.TrimSpace(line)) {
			if saysThatFails(s) || strings.ContainsAny(s, "'\"“„«‘`") && shows().MatchString(s) && !demands().MatchString(s) {
				return s
			}
		}
	}
	for _, line := range telling {
		if found := errorLine().FindString(line); found != "" {
			return strings.TrimSpace(escape.Cut(found, maxText))
		}
	}
	return ""
}

func saysThatFails(s string) bool {
	if !holdsOne(s, failWords) {
		return false
	}
	at := fails().FindStringIndex(s)
	return at != nil && !supposes().MatchString(s[:at[0]]) && !strings.HasPrefix(s[at[1]:], " if ")
}

// holdsOne reports whether a text contains one of some lower-case words, in any case.
func holdsOne(text string, words []string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(lower, w) })
}

// errorWords are parts of all matches of the patterns above, failWords of all matches of fails. They are
// checked first, as patterns take many times as long.
var (
	errorWords = strings.Fields(`err fail crash break broke panic fatal exception traceback expired invalid denied refused cannot undefined
	timed timeout unexpected found fehl ungültig inválid stürz kaputt nicht fall rompe funciona plante marche fonctionne échoue
	失敗 失败 落ち 壊れ クラ エラー 動かない 动不了 崩溃 报错 出错 坏了 time`)
	failWords = strings.Fields(`fail cra brea bro panic chlägt fehlge türzt aputt nicht fall rompe funciona plante marche fonctionne échoue
	失敗 失败 落ち 壊れ クラ エラー 動かない 动不了 崩溃 报错 出错 坏了`)
)
