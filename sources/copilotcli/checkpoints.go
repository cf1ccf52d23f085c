package copilotcli

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/copilotcli/internal/eventlog"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// checkpointFile is one file of checkpoints/.
type checkpointFile struct {
	name  string
	text  string
	mtime time.Time // for order only, never for output
}

// checkpoints reads the folder: NNN-slug.md in tagged sections, JSON variants
// and the index that knows the titles (formats/copilot-cli.md, sections 2.3 and
// 7). Numbers are unique: one that is taken or missing becomes the next free.
func checkpoints(files []checkpointFile) []sources.Checkpoint {
	titles := map[string]indexRow{}
	var found []orderedCheckpoint
	for _, f := range files {
		if f.name == "index.md" {
			titles = checkpointTitles(f.text)
		}
	}
	for _, f := range files {
		var c sources.Checkpoint
		switch path.Ext(f.name) {
		case ".json":
			var ok bool
			if c, ok = checkpointJSON(f.text); !ok {
				continue
			}
		case ".md":
			if f.name == "index.md" {
				continue
			}
			c = eventlog.ParseSections(f.text)
		default:
			continue
		}
		row := titles[f.name]
		c.Number = cmp.Or(c.Number, leadingNumber(f.name), row.number)
		c.Title = cmp.Or(row.title, c.Title)
		found = append(found, orderedCheckpoint{c, f})
	}
	return numbered(found)
}

type orderedCheckpoint struct {
	sources.Checkpoint
	file checkpointFile
}

// maxNumber is the largest number of a checkpoint that is believed.
const maxNumber = 1 << 30

// numbered puts checkpoints in order: by number, those without one last and by
// their own time, else by that of the file; markdown before JSON.
func numbered(found []orderedCheckpoint) []sources.Checkpoint {
	for i := range found {
		if found[i].Number > maxNumber {
			found[i].Number = 0
		}
	}
	slices.SortStableFunc(found, func(a, b orderedCheckpoint) int {
		return cmp.Or(
			compareNumbers(a.Number, b.Number),
			strings.Compare(path.Ext(b.file.name), path.Ext(a.file.name)),
			a.At.Compare(b.At),
			a.file.mtime.Compare(b.file.mtime),
			strings.Compare(a.file.name, b.file.name),
		)
	})
	var out []sources.Checkpoint
	taken, known := map[int]bool{}, map[[2]string]int{}
	highest := 0
	for _, c := range found {
		highest = max(highest, c.Number)
	}
	for _, c := range found {
		// One checkpoint may lie there in two forms.
		text := [2]string{c.Overview, c.WorkDone}
		if i, ok := known[text]; ok {
			fillCheckpoint(&out[i], c.Checkpoint)
			continue
		}
		if text != [2]string{} {
			known[text] = len(out)
		}
		if c.Number <= 0 || taken[c.Number] {
			highest++
			c.Number = highest
		}
		taken[c.Number] = true
		out = append(out, c.Checkpoint)
	}
	slices.SortStableFunc(out, func(a, b sources.Checkpoint) int { return cmp.Compare(a.Number, b.Number) })
	return out
}

func compareNumbers(a, b int) int {
	switch {
	case a <= 0 && b <= 0:
		return 0
	case a <= 0:
		return 1
	case b <= 0:
		return -1
	default:
		return cmp.Compare(a, b)
	}
}

func fillCheckpoint(to *sources.Checkpoint, from sources.Checkpoint) {
	to.Title = cmp.Or(to.Title, from.Title)
	if to.At.IsZero() {
		to.At = from.At
	}
	to.History = cmp.Or(to.History, from.History)
	to.Technical = cmp.Or(to.Technical, from.Technical)
	to.Important = cmp.Or(to.Important, from.Important)
	to.NextSteps = cmp.Or(to.NextSteps, from.NextSteps)
}

// indexRow is one row of checkpoints/index.md.
type indexRow struct {
	number int
	title  string
}

// tableRow takes a row apart from the outside in, for titles are not escaped and
// may hold a pipe.
var tableRow = regexp.MustCompile(`^\|\s*(\d+)\s*\|(.*)\|\s*([^|]+?)\s*\|\s*$`)

// checkpointTitles gives the rows by file name.
func checkpointTitles(text string) map[string]indexRow {
	rows := map[string]indexRow{}
	for line := range strings.SplitSeq(text, "\n") {
		if m := tableRow.FindStringSubmatch(strings.TrimRight(line, "\r")); m != nil {
			n, _ := strconv.Atoi(m[1]) // 0 where it does not fit
			rows[m[3]] = indexRow{n, strings.TrimSpace(m[2])}
		}
	}
	return rows
}

// leadingNumber reads the number a file name begins with, before "-" or ".".
func leadingNumber(name string) int {
	digits := name[:strings.IndexFunc(name+".", func(r rune) bool { return r < '0' || r > '9' })]
	if rest := name[len(digits):]; !strings.HasPrefix(rest, "-") && !strings.HasPrefix(rest, ".") || len(digits) > 6 {
		return 0 // the hexadecimal digits of a UUID
	}
	n, _ := strconv.Atoi(digits)
	return n
}

// checkpointJSON reads a checkpoint in JSON, with fields in either spelling.
func checkpointJSON(text string) (sources.Checkpoint, bool) {
	var file decode.Table[flat]
	if decode.Text(text, &file) != nil {
		return sources.Checkpoint{}, false
	}
	field := func(names ...string) string {
		for _, n := range names {
			if s := file.Get(n); s != "" {
				return string(s)
			}
		}
		return ""
	}
	c := sources.Checkpoint{
		Overview:  field("overview"),
		History:   field("history"),
		WorkDone:  field("work_done", "workDone"),
		Technical: field("technical_details", "technicalDetails"),
		Important: field("important_files", "importantFiles"),
		NextSteps: field("next_steps", "nextSteps"),
	}
	if c == (sources.Checkpoint{}) {
		body := field("content", "summary", "summary_content", "summaryContent")
		if body == "" {
			return c, false
		}
		c = eventlog.ParseSections(body)
	}
	c.Title = cmp.Or(field("title", "checkpoint_title", "checkpointTitle"), c.Title)
	c.At = words.Time(field("created_at", "createdAt", "timestamp"))
	number, _ := strconv.Atoi(field("number", "checkpoint_number", "checkpointNumber"))
	c.Number = max(number, 0)
	return c, true
}

// flat is a JSON value as text: a list one item a line, as a list.
type flat string

// ReadJSON implements decode.Reader.
func (f *flat) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	var value decode.Scalar
	var items []flat
	if d.PeekKind() == '[' {
		err = d.Read(&items)
	} else {
		err = d.Read(&value)
	}
	var lines []string
	for _, item := range items {
		if item != "" {
			lines = append(lines, "- "+string(item))
		}
	}
	*f = flat(strings.TrimSpace(value.Text) + strings.Join(lines, "\n"))
	return true, err
}
