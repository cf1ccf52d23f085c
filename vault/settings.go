package vault

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/vault/note"
)

const (
	// metaPath is the folder of our own records in the managed folder.
	metaPath   = ".sessionloom"
	markerFile = "vault.yaml"
	markerPath = metaPath + "/" + markerFile
)

// Marker identifies a vault to every machine: .sessionloom/vault.yaml.
type Marker struct {
	ID       string
	Layout   int               // version of names and places of the notes
	Settings map[string]string // what changes the rendering, so that all machines render alike
	Projects map[string]string // what people say of projects: which other one each of them is
	Unknown  []string          // keys of the file that mean nothing, sorted
}

// Marker returns the marker of the vault.
func (v *Vault) Marker() Marker {
	v.mu.Lock()
	defer v.mu.Unlock()
	m := v.marker
	m.Settings, m.Projects = maps.Clone(m.Settings), maps.Clone(m.Projects)
	return m
}

// SetSettings writes settings into the marker. All else in the file stays.
func (v *Vault) SetSettings(settings map[string]string) error {
	m := v.Marker()
	if m.Settings == nil {
		m.Settings = map[string]string{}
	}
	maps.Copy(m.Settings, settings)
	return v.changeSettings(m)
}

// DropSettings takes settings out of the marker.
func (v *Vault) DropSettings(keys ...string) error {
	m := v.Marker()
	maps.DeleteFunc(m.Settings, func(key, _ string) bool { return slices.Contains(keys, key) })
	return v.changeSettings(m)
}

func (v *Vault) changeSettings(m Marker) (err error) {
	defer annotate(&err, "write settings of the vault", markerPath)
	before := v.Marker().Settings
	if maps.Equal(m.Settings, before) {
		return nil
	}
	was, err := v.files.Read(markerPath)
	if err != nil {
		return err
	}
	text := setLines(was.Text, before, m.Settings)
	if got, err := parseMarkerFile(text); err != nil || !maps.Equal(got.Settings, m.Settings) || !maps.Equal(got.Projects, m.Projects) || got.ID != m.ID {
		return errors.New("it is written in a way that cannot be changed safely")
	}
	if _, err = v.files.Replace(markerPath, was, text); err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.marker = m
	return nil
}

// setLines changes only the lines below "settings:".
func setLines(text []byte, before, settings map[string]string) []byte {
	var out []byte
	left := maps.Clone(settings)
	inside := false
	flush := func() {
		for _, key := range slices.Sorted(maps.Keys(left)) {
			out = appendSetting(out, key, left[key])
		}
		left, inside = nil, false
	}
	for line := range bytes.Lines(text) {
		key, rest, _ := strings.Cut(strings.TrimSpace(string(line)), ":")
		key = strings.Trim(key, `"'`)
		value, known := left[key]
		_, was := before[key]
		switch {
		case line[0] != ' ' && key == "settings":
			inside = true
			if strings.TrimSpace(rest) == "{}" {
				line = []byte("settings:\n")
			}
			out = append(out, line...)
		case inside && line[0] != ' ' && line[0] != '#':
			flush()
			out = append(out, line...)
		case inside && known:
			out = appendSetting(out, key, value)
			delete(left, key)
		case inside && was: // it goes
		default:
			out = append(out, line...)
		}
	}
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	if !inside && left != nil {
		out = append(out, "settings:\n"...)
	}
	flush()
	return out
}

func appendSetting(b []byte, key, value string) []byte {
	if b = append(b, "  "...); note.IsPropertyKey(key) {
		b = append(b, key...)
	} else {
		b = note.AppendQuoted(b, key)
	}
	return append(note.AppendQuoted(append(b, ": "...), value), '\n')
}

const markerHead = `# sessionloom keeps its notes in this folder. Every machine that writes to this
# vault reads this file, so that all of them render the same notes. Do not delete
# it: without it nothing is written.
`

func markerText(m Marker) []byte {
	b := note.AppendQuoted([]byte(markerHead+"id: "), m.ID)
	b = fmt.Appendf(b, "\nlayout: %d\nsettings:", m.Layout)
	if len(m.Settings) == 0 {
		return append(b, " {}\n"...)
	}
	b = append(b, '\n')
	for _, key := range slices.Sorted(maps.Keys(m.Settings)) {
		b = appendSetting(b, key, m.Settings[key])
	}
	return b
}

func parseMarkerFile(text []byte) (Marker, error) {
	var file struct {
		ID       string            `yaml:"id"`
		Layout   int               `yaml:"layout"`
		Settings map[string]string `yaml:"settings"`
		Projects map[string]string `yaml:"projects"`
		Others   map[string]any    `yaml:",inline"`
	}
	if err := yaml.Unmarshal(bytes.TrimPrefix(text, note.ByteOrderMark), &file); err != nil {
		return Marker{}, fmt.Errorf("%w: %s: %w", ErrBadMarker, markerPath, err)
	}
	if file.ID == "" {
		return Marker{}, fmt.Errorf("%w: %s has no id", ErrBadMarker, markerPath)
	}
	return Marker{
		ID: file.ID, Layout: file.Layout, Settings: file.Settings, Projects: file.Projects,
		Unknown: slices.Sorted(maps.Keys(file.Others)),
	}, nil
}

func (v *Vault) readMarker() (Marker, error) {
	file, err := v.files.Read(markerPath)
	if errors.Is(err, fs.ErrNotExist) {
		return Marker{}, ErrNoMarker
	}
	if err != nil {
		return Marker{}, err
	}
	return parseMarkerFile(file.Text)
}

// Standing reports whether the vault is where it was opened, or [ErrNoMarker] or [ErrNoVault]: then
// a missing note is not a deletion.
func (v *Vault) Standing() error {
	if err := v.disk.InPlace(); err != nil {
		return fmt.Errorf("look for the vault again: %w: %w", ErrNoVault, err)
	}
	if _, err := v.disk.Stat(markerPath); err != nil {
		return fmt.Errorf("look for the vault again: %w: %w", ErrNoMarker, err)
	}
	return nil
}
