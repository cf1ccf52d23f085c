package askagent

import (
	"cmp"
	"slices"
	"strings"
)

// row is how an agent is run so that it reads a prompt from standard input, prints its
// answer and does nothing else. A version that does not know one of the arguments
// fails, and answers nothing.
type row struct {
	args    []string
	model   string   // the word before the name of a model, if not --model: one is then needed
	catalog []string // arguments by which it prints its models, see toolless
	env     []string // name=value
	files   map[string]string
	home    *home
	passes  []string // variables of its login and its model; see passed
}

// agents are those that reach nothing so. It was tried with the genuine ones, see
// TestRealAsked, but for ollama.
var agents = map[string]row{
	"claude": {
		args: []string{"--print", "--output-format", "text", "--no-session-persistence", "--tools", "", "--strict-mcp-config",
			"--setting-sources", "", "--safe-mode", "--disable-slash-commands", "--no-chrome", "--permission-mode", "dontAsk"},
		env:    []string{"CLAUDE_CODE_DISABLE_ATTACHMENTS=1", "CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1"}, // @file is a text
		passes: []string{"ANTHROPIC_", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_", "CLAUDE_CODE_SKIP_", "CLOUD_ML_REGION", "AWS_", "GOOGLE_"},
	},
	"codex": {
		args: []string{"exec", "--color", "never", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only", "--ignore-user-config", "--ignore-rules",
			"--disable", "shell_tool", "--disable", "shell_snapshot", "--disable", "view_image", "--disable", "goals", "--disable", "multi_agent",
			"--disable", "hooks", "--disable", "apps", "--disable", "plugins", "-c", "web_search=disabled", "-c", "project_doc_max_bytes=0",
			"-c", "skills.include_instructions=false", "-c", "skills.bundled.enabled=false",
			"-c", "tools.experimental_request_user_input.enabled=false", "-c", "model_catalog_json=../models.json"},
		catalog: []string{"debug", "models", "--bundled"},
		env:     []string{"CODEX_EXEC_SERVER_URL=none"}, // there is no place where a tool could run
		home:    &home{variable: "CODEX_HOME", usual: ".codex", login: "auth.json", link: true},
		passes:  []string{"CODEX_API_KEY", "CODEX_ACCESS_TOKEN", "CODEX_CA_CERTIFICATE", "OPENAI_API_KEY", "OPENAI_BASE_URL"},
	},
	"copilot": {
		args: []string{"--silent", "--no-color", "--available-tools=none", "--disable-builtin-mcps", "--no-custom-instructions", "--no-ask-user",
			"--no-remote-export", "--no-auto-update", "--disallow-temp-dir"},
		files: map[string]string{"home/settings.json": `{"disableAllHooks": true}`},
		home:  &home{variable: "COPILOT_HOME", usual: ".copilot", login: "config.json"},
		passes: []string{"COPILOT_CACHE_HOME", "COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "GH_HOST", "COPILOT_GH_HOST",
			"COPILOT_MODEL", "COPILOT_OFFLINE", "COPILOT_PROVIDER_"},
	},
	"gemini": { // it skips system settings in a folder that others may write above; a .env file ends its search for one
		args: []string{"--prompt", "", "--output-format", "text", "--approval-mode", "default", "--extensions", "none", "--allowed-mcp-server-names", "none"},
		files: map[string]string{Mark + "/.env": "", "home/.gemini/settings.json": `{"tools": {"core": ["none"]}, "hooksConfig": {"enabled": false},
			"skills": {"enabled": false}, "experimental": {"enableAgents": false}, "context": {"fileName": "none", "memoryBoundaryMarkers": []},
			"security": {"folderTrust": {"enabled": false}}, "general": {"enableAutoUpdate": false}}`},
		home:   &home{variable: "GEMINI_CLI_HOME", login: ".gemini/oauth_creds.json"},
		passes: []string{"GEMINI_API_KEY", "GEMINI_MODEL", "GOOGLE_"},
	},
	"ollama": { // has tools at a terminal alone
		args:   []string{"run", "--nowordwrap", "--hidethinking", "--format", "json"},
		model:  "run",
		passes: []string{"OLLAMA_HOST"},
	},
}

// named returns the arguments that name a model, by the rest of a command after the agent's name. It returns
// false if there is anything else.
func (r row) named(rest []string) ([]string, bool) {
	if len(rest) == 0 {
		return nil, r.model == ""
	}
	fits := len(rest) == 2 && rest[0] == cmp.Or(r.model, "--model") && rest[1] != "" && rest[1][0] != '-'
	if r.model != "" {
		rest = rest[1:]
	}
	return rest, fits
}

// passed are the variables that each agent gets: where it finds programs and its files, how it reaches the network
// and writes. A name that ends with _ stands for all that begin so.
var passed = strings.Fields(`PATH HOME USER LOGNAME SHELL TMPDIR TZ LANG LANGUAGE LC_ XDG_ DBUS_SESSION_BUS_ADDRESS
	HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS NODE_USE_SYSTEM_CA
	SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT TEMP TMP USERNAME USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES`)

// trusted is how a command of the user is run. What is behind it is not known: it gets what any of the agents gets.
func trusted() (r row) {
	for _, known := range agents {
		r.passes = append(r.passes, known.passes...)
		if known.home != nil {
			r.passes = append(r.passes, known.home.variable)
		}
	}
	return r
}

// isPassed reports whether an agent sees a variable, written name=value.
func (r row) isPassed(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	name = strings.ToUpper(name) // proxies are written small as well, and Windows writes Path
	return slices.ContainsFunc(slices.Concat(passed, r.passes), func(p string) bool {
		return name == p || strings.HasSuffix(p, "_") && strings.HasPrefix(name, p)
	})
}
