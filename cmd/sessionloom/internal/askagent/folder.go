package askagent

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// home is the folder in which an agent keeps what its user set, and its sessions. It is
// run with one that has only the login.
type home struct {
	variable string // that names it
	usual    string // where it is, in the home folder of the user
	login    string // file
	link     bool   // the login is renewed in place, and an older one is void; otherwise it is copied
}

// prepare makes what an agent finds in a folder: an empty one in which it runs, its files and a home. It
// returns the agent's variables, of two with one name the last counts.
func (r row) prepare(folder string) ([]string, error) {
	if err := os.Mkdir(filepath.Join(folder, Mark), 0o700); err != nil {
		return nil, err
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return !r.isPassed(v) })
	env = append(append(env, r.env...), "GIT_CEILING_DIRECTORIES="+folder) // what lies above is no project of this
	if r.home != nil {
		dir := filepath.Join(folder, "home")
		env = append(env, r.home.variable+"="+dir)
		if err := r.home.prepare(dir); err != nil {
			return nil, err
		}
	}
	for name, text := range r.files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	return env, nil
}

func (h *home) prepare(dir string) error {
	of := os.Getenv(h.variable)
	if of == "" {
		user, err := os.UserHomeDir()
		if err != nil {
			return err
		}
		of = filepath.Join(user, h.usual)
	}
	login, own := filepath.Join(of, h.login), filepath.Join(dir, h.login)
	if err := os.MkdirAll(filepath.Dir(own), 0o700); err != nil {
		return err
	}
	text, err := os.ReadFile(login)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // it logs in by a variable or the keyring
	case err != nil:
		return err
	case !h.link:
		return os.WriteFile(own, text, 0o600)
	}
	if os.Symlink(login, own) == nil {
		return nil
	}
	return os.Link(login, own) // Windows wants a privilege for the other
}

// toolless is a catalog of Codex in which no model is offered a tool: which ones it is
// offered stands there, and no setting takes them all away.
func toolless(printed []byte) ([]byte, error) {
	var all struct {
		Models []map[string]any `json:"models"`
	}
	if err := json.Unmarshal(printed, &all); err != nil {
		return nil, err
	}
	for _, m := range all.Models {
		m["shell_type"] = "disabled"
		m["supports_search_tool"] = false
		m["experimental_supported_tools"] = []string{}
		for _, tools := range []string{"apply_patch_tool_type", "tool_mode", "multi_agent_version"} {
			m[tools] = nil
		}
	}
	return json.Marshal(all)
}
