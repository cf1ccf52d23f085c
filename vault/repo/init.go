package repo

import "context"

// Init makes a repository whose work tree is a folder.
func Init(ctx context.Context, dir string) error {
	_, err := command{dir: dir}.git(ctx, "init", "--quiet")
	return err
}
