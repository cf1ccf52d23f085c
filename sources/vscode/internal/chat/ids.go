package chat

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

const exportPrefix = "vscode:export:"

// exportID is the id of an export that has none, by that of its first request:
// every later export of that session begins with the same one. What is no plain
// name gives the id of its hash.
func exportID(requestID string) string {
	id := strings.TrimPrefix(strings.TrimPrefix(requestID, "request_"), "response_")
	if !plainID.MatchString(id) {
		id = hash(requestID)
	}
	return exportPrefix + id
}

var plainID = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._-]{0,99}$`)

// identify gives the session its id and the one its exports have.
func (c *converter) identify(state *chatlog.Session) {
	s := c.session
	if id := sources.FoldUUID(state.SessionID); s.ID == "" && sources.IsUUID(id) {
		s.ID = id
	}
	first := slices.IndexFunc(state.Requests, func(r *chatlog.Request) bool { return r != nil })
	if first < 0 {
		return
	}
	r := state.Requests[first]
	switch id := cmp.Or(r.RequestID, r.ProviderRequestID, r.ResponseID, r.ProviderResponseID); {
	case id != "":
		c.alias(exportID(id))
	case s.ID == "": // of 2023: there were no request ids
		said := []string{promptOf(r.Message), r.Response.Text}
		for _, part := range r.Response.Parts {
			text := ""
			if part != nil && part.Value != nil {
				text = part.Value.Value
			}
			said = append(said, text)
		}
		s.ID = exportPrefix + hash(said...)
	}
}

// maxNames bounds the other ids and the models of a session; real ones have a
// few.
const maxNames = 100

// alias notes another id of this session. One that is still without takes it.
func (c *converter) alias(id string) {
	s := c.session
	if !strings.HasPrefix(id, exportPrefix) {
		if id = sources.FoldUUID(id); !sources.IsUUID(id) {
			return
		}
	} else if s.ID == "" {
		s.ID = id
	}
	if id != s.ID && len(s.Aka) < maxNames && !slices.Contains(s.Aka, id) {
		s.Aka = append(s.Aka, id)
	}
}

// hash is a short digest of texts.
func hash(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00") + "\x00"))
	return hex.EncodeToString(sum[:8])
}
