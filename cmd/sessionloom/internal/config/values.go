package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
)

// into is how the value of a setting is put where it belongs, if the check takes it.
func into[T any](place func(*Config) *T, check ...func(T) error) func(*Config, any) error {
	return func(c *Config, v any) error {
		*place(c) = v.(T)
		for _, ok := range check {
			if err := ok(v.(T)); err != nil {
				return err
			}
		}
		return nil
	}
}

func oneOf(allowed ...string) func(string) error {
	return func(value string) error {
		if slices.Contains(allowed, value) {
			return nil
		}
		return fmt.Errorf("wants %s, got %q", strings.Join(allowed, ", "), value)
	}
}

func atLeast(least int) func(int) error {
	return func(value int) error {
		if value < least {
			return fmt.Errorf("wants a number of at least %d, got %d", least, value)
		}
		return nil
	}
}

func globs(patterns []string) error {
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("wants patterns like %q, got %q", "octo-org/*", p)
		}
	}
	return nil
}

// zone refuses "Local", which would make the pages depend on the machine.
func zone(name string) error {
	if _, err := time.LoadLocation(name); err != nil || name == "" || name == "Local" {
		return fmt.Errorf("wants an IANA time zone such as %q, got %q", "Europe/Berlin", name)
	}
	return nil
}

// folderName accepts one visible folder, several below each other, or the vault
// itself.
func folderName(name string) error {
	if name == "." {
		return nil
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.ContainsAny(part, `\:*?"<>|#^[]`) {
			return fmt.Errorf("wants the name of a folder inside the vault, got %q", name)
		}
	}
	return nil
}

// insideVault gives a folder that the user named as a path from the root of the
// vault, with slashes. An absolute one has to lie in it.
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

func longEnough(d time.Duration) error {
	if d < shortest {
		return fmt.Errorf("wants at least %s, got %s", shortest, d)
	}
	return nil
}

func positive(d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("wants a time above zero, got %s", d)
	}
	return nil
}

// PlainSpan writes a time as one would in the configuration: 5m, not 5m0s.
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

// convert gives the value the Go type of its kind. It is strict: YAML's own
// idea of a type is taken at its word, only the environment is all text.
func convert(k kind, raw any, from origin) (any, error) {
	if word, ok := raw.(string); ok && from == fromEnv {
		return parse(k, word)
	}
	switch k {
	case text, dir:
		if raw == nil {
			return "", nil
		}
		return only[string](raw, "text (put it in quotes)")
	case number:
		return only[int](raw, "a whole number")
	case truth:
		return only[bool](raw, "true or false")
	case list, dirs, patterns:
		return words(raw)
	case rules:
		return ownRules(raw)
	case span:
		return duration(raw)
	}
	return moment(raw)
}

// only refuses values of another type than T, whatever they could be made into.
func only[T any](raw any, wanted string) (any, error) {
	if v, ok := raw.(T); ok {
		return v, nil
	}
	return nil, fmt.Errorf("wants %s, got %#v", wanted, raw)
}

// parse reads a value of the environment.
func parse(k kind, word string) (any, error) {
	switch k {
	case number:
		if n, err := strconv.Atoi(word); err == nil {
			return n, nil
		}
		return only[int](word, "a whole number")
	case truth:
		if b, err := strconv.ParseBool(word); err == nil {
			return b, nil
		}
		return only[bool](word, "true or false")
	case dirs:
		return filepath.SplitList(word), nil
	case list:
		return strings.Split(word, ","), nil
	case patterns:
		return strings.Split(strings.TrimSuffix(word, "\n"), "\n"), nil
	case rules:
		return nil, errors.New("is for the configuration file")
	case date:
		return moment(word)
	case span:
		return duration(word)
	}
	return word, nil
}

func words(raw any) (any, error) {
	switch v := raw.(type) {
	case nil:
		return []string(nil), nil
	case []string:
		return v, nil
	case string:
		return []string{v}, nil
	case []any:
		out := make([]string, 0, len(v))
		for _, e := range v {
			word, err := only[string](e, "texts in its list")
			if err != nil {
				return nil, err
			}
			out = append(out, word.(string))
		}
		return out, nil
	}
	return nil, fmt.Errorf("wants a list of texts, got %#v", raw)
}

// moment reads a date or time; an unquoted date in YAML arrives as a time.
func moment(raw any) (any, error) {
	switch v := raw.(type) {
	case nil:
		return time.Time{}, nil
	case time.Time:
		return v.UTC(), nil
	case string:
		if v == "" {
			return time.Time{}, nil
		}
		for _, layout := range []string{time.DateOnly, time.RFC3339} {
			if t, err := time.Parse(layout, v); err == nil {
				return t.UTC(), nil
			}
		}
	}
	return nil, fmt.Errorf("wants a date such as 2026-01-31 or an RFC 3339 time, got %#v", raw)
}

// duration reads a length of time with its unit.
func duration(raw any) (any, error) {
	word, ok := raw.(string)
	if d, err := time.ParseDuration(word); ok && err == nil {
		return d, nil
	}
	return nil, fmt.Errorf("wants a time with its unit such as 30s, 5m or 1h, got %#v", raw)
}

// absolute expands the paths of a setting; base is the folder relative ones
// start from.
func absolute(k kind, value any, home, base string) any {
	switch v := value.(type) {
	case string:
		if k == dir {
			return homepath.Expand(v, home, base)
		}
	case []string:
		if k == dirs {
			out := make([]string, 0, len(v))
			for _, p := range v {
				if p != "" {
					out = append(out, homepath.Expand(p, home, base))
				}
			}
			return out
		}
	}
	return value
}
