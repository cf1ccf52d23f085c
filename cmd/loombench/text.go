package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The vocabulary of the corpus. Sentences are made of it word by word, so that
// compression, redaction and escaping meet text that does not repeat.
const (
	verbs = `add allow benchmark bound cache cancel check clean close compare compress copy count cover decode
defer delete describe detect document drain drop encode enforce escape expire export extend extract fix flush
format guard handle hash import index inline invalidate join keep limit load lock log measure merge migrate mock
move normalise open order parse pin poll profile propagate prune queue read rebuild recover reduce refactor reject
release reload remove rename render replace report reset resolve restore resume retry return reuse revert rewrite
rotate route sanitise schedule seal serialise share shorten simplify skip sort split store stream strip sweep
synchronise tag test throttle time trace trim truncate unify unwrap update upgrade validate verify wait warn wrap write`
	nouns = `account adapter alias allocation answer archive argument assertion backoff backup batch body branch
buffer build bundle cache caller cell certificate channel checksum client clock cluster code column commit
config connection constraint context cookie counter cursor daemon deadline decoder default delta dependency digest
directory dispatcher driver edge encoder endpoint entry envelope error event expiry fallback field file filter
fixture flag folder frame function gateway goroutine graph guard handle handler hash header heap hook host index
input instance interface invariant item iterator job journal key label latency layer lease ledger limit line list
listener loader lock log loop map marker message method metric middleware migration mock module mutex node note
object offset option order origin output owner package page parser patch path payload permission pipeline plan
pointer policy pool port prefix process profile prompt protocol proxy query queue quota race rate reader record
reference region registry release replica request resolver response result retry ring route row rule runner schema
scope script secret section segment server service session shard signal slice slot snapshot socket source span
stack stage state status store stream string suite table tag target task template test thread ticket timeout token
trace transaction transport tree trigger tuple type update user validator value vault version view volume watcher
window worker wrapper writer`
	adjectives = `atomic bare blocking bounded broken cached clean cold concurrent configured corrupt current deep
default derived double dry durable early empty exact expired explicit external final first fixed flaky foreign
fresh full global greedy hidden hot idle implicit incremental inner internal invalid large last late lazy left
local long lost malformed missing mixed mutable narrow nested new nil old open optional orphaned outer partial
pending plain portable private public pure quick quiet random raw ready recent redundant relative remote rewound
safe second shared short silent single slow small spare stable stale strict synthetic temporary torn unique unknown
unsafe unused upper valid verbatim volatile warm whole wide wrong zero`
)

// lexicon makes the words of a corpus and holds the pool of tool output. It is
// read-only once made and shared by all sessions.
type lexicon struct {
	verbs, nouns, adjectives []string
	pools                    [][]string // JSON-escaped lines: code, test log, listing
	opaque                   string     // stands for encrypted reasoning
}

// newLexicon is a pure function of the seed.
func newLexicon(seed uint64) *lexicon {
	x := &lexicon{verbs: strings.Fields(verbs), nouns: strings.Fields(nouns), adjectives: strings.Fields(adjectives)}
	r := rand.New(rand.NewPCG(seed, 0x6c6578))
	x.pools = [][]string{
		x.pool(r, 6000, x.codeLine),
		x.pool(r, 5000, x.logLine),
		x.pool(r, 4000, x.listLine),
	}
	x.opaque = letters(r, 8192)
	return x
}

func (x *lexicon) pool(r *rand.Rand, n int, line func(*rand.Rand) string) []string {
	lines := make([]string, n)
	for i := range lines {
		quoted := appendEscaped(nil, line(r))
		lines[i] = string(quoted) + `\n`
	}
	return lines
}

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// chance tells whether something that happens once in n happens now.
func chance(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// between returns a number of the closed range.
func between(r *rand.Rand, low, high int) int { return low + r.IntN(high-low+1) }

func letters(r *rand.Rand, n int) string {
	const set = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	b := make([]byte, n)
	for i := range b {
		b[i] = set[r.IntN(len(set))]
	}
	return string(b)
}

// name is an exported identifier of two or three words.
func (x *lexicon) name(r *rand.Rand) string {
	return capital(pick(r, x.verbs)) + capital(pick(r, x.nouns))
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// phrase is a noun with its adjective.
func (x *lexicon) phrase(r *rand.Rand) string {
	return pick(r, x.adjectives) + " " + pick(r, x.nouns)
}

// sentence is one statement about code, now and then with inline code.
func (x *lexicon) sentence(r *rand.Rand) string {
	switch r.IntN(6) {
	case 0:
		return fmt.Sprintf("The %s must %s the %s before the %s is gone.", x.phrase(r), pick(r, x.verbs), pick(r, x.nouns), x.phrase(r))
	case 1:
		return fmt.Sprintf("`%s` would %s every %s, so the %s stays %s.", x.name(r), pick(r, x.verbs), x.phrase(r), pick(r, x.nouns), pick(r, x.adjectives))
	case 2:
		return fmt.Sprintf("When a %s is %s, we %s the %s and %s it once more.", pick(r, x.nouns), pick(r, x.adjectives), pick(r, x.verbs), x.phrase(r), pick(r, x.verbs))
	case 3:
		return fmt.Sprintf("That took %d ms with %d of them, because `%s(%s)` had to %s the %s.",
			between(r, 2, 900), between(r, 2, 4000), x.name(r), pick(r, x.nouns), pick(r, x.verbs), x.phrase(r))
	case 4:
		return fmt.Sprintf("No %s may %s a %s that another %s still holds.", pick(r, x.nouns), pick(r, x.verbs), x.phrase(r), pick(r, x.nouns))
	default:
		return fmt.Sprintf("%s the %s, then %s what the %s left of the %s.", capital(pick(r, x.verbs)), x.phrase(r), pick(r, x.verbs), pick(r, x.nouns), x.phrase(r))
	}
}

func (x *lexicon) paragraph(r *rand.Rand, sentences int) string {
	parts := make([]string, sentences)
	for i := range parts {
		parts[i] = x.sentence(r)
	}
	return strings.Join(parts, " ")
}

// task is a short imperative: a title, a list item, a commit subject.
func (x *lexicon) task(r *rand.Rand) string {
	return capital(pick(r, x.verbs)) + " the " + x.phrase(r) + " of the " + pick(r, x.nouns)
}
