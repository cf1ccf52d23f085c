package decisions

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// lead is how texts of a kind begin: with a label, behind which a colon stands, or with words
// of a sentence. Both are patterns, in English, German, Spanish, French, Japanese and Chinese.
type lead struct {
	kind          string
	starts        []string // see [startOf]
	label, opener *regexp.Regexp
}

const (
	why     = "why" // the kind of a reason
	nothing = `\z.` // the pattern of what no text begins with
	maxLead = 120   // bytes of a text by which its kind is known
)

// leads are made when a text is first looked at: their patterns are large.
func leads() []lead {
	return []lead{
		leadOf("decision", "de en dé wi un ke te 決 决", `decisions?|entscheidung|decisión|décision|決定(?:事項)?|决定|决策`, `decided|decision to|(?:wir haben )?(?:uns )?entschieden|decidido|decidimos|décidé|決めた|决定`),
		leadOf("dead end", "de sa ca im ke te 行 死", `dead ends?|sackgasse|callejón sin salida|impasse|行き止まり|死路|死胡同`, `dead end\b`),
		leadOf(why, "wh be wa we po pa pu な 理 因 为 ke de te", `(?:why\b|warum\b|por qué|pourquoi\b|なぜ|为什么)[^.!?？。]*[?？]?|理由`, `because|weil|porque|parce qu[e']|なぜなら|因为`),
		leadOf("rule", "ne al mu ni im nu si de ja to do 絶 決 必 绝 永 切 始 总 务 禁", `never|always|must|niemals|immer|nunca|siempre|jamais|toujours|禁止|必须`, `never|always|must|niemals?|nie|immer|muss|nunca|siempre|debe|(?:ne )?jamais|toujours|doit|絶対に|決して|必ず|绝不|永远不要|切勿|始终|总是|务必|必须`),
		leadOf("gotcha", "go st fa tr oj pi 落 注 坑 陷", `gotchas?|stolperfalle|fallstrick|trampa|ojo|piège|落とし穴|注意点|坑|陷阱`, `gotcha`),
		leadOf("order", "or th di re el l' 順 顺", `order matters`, `(?:the )?order matters|(?:die )?reihenfolge (?:ist wichtig|zählt)|(?:el )?orden importa|l'ordre (?:compte|importe)|順[序番]が(?:重要|大事)|顺序很?重要`),
		leadOf("cause", "ro ca ur gr th 原 根", `(?:root )?causes?|(?:grund)?ursache|causa(?: raíz)?|cause(?: racine| profonde)?|(?:根本)?原因|根因`, `(?:the )?root cause`),
		leadOf("fix", "fi be lö ar so co 修 対 对 解", `fix|behebung|lösung|arreglo|solución|corrección|correctif|correction|修正|対処|対策|修复|解决(?:办法|方案)`, nothing),
		leadOf("trade-off", "tr ab ko co ke de te ト 权 取", `trade-?offs?|abwägung|kompromiss|compromiso|compromis|トレードオフ|权衡|取舍`, `trade-?off`),
		leadOf("lesson", "le er ke te 教", `lessons?(?: learned)?|lehre|erkenntnis|lección|leçon|教訓|教训`, `lesson`),
	}
}

func leadOf(kind, starts, label, opener string) lead {
	return lead{kind, strings.Fields(starts), begins(`(?:key |design |technical )?(?:` + label + `)\s*(?:[:：]|$| [—–-] | (?:is|was|ist|war|es|est) )`), begins(opener)}
}

// leadsBy are the leads by the starts of their texts.
var leadsBy = sync.OnceValue(func() map[string][]lead {
	out := map[string][]lead{}
	for _, l := range leads() {
		for _, start := range l.starts {
			out[start] = append(out[start], l)
		}
	}
	return out
})

func begins(with string) *regexp.Regexp { return regexp.MustCompile(`(?i)^(?:` + with + `)`) }

// purposes stand in a sentence that says that something is meant.
var purposes = strings.Split(" on purpose|mit absicht |mit absicht.|absichtlich so|absichtlich nicht|absichtlich.|absichtlich,|absichtlich;|a propósito|adrede|exprès|à dessein|わざと|あえて|意図的に|故意|特意", "|")

// isMeant says that a sentence, no question, tells of something that is so on purpose.
func isMeant(sentence string) bool {
	lower := strings.ToLower(sentence)
	if texts.IsASCII(lower) && !strings.Contains(lower, "purpose") && !strings.Contains(lower, "absicht") && !strings.Contains(lower, "adrede") {
		return false
	}
	return !strings.ContainsAny(lower, "?¿？") && slices.ContainsFunc(purposes, func(p string) bool { return strings.Contains(lower, p) })
}

var (
	// consent begins a prompt that decides.
	consent = pattern.Lazy(`(?i)^(?:(?:agreed|no|use|take|einverstanden|nein|kein|keine|nimm|verwende|nutze|de acuerdo|usa|utiliza|toma|d'accord|non|pas de|utilise|prends)\b|賛成|同意|いいえ|それでいこう|不要|不用|就?用|使用|采用)`)
	// empty begins a prompt that decides nothing.
	empty = pattern.Lazy(`(?i)^(?:no|take) (?:idea|problem|worries|thanks|need|a look|your time)\b|^never ?mind`)
	// because begins a reason that needs its question.
	because = pattern.Lazy(`(?i)^(?:because|weil|porque|parce qu|なぜなら|因为|(?:why|warum|por qué|pourquoi|なぜ|理由|为什么)\s*[:：])`)
	// toUse ends a prompt that decides, as verbs stand in Japanese.
	toUse = pattern.Lazy(`(?:を使って(?:ください)?|でいこう|にしよう)[。!！]?$`)
)

// IsReason says that a text gives a reason, a cause or how something was fixed: less than what
// holds from then on.
func IsReason(text string) bool {
	kind, _ := kindOf(text)
	return slices.Contains([]string{why, "cause", "fix"}, kind)
}

// kindOf is the kind of a text by its beginning, empty for none. labelled: a colon or bold
// letters set its first words apart.
func kindOf(text string) (kind string, labelled bool) {
	may := leadsBy()[startOf(text)]
	if len(text) > maxLead {
		text = texts.CutRunes(text, maxLead) + "."
	}
	for _, l := range may {
		if l.label.MatchString(text) {
			return l.kind, true
		}
		if m := l.opener.FindString(text); m != "" && kind == "" && endsWord(text[len(m):], m) {
			kind = l.kind
		}
	}
	return kind, false
}

// endsWithUse tells a prompt that decides by its end.
func endsWithUse(s string) bool { return !texts.IsASCII(s) && toUse().MatchString(s) }

// startOf are the first two letters of a text, of Japanese and Chinese one.
func startOf(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	if first < utf8.RuneSelf {
		_, more := utf8.DecodeRuneInString(text[n:])
		n += more
	}
	return strings.ToLower(text[:n])
}

// endsWord says that a word does not go on: those of Japanese and Chinese always end.
func endsWord(rest, word string) bool {
	return rest == "" || word[len(word)-1] >= 0x80 && word[0] >= 0xe0 || strings.ContainsRune(" ,;:.!`*'’", []rune(rest)[0]) || strings.HasSuffix(word, "'")
}
