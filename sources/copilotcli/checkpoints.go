package copilotcli

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/eventlog"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

type checkpointFile struct {
	name, text string
	mtime      time.Time // for order only, never for output

	sources.Checkpoint
}

var (
	// numberOf is the number that the name of a file begins with; more digits are those of a UUID.
	numberOf = pattern.Lazy(`^(\d{1,6})[-.]`)
	// tableRow takes a row of checkpoints/index.md apart from the outside in, for titles
	// are not escaped and may hold a pipe.
	tableRow = pattern.Lazy(`(?m)^\|\s*\d+\s*\|(.*)\|\s*([^|\n]+?)\s*\|\s*$`)
)

// checkpoints reads the folder: NNN-slug.md in tagged sections, JSON variants
// and the index that knows the titles.
func checkpoints(files []checkpointFile) []sources.Checkpoint {
	titles := map[string]string{} // by file name
	var found []checkpointFile
	for _, f := range files {
		ok := true
		switch ext := path.Ext(f.name); {
		case f.name == "index.md":
			for _, m := range tableRow().FindAllStringSubmatch(f.text, -1) {
				titles[m[2]] = strings.TrimSpace(m[1])
			}
			continue
		case ext == ".json":
			f.Checkpoint, ok = checkpointJSON(f.text)
		default:
			f.Checkpoint = eventlog.ParseSections(f.text)
		}
		if m := numberOf().FindStringSubmatch(f.name); m != nil && f.Number == 0 {
			f.Number, _ = strconv.Atoi(m[1])
		}
		if ok {
			found = append(found, f)
		}
	}
	for i := range found {
		found[i].Title = cmp.Or(titles[found[i].name], found[i].Title)
	}
	return numbered(found)
}

// numbered puts checkpoints in order: by number, those without one last and by
// their own time, else by that of the file; markdown before JSON. Numbers are unique: one that
// is taken or missing becomes the next free.
func numbered(found []checkpointFile) (out []sources.Checkpoint) {
	highest := 0
	for _, c := range found {
		highest = max(highest, c.Number)
	}
	slices.SortStableFunc(found, func(a, b checkpointFile) int {
		return cmp.Or(
			cmp.Compare(uint(a.Number-1), uint(b.Number-1)), // none is the largest
			strings.Compare(path.Ext(b.name), path.Ext(a.name)), a.At.Compare(b.At), a.mtime.Compare(b.mtime), strings.Compare(a.name, b.name),
		)
	})
	taken, known := map[int]bool{}, map[[2]string]bool{}
	for _, c := range found {
		text := [2]string{c.Overview, c.WorkDone}
		if known[text] { // one checkpoint may lie there in two forms
			continue
		}
		known[text] = text != [2]string{}
		if c.Number == 0 || taken[c.Number] {
			highest++
			c.Number = highest
		}
		taken[c.Number] = true
		out = append(out, c.Checkpoint)
	}
	slices.SortStableFunc(out, func(a, b sources.Checkpoint) int { return cmp.Compare(a.Number, b.Number) })
	return out
}

// checkpointJSON reads a checkpoint in JSON, with fields in either spelling.
func checkpointJSON(text string) (c sources.Checkpoint, ok bool) {
	var file decode.Table[words.Flat]
	if decode.Text(text, &file) != nil {
		return c, false
	}
	fields := map[string]string{}
	for name, value := range file.All() {
		fields[strings.ToLower(strings.ReplaceAll(name, "_", ""))] = string(value)
	}
	c = sources.Checkpoint{
		Overview: fields["overview"], History: fields["history"], WorkDone: fields["workdone"],
		Technical: fields["technicaldetails"], Important: fields["importantfiles"], NextSteps: fields["nextsteps"],
	}
	if c == (sources.Checkpoint{}) {
		c = eventlog.ParseSections(cmp.Or(fields["content"], fields["summary"], fields["summarycontent"]))
	}
	ok = c != sources.Checkpoint{}
	c.Title = cmp.Or(fields["title"], fields["checkpointtitle"], c.Title)
	c.At = words.Time(cmp.Or(fields["createdat"], fields["timestamp"]))
	if n, err := strconv.ParseUint(cmp.Or(fields["number"], fields["checkpointnumber"]), 10, 30); err == nil {
		c.Number = int(n)
	}
	return c, ok
}
