package templates

import (
	"cmp"
	"encoding/json"
	"path"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources/agents"
	"github.com/sessionloom/sessionloom/templates/escape"
)

const maxName = 200

// Phrases are made from several fields; each passes an escaper here.

func dots(parts ...any) (*Markdown, error) {
	var list []string
	for _, p := range parts {
		s, err := printed(p)
		if err != nil {
			return nil, err
		}
		if s != "" {
			list = append(list, s)
		}
	}
	return markdown(strings.Join(list, " · ")), nil
}

// short shortens a name that would fill a line.
func short(name string) string { return escape.Cut(escape.OneLine(name), maxName) }

var (
	kinds = map[string]string{"plan": "Plan", "memory": "Memory", "research": "Research", "file": "Saved file", "summary": "Summary"}
	// scopes say whom a memory serves. A session's memory has a link instead.
	scopes = map[string]string{"repo": "for the whole repository", "user": "for all projects"}
)

func headless(is bool) *Markdown {
	if !is {
		return nil
	}
	return markdown("run by a command")
}

func kind(name string) string { return cmp.Or(kinds[name], escape.Inline(name)) }

func scope(name string) string { return scopes[name] }

// branch prints "branch `key-rotation` (from `main`)".
func branch(name, base string) string {
	s := escape.Code(short(name))
	if s == "" {
		return ""
	}
	if b := escape.Code(short(base)); b != "" && b != s {
		s += " (from " + b + ")"
	}
	return "branch " + s
}

func models(names []string) string {
	if s := codes(names); s != "" {
		return "with " + s
	}
	return ""
}

func usage(u Usage) *Markdown {
	var parts, uses []string
	for _, m := range u.Models {
		if name := escape.Code(short(string(m.Model))); name != "" {
			uses = append(uses, name+" ("+count(m.Sessions, "session", "sessions")+")")
		}
	}
	if len(uses) > 0 {
		parts = append(parts, "Models: "+strings.Join(uses, ", "))
	}
	if u.Tokens > 0 {
		parts = append(parts, rounded(u.Tokens)+" tokens")
	}
	return markdown(strings.Join(parts, " · "))
}

// rounded prints a large number as people say it: "950", "12 k", "1.2 M".
func rounded(n int) string {
	switch {
	case n < 1_000:
		return strconv.Itoa(n)
	case n < 999_500:
		return strconv.Itoa((n+500)/1_000) + " k"
	}
	return number((n+50_000)/1_000_000) + "." + strconv.Itoa((n+50_000)/100_000%10) + " M"
}

// codes prints code spans with commas between.
func codes(list []string) string {
	var spans []string
	for _, s := range list {
		if s = escape.Code(short(s)); s != "" {
			spans = append(spans, s)
		}
	}
	return strings.Join(spans, ", ")
}

func link(l Link) *Markdown { return markdown(l.String()) }

func cellLink(l Link) *Markdown {
	return markdown(escape.CellLink(string(l.Path), string(l.Text)))
}

func cellLinks(list []Link) *Markdown {
	return linksBy(cellLink, list, ", ")
}

func outline(turns []Turn) *Markdown {
	if len(turns) <= longConversation {
		return nil
	}
	var out strings.Builder
	for _, t := range turns {
		title := number(t.Number) + " · " + promptTitle(string(t.Prompt))
		if at := clock(t.At); at != "" {
			title = number(t.Number) + " · " + at + " " + promptTitle(string(t.Prompt))
		}
		out.WriteString("- " + Link{Path: "#^" + t.Block, Text: Text(title)}.String() + "\n")
	}
	return markdown(strings.TrimSuffix(out.String(), "\n"))
}

const longConversation = 10

func forked(parent Link) *Markdown { return about("continued from ", parent) }

// about links the project of a page, or prints nothing without a link.
func about(words string, l Link) *Markdown {
	if l == (Link{}) {
		return nil
	}
	return markdown(words + l.String())
}

func timesIn(zone string) string {
	if zone == "" {
		return ""
	}
	return "times in " + escape.Inline(zone)
}

func links(list []Link) *Markdown {
	return linksBy(link, list, " · ")
}

func linksBy(show func(Link) *Markdown, list []Link, between string) *Markdown {
	texts := make([]string, 0, len(list))
	for _, l := range list {
		texts = append(texts, show(l).String())
	}
	return markdown(strings.Join(texts, between))
}

func waiting(titles []Text) *Markdown {
	var after []string
	for _, t := range titles {
		if s := t.String(); s != "" {
			after = append(after, s)
		}
	}
	if len(after) == 0 {
		return nil
	}
	return markdown("waits for " + strings.Join(after, ", "))
}

func counts(open, old int) *Markdown {
	switch {
	case open == 0:
		return nil
	case old == 0:
		return markdown(number(open) + " open")
	}
	return markdown(number(open) + " open · " + number(old) + " of them old")
}

// reference prints a commit, pull request or issue with its link.
func reference(r Ref) *Markdown {
	words := ""
	if r.Value != "" { // else its subject identifies it
		words = escape.Linked(escape.Code(string(r.Value)), string(r.URL))
	}
	if r.Type != "commit" {
		name := cmp.Or(map[Text]string{"pr": "Pull request", "issue": "Issue"}[r.Type], string(r.Type))
		words = escape.WebLink(name+" "+string(r.Value), string(r.URL))
		if r.Note != "" {
			words = escape.Link(string(r.Note), name+" "+string(r.Value))
		}
	}
	if text := r.Text.String(); text != "" {
		words = strings.TrimLeft(words+" "+text, " ")
	}
	if r.Turn != (Link{}) {
		words += " · " + r.Turn.String()
	}
	return markdown(words)
}

func references(list []Ref) *Markdown {
	var words []string
	for _, r := range list {
		words = append(words, reference(r).String())
	}
	return markdown(strings.Join(words, ", "))
}

// address links words of a page to a web address, or prints nothing without one.
func address(words string, url any) (*Markdown, error) {
	target, err := rawText(url)
	if s := escape.Linked(words, target); s != words {
		return markdown(s), err
	}
	return nil, err
}

// document shows a stored file: markdown as markdown, anything else in one fence. Invalid JSON was already
// put into words by its reader.
func document(name, text string) string {
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	if ext == "json" && !json.Valid([]byte(text)) {
		return escape.Block(text)
	}
	switch ext {
	case "", "md", "markdown", "mdx":
		return escape.Block(text)
	case "txt":
		return escape.Fence("text", text)
	default:
		return escape.Fence(ext, text)
	}
}

// before and after link the neighbours of a note.
func before(l Link) *Markdown { return about("← ", l) }

func after(l Link) *Markdown {
	if l == (Link{}) {
		return nil
	}
	return markdown(l.String() + " →")
}

// model and mode return the words for a turn's model and mode.
func model(name string) string {
	if name = escape.Code(short(name)); name != "" {
		name = "with " + name
	}
	return name
}

func mode(name string) string {
	if name = escape.Inline(short(name)); name != "" {
		name += " mode"
	}
	return name
}

func checkpoint(n int, session Link) *Markdown {
	return markdown(strings.TrimSpace("Checkpoint " + number(n) + about(" of ", session).String()))
}

// SessionsBase is the view of all sessions in Obsidian's Bases format. Its text only depends on the folder,
// and is written as Obsidian does, so that a saved file differs only where its user changed something.
type SessionsBase struct{ Folder Path } // the managed folder, relative to the vault's root; "." is the whole vault

// FilesBase is the view of the hot files, as [SessionsBase] is of the sessions.
type FilesBase struct{ Folder Path }

// within prints the filter of a base for a folder. The whole vault needs none.
func within(folder Path) *Markdown {
	if folder == "." {
		return nil
	}
	s := `file.inFolder("` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(escape.OneLine(string(folder))) + `")`
	if strings.Contains(s, " #") || strings.Contains(s, ": ") {
		s = strconv.Quote(s)
	}
	return markdown(s)
}

// showView shows a view of a base in a page, or nothing for another path.
func showView(path Path, view string) *Markdown {
	if !escape.Linkable(string(path)) || !strings.HasSuffix(string(path), ".base") || !escape.Linkable(view) {
		return nil
	}
	return markdown("![[" + string(path) + "#" + view + "]]")
}

func shown(path Path) *Markdown { return markdown(escape.Picture(string(path))) }

func opened(path Path, text any) (*Markdown, error) {
	words, err := rawText(text)
	if err != nil || !escape.Linkable(string(path)) {
		return nil, err
	}
	return markdown(escape.Link(string(path), words)), nil
}

func quoted(lines []Text) *Markdown {
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = string(l)
	}
	fenced := escape.Fence("text", strings.Join(texts, "\n"))
	return markdown("> " + strings.ReplaceAll(strings.TrimRight(fenced, "\n"), "\n", "\n> "))
}

// ProgramOf returns the display name of an agent's program.
func ProgramOf(name string) string {
	a := agents.Named(name)
	return cmp.Or(a.Program, a.Title, name)
}

// ResumeCommand returns the command that resumes a session, or nil.
func ResumeCommand(agent, id string) (words []string) {
	for w := range strings.FieldsSeq(agents.Named(agent).Resume) {
		words = append(words, strings.Replace(w, "ID", id, 1))
	}
	return words
}

func agentNames(names []string) string {
	out := make([]string, 0, len(names))
	for _, name := range names {
		out = append(out, agent(name))
	}
	return strings.Join(out, ", ")
}

func agent(name string) string {
	return cmp.Or(agents.Named(name).Title, escape.Inline(short(name)))
}
