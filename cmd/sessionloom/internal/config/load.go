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
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
)

// EnvPrefix begins the variables of the environment that are settings.
const EnvPrefix = "SESSIONLOOM"

// File gives the file to read and whether it was named by the user, so
// that its absence is an error.
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

// Load joins flags, environment, file and defaults, in this order of
// strength. Every error is the user's to mend: it names the key and where it
// stands, and has exit code 2. Ages count from now.
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

// loader holds what the sources of settings say, in their order of strength.
type loader struct {
	all        *viper.Viper // of the file
	flags      *pflag.FlagSet
	path, home string
}

// readFile reads a configuration file, which need not be there where nobody named it.
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

// knownKeys refuses keys that no setting has: a misspelt key would be ignored
// silently.
func knownKeys(in *viper.Viper, file string) error {
	all := settings(&Config{})
	for _, key := range slices.Sorted(slices.Values(in.AllKeys())) {
		known := slices.ContainsFunc(all, func(s setting) bool { return s.key == key })
		// A section whose lines are all commented out reads as an empty value.
		section := slices.ContainsFunc(all, func(s setting) bool { return strings.HasPrefix(s.key, key+".") })
		if known || section && in.Get(key) == nil {
			continue
		}
		hint := "config.example.yaml lists all keys"
		if near := nearest(key, all); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		return exit.Usage(hint, "unknown key %q in %q", key, file)
	}
	return nil
}

// found is what the strongest source says of a setting.
type found struct {
	texts []string
	from  string // default, a flag, a variable of the environment, or the file
	where string // for errors
	base  string // what a relative path is relative to; empty: the working folder
}

// fromDefault says that no source says anything of a setting.
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

// nearest finds the key a misspelt one was probably meant to be: the same last
// word in another section, else the one with the fewest edits.
// Empty: none is near.
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

// Nearest finds the word that another, misspelt one was probably meant to be, as
// commands are suggested; empty: none is near.
func Nearest(word string, all []string) string {
	known := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, w := range all {
		known.AddCommand(&cobra.Command{Use: w, Run: func(*cobra.Command, []string) {}})
	}
	if near := known.SuggestionsFor(word); len(near) > 0 {
		return near[0]
	}
	return ""
}
