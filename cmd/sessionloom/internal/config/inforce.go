package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
)

// InForce is a setting as it holds now.
type InForce struct {
	Key   string
	Value string // as YAML
	From  string // default, a flag, a variable of the environment, or a file
	// Changed says that it is not the default.
	Changed bool
}

// Kept is what a vault says of the settings that it keeps.
type Kept struct {
	File     string            // its vault.yaml; empty: there is no vault
	Settings map[string]string // as in its marker
}

// All lists the settings, in the order of the example, as they hold now: see [Load] and, for those
// that a vault keeps, [Rendering].
func All(flags *pflag.FlagSet, file string, named bool, home string, now time.Time, kept Kept) ([]InForce, error) {
	c, err := Load(flags, file, named, home, now)
	if err != nil {
		return nil, err
	}
	l := loader{flags: flags, path: file, home: home}
	if l.all, err = readFile(file, named); err != nil {
		return nil, err
	}
	usual := map[string]string{}
	bare := defaults()
	bare.State = filepath.Join(xdg.StateHome, "sessionloom")
	for _, s := range settings(bare) {
		usual[s.key] = s.asYAML(bare.text(s), home)
	}
	var out []InForce
	for _, s := range settings(&c) {
		found, err := l.find(s)
		if err != nil {
			return nil, err
		}
		v := InForce{Key: s.key, Value: s.asYAML(c.text(s), home), From: found.from}
		if text, said := kept.Settings[s.key]; said && IsKept(s.key) && found.from != "--"+s.flag {
			v.Value, v.From = s.asYAML([]string{text}, home), kept.File
		}
		v.Changed = v.Value != usual[s.key]
		out = append(out, v)
	}
	return out, nil
}

func (c *Config) text(s setting) []string {
	switch to := s.to.(type) {
	case *[]string:
		return *to
	case *ownRules:
		if len(*to) == 0 {
			return nil
		}
		return []string{fmt.Sprintf("%d of your own", len(*to))}
	case *moment:
		if !c.Since.IsZero() {
			return []string{c.Since.Format(time.RFC3339)}
		}
		return nil
	}
	return []string{s.value().String()}
}

func (s setting) asYAML(texts []string, home string) string {
	words := make([]string, len(texts))
	for i, text := range texts {
		if s.path {
			text = homepath.Tilde(text, home)
		}
		words[i] = plainYAML(text)
	}
	switch {
	case s.many():
		return "[" + strings.Join(words, ", ") + "]"
	case len(words) == 0:
		return `""`
	}
	return words[0]
}

// Says tells whether a configuration file gives a setting.
func Says(file string, named bool, key string) (bool, error) {
	all, err := readFile(file, named)
	return err == nil && all.Get(key) != nil, err
}

// IsKept tells whether a vault keeps a setting.
func IsKept(key string) bool {
	return slices.ContainsFunc(renderSettings(&Config{}), func(s setting) bool { return s.key == key })
}

// Known refuses a key that no setting has.
func Known(key string) error {
	all := settings(&Config{})
	if slices.ContainsFunc(all, func(s setting) bool { return s.key == key }) {
		return nil
	}
	hint := "sessionloom config list shows all keys"
	if near := nearest(key, all); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return exit.Usage(hint, "no setting is called %q", key)
}

// AllKeys are the keys of all settings, in the order of the example.
func AllKeys() []string {
	var out []string
	for _, s := range settings(&Config{}) {
		out = append(out, s.key)
	}
	return out
}

// Strange are keys that a vault keeps and that no setting has, with the key that was probably meant
// where one is near. A newer version may have written them.
func Strange(kept map[string]string, unknown []string) map[string]string {
	out := map[string]string{}
	for _, key := range unknown {
		if out[key] = Nearest(key, []string{"id", "layout", "projects", "settings"}); IsKept(key) {
			out[key] = "settings: " + key
		}
	}
	for key := range kept {
		if !IsKept(key) && key != namesZone && !slices.ContainsFunc(settingsGivenUp(), func(g droppedSetting) bool { return g.key == key }) {
			out[key] = nearest(key, renderSettings(&Config{}))
		}
	}
	return out
}
