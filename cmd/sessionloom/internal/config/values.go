package config

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
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
