package schedule

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources/agents"
)

// places are variables that say where a history or our own files lie. They hold
// for the timer too, which begins with an environment of its own.
var places = []string{
	"COPILOT_HOME", "VSCODE_AGENT_FOLDER", "VSCODE_APPDATA", "VSCODE_PORTABLE", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
}

// Environment lists the variables a timer needs: those that settle what is read, and a
// short path on which git is found. Hooks of a commit may want all of the path.
// prefix begins the variables that are settings.
func Environment(prefix string, commits bool) []string {
	var out []string
	places := slices.Clone(places)
	for _, k := range agents.AtHome() {
		name, _, _ := strings.Cut(k.Home.Variable, "/")
		places = append(places, name)
	}
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		if value != "" && (slices.Contains(places, name) || strings.HasPrefix(name, prefix+"_")) {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	if runtime.GOOS == "windows" { // the path of the user's session is there
		return out
	}
	path := []string{"/usr/local/bin", "/usr/bin", "/bin"}
	if git, err := exec.LookPath("git"); err == nil && filepath.IsAbs(git) && !slices.Contains(path, filepath.Dir(git)) {
		path = append([]string{filepath.Dir(git)}, path...)
	}
	if commits {
		path = filepath.SplitList(os.Getenv("PATH"))
	}
	return append(out, "PATH="+strings.Join(path, ":"))
}
