package registry

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// A vault on a drive that is not mounted has the path that it has when it is: else
// its timer would be taken for that of another vault.
func TestVaultThatIsNotThereKeepsItsPath(t *testing.T) {
	dir := expect.Value(filepath.EvalSymlinks(t.TempDir()))(t)
	drive := filepath.Join(dir, "drive")
	expect.OK(t, os.MkdirAll(filepath.Join(drive, "notes"), 0o700))
	for name, to := range map[string]string{"near": "drive", "far": filepath.Join(dir, "near"), "inner": "near/notes", "loop": "loop/x", "to": "fro", "fro": "to"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	paths := []string{"drive/notes", "near/notes", "far/notes", "inner", "loop/a", "to", "nothing/here"}
	here := map[string]string{}
	for _, p := range paths {
		here[p] = Resolved(filepath.Join(dir, p))
	}
	for _, p := range paths[:4] {
		expect.Is(t, here[p], filepath.Join(drive, "notes"), p)
	}
	expect.OK(t, os.Rename(drive, drive+".away"))
	for _, p := range paths {
		expect.Is(t, Resolved(filepath.Join(dir, p)), here[p], p, "while the drive is away")
	}
}
