package repo

import (
	"context"
	"fmt"
	"slices"
)

// Recorded lists those of the paths whose file some commit of a branch had or has,
// or that is staged for the next one.
func (r *Repo) Recorded(ctx context.Context, paths []string) ([]string, error) {
	asks := [][]string{{"ls-files", "-z", "--"}}
	if r.Born(ctx) {
		asks = append(asks, []string{"log", "--branches", "--no-renames", "--format=", "--name-only", "-z", "HEAD", "--"})
	}
	var list []string
	for part := range slices.Chunk(paths, pathsOfCall) {
		for _, ask := range asks {
			out, err := command{dir: r.top, env: literal}.git(ctx, append(ask, part...)...)
			if err != nil {
				return nil, fmt.Errorf("ask which files were committed: %w", err)
			}
			list = append(list, parted(out)...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}
