package repo

import (
	"context"
	"fmt"
	"os"
	"strings"
)

// oldHooks are the hooks into which older versions put lines.
var oldHooks = []string{"post-merge", "post-rewrite"}

// clearHooks takes out of the hooks, wherever the configuration has them, the lines
// that older versions put there. It gives those that had any.
func (r *Repo) clearHooks(ctx context.Context) ([]Part, error) {
	var parts []Part
	for _, name := range oldHooks {
		out, err := r.at().git(ctx, "rev-parse", "--git-path", "hooks/"+name)
		if err != nil {
			return parts, err
		}
		file := within(r.top, strings.TrimSuffix(string(out), "\n"))
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
			continue
		}
		text, err := readOrNothing(file)
		if err != nil {
			return parts, fmt.Errorf("read hook %q: %w", name, err)
		}
		rest := withBlock(text, "")
		if rest == text {
			continue
		}
		if strings.TrimSpace(rest) == "#!/bin/sh" {
			rest = "" // the whole hook was ours
		}
		if _, err := putFile(file, rest, 0); err != nil {
			return parts, fmt.Errorf("write hook %q: %w", name, err)
		}
		parts = append(parts, Part{Name: "hook " + name, Path: file, Changed: true})
	}
	return parts, nil
}
