// Package words reads formats that all agents share: times, paths, flat YAML, and the blocks around a prompt.
package words

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/sign"
)

// codes matches terminal codes for colours, cursor moves and titles.
var codes = regexp.MustCompile("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]?|\x1b[]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\\\)|\x1b[ -/]*[0-~]?")

// Visible returns a text without terminal codes for colours, cursor moves and titles.
func Visible(text string) string {
	if strings.ContainsAny(text, "\x1b\u009b") {
		text = codes.ReplaceAllString(text, "")
	}
	return text
}

// OneLine returns text as one line of at most limit bytes, cut between words if possible: half a word
// may be half a secret, which nobody finds. Hidden codes are removed without a blank, so that they do
// not split a word.
func OneLine(text string, limit int) string {
	text = text[:sign.Word(text, 16*limit)]
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' || r == 0x2028 || r == 0x2029 {
			return -1
		}
		return r
	}, Visible(text))
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == utf8.RuneError })
	line := strings.Join(words, " ")
	if len(line) <= limit {
		return line
	}
	const more = "…"
	cut := limit - len(more)
	if i := strings.LastIndexByte(line[:cut+1], ' '); i > 0 {
		return line[:i] + more
	}
	return line[:sign.Before(line, cut)] + more
}

// maxLine limits the bytes of a command that are kept, with scripts in it.
const maxLine = 8 << 10

// CommandLine returns a command without hidden codes and with its line breaks. A long command is cut after a
// word.
func CommandLine(text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(Visible(text), "\r\n", "\n"))
	if len(text) <= maxLine {
		return text
	}
	return strings.TrimRight(text[:sign.Word(text, maxLine-len("…"))], " \n") + "…"
}

// Count writes a number of things: "1 line", "3 lines".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// PathTag returns a path for keys: relative to the user's home, the same on every machine, else a name
// and a hash.
func PathTag(path, home, name string) string {
	if home != "" {
		if rel, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(rel) {
			return "~/" + filepath.ToSlash(rel)
		}
	}
	sum := sha256.Sum256([]byte(filepath.ToSlash(path)))
	return name + "-" + hex.EncodeToString(sum[:4])
}

// layouts without a zone are in UTC.
var layouts = [...]string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999"}

// Time parses a time. Other texts, and years that the notes' calendar lacks, give the zero time.
func Time(s string) time.Time {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return sources.OnCalendar(t)
		}
	}
	return time.Time{}
}

// Instant is a time in RFC 3339 or milliseconds since 1970; zero for other values.
type Instant struct{ time.Time }

// ReadJSON implements decode.Reader.
func (i *Instant) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	var s decode.Scalar
	if _, err = s.ReadJSON(d); err != nil {
		return false, err
	}
	if i.Time = Time(s.Text); !i.IsZero() {
		return true, nil
	}
	if ms, ok := decode.Number(s.Text); ok && ms > 0 && ms < 1<<53 {
		i.Time = sources.OnCalendar(time.UnixMilli(ms))
	}
	return true, nil
}

const space = " \t\r\n"

// WithoutBlocks removes the blocks, between tags of these names, that a program put before and after a
// person's text. Tags within that text stay.
func WithoutBlocks(text string, tags []string) string {
	open := map[string]bool{} // the text begins or ends with it, and it has no counterpart left
	for again := true; again; {
		again = false
		for _, tag := range tags {
			if open[tag] {
				continue
			}
			_, before, after, ok := CutBlock(text, tag, strings.Index)
			if ok {
				text, again = strings.TrimRight(before, space)+strings.TrimLeft(after, "\r\n"), true
			} else {
				open[tag] = strings.HasPrefix(strings.TrimLeft(text, space), "<"+tag+">") || strings.HasSuffix(strings.TrimRight(text, space), "</"+tag+">")
			}
		}
	}
	return text
}

// CutBlock splits a text that begins with a block, whose end is found by end, or ends with one.
func CutBlock(text, tag string, end func(text, mark string) int) (inner, before, after string, ok bool) {
	open, shut := "<"+tag+">", "</"+tag+">"
	if body, found := strings.CutPrefix(strings.TrimLeft(text, space), open); found {
		if i := end(body, shut); i >= 0 {
			return body[:i], "", body[i+len(shut):], true
		}
	}
	if body, found := strings.CutSuffix(strings.TrimRight(text, space), shut); found {
		if i := strings.LastIndex(body, open); i >= 0 {
			return body[i+len(open):], body[:i], "", true
		}
	}
	return "", "", "", false
}

// Between returns the text between the first of these pairs of marks that is found.
func Between(text string, marks ...[2]string) string {
	for _, m := range marks {
		if _, rest, ok := strings.Cut(text, m[0]); ok {
			inner, _, _ := strings.Cut(rest, m[1])
			return strings.TrimSpace(inner)
		}
	}
	return ""
}

// Metadata is VS Code's data about a session of Copilot CLI that it started.
type Metadata struct {
	CustomTitle     string `json:"customTitle"`
	WorkspaceFolder struct {
		FolderPath string `json:"folderPath"`
	} `json:"workspaceFolder"`
	Worktree   worktree `json:"worktreeProperties"`
	Repository worktree `json:"repositoryProperties"`
}

type worktree struct {
	WorktreePath   string `json:"worktreePath"`
	RepositoryPath string `json:"repositoryPath"`
	BranchName     string `json:"branchName"`
	BaseBranchName string `json:"baseBranchName"`
}

// Place returns where the session works. For a worktree that was made for it, that is the worktree, with the
// repository it was made from.
func (m Metadata) Place() sources.Place {
	return sources.Place{
		Cwd:        cmp.Or(m.Worktree.WorktreePath, m.WorkspaceFolder.FolderPath),
		GitRoot:    cmp.Or(m.Worktree.RepositoryPath, m.Repository.RepositoryPath),
		Branch:     cmp.Or(m.Worktree.BranchName, m.Repository.BranchName),
		BaseBranch: cmp.Or(m.Worktree.BaseBranchName, m.Repository.BaseBranchName),
	}
}

var (
	// yamlKey is a key at the start of a line.
	yamlKey = pattern.Lazy(`^([A-Za-z_][A-Za-z0-9_]*):(?:\s+(.*))?$`)
	// yamlStructure matches a list, a map, or a name for one.
	yamlStructure = pattern.Lazy(`^((&\S+ )?[\[{].*[\]}]|\*\S+)$`)
	// yamlBlock matches a key whose text of several lines follows, indented.
	yamlBlock = pattern.Lazy(`(?m)^([A-Za-z_][A-Za-z0-9_]*):[ \t]+[|>][-+]?[ \t]*\r?\n((?:[ \t]+\S.*|[ \t\r]*)(?:\n|\z))*`)
	// yamlNothing matches a file without keys: only marks and comments.
	yamlNothing = pattern.Lazy(`^(?:\s|---|\.\.\.|\{\}|null|~|#.*)*$`)
)

// FlatYAML reads a file of flat keys, line by line: programs write values without quotes even where YAML would
// require them, so that a path, a colon or a number sign in a value stays as written. A text of several lines
// is read as YAML. damaged says that the file holds something else, which is left out.
func FlatYAML(text string) (keys map[string]string, damaged bool) {
	keys = map[string]string{}
	flat := yamlBlock().ReplaceAllStringFunc(text, func(block string) string {
		damaged = yaml.Unmarshal([]byte(block), keys) != nil || damaged
		return ""
	})
	for line := range strings.Lines(flat) {
		m := yamlKey().FindStringSubmatch(strings.TrimRight(line, " \t\r\n"))
		if m == nil {
			continue
		}
		value := strings.TrimSpace(m[2])
		switch {
		case yamlStructure().MatchString(value):
			damaged = true
			continue
		case strings.HasPrefix(value, "'") || strings.HasPrefix(value, `"`):
			var quoted string
			if yaml.Unmarshal([]byte(value), &quoted) == nil {
				value = quoted
			}
		case value == "null" || value == "~":
			value = ""
		}
		keys[m[1]] = value
	}
	return keys, damaged || len(keys) == 0 && !yamlNothing().MatchString(text)
}

// Flat is a JSON value as text: an array becomes a list with an item a line.
type Flat string

// ReadJSON implements decode.Reader.
func (f *Flat) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	var value decode.Scalar
	var items []Flat
	if d.PeekKind() == '[' {
		err = d.Read(&items)
	} else {
		err = d.Read(&value)
	}
	for _, item := range items {
		if item != "" {
			value.Text += "\n- " + string(item)
		}
	}
	*f = Flat(strings.TrimSpace(value.Text))
	return true, err
}

// Section cuts the trimmed text between <tag> and </tag> out of a text that has both. Tags are at the
// beginning of a line or after another tag, and texts quote them: the first opening one counts, and the last
// closing one before another section opens, else the last of all.
func Section(text, tag string, others []string) (section, rest string) {
	begin, end := "<"+tag+">", "</"+tag+">"
	open := atLineStart(text, begin)
	if open < 0 {
		return "", text
	}
	from, limit := open+len(begin), len(text)
	for _, other := range others {
		if i := atLineStart(text[from:], "<"+other+">"); i >= 0 {
			limit = min(limit, from+i)
		}
	}
	n := strings.LastIndex(text[from:limit], end)
	if n < 0 {
		n = strings.LastIndex(text[from:], end)
	}
	if n < 0 {
		return "", text
	}
	return strings.TrimSpace(text[from : from+n]), text[:open] + text[from+n+len(end):]
}

// atLineStart finds the first mark that begins a line or follows another tag.
func atLineStart(text, mark string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], mark)
		if i < 0 {
			return -1
		}
		i += from
		line := strings.LastIndexByte(text[:i], '\n') + 1
		if before := strings.TrimSpace(text[line:i]); before == "" || strings.HasSuffix(before, ">") {
			return i
		}
		from = i + len(mark)
	}
}

// IsPrompt reports whether a title is only the first prompt: whole, its first line, or cut. A title of
// cutAt UTF-16 units is a cut prompt, even if the prompt was taken back.
func IsPrompt(prompt, title string, cutAt int) bool {
	line, _, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	prompt, title = foldBlanks(prompt), foldBlanks(title)
	cut := strings.TrimSuffix(strings.TrimSuffix(title, "…"), "...")
	if cut == title {
		return title == prompt || title == foldBlanks(line)
	}
	return strings.HasPrefix(prompt, strings.TrimSpace(cut)) || len(utf16.Encode([]rune(cut))) >= cutAt-1
}

// foldBlanks folds white space into single blanks, in the part of a text that a title may have.
func foldBlanks(s string) string { return strings.Join(strings.Fields(s[:min(len(s), 64<<10)]), " ") }
