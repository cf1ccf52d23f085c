package schedule

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
	"time"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/atomicfile"
)

//go:embed timers
var texts embed.FS

// timer describes a timer on systems where timers are files.
type timer struct {
	files   []File     // written by install; the last one has the time
	traces  []string   // made from them by the system
	folders []string   // removed if empty
	start   [][]string // commands that register the files
	ended   [][]string // commands that unregister them
	alone   bool       // a current one must be stopped before it is started again,
	tries   int        // attempts to start, as stopping may take time; 0: one
}

type system interface {
	timer(name string) timer
	// refuses returns why a spec cannot be expressed, or nil.
	refuses(TimerSpec) error
	// ask asks the system whether the timer is active, and for its next run.
	ask(ctx context.Context, name string) State
	// stop unregisters a timer that the system may know, and returns what existed.
	stop(ctx context.Context, name string) (gone []string, err error)
}

type fileTimers struct {
	Machine
	kind string
	system
}

func (f fileTimers) InstallPlan(p TimerSpec) (InstallPlan, error) {
	err := p.check()
	if err == nil {
		err = f.refuses(p)
	}
	t := f.timer(p.Name)
	for i := range t.files {
		if err == nil {
			t.files[i].Text, err = render(t.files[i].template, p, f.User)
		}
	}
	return InstallPlan{Files: t.files, Commands: t.start}, err
}

func render(name string, p TimerSpec, user string) (string, error) {
	all, err := template.New(name).Funcs(template.FuncMap{
		"percent": specifiers, "word": func(s string) string { return unitWord(specifiers(s)) }, "folder": unitPath,
		"argument":  func(s string) string { return unitWord(strings.ReplaceAll(specifiers(s), "$", "$$")) },
		"variables": variables, "calendar": calendar, "commandLine": commandLine,
	}).ParseFS(texts, "timers/"+name)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = all.Execute(&b, struct {
		TimerSpec
		User string
	}{p, user})
	return b.String(), err
}

// Install writes the files, then runs the commands if something changed.
func (f fileTimers) Install(ctx context.Context, p TimerSpec) (changed bool, err error) {
	plan, err := f.InstallPlan(p)
	if err != nil {
		return false, err
	}
	before, err := f.Find(ctx, p.Name)
	fresh := errors.Is(err, ErrNone)
	if err != nil && !fresh {
		return false, err
	}
	changed, err = put(plan.Files)
	if err == nil && !changed && before.Active {
		return false, nil
	}
	if err == nil {
		err = f.begin(ctx, p.Name, before.Active)
	}
	if err != nil && fresh { // half a timer is removed
		_, undone := f.Remove(ctx, p.Name)
		err = errors.Join(err, undone)
	}
	return true, err
}

const pause = 300 * time.Millisecond

// begin starts a timer whose files exist, active or not.
func (f fileTimers) begin(ctx context.Context, name string, running bool) (err error) {
	t := f.timer(name)
	if running && t.alone {
		_, err = f.stop(ctx, name)
	}
	if err == nil {
		err = f.all(ctx, t.start)
	}
	for try := 1; err != nil && try < t.tries && ctx.Err() == nil; try++ {
		f.Waiting(pause)
		err = f.all(ctx, t.start)
	}
	return err
}

func (f fileTimers) Find(ctx context.Context, name string) (State, error) {
	t, st := f.timer(name), f.ask(ctx, name)
	there := existing(append(t.paths(), t.traces...)...)
	if len(there) == 0 && !st.Active {
		return State{}, ErrNone
	}
	st.Backend, st.Where = f.kind, append(there, st.Where...)
	if text, err := os.ReadFile(t.files[len(t.files)-1].Path); err == nil {
		text, _, _ = transform.Bytes(unicode.BOMOverride(transform.Nop), text) // unreadable text has no time
		st.When = whenOf(string(text), name)
	}
	if st.Active && st.Next.IsZero() && st.When.check() == nil { // the system does not say
		st.Next = st.When.Next(f.Now())
	}
	return st, nil
}

func (f fileTimers) Remove(ctx context.Context, name string) (gone []string, err error) {
	t := f.timer(name)
	gone, stopped := f.stop(ctx, name)
	files, err := atomicfile.Remove(append(t.paths(), t.traces...)...)
	for _, dir := range t.folders {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() { // no link of the user's
			_ = os.Remove(dir) // if it is empty now
		}
	}
	if len(files) > 0 {
		err = errors.Join(err, f.all(ctx, t.ended))
	}
	return append(gone, files...), errors.Join(stopped, err)
}

func (t timer) paths() (all []string) {
	for _, f := range t.files {
		all = append(all, f.Path)
	}
	return all
}

func (f File) stored() string {
	if f.wide {
		text, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(f.Text) // it accepts every text
		return text
	}
	return f.Text
}

// put writes changed files, also through links.
func put(files []File) (changed bool, err error) {
	for _, f := range files {
		if have, err := os.ReadFile(f.Path); err == nil && string(have) == f.stored() {
			continue
		}
		changed = true
		if err := f.write(); err != nil {
			return changed, fmt.Errorf("write %q: %w", f.Path, err)
		}
	}
	return changed, nil
}

// write makes a file that only its owner can read: variables may hold patterns of secrets.
func (f File) write() error {
	path := f.Path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.File{Path: path, Mode: 0o600, Lasting: true}.Put([]byte(f.stored()))
}

// existing returns the paths that exist; a dangling symlink counts.
func existing(paths ...string) (there []string) {
	for _, p := range paths {
		if _, err := os.Lstat(p); err == nil {
			there = append(there, p)
		}
	}
	return there
}
