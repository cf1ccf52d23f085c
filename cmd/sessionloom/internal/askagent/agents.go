package askagent

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// row is how an agent is run so that it reads a prompt from standard input, prints its
// answer and does nothing else. A version that does not know one of the arguments
// fails, and answers nothing.
type row struct {
	args   []string
	needs  []string          // words that follow its name in the command, then a model
	option []string          // that names a model
	env    []string          // name=value; @ is the folder made for it
	files  map[string]string // in that folder
	home   *home
	passes []string // variables for its login and its model; a name that ends with _ stands for all that begin so
}

// home is the folder in which an agent keeps what its user set, and its sessions. It is
// run with an empty one, that has only the login.
type home struct {
	variable string // that names it
	usual    string // where it is, in the home folder of the user
	login    string // file
	link     bool   // the login is renewed in place, otherwise it is copied
}

// agents are all whose row was tried with the genuine agent; see TestRealAsked.
var agents = map[string]row{
	"claude": {
		args: []string{"--print", "--output-format", "text", "--tools", "", "--strict-mcp-config", "--setting-sources", "",
			"--safe-mode", "--disable-slash-commands", "--no-session-persistence", "--no-chrome", "--permission-mode", "dontAsk"},
		option: []string{"--model"},
		env:    []string{"CLAUDE_CODE_DISABLE_ATTACHMENTS=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1"},
		passes: []string{"ANTHROPIC_", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_", "CLAUDE_CODE_SKIP_", "AWS_", "CLOUD_ML_REGION", "GOOGLE_"},
	},
	"codex": {
		args: []string{"exec", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only", "--ignore-user-config", "--ignore-rules", "--color", "never",
			"--disable", "shell_tool", "--disable", "shell_snapshot", "--disable", "hooks", "--disable", "goals", "--disable", "view_image", "--disable", "multi_agent", "--disable", "apps", "--disable", "plugins",
			"-c", "web_search=disabled", "-c", "project_doc_max_bytes=0", "-c", "skills.include_instructions=false", "-c", "skills.bundled.enabled=false",
			"-c", "tools.experimental_request_user_input.enabled=false"},
		env:    []string{"CODEX_EXEC_SERVER_URL=none"},
		home:   &home{variable: "CODEX_HOME", usual: ".codex", login: "auth.json", link: true},
		option: []string{"--model"},
		passes: []string{"CODEX_API_KEY", "CODEX_ACCESS_TOKEN", "CODEX_CA_CERTIFICATE", "OPENAI_API_KEY", "OPENAI_BASE_URL"},
	},
	"copilot": {
		args: []string{"--silent", "--available-tools=none", "--disable-builtin-mcps", "--no-custom-instructions", "--no-ask-user",
			"--no-remote-export", "--no-auto-update", "--no-color", "--disallow-temp-dir"},
		option: []string{"--model"},
		files:  map[string]string{"home/settings.json": `{"disableAllHooks": true}`},
		home:   &home{variable: "COPILOT_HOME", usual: ".copilot", login: "config.json"},
		passes: []string{"COPILOT_CACHE_HOME", "COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "GH_HOST", "COPILOT_GH_HOST",
			"COPILOT_MODEL", "COPILOT_OFFLINE", "COPILOT_PROVIDER_"},
	},
	"gemini": {
		args:   []string{"--prompt", "", "--output-format", "text", "--extensions", "none", "--allowed-mcp-server-names", "none", "--approval-mode", "default"},
		option: []string{"--model"},
		env:    []string{"GEMINI_CLI_SYSTEM_SETTINGS_PATH=@/settings.json"},
		files:  map[string]string{"settings.json": `{"tools": {"core": []}, "hooksConfig": {"enabled": false}}`},
		passes: []string{"GEMINI_API_KEY", "GEMINI_CLI_HOME", "GEMINI_MODEL", "GOOGLE_"},
	},
	"ollama": { // what it has of tools is for its terminal alone
		args:   []string{"run", "--nowordwrap", "--hidethinking", "--format", "json"},
		needs:  []string{"run"},
		passes: []string{"OLLAMA_HOST"},
	},
}

// model reads the rest of a command that names an agent: which model it names, and
// whether there is nothing else.
func (r row) model(rest []string) (string, bool) {
	if len(rest) == 0 {
		return "", r.needs == nil
	}
	before := r.needs
	if before == nil {
		before = r.option
	}
	name := rest[len(rest)-1]
	return name, slices.Equal(rest[:len(rest)-1], before) && name != "" && !strings.HasPrefix(name, "-")
}

// forms are the commands that name an agent.
func forms() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(agents)) {
		if words := agents[name].needs; words != nil {
			name += " " + strings.Join(words, " ") + " MODEL"
		}
		all = append(all, name)
	}
	return all
}

// passed are the variables that each agent gets: where it finds programs, its files
// and its login, through what it speaks to the network, how it writes.
var passed = []string{"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LC_", "XDG_", "DBUS_SESSION_BUS_ADDRESS",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA",
	"PROGRAMDATA", "PROGRAMFILES"}

// passedToAll are those that any of the agents gets: what is behind a command that the
// user trusts is not known.
func passedToAll() (names []string) {
	for _, r := range agents {
		names = append(names, r.passes...)
	}
	return names
}

// environment is what an agent sees of the environment of this program.
func (r row) environment(all []string, folder string) (env []string) {
	for _, v := range all {
		name, _, _ := strings.Cut(v, "=")
		name = strings.ToUpper(name) // proxies are written small as well, and Windows writes Path
		if slices.ContainsFunc(slices.Concat(passed, r.passes), func(p string) bool {
			return name == p || strings.HasSuffix(p, "_") && strings.HasPrefix(name, p)
		}) {
			env = append(env, v)
		}
	}
	for _, v := range r.env {
		env = append(env, strings.ReplaceAll(v, "@", folder))
	}
	if r.home != nil {
		env = append(env, r.home.variable+"="+filepath.Join(folder, "home"))
	}
	return append(env, "GIT_CEILING_DIRECTORIES="+folder)
}

// settle makes what an agent finds in the folder that is made for it: another, empty
// one, in which it runs.
func (r row) settle(folder string) (string, error) {
	dir := filepath.Join(folder, Mark)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	if r.home != nil {
		if err := r.home.settle(filepath.Join(folder, "home")); err != nil {
			return "", err
		}
	}
	for name, text := range r.files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	return dir, nil
}

func (h *home) settle(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	of := os.Getenv(h.variable)
	if of == "" {
		user, err := os.UserHomeDir()
		if err != nil {
			return err
		}
		of = filepath.Join(user, h.usual)
	}
	login := filepath.Join(of, h.login)
	text, err := os.ReadFile(login)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // by a variable or the keyring
	case err != nil:
		return err
	case !h.link:
		return os.WriteFile(filepath.Join(dir, h.login), text, 0o600)
	}
	err = os.Symlink(login, filepath.Join(dir, h.login))
	if err != nil { // Windows wants a privilege for it
		err = os.Link(login, filepath.Join(dir, h.login))
	}
	return err
}
