package commands

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/templates/escape"
)

// How a person tells of an error: by a line of it, by what was shown, or that something fails.
var (
	errorLine = pattern.Lazy(`^[ \t>]*(?:\S+:\d+(?::\d+)?:? )?(?:[\w.]*(?:Error|Exception)\b|(?i:(?:fatal |compile )?error|fatal|panic|npm err!|traceback)\b(?:\[\w+\])?[:! (]|(?:--- )?FAIL[: \t]).*$`)
	shows     = pattern.Lazy(`(?i)\b(?:gets?|got|sees?|saw|shows?|says?|throws?|gives?|returns?|prints?|reports?|hits?|bekomm\w*|zeigt|meldet|sale|muestra|affiche|obtien\w+)\b[^.\n]{0,40}(?:['"“„«‘\x60])[^'"”“»’\x60\n]*(?:error|fail|expired|invalid|denied|refused|not found|cannot|undefined|timed? ?out|panic|exception|unexpected|fehl|ungültig|inválid|erreur)`)
	fails     = pattern.Lazy(`(?i)\b(?:fails|failed|is failing|are failing|crash(?:es|ed)|breaks|broke|is broken|panics|schlägt .*fehl|fehlgeschlagen|stürzt .*ab|abgestürzt|kaputt|(?:geht|funktioniert) nicht|fallan?|se rompe|no funciona|plante|ne (?:marche|fonctionne) (?:pas|plus))\b|falló|échoue|失敗し|落ちる|落ちます|壊れ|クラッシュ|エラーが出|エラーになる|動かない|动不了|失败了?|崩溃|报错|出错|坏了`)
	supposes  = pattern.Lazy(`(?i)\b(?:if|unless|should|must|would|could|never|until|so that|make sure|ensure|wenn|falls|si|cuando|quand)\b|もし|如果|若`)
	demands   = pattern.Lazy(`(?i)^(?:add|make|return|use|show|print|write|change|let|say|throw|give|rename|replace|refuse)\b`)
)

// errorIn is the line or sentence of a prompt that tells of an error, empty for none.
func errorIn(prompt string) string {
	var telling []string
	for line := range strings.Lines(texts.CutRunes(prompt, maxPrompt)) {
		if holdsOne(line, errorWords) {
			telling = append(telling, strings.TrimSuffix(line, "\n"))
		}
	}
	for _, line := range telling {
		for _, s := range texts.Sentences(strings.TrimSpace(line)) {
			if saysThatFails(s) || saysWhatIsShown(s) {
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

func saysWhatIsShown(s string) bool {
	return strings.ContainsAny(s, "'\"“„«‘`") && shows().MatchString(s) && !demands().MatchString(s)
}

// holdsOne says that one of some lower-case words stands in a text, in any case.
func holdsOne(text string, words []string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(lower, w) })
}

// errorWords are parts of all that the patterns above look for, failWords of all that fails does. They
// are asked first: a pattern takes many times as long.
var (
	errorWords = strings.Fields(`err fail crash break broke panic fatal exception traceback expired invalid denied refused cannot undefined
	timed timeout unexpected found fehl ungültig inválid stürz kaputt nicht fall rompe funciona plante marche fonctionne échoue
	失敗 失败 落ち 壊れ クラ エラー 動かない 动不了 崩溃 报错 出错 坏了 time`)
	failWords = strings.Fields(`fail cra brea bro panic chlägt fehlge türzt aputt nicht fall rompe funciona plante marche fonctionne échoue
	失敗 失败 落ち 壊れ クラ エラー 動かない 动不了 崩溃 报错 出错 坏了`)
)
