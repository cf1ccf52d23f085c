package ends

import (
	"cmp"
	"slices"
	"time"
)

// Mention is one place where a session leaves something open or shows it as done.
type Mention struct {
	Text    string
	State   State
	Origin  string // "plan", "todo", "checkpoint 3", "last answer"
	Todo    string // id of the todo it is, or names
	Turn    int    // index of the turn that says it, -1: none
	Session string
	At      time.Time
	Place   int       // its order in the session
	List    int       // number of the text of the session that tells of it; two ends of one text are two
	ID      string    // of its thread in the session, empty before that is known
	Ticked  bool      // the person ticked its box
	Before  []Mention // older wordings of the same session, newest first
	words   Words
}

// State is how a mention shows what it speaks of.
type State int

// The states of a mention.
const (
	Open    State = iota
	Unclear       // work came after it was last written, or it was said in passing
	Done          // a ticked box, a done todo
)

// Thread is one thing that was left open, in all words that were found for it, newest first.
type Thread struct{ Mentions []Mention }

// Newest is how the thread was put last.
func (t Thread) Newest() Mention { return t.Mentions[0] }

// Since is when it was first told of.
func (t Thread) Since() time.Time {
	oldest := t.Mentions[len(t.Mentions)-1]
	if n := len(oldest.Before); n > 0 {
		oldest = oldest.Before[n-1]
	}
	return oldest.At
}

// ID is that of the thread in the session that told of it first.
func (t Thread) ID() string { return t.Mentions[len(t.Mentions)-1].ID }

// Fold gathers mentions of one project into threads: what is the same in other words is one.
// Each joins the thread whose newest wording it shares the most words with, of equals the
// oldest. project is the name of the project, which tells nothing of what is open in it.
// Threads come in the order in which they began.
func Fold(mentions []Mention, project string) []Thread {
	f := folding{own: WordsOf(project), byWord: map[string][]int{}, byKey: map[string]int{}}
	mentions = slices.Clone(mentions)
	slices.SortStableFunc(mentions, func(a, b Mention) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Place, b.Place))
	})
	lang := languageOfAll(mentions)
	for _, m := range mentions {
		if m.State != Done { // that joins by its text, whose words are known
			m.words = wordsIn(m.Text, lang)
		}
		f.take(m, Key(m.Text))
	}
	return f.threads
}

// languageOfAll is the language in which most mentions are.
func languageOfAll(mentions []Mention) *language {
	count := map[*language]int{}
	best := english
	for _, m := range mentions {
		if m.State == Done {
			continue
		}
		lang := languageOf(m.Text, english)
		if count[lang]++; count[lang] > count[best] {
			best = lang
		}
	}
	return best
}

// folding gathers mentions one after the other.
type folding struct {
	own     Words
	threads []Thread
	byWord  map[string][]int // threads whose newest wording has the word, or an older one had
	byKey   map[string]int   // thread whose newest wording has the key, or the todo it is
	keys    []string         // of the newest wordings, by thread
}

// take has a mention join its thread, or begin one.
func (f *folding) take(m Mention, key string) {
	i := f.best(m, key)
	switch {
	case i >= 0:
		if m.State == Done {
			m.words = f.threads[i].Newest().words
		}
		f.threads[i].Mentions = slices.Insert(f.threads[i].Mentions, 0, m)
		f.keys[i] = key
	case m.State == Done: // what was never open is no thread
		return
	default:
		i = len(f.threads)
		f.threads = append(f.threads, Thread{Mentions: []Mention{m}})
		f.keys = append(f.keys, key)
	}
	f.byKey[key] = i
	if m.Todo != "" {
		f.byKey[todoKey(m)] = i
	}
	for _, w := range m.words {
		if list := f.byWord[w]; len(list) == 0 || list[len(list)-1] != i {
			f.byWord[w] = append(list, i)
		}
	}
}

func todoKey(m Mention) string { return "\x00" + m.Session + "\x00" + m.Todo }

// best is the thread that a mention goes on with, -1 where it begins one.
func (f *folding) best(m Mention, key string) int {
	if i, known := f.byKey[key]; known && f.keys[i] == key {
		return i
	}
	if m.Todo != "" {
		if i, known := f.byKey[todoKey(m)]; known && f.threads[i].Newest().Todo == m.Todo && f.threads[i].Newest().Session == m.Session {
			return i
		}
	}
	if m.State == Done { // in other words it may be evidence, and closes nothing
		return -1
	}
	best, most := -1, 0.0
	for _, i := range candidates(f.byWord, m.words) {
		newest, own := &f.threads[i].Mentions[0], f.own
		switch {
		case m.Session == newest.Session && m.List == newest.List:
			continue
		case m.Session == newest.Session:
			own = nil
		}
		like := m.words.Alike(newest.words, own)
		if like == 0 && f.shareRare(m.words, newest.words) {
			like = leastLike
		}
		if like > most {
			best, most = i, like
		}
	}
	return best
}

// tooMany texts have a word that tells nothing of one.
const tooMany = 1000

// candidates are the places at which a text shares a word that tells more than the kind of work,
// ascending.
func candidates(byWord map[string][]int, words Words) []int {
	var out []int
	for _, w := range words {
		if list := byWord[w]; len(list) < tooMany && !works().Has(w) {
			out = append(out, list...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// IsClosed says that the last word on the thread is that it is done: a ticked box or a done
// todo of the same text, or a tick of its person. Overlap of words alone never closes.
func (t Thread) IsClosed() bool { return t.Newest().State == Done || t.Newest().Ticked }
