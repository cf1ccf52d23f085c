package vault

import (
	"io"
	"io/fs"
	"path"
	"strings"
)

// Head names the commit that is checked out in the vault, where the vault is
// the top of a git work tree; else it is empty. It tells notes that a checkout
// took away from notes that a human deleted.
func (v *Vault) Head() string {
	ref := v.gitFile("HEAD")
	name, symbolic := strings.CutPrefix(ref, "ref: ")
	if !symbolic {
		return ref
	}
	if hash := v.gitFile(path.Clean(name)); hash != "" {
		return hash
	}
	for line := range strings.Lines(v.gitFile("packed-refs")) {
		if hash, ok := strings.CutSuffix(strings.TrimSpace(line), " "+name); ok {
			return hash
		}
	}
	return name
}

// maxGitFile bounds what is read of a file of git's.
const maxGitFile = 8 << 20

func (v *Vault) gitFile(name string) string {
	info, err := v.outer.Lstat(path.Join(".git", name))
	if err != nil || info.Mode()&fs.ModeType != 0 {
		return ""
	}
	f, err := v.outer.Open(path.Join(".git", name))
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxGitFile))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
