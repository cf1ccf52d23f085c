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
	l := loader{all: viper.New(), flags: flags, path: file, home: home}
	if err := l.read(named); err != nil {
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
		if s.flag != "" && flags.Changed(s.flag) {
			c.given = append(c.given, s.key)
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

func (l *loader) read(named bool) error {
	text, err := os.ReadFile(l.path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil
	}
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.EIO) { // the system's fault, not the user's
		return fmt.Errorf("read config: %w", err)
	}
	if err != nil {
		return exit.Usage("", "read config: %w", err)
	}
	l.all.SetConfigType("yaml")
	if err := l.all.ReadConfig(bytes.NewReader(text)); err != nil {
		return exit.Usage("it has to be YAML; compare with config.example.yaml", "read config %q: %w", l.path, err)
	}
	return l.known()
}

// known refuses keys that no setting has: a misspelt key would be ignored
// silently.
func (l *loader) known() error {
	all := settings(&Config{})
	for _, key := range slices.Sorted(slices.Values(l.all.AllKeys())) {
		known := slices.ContainsFunc(all, func(s setting) bool { return s.key == key })
		// A section whose lines are all commented out reads as an empty value.
		section := slices.ContainsFunc(all, func(s setting) bool { return strings.HasPrefix(s.key, key+".") })
		if known || section && l.all.Get(key) == nil {
			continue
		}
		hint := "config.example.yaml lists all keys"
		if near := nearest(key, all); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		return exit.Usage(hint, "unknown key %q in %q", key, l.path)
	}
	return nil
}

// apply puts what the strongest source says of a setting to its place.
func (l *loader) apply(s setting) (err error) {
	name := EnvPrefix + "_" + strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))
	texts, where := textsOfFlag(l.flags.Lookup(s.flag)), "--"+s.flag
	base := "" // what a relative path is relative to; empty: the working folder
	switch env := os.Getenv(name); {
	case texts != nil:
	case env != "":
		texts, where = s.split(env), name
	case l.all.Get(s.key) != nil:
		where, base = fmt.Sprintf("%q in %q", s.key, l.path), filepath.Dir(l.path)
		texts, err = s.textsOf(l.all.Get(s.key))
	default:
		return nil
	}
	if err == nil {
		err = s.put(s.absolute(texts, l.home, base)...)
	}
	if err != nil {
		return exit.Usage("", "%s %w", where, err)
	}
	return nil
}

// split gives the texts of a variable of the environment.
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
