package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/extract/redact"
)

// value accepts texts from flags, environment, file and vault.
func (s setting) value() pflag.Value {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	switch to := s.to.(type) {
	case *string:
		f.StringVar(to, s.key, *to, "")
	case *int:
		f.IntVar(to, s.key, *to, "")
	case *bool:
		f.BoolVar(to, s.key, *to, "")
	case *[]string:
		f.StringArrayVar(to, s.key, *to, "")
	case *time.Duration:
		f.DurationVar(to, s.key, *to, "")
	case pflag.Value:
		return to
	}
	return f.Lookup(s.key).Value
}

func (s setting) put(texts ...string) error {
	wants := map[string]string{"int": "a whole number", "bool": "true or false", "duration": "a time with its unit such as 30s, 5m or 1h"}
	v := s.value()
	for _, text := range texts {
		switch err := v.Set(text); {
		case err != nil && wants[v.Type()] != "":
			return fmt.Errorf("wants %s, got %q", wants[v.Type()], text)
		case err != nil:
			return err
		}
	}
	if s.check == nil {
		return nil
	}
	return s.check()
}

// absolute expands paths; relative ones start from base.
func (s setting) absolute(texts []string, home, base string) []string {
	if !s.path {
		return texts
	}
	var out []string
	for _, t := range texts {
		out = append(out, homepath.Expand(t, home, base))
	}
	return out
}

func (s setting) many() bool {
	switch s.to.(type) {
	case *[]string, *ownRules:
		return true
	}
	return false
}

// textsOf returns the texts of a value in a file. YAML may have converted a text of another type.
func (s setting) textsOf(raw any) (texts []string, err error) {
	all, list := raw.([]any)
	if list && !s.many() {
		return nil, errors.New("wants text (put it in quotes), got a list")
	}
	if !list {
		all = []any{raw}
	}
	for _, one := range all {
		text, ok := one.(string)
		switch s.to.(type) {
		case *string, *[]string:
			if !ok {
				return nil, fmt.Errorf("wants texts (put them in quotes), got %v", one)
			}
		}
		if !ok {
			plain, _ := yaml.Marshal(one) // it was read from YAML
			text = strings.TrimSpace(string(plain))
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// moment is a date, a time, or an age.
type moment struct {
	at   *time.Time
	now  time.Time // start of an age
	text string
}

func (m *moment) Set(text string) (err error) {
	m.text, *m.at = text, time.Time{}
	if text != "" {
		*m.at, err = momentOf(text, m.now, time.UTC)
	}
	return err
}

// Moment reads a date, an RFC 3339 time, or an age before now.
func Moment(text string, now time.Time) (time.Time, error) {
	return momentOf(text, now, now.Location())
}

func momentOf(text string, now time.Time, zone *time.Location) (time.Time, error) {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t.UTC(), nil
		}
	}
	days, ok := daysAgo(text)
	switch {
	case !ok:
		return time.Time{}, fmt.Errorf("wants a date such as 2026-01-31, an RFC 3339 time, yesterday, or an age such as 7d or 2w, got %q", text)
	case text == "today", text == "yesterday": // from the first minute of the day here
		y, month, d := now.Date()
		return time.Date(y, month, d-days, 0, 0, 0, 0, now.Location()).UTC(), nil
	}
	return now.AddDate(0, 0, -days).UTC(), nil
}

const maxAge = 100_000

func daysAgo(text string) (days int, ok bool) {
	switch text {
	case "today":
		return 0, true
	case "yesterday":
		return 1, true
	}
	number, unit := text[:len(text)-1], text[len(text)-1]
	each := map[byte]int{'d': 1, 'w': 7}[unit]
	n, err := strconv.Atoi(number)
	return n * each, err == nil && each > 0 && n >= 0 && n <= maxAge
}

func (m *moment) String() string { return m.text }

func (m *moment) Type() string { return "date" }

type ownRules []redact.OwnRule

var ruleName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func (o *ownRules) Set(text string) error {
	var r redact.OwnRule
	known := yaml.NewDecoder(strings.NewReader(text))
	known.KnownFields(true)
	err := known.Decode(&r)
	switch {
	case err != nil:
		err = fmt.Errorf("wants name, pattern and keywords, got %q", text)
	case !ruleName.MatchString(r.Name):
		err = fmt.Errorf("name wants small letters, digits and \"-\", got %q", r.Name)
	case slices.ContainsFunc(*o, func(other redact.OwnRule) bool { return other.Name == r.Name }):
		err = fmt.Errorf("has the name %q of another", r.Name)
	case r.Pattern == "":
		err = errors.New("pattern wants a regular expression (RE2), got none")
	default:
		err = regexps(&[]string{r.Pattern})()
	}
	if err != nil {
		return fmt.Errorf("in rule %d: %w", len(*o)+1, err)
	}
	*o = append(*o, r)
	return nil
}

func (o *ownRules) String() string { return fmt.Sprint(len(*o)) }

func (o *ownRules) Type() string { return "rule" }

func oneOf(place *string, allowed ...string) func() error {
	return func() error {
		if slices.Contains(allowed, *place) {
			return nil
		}
		return fmt.Errorf("wants %s, got %q", strings.Join(allowed, ", "), *place)
	}
}

func atLeast[T cmp.Ordered](place *T, least T) func() error {
	return func() error {
		if *place < least {
			return fmt.Errorf("wants at least %v, got %v", least, *place)
		}
		return nil
	}
}

func each(place *[]string, wants string, wrong func(string) error) func() error {
	return func() error {
		for _, p := range *place {
			if err := wrong(p); err != nil {
				return fmt.Errorf("wants %s, got %q: %w", wants, p, err)
			}
		}
		return nil
	}
}

func globs(place *[]string) func() error {
	return each(place, `patterns like "octo-org/*"`, func(p string) error {
		_, err := path.Match(p, "")
		return err
	})
}

func regexps(place *[]string) func() error {
	return each(place, "regular expressions (RE2)", func(p string) error {
		_, err := regexp.Compile(p)
		return err
	})
}

// zone rejects "Local", which would make the pages depend on the machine.
func zone(place *string) func() error {
	return func() error {
		if *place == "" {
			return nil
		}
		if _, err := time.LoadLocation(*place); err != nil || *place == "Local" {
			return fmt.Errorf("wants an IANA time zone such as %q, got %q", "Europe/Berlin", *place)
		}
		return nil
	}
}

// folderName accepts visible folders, or the vault itself.
func folderName(place *string) func() error {
	return func() error {
		for part := range strings.SplitSeq(*place, "/") {
			if *place != "." && (part == "" || strings.HasPrefix(part, ".") || strings.ContainsAny(part, `\:*?"<>|#^[]`)) {
				return fmt.Errorf("wants the name of a folder inside the vault, got %q", *place)
			}
		}
		return nil
	}
}

// insideVault returns a folder relative to the root of the vault.
func insideVault(root, folder string) (string, error) {
	if folder == "" {
		return "", nil
	}
	from := folder
	if filepath.IsAbs(folder) {
		rel, err := filepath.Rel(root, folder)
		if err != nil || root == "" {
			rel = ".."
		}
		from = rel
	}
	from = path.Clean(filepath.ToSlash(from))
	if from == "." || !filepath.IsLocal(from) || !fs.ValidPath(from) || strings.HasPrefix(from, "~") {
		return "", fmt.Errorf("wants a folder inside the vault, such as %q, got %q", "Agents/.sessionloom/templates", folder)
	}
	return from, nil
}

// PlainSpan writes a duration as in the configuration: 5m, not 5m0s.
func PlainSpan(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
