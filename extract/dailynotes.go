package extract

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
)

// Where its user asked for it, a daily note of theirs has one line of ours: a link
// to the page of that day. Only notes that exist get one. All else of Obsidian's
// is read only.

// dailySettings is the file in which Obsidian keeps where daily notes lie.
const dailySettings = "daily-notes.json"

// dailyNotes says where the daily note of a day lies.
type dailyNotes struct {
	Folder string `json:"folder"`
	Format string `json:"format"`
}

// at is the path of a day's note from the vault's root.
func (d dailyNotes) at(day time.Time) (string, error) {
	name, err := momentFormat(cmp.Or(d.Format, "YYYY-MM-DD"), day)
	if !strings.HasSuffix(name, ".md") {
		name += ".md"
	}
	return path.Join(strings.Trim(d.Folder, "/"), name), err
}

func (p *pass) dailyNotes() (d dailyNotes, err error) {
	text, err := p.Vault.AppSetting(dailySettings)
	if err == nil && len(text) > 0 {
		err = json.Unmarshal(text, &d)
	}
	if err == nil {
		_, err = d.at(time.Unix(0, 0).UTC())
	}
	return d, err
}

func dailyID(day string) string  { return "daily:" + day }
func dailyKey(day string) string { return "daily-" + day }

// linkDailyNotes puts the line into the daily note of each day that has a page,
// and takes it away where the page is gone. Notes that did not change since are
// not opened. A plan is about notes of ours alone.
func (p *pass) linkDailyNotes(ctx context.Context) error {
	if !p.Settings.DailyNotes || p.Mode.KeepRead {
		return nil
	}
	where, err := p.dailyNotes()
	if err != nil {
		p.problem(Problem{Path: ".obsidian/" + dailySettings, Error: err.Error(), Fatal: true,
			Hint: "no daily note was touched; mend it, or set daily_notes to false in .sessionloom/vault.yaml"})
		return nil
	}
	if err := p.Ledger.Begin(); err != nil {
		return err
	}
	texts, err := p.dailyLines()
	if err != nil {
		return err
	}
	seen, err := p.loadSightings(markDaily)
	if err != nil {
		return err
	}
	days := make([]string, 0, len(texts))
	for day := range texts {
		days = append(days, day)
	}
	slices.Sort(days)
	for _, day := range days {
		if err := p.linkDailyNote(ctx, where, day, texts[day], &seen); err != nil {
			return err
		}
	}
	p.marks[markDaily] = seen.mark()
	return p.flush()
}

// dailyLines are the lines that daily notes are to have, by day; empty where the
// page is gone to which one leads.
func (p *pass) dailyLines() (map[string]string, error) {
	rows, err := p.Ledger.NotesOfType(typeDay)
	if err != nil {
		return nil, err
	}
	placed, err := p.Vault.Lines()
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, key := range placed {
		if day, ok := strings.CutPrefix(key, dailyKey("")); ok {
			out[day] = ""
		}
	}
	for _, r := range rows {
		f, err := decodeFacts(r.Facts)
		if err != nil {
			return nil, err
		}
		day := strings.TrimPrefix(r.ID, dayID(""))
		if r.State == ledger.Present {
			out[day] = templates.Wikilink(templates.Link{Path: p.linkPath(r), Text: "Agents: " + counted(f.Sessions, "session")})
		} else {
			delete(out, day) // nobody knows for now: the line stays as it is
		}
	}
	return out, nil
}

// linkDailyNote sees to the line of one day.
func (p *pass) linkDailyNote(ctx context.Context, where dailyNotes, day, text string, seen *sightings) error {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return nil
	}
	at, err := where.at(date)
	if err != nil {
		p.failDaily(day, "", err)
		return nil
	}
	buried := p.Vault.Buried(dailyID(day))
	stamp, err := p.Vault.Glance(at)
	known := dailySighting(at, text, buried, stamp)
	if errors.Is(err, fs.ErrNotExist) || err == nil && seen.knows(known) {
		return nil
	}
	if buried {
		seen.meet(known)
		return p.Vault.ForgetLine(dailyKey(day))
	}
	var r vault.Result
	if err == nil {
		r, err = p.Vault.PutLine(ctx, at, dailyKey(day), text)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if err != nil {
		p.failDaily(day, at, err)
		return nil
	}
	return p.settleDailyNote(day, text, r, seen)
}

func (p *pass) failDaily(day, at string, err error) {
	p.outcomes[dailyID(day)] = vault.Failed
	p.problem(Problem{Item: dailyID(day), Path: at, Error: err.Error(), Hint: "the daily note is left as it is and looked at next time", Fatal: true})
}

// settleDailyNote takes in what became of a line.
func (p *pass) settleDailyNote(day, text string, r vault.Result, seen *sightings) error {
	seen.meet(dailySighting(r.Path, text, r.Outcome == vault.Removed, r.Note.Stamp))
	if inside, ok := p.inFolder(r.Path); ok && r.Outcome == vault.Updated && !p.Mode.DryRun {
		p.files[inside] = r.Note.Stamp
	}
	switch r.Outcome {
	case vault.Removed:
		if err := p.Vault.Bury(dailyID(day)); err != nil {
			return err
		}
		p.report.Notes.Tombstoned++
		return errors.Join(p.Ledger.PutGrave(ledger.Grave{ID: dailyID(day), Path: r.Path}), p.Vault.ForgetLine(dailyKey(day)))
	case vault.Kept:
		p.outcomes[dailyID(day)] = vault.Kept
		p.report.Kept = append(p.report.Kept, KeptNote{Note: r.Path, Reason: r.Reason})
	case vault.Updated:
		p.outcomes[dailyID(day)] = vault.Updated
		p.report.Changed = append(p.report.Changed, Change{Note: r.Path, ID: dailyID(day), Outcome: string(vault.Updated), Old: r.Old, New: r.New})
	}
	return nil
}

func dailySighting(at, text string, buried bool, s vault.Stamp) sighting {
	return sightingOf(fmt.Appendf(nil, "%s\x00%s\x00%t\x00", at, text, buried), s)
}
