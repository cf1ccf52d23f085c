package chat

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

const exportPrefix = "vscode:export:"

// ExportID is the id of an export that has none, by the requestId of its first
// request: every later export of that session begins with the same one. What is
// no plain name gives the id of its hash.
func ExportID(requestID string) string {
	id := strings.TrimPrefix(requestID, "request_")
	if !plainID.MatchString(id) {
		return exportPrefix + hash(requestID)
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
	switch r := state.Requests[first]; {
	case r.RequestID != "":
		c.alias(ExportID(r.RequestID))
	case s.ID == "":
		s.ID = oldExportID(r)
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

// oldExportID is for exports from before there were request ids (2023): that of
// the provider or of the response, else a hash of what was said first.
func oldExportID(r *chatlog.Request) string {
	for _, id := range []string{r.ProviderRequestID, r.ResponseID, r.ProviderResponseID} {
		if id = strings.TrimPrefix(id, "response_"); id != "" {
			return ExportID(id)
		}
	}
	said := []string{promptOf(r.Message), r.Response.Text}
	for _, part := range r.Response.Parts {
		text := ""
		if part != nil && part.Value != nil {
			text = part.Value.Value
		}
		said = append(said, text)
	}
	return exportPrefix + hash(said...)
}

// hash is a short digest of texts.
func hash(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		_, _ = io.WriteString(h, t) // a hash takes everything
		_, _ = h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
