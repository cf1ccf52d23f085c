package written

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
