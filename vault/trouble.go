package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"time"
)

// troublePath holds one empty file for each machine on which scheduled runs fail
// one after the other. Its name says which, and since which day: two machines
// never conflict over it, and it changes only when the trouble begins or ends.
const troublePath = metaPath + "/trouble"

// Trouble is a machine on which scheduled runs fail one after the other.
type Trouble struct {
	Machine string    // 8 hexadecimal digits
	Since   time.Time // a day, UTC
}

const troubleDay = "20060102"

var troubleName = regexp.MustCompile(`^[0-9a-f]{8}-[0-9]{8}$`)

func (t Trouble) name() string { return t.Machine + "-" + t.Since.UTC().Format(troubleDay) }

// parseTrouble reads a name that [Trouble.name] made.
func parseTrouble(name string) (Trouble, bool) {
	if !troubleName.MatchString(name) {
		return Trouble{}, false
	}
	day, err := time.Parse(troubleDay, name[9:])
	return Trouble{Machine: name[:8], Since: day}, err == nil
}

// Troubles lists the machines on which scheduled runs fail, as any machine noted
// it, in the order of their names.
func (v *Vault) Troubles() ([]Trouble, error) {
	names, err := v.metaNames(troublePath)
	if err != nil {
		return nil, fmt.Errorf("read where scheduled runs fail: %w", err)
	}
	var out []Trouble
	for _, name := range names {
		if t, ok := parseTrouble(name); ok && (len(out) == 0 || out[len(out)-1].Machine != t.Machine) { // the first day counts
			out = append(out, t)
		}
	}
	return out, nil
}

// SetTrouble notes that scheduled runs fail on a machine. Where that is noted
// already the day stays. In a dry run nothing is noted.
func (v *Vault) SetTrouble(t Trouble) error {
	if _, ok := parseTrouble(t.name()); !ok {
		return fmt.Errorf("note where scheduled runs fail: %q is no such note", t.name())
	}
	all, err := v.Troubles()
	if err != nil || v.opt.DryRun {
		return err
	}
	for _, was := range all {
		if was.Machine == t.Machine {
			return nil
		}
	}
	f, err := v.folders.open(troublePath, true)
	if err != nil {
		return fmt.Errorf("note where scheduled runs fail: %w", err)
	}
	defer v.folders.done(f)
	if _, err := v.create(f, t.name(), nil); err != nil && !errors.Is(err, ErrTaken) {
		return fmt.Errorf("note where scheduled runs fail: %w", err)
	}
	return nil
}

// ClearTrouble takes away what is noted of a machine. In a dry run it stays.
func (v *Vault) ClearTrouble(machine string) error {
	names, err := v.metaNames(troublePath)
	if err != nil || v.opt.DryRun || len(names) == 0 {
		return err
	}
	f, err := v.folders.open(troublePath, false)
	if err != nil {
		return fmt.Errorf("note where scheduled runs no longer fail: %w", err)
	}
	defer v.folders.done(f)
	for _, name := range names {
		if t, ok := parseTrouble(name); !ok || t.Machine != machine {
			continue
		}
		if err := f.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("note where scheduled runs no longer fail: %w", err)
		}
		v.folders.touched(f)
	}
	return nil
}
