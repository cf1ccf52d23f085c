package observe

// Git is the repository in which the vault lies. Paths are from the vault's root;
// nothing is known of those outside of the repository.
type Git interface {
	// Busy says what git is in the middle of, such as "a rebase"; empty: nothing.
	Busy() string
	// Head names the commit that is checked out.
	Head() string
	// Explain tells why files may be missing.
	Explain(paths []string) (map[string]Absence, error)
	// Recorded tells which files commits have or had.
	Recorded(paths []string) (map[string]bool, error)
}

// Absence is what git knows of a file that is missing.
type Absence int

const (
	// NotInCommit is a file that the commit which is checked out does not have.
	NotInCommit Absence = iota
	// InCommit is a file that the commit has: git did not take it away.
	InCommit
	// Hidden is a file that git took out of the vault for the time being: by a
	// sparse checkout, or into a stash.
	Hidden
)

// explain asks git about files; without git nothing is known of them.
func explain(git Git, paths []string) (map[string]Absence, error) {
	if git == nil || len(paths) == 0 {
		return nil, nil
	}
	return git.Explain(paths)
}

// Explain parts files by what git knows of them. Without git all are others.
func Explain[F any](git Git, files []F, path func(F) string, what Absence) (those, others []F, err error) {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = path(f)
	}
	known, err := explain(git, paths)
	for i, f := range files {
		if a, ok := known[paths[i]]; ok && a == what {
			those = append(those, f)
		} else {
			others = append(others, f)
		}
	}
	return those, others, err
}
