package statedb

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// SchemeLocal names the sessions of VS Code's own chat, whose files are on disk.
const SchemeLocal = "local"

// schemeChat is the scheme of a resource that has its provider as authority.
const schemeChat = "vscode-chat-session"

// ResourceID gives provider and raw session id of a session resource:
// "vscode-chat-session://local/<base64url of the id>", "copilotcli:/<id>",
// "agent-host-copilotcli:/<id>", "claude-code:<id>" and their like. A UUID is
// given in lower case. ok is false for what names no session.
func ResourceID(resource string) (scheme, id string, ok bool) {
	u, ok := places.ParseURI(resource)
	if !ok {
		return "", "", false
	}
	return resourceID(u)
}

func resourceID(u places.URI) (scheme, id string, ok bool) {
	scheme, id = u.Scheme, strings.Trim(u.Path, "/")
	if scheme == schemeChat {
		if scheme = strings.ToLower(u.Authority); scheme == "" {
			scheme = SchemeLocal
		}
		id = decoded(id)
	}
	id = plainID(id)
	return scheme, id, id != "" && scheme != "file"
}

// decoded undoes base64 of either alphabet, padded or not. What does not become
// plain text stays as it is.
func decoded(s string) string {
	if sources.IsUUID(sources.FoldUUID(s)) {
		return s
	}
	url := strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(s, "="))
	b, err := base64.RawURLEncoding.DecodeString(url)
	if err != nil || len(b) == 0 || !utf8.Valid(b) || strings.ContainsFunc(string(b), func(r rune) bool { return !unicode.IsPrint(r) }) {
		return s
	}
	return string(b)
}

// plainID is an id as this reader gives it.
func plainID(id string) string { return sources.FoldUUID(strings.TrimSpace(id)) }
