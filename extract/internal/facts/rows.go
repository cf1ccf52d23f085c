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

// Row is an item of a session for list pages, with the time of its turn. It is a line of the comment in the
// session's note.
type Row struct {
	Key  string    `json:"k"` // a row key
	At   time.Time `json:"t,omitzero"`
	From string    `json:"f,omitempty"` // source: id of a turn's block, "plan", "todo", "cp3"
	What string    `json:"w,omitempty"` // a word that depends on the key
	Text string    `json:"x,omitempty"`
}

// Ref is equal for rows of RowRef that name one thing: a commit without a hash is identified by its subject.
func (r Row) Ref() string {
	if strings.HasSuffix(r.What, ":") {
		return r.What + r.Text
	}
	return r.What
}

// actMark separates the act of a row from the block of its turn.
const actMark = "@"

// FromAct returns the From of a row for an act in a turn; block may be empty.
func FromAct(act, block string) string { return act + actMark + block }

// Act returns the act of a row, such as "list" or "plan"; "todo" in rows of an earlier build.
func (r Row) Act() string {
	act, _, _ := strings.Cut(r.From, actMark)
	act, _, _ = strings.Cut(act, ".")
	return act
}

// Block returns the block of a row's turn, or "".
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

// IsDecision reports whether a row of RowDecision rests on an act; rows of an earlier build rest on prose.
func IsDecision(r Row) bool { return strings.Contains(r.From, actMark) }

// The keys of rows, with the content of What.
const (
	RowDay      = "day"      // the last answer of a day, in a sentence; the day
	RowFile     = "file"     // a changed file; its commit
	RowAsk      = "ask"      // the prompt of a turn that changed files without a commit; nothing
	RowRef      = "ref"      // a commit, pull request or issue; "commit:63eee27"
	RowNamed    = "named"    // an issue or pull request in a prompt, in its words; "issue:42"
	RowOpen     = "open"     // an item left open; its id. From is an act, see [Row.Act]
	RowDone     = "done"     // a ticked box or done item; nothing
	RowDecision = "decision" // a decision; nothing. From is an act
	RowCommand  = "cmd"      // a command that worked; its kind
	RowFix      = "fix"      // an error and its fix, after an arrow; nothing
	RowPrompt   = "prompt"   // the last prompt; nothing. From identifies the first ones
	RowEnd      = "closing"  // the closing words; nothing
	RowStep     = "step"     // a next step of the newest checkpoint; its number
	RowCheck    = "check"    // the last test, build or lint; its exit code
	RowDetail   = "detail"   // a technical detail of the newest checkpoint; its number
	RowCwd      = "cwd"      // the folder it worked in, relative to the home folder; nothing
	RowTokens   = "tokens"   // the tokens of a day, in and out; their number
	RowWords    = "words"    // an agent's answer that is good to know; the agent. At is when
	RowFact     = "fact"     // a line of a memory, whose position is From; nothing
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

// rowOf reads a row back, or returns false.
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

// Of returns the rows with a key, by time.
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

// arrange sorts the rows, removes duplicates, and finds their days and files.
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

// NamedIssue is an issue or pull request, with a row that names it.
type NamedIssue struct {
	names.Issue
	Row Row
}

// Issues returns the issues and pull requests that a session worked on or that its prompts name, with
// repetitions.
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

// IssueOf returns the issue or pull request in a row of a session, or false.
func IssueOf(f Facts, r Row) (names.Issue, bool) {
	typ, value, _ := strings.Cut(r.What, ":")
	return names.IssueNamed(f.Project, typ, value)
}
