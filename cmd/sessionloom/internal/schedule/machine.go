package schedule

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/adrg/xdg"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/atomicfile"
)

// Machine is what the backends know of the system and its user.
type Machine struct {
	GOOS    string
	Home    string
	Config  string // folder of the user's configuration: $XDG_CONFIG_HOME
	Data    string // folder of the user's data: $XDG_DATA_HOME
	State   string // folder for files of ours that no system asks for elsewhere
	User    string // number of the user, on Windows the SID
	Run     Runner
	Now     func() time.Time
	Waiting func(time.Duration) // lets time pass
}

// Runner runs a program of the system with a text as its standard input and gives
// what it said on its standard output. An error names the command and ends with
// what the program said of it; it is an [exec.Error] where there is no such program.
type Runner func(ctx context.Context, input string, command ...string) (output string, err error)

// all runs commands one after the other, up to the first that fails.
func (m Machine) all(ctx context.Context, commands [][]string) error {
	for _, c := range commands {
		if _, err := m.Run(ctx, "", c...); err != nil {
			return err
		}
	}
	return nil
}

// is tells whether the file stands there as it should.
func (f File) is() bool {
	have, err := os.ReadFile(f.Path)
	return err == nil && string(have) == string(f.bytes())
}

func (f File) bytes() []byte {
	if !f.wide {
		return []byte(f.Text)
	}
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(f.Text)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

// narrow is the text of stored bytes, whether they are wide or not.
func narrow(stored []byte) string {
	rest, wide := strings.CutPrefix(string(stored), "\xff\xfe")
	if !wide {
		return string(stored)
	}
	units := make([]uint16, 0, len(rest)/2)
	for i := 0; i+1 < len(rest); i += 2 {
		units = append(units, uint16(rest[i])|uint16(rest[i+1])<<8)
	}
	return string(utf16.Decode(units))
}

// put writes the files that are not there yet as they should be: whole, or not at
// all. What a link leads to is written, not the link. It tells whether it wrote any.
func put(files []File) (changed bool, err error) {
	for _, f := range files {
		if f.is() {
			continue
		}
		changed = true
		if err := f.write(); err != nil {
			return changed, fmt.Errorf("write %q: %w", f.Path, err)
		}
	}
	return changed, nil
}

// write leaves the file to its owner alone, as new temporary files are: it names
// folders, and variables may hold patterns of secrets.
func (f File) write() error {
	path := f.Path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.File{Path: path, Mode: 0o600, Lasting: true}.PutText(f.bytes())
}

// take removes files that may not be there, and names those that were.
func take(paths ...string) (gone []string, err error) {
	for _, p := range paths {
		switch one := os.Remove(p); {
		case one == nil:
			gone = append(gone, p)
		case !errors.Is(one, fs.ErrNotExist):
			err = errors.Join(err, one)
		}
	}
	return gone, err
}

// standing gives those of the paths at which something stands, a dangling link
// included.
func standing(paths ...string) (there []string) {
	for _, p := range paths {
		if _, err := os.Lstat(p); err == nil {
			there = append(there, p)
		}
	}
	return there
}

// install is what all backends with files have in common: the files, then the
// commands. Where nothing changed and the system runs it, nothing is done.
func (m Machine) install(ctx context.Context, b Backend, p TimerSpec) (changed bool, err error) {
	r, err := b.InstallPlan(p)
	if err != nil {
		return false, err
	}
	before, err := b.Find(ctx, p.Name)
	fresh := errors.Is(err, ErrNone)
	if err != nil && !fresh {
		return false, err
	}
	changed, err = put(r.Files)
	if err == nil && !changed && before.Active {
		return false, nil
	}
	if err == nil {
		err = m.all(ctx, r.Commands)
	}
	if err != nil && fresh { // half a timer is none
		_, undone := b.Remove(ctx, p.Name)
		err = errors.Join(err, undone)
	}
	return true, err
}

// Local is this system, for the user with that home folder. Files of ours that no
// system asks for elsewhere go to the folder state.
func Local(home, state string) Machine {
	m := Machine{
		GOOS: runtime.GOOS, Home: home, Config: xdg.ConfigHome, Data: xdg.DataHome, State: state,
		User: fmt.Sprint(os.Getuid()), Run: runs, Now: time.Now, Waiting: time.Sleep,
	}
	if me, err := user.Current(); err == nil {
		m.User = me.Uid // a number, or what Windows calls users by
	}
	return m
}

// runs runs a program of the system, which then speaks English and of UTC.
func runs(ctx context.Context, input string, command ...string) (string, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	if dir := fmt.Sprintf("/run/user/%d", os.Getuid()); os.Getenv("XDG_RUNTIME_DIR") == "" && isFolder(dir) {
		cmd.Env = append(cmd.Env, "XDG_RUNTIME_DIR="+dir) // as after su; the manager is asked there
	}
	cmd.Stdin = strings.NewReader(input)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if err == nil {
		return out.String(), nil
	}
	err = fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	if text := strings.TrimSpace(said.String()); text != "" {
		err = fmt.Errorf("%w: %s", err, text)
	}
	return out.String(), err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
