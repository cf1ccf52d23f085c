package facts

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/vault/note"
)

// Row is one thing that a session tells to list pages, with the time of its turn. It is in
// the comment of the session's note, one a line.
type Row struct {
	Key  string    `json:"k"` // one of the keys of rows
	At   time.Time `json:"t,omitzero"`
	From string    `json:"f,omitempty"` // what says it: id of a turn's block, "plan", "todo", "cp3"
	What string    `json:"w,omitempty"` // a word that depends on the key
	Text string    `json:"x,omitempty"`
}

// Ref is the same for rows of RowRef that name one thing: a commit without a hash is known by its
// subject.
func (r Row) Ref() string {
	if strings.HasSuffix(r.What, ":") {
		return r.What + r.Text
	}
	return r.What
}

// actMark is between the act that a row rests on and the block of its turn.
const actMark = "@"

// FromAct is the From of a row that rests on an act in a turn; block may be empty.
func FromAct(act, block string) string { return act + actMark + block }

// Act is the act that a row rests on, such as "list" or "plan"; "todo" in rows of a former build.
func (r Row) Act() string {
	act, _, _ := strings.Cut(r.From, actMark)
	act, _, _ = strings.Cut(act, ".")
	return act
}

// Block is the block of the turn that a row mentions, empty if it is none.
func (r Row) Block() string {
	from := r.From
	if _, block, ok := strings.Cut(from, actMark); ok {
		from = block
	}
	if !strings.HasPrefix(from, "t-") {
		return ""
	}
	return from
}

// IsDecision recognizes rows of RowDecision that rest on an act; those of a former build rest on prose.
func IsDecision(r Row) bool { return strings.Contains(r.From, actMark) }

// The keys of rows, with what What says.
const (
	RowDay      = "day"      // the last answer of a day, in a sentence; the day
	RowFile     = "file"     // a file that was changed; the commit that holds it
	RowAsk      = "ask"      // what a turn was asked that changed files and made no commit; nothing
	RowRef      = "ref"      // a commit, pull request or issue; "commit:63eee27"
	RowNamed    = "named"    // an issue or pull request that a prompt names, in its words; "issue:42"
	RowOpen     = "open"     // an end left open; its id. From is an act, see [Row.Act]
	RowDone     = "done"     // a box that was ticked, an item that is done; nothing
	RowDecision = "decision" // something decided; nothing. From is an act
	RowCommand  = "cmd"      // a command that worked; its kind
	RowFix      = "fix"      // an error and what fixed it, behind an arrow; nothing
	RowPrompt   = "prompt"   // the last prompt; nothing. From is what the first ones are compared by
	RowEnd      = "closing"  // the closing words; nothing
	RowStep     = "step"     // a next step of the newest checkpoint; its number
	RowCheck    = "check"    // the last test, build or lint; its exit code
	RowDetail   = "detail"   // a technical detail of the newest checkpoint; its number
	RowCwd      = "cwd"      // the folder it worked in, from the home folder; nothing
	RowTokens   = "tokens"   // the tokens of a day, in and out; how many
	RowWords    = "words"    // what an agent said that is good to know; who. At is when
	RowFact     = "fact"     // a line of a memory, From is its place; nothing
)

// rowKeys are the keys in the order of the state.
var rowKeys = []string{RowDay, RowFile, RowAsk, RowRef, RowNamed, RowOpen, RowDone, RowDecision, RowCommand, RowFix, RowPrompt, RowCwd,
	RowEnd, RowStep, RowCheck, RowDetail, RowWords, RowFact, RowTokens}

const rowTime = "2006-01-02T15:04:05"

func (r Row) fact(zone *time.Location) note.Fact {
	at := "-"
	if !r.At.IsZero() {
		at = onWall(r.At, zone).Format(rowTime)
	}
	words := []string{at, cmp.Or(r.From, "-")}
	if hasWhat(r.Key) {
		words = append(words, cmp.Or(r.What, "-"))
	}
	if r.Text != "" {
		words = append(words, r.Text)
	}
	return note.Fact{Key: r.Key, Value: strings.Join(words, " ")}
}

func hasWhat(key string) bool {
	return slices.Contains([]string{RowDay, RowFile, RowRef, RowNamed, RowOpen, RowCommand, RowStep, RowCheck, RowDetail, RowWords, RowTokens}, key)
}

// rowOf reads a row back, false if it is not one.
func rowOf(f note.Fact, zone *time.Location) (r Row, ok bool) {
	if !slices.Contains(rowKeys, f.Key) {
		return r, false
	}
	r.Key = f.Key
	at, rest, _ := strings.Cut(f.Value, " ")
	if at != "-" {
		wall, err := time.Parse(rowTime, at)
		if err != nil {
			return r, false
		}
		r.At = offWall(wall, zone)
	}
	r.From, rest, _ = strings.Cut(rest, " ")
	if hasWhat(r.Key) {
		r.What, rest, _ = strings.Cut(rest, " ")
	}
	r.Text = rest
	if r.From == "-" {
		r.From = ""
	}
	if r.What == "-" {
		r.What = ""
	}
	return r, true
}

// Of are the rows with a key, by time.
func (f Facts) Of(key string) []Row {
	from, found := slices.BinarySearchFunc(f.Rows, key, func(r Row, key string) int { return cmp.Compare(rank(r.Key), rank(key)) })
	if !found {
		return nil
	}
	to := from
	for to < len(f.Rows) && f.Rows[to].Key == key {
		to++
	}
	return f.Rows[from:to]
}

// Tokens adds up the tokens in rows.
func Tokens(rows []Row) (sum int) {
	for _, r := range rows {
		n, _ := strconv.Atoi(r.What)
		sum += max(n, 0)
	}
	return sum
}

func rank(key string) int { return slices.Index(rowKeys, key) }

// arrange orders the rows, drops what is there twice, and finds the days and files in them.
func (f *Facts) arrange() {
	for i := range f.Rows {
		f.Rows[i].At = f.Rows[i].At.UTC().Truncate(time.Second)
	}
	slices.SortFunc(f.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(rank(a.Key), rank(b.Key)), a.At.Compare(b.At),
			cmp.Compare(a.From, b.From), cmp.Compare(a.What, b.What), cmp.Compare(a.Text, b.Text))
	})
	f.Rows = clip(slices.Compact(f.Rows))
	f.find()
}

func (f *Facts) find() {
	f.Days, f.Files = nil, nil
	for _, r := range f.Of(RowDay) {
		f.Days = append(f.Days, r.What)
	}
	for _, r := range f.Of(RowFile) {
		f.Files = append(f.Files, r.Text)
	}
	slices.Sort(f.Days)
	slices.Sort(f.Files)
	f.Days, f.Files = slices.Compact(f.Days), slices.Compact(f.Files)
}

// NamedIssue is an issue or pull request with the row of the session that names it.
type NamedIssue struct {
	names.Issue
	Row Row
}

// Issues are the issues and pull requests that a session names, each as often as it does:
// those it was at work on, and those that its prompts speak of.
func (f Facts) Issues() (out []NamedIssue) {
	for _, key := range []string{RowRef, RowNamed} {
		for _, r := range f.Of(key) {
			if i, ok := IssueOf(f, r); ok {
				out = append(out, NamedIssue{i, r})
			}
		}
	}
	return out
}

// IssueOf is the issue or pull request that a row of a session names, false if it names
// none.
func IssueOf(f Facts, r Row) (names.Issue, bool) {
	typ, value, _ := strings.Cut(r.What, ":")
	return names.IssueNamed(f.Project, typ, value)
}
