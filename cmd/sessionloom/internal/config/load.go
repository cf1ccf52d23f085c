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

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
)

// EnvPrefix begins the variables of the environment that are settings.
const EnvPrefix = "SESSIONLOOM"

// origin says where the value of a setting came from, for conversion and for
// messages.
type origin int

const (
	fromDefault origin = iota
	fromFile
	fromEnv
	fromFlag
)

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
// stands, and has exit code 2.
func Load(flags *pflag.FlagSet, file string, named bool, home string) (Config, error) {
	l := loader{all: viper.New(), flags: flags, path: file, home: home}
	if err := l.read(named); err != nil {
		return Config{}, err
	}
	if err := notGivenUp(os.Getenv); err != nil {
		return Config{}, err
	}
	l.bind()
	var c Config
	for _, s := range settings() {
		if err := l.apply(&c, s); err != nil {
			return Config{}, err
		}
	}
	c.transcriptGiven, c.layoutGiven, c.TemplatesGiven = flags.Changed("transcript"), flags.Changed("layout"), flags.Changed("templates")
	if c.State == "" {
		c.State = filepath.Join(xdg.StateHome, "sessionloom")
	}
	return c, nil
}

// loader holds what the sources of settings say, in their order of strength.
type loader struct {
	all        *viper.Viper
	inFile     []string // keys to which the file gives a value
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
	all := settings()
	for _, key := range slices.Sorted(slices.Values(l.all.AllKeys())) {
		if l.all.Get(key) != nil {
			l.inFile = append(l.inFile, key)
		}
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
		if g, was := wasGivenUp(key); was {
			return exit.Usage(g.instead, "the key %q in %q was given up: take it out", key, l.path)
		}
		return exit.Usage(hint, "unknown key %q in %q", key, l.path)
	}
	return nil
}

func (l *loader) bind() {
	l.all.SetEnvPrefix(EnvPrefix)
	l.all.SetEnvKeyReplacer(strings.NewReplacer(".", "_"))
	for _, s := range settings() {
		l.all.SetDefault(s.key, s.def)
		l.all.MustBindEnv(s.key)
		if f := l.flags.Lookup(s.flag); s.flag != "" && f != nil {
			// It fails for a nil flag only.
			_ = l.all.BindPFlag(s.key, f)
		}
	}
}

func (l *loader) origin(s setting) origin {
	switch {
	case s.flag != "" && l.flags.Changed(s.flag):
		return fromFlag
	case os.Getenv(envName(s.key)) != "":
		return fromEnv
	case slices.Contains(l.inFile, s.key):
		return fromFile
	}
	return fromDefault
}

func (l *loader) apply(c *Config, s setting) error {
	from := l.origin(s)
	base := "" // what a relative path is relative to; empty: the working folder
	if from == fromFile {
		base = filepath.Dir(l.path)
	}
	value, err := convert(s.kind, l.all.Get(s.key), from)
	if err == nil {
		value = absolute(s.kind, value, l.home, base)
		err = s.set(c, value)
	}
	if err == nil {
		return nil
	}
	where := map[origin]string{
		fromDefault: s.key,
		fromFile:    fmt.Sprintf("%q in %q", s.key, l.path),
		fromEnv:     envName(s.key),
		fromFlag:    "--" + s.flag,
	}
	return exit.Usage("", "%s %w", where[from], err)
}

func envName(key string) string {
	return EnvPrefix + "_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
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
	return fewestEdits(key, keys, func(key string) string { return key })
}

// NearestFile finds the file a misspelt one was probably meant to be, whatever
// ending was given; empty: none is near.
func NearestFile(name, ending string, all []string) string {
	return fewestEdits(name, all, func(s string) string { return strings.TrimSuffix(strings.ToLower(s), ending) })
}

// fewestEdits finds the word that another, misspelt one is nearest to, in what bare
// leaves of both; empty: none is near.
func fewestEdits(word string, all []string, bare func(string) string) string {
	best, least := "", max(3, len(bare(word))/3+1)
	for _, w := range all {
		if d := edits(bare(word), bare(w)); d < least {
			best, least = w, d
		}
	}
	return best
}

// edits is the Levenshtein distance in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
