package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/extract/search"
)

// EnvPrefix begins the environment variables of settings.
const EnvPrefix = "SESSIONLOOM"

// File returns the file to read, and whether the user named it.
func File(flag string, env func(string) string, home string) (file string, named bool) {
	if flag != "" {
		return homepath.Expand(flag, home, ""), true
	}
	base := env("XDG_CONFIG_HOME")
	if base == "" && runtime.GOOS == "windows" {
		base = env("APPDATA")
	}
	if base == "" {
		base = filepath.Join(home, ".config")
	}
	return filepath.Join(base, "sessionloom", "config.yaml"), false
}

// Load merges flags, environment, file and defaults, in this order of precedence. Its errors have exit code
// 2.
func Load(flags *pflag.FlagSet, file string, named bool, home string, now time.Time) (Config, error) {
	l := loader{flags: flags, path: file, home: home}
	var err error
	if l.all, err = readFile(file, named); err != nil {
		return Config{}, err
	}
	c := defaults()
	c.now = now
	for _, s := range settings(c) {
		if err := l.apply(s); err != nil {
			return Config{}, err
		}
	}
	for _, s := range renderSettings(c) {
		switch f, _ := l.find(s); f.from { // found before
		case fromDefault:
		case "--" + s.flag:
			c.given = append(c.given, s.key)
		default:
			c.seeding = append(c.seeding, s.key)
		}
	}
	if c.State == "" {
		c.State = filepath.Join(xdg.StateHome, "sessionloom")
	}
	return *c, nil
}

// loader holds the sources of settings, in order of precedence.
type loader struct {
	all        *viper.Viper // settings of the file
	flags      *pflag.FlagSet
	path, home string
}

// readFile reads a configuration file, which may be missing unless the user named it.
func readFile(file string, named bool) (*viper.Viper, error) {
	all := viper.New()
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return all, nil
	}
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.EIO) { // the system's fault, not the user's
		return nil, fmt.Errorf("read config: %w", err)
	}
	if err != nil {
		return nil, exit.Usage("", "read config: %w", err)
	}
	all.SetConfigType("yaml")
	if err := all.ReadConfig(bytes.NewReader(text)); err != nil {
		return nil, exit.Usage("it has to be YAML; compare with config.example.yaml", "read config %q: %w", file, err)
	}
	return all, knownKeys(all, file)
}

// knownKeys rejects a misspelt key, which would be ignored silently.
func knownKeys(in *viper.Viper, file string) error {
	all := settings(&Config{})
	for _, key := range slices.Sorted(slices.Values(in.AllKeys())) {
		known := slices.ContainsFunc(all, func(s setting) bool { return s.key == key })
		// A section whose lines are all commented out reads as an empty value.
		section := slices.ContainsFunc(all, func(s setting) bool { return strings.HasPrefix(s.key, key+".") })
		if known || section && in.Get(key) == nil {
			continue
		}
		return exit.Usage(hintOf(key, all, "config.example.yaml lists all keys"), "unknown key %q in %q", key, file)
	}
	return nil
}

// found is the value of a setting, from the first source that has it.
type found struct {
	texts []string
	from  string // default, a flag, an environment variable, or the file
	where string // for errors
	base  string // base of relative paths; empty: the working folder
}

// fromDefault says that no source has a setting.
const fromDefault = "default"

func (l *loader) find(s setting) (f found, err error) {
	name := EnvPrefix + "_" + strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))
	env := os.Getenv(name)
	if texts := textsOfFlag(l.flags.Lookup(s.flag)); texts != nil {
		return found{texts: texts, from: "--" + s.flag, where: "--" + s.flag}, nil
	}
	if env != "" {
		return found{texts: s.split(env), from: name, where: name}, nil
	}
	if l.all.Get(s.key) == nil {
		return found{from: fromDefault}, nil
	}
	f = found{from: l.path, where: fmt.Sprintf("%q in %q", s.key, l.path), base: filepath.Dir(l.path)}
	f.texts, err = s.textsOf(l.all.Get(s.key))
	return f, err
}

func (l *loader) apply(s setting) error {
	f, err := l.find(s)
	if f.from == fromDefault {
		return nil
	}
	if err == nil {
		err = s.put(s.absolute(f.texts, l.home, f.base)...)
	}
	if err != nil {
		return exit.Usage("", "%s %w", f.where, err)
	}
	return nil
}

func (s setting) split(env string) []string {
	switch {
	case s.sep != "":
		return strings.Split(strings.TrimSuffix(env, s.sep), s.sep)
	case s.many() && s.path:
		return filepath.SplitList(env)
	case s.many():
		return strings.Split(env, ",")
	}
	return []string{env}
}

func hintOf(key string, all []setting, otherwise string) string {
	if near := nearest(key, all); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return otherwise
}

// nearest prefers the same last word in another section.
func nearest(key string, all []setting) string {
	last := key[strings.LastIndex(key, ".")+1:]
	var keys []string
	for _, s := range all {
		if strings.HasSuffix(s.key, "."+last) {
			return s.key
		}
		keys = append(keys, s.key)
	}
	return Nearest(key, keys)
}

// Nearest suggests a word for a misspelt one, or returns "".
func Nearest(word string, all []string) string {
	best, least := "", min(2, len([]rune(word))/3)
	for _, w := range all {
		if d := search.Distance([]rune(strings.ToLower(word)), []rune(strings.ToLower(w)), least); d < least || d == least && best == "" {
			best, least = w, d
		}
	}
	return best
}

// InForce is a setting in force.
type InForce struct {
	Key   string `json:"key"`
	Value string `json:"value"` // in YAML
	From  string `json:"from"`  // default, a flag, an environment variable, or a file
}

// Kept holds the settings that a vault stores.
type Kept struct {
	File     string            // its vault.yaml; empty: there is no vault
	Settings map[string]string // settings in its marker
}

// All returns the effective settings, in the order of the example.
func All(flags *pflag.FlagSet, file string, named bool, home string, now time.Time, kept Kept) ([]InForce, error) {
	c, err := Load(flags, file, named, home, now)
	if err != nil {
		return nil, err
	}
	l := loader{flags: flags, path: file, home: home}
	if l.all, err = readFile(file, named); err != nil {
		return nil, err
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

// Says reports whether a configuration file gives a setting.
func Says(file string, named bool, key string) (bool, error) {
	all, err := readFile(file, named)
	return err == nil && all.Get(key) != nil, err
}

// IsKept reports whether a setting belongs to the vault.
func IsKept(key string) bool {
	return slices.ContainsFunc(renderSettings(&Config{}), func(s setting) bool { return s.key == key })
}

// Known rejects an unknown key.
func Known(key string) error {
	all := settings(&Config{})
	if slices.ContainsFunc(all, func(s setting) bool { return s.key == key }) {
		return nil
	}
	return exit.Usage(hintOf(key, all, "sessionloom config list shows all keys"), "no setting is called %q", key)
}

// AllKeys returns the keys of all settings, in the order of the example.
func AllKeys() []string {
	var out []string
	for _, s := range settings(&Config{}) {
		out = append(out, s.key)
	}
	return out
}

// Strange returns a vault's unknown keys, with a similar one.
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
