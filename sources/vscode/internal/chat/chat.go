// Package chat builds a session from a chat of VS Code, request by request.
package chat

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

type converter struct {
	*builder.Builder
	told    sources.Place // the place according to texts for the model
	unknown map[string]int
	confirm string // the last question with buttons
}

// unknownShape is the name under which an invalid request is counted.
const unknownShape = "request shape"

// Convert builds a session from its requests, or returns nil for an empty one. workspace is the known part of
// its place. Damage and Rewound come from the requests; the caller sets Complete. Without an id the session
// gets the file's if it is a UUID, else an export's. It never fails: unknown data is counted.
func Convert(state *chatlog.Session, id string, workspace sources.Place) (s *sources.Session, unknown map[string]int) {
	state = cmp.Or(state, &chatlog.Session{})
	c := &converter{Builder: builder.New(), unknown: map[string]int{}}
	c.Session = &sources.Session{ID: id, Agent: "vscode-copilot", Created: chatlog.When(state.CreationDate)}
	c.PathOf, c.Silent = editor.FileOf, true
	c.identify(state)
	for i, r := range state.Requests {
		if r != nil { // an array element that was never filled
			c.request(r, i == len(state.Requests)-1)
		}
	}
	s = c.Session
	c.Entitle(state.ComputedTitle, sources.TrustDerived)
	c.Entitle(state.CustomTitle, sources.TrustCustom)
	if n := c.unknown[unknownShape]; n > 0 {
		s.Damage = []string{words.Count(n, "request") + " of an unknown shape"}
	}
	s.Place = c.place(state, workspace)
	c.Finish()
	if s.Place.Guessed && !IsKnown(sources.Place{Cwd: s.Place.Cwd}) {
		if root := editedRoot(s.Files); root != "" {
			s.Place.Cwd, s.Place.Workspace = root, ""
		} else if !IsKnown(s.Place) {
			s.Place.Guessed = workspace.Guessed
		}
	}
	return s, c.unknown
}

// request records one request. newest says that no other follows.
func (c *converter) request(r *chatlog.Request, newest bool) {
	if r.HiddenFromTranscript {
		return
	}
	if r.Message == nil && r.Response.Text == "" && len(r.Response.Parts)+len(r.VariableData.Variables) == 0 {
		c.unknown[unknownShape]++
		return
	}
	c.At(chatlog.When(r.Timestamp))
	before := c.Turn()
	label, button, own := leadOf(r)
	if button != "" && c.confirm != "" {
		c.Tell(sources.Act{Kind: sources.ActAsked, Text: c.confirm, Answer: button})
	}
	c.confirm = ""
	t := before
	if own || isUndone(r) || before == nil {
		p := builder.Prompt{ID: r.RequestID, Program: r.IsSystemInitiated}
		if label = ""; own {
			p.Text = CleanPrompt(promptOf(r))
		}
		t = c.Prompt(p)
	}
	c.fill(t, r, label, newest)
	if isUndone(r) {
		t.TakeBack()
		c.Select(before)
	}
}

// isUndone reports whether the user went back to before a request.
func isUndone(r *chatlog.Request) bool { return bool(r.ShouldBeRemovedOnSend) || r.IsHidden }

// fill records a request's data in a turn that it began or joined: its end is the end of the turn.
func (c *converter) fill(t *builder.Turn, r *chatlog.Request, label string, newest bool) {
	list, files := c.attachments(r.VariableData.Variables)
	t.Attachments = append(t.Attachments, list...)
	t.Citations = append(t.Citations, citationsOf(r)...)
	metadata := &resultOf(r).Metadata
	c.noteContext(metadata)
	c.alias(metadata.SessionID)
	end := endOf(r, chatlog.When(r.Timestamp))
	c.At(end)
	t.Seen(end)
	if label = words.OneLine(label, 100); label != "" {
		label = "*" + labelEscaper.Replace(label) + "*"
	}
	t.By(modelOf(r, c.answer(t, r, label, newest)))
	t.Use(tokensOf(r))
	t.Mode, t.Agent = cmp.Or(t.Mode, modeOf(r.ModeInfo)), cmp.Or(t.Agent, agentOf(r.Agent))
	t.Status, t.Error = statusOf(r, t.Worked())
	for _, e := range r.EditedFileEvents {
		t.Judge(e.URI.File(), verdicts[e.Kind])
	}
	for _, path := range files {
		t.Touch(path, sources.Viewed, "")
	}
	for _, ref := range r.ContentReferences {
		place := cmp.Or(ref.Reference, &chatlog.Place{})
		place = cmp.Or(place.Value, place) // {variableName, value}
		u := place.URI()
		if strings.HasPrefix(place.Text, "file:") || strings.HasPrefix(place.Text, "vscode-remote:") {
			u, _ = editor.ParseURI(place.Text)
		}
		t.Touch(u.File(), sources.Mentioned, "")
	}
	if !isUndone(r) {
		c.summarize(metadata)
	}
}

// A person's decisions on an edited file (editedFileEvents). 3, that they changed it further, is ignored.
var verdicts = map[int64]sources.Verdict{1: sources.Accepted, 2: sources.Rejected}

// maxSummary limits the bytes of a compaction summary that becomes the summary of its session as a whole.
const maxSummary = 2000

// summarize records the compaction summaries of a result: a list, formerly one. They become artifacts; the
// newest, or the first paragraph of a long one, is the summary of the session.
func (c *converter) summarize(m *chatlog.Metadata) {
	all, s, at := m.Summaries, c.Session, c.Now()
	if len(all) == 0 {
		all = []chatlog.Summary{m.Summary}
	}
	for _, n := range all {
		text := strings.TrimSpace(n.Text)
		if text == "" {
			continue
		}
		name := fmt.Sprintf("summary-%d.md", len(s.Artifacts)+1)
		s.Artifacts = append(s.Artifacts, sources.Artifact{Kind: sources.Summary, Name: name, At: at, Text: n.Text})
		if len(text) > maxSummary {
			text, _, _ = strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n")
			text = words.OneLine(text, maxSummary)
		}
		s.Summary, s.SummaryFrom, s.SummaryAt = text, sources.TrustDerived, at
	}
}

// statusOf returns how a request ended, and why it failed: the client's words about limits and errors are not
// an answer. Of the states that VS Code stores, 0 (pending) and 4 (waits for its user) mean a closed window.
func statusOf(r *chatlog.Request, answered bool) (sources.Status, string) {
	const complete, cancelled, failed, info = 1, 2, 3, 0
	state, known := int64(0), r.ModelState.Value != nil
	if known {
		state = *r.ModelState.Value
	}
	e := errorOf(r)
	isNotice := state == complete && answered && e.Level != nil && *e.Level == info && !e.IsRateLimited && !e.IsQuotaExceeded
	reason := strings.ToLower(cmp.Or(e.Code, strings.Trim(e.Message, ". ")))
	switch {
	case state == cancelled, r.IsCanceled, reason == "canceled", reason == "cancelled":
		return sources.Cancelled, ""
	case state == failed, (*e != chatlog.ErrorDetails{}) && !isNotice:
		return sources.Failed, errorText(e)
	case state == complete, !known && (answered || r.Result != nil):
		return sources.Complete, ""
	}
	return sources.Pending, ""
}

// resultOf returns the result of a request, errorOf its error; empty ones if there are none.
func resultOf(r *chatlog.Request) *chatlog.Result { return cmp.Or(r.Result, &chatlog.Result{}) }

func errorOf(r *chatlog.Request) *chatlog.ErrorDetails {
	return cmp.Or(resultOf(r).ErrorDetails, r.ResponseErrorDetails, &chatlog.ErrorDetails{})
}

// stack matches the beginning of a stack of JavaScript or Python.
var stack = pattern.Lazy(`\r?\n\s+at \S|(^|\n)Traceback \(most recent call last\)`)

// errorText returns the message of an error without its stack, or its flags in plain words.
func errorText(e *chatlog.ErrorDetails) string {
	text := strings.TrimSpace(stack().Split(e.Message, 2)[0])
	for _, flag := range []struct {
		set   bool
		words string
	}{
		{e.IsRateLimited, "rate limited"}, {e.IsQuotaExceeded, "quota exceeded"}, {e.ResponseIsFiltered, "filtered"},
		{e.ResponseIsRedacted, "redacted"}, {e.ResponseIsIncomplete, "the answer is incomplete"}, {true, e.Code},
	} {
		if flag.set && text == "" {
			text = flag.words
		}
	}
	return text
}

// endOf returns when the answer was complete, or zero if a clock was set back. Some versions store the time
// of the answer as timeSpentWaiting.
func endOf(r *chatlog.Request, at time.Time) time.Time {
	const longest = 1e11 // limit of a duration in milliseconds
	took := cmp.Or(r.ElapsedMS, resultOf(r).Timings.TotalElapsed)
	end := cmp.Or(chatlog.When(r.ModelState.CompletedAt), chatlog.When(r.ResponseTimestamp))
	if end.IsZero() && !at.IsZero() && took > 0 && took < longest {
		end = at.Add(time.Duration(took) * time.Millisecond)
	}
	if end = cmp.Or(end, chatlog.When(r.TimeSpentWaiting)); end.Before(at) {
		return time.Time{}
	}
	return end
}

// modelOf names the model that answered: "copilot/auto" leaves the choice to the service, and without an id
// the name shown with the answer is used ("GPT-5.2 • 1x").
func modelOf(r *chatlog.Request, resolved string) string {
	if id := r.ModelID; id != "" && id != "auto" && !strings.HasSuffix(id, "/auto") {
		return id
	}
	shown, _, _ := strings.Cut(resultOf(r).Details, " • ")
	if len(shown) > 80 || strings.ContainsAny(shown, "\r\n") {
		shown = ""
	}
	return cmp.Or(resultOf(r).Metadata.ResolvedModel, resolved, strings.TrimSpace(shown), r.ModelID)
}

// modeOf returns the name of a custom mode, else ask, edit or agent.
func modeOf(info chatlog.ModeInfo) string {
	custom := info.ModeInstructions.Name
	if custom == "" && (info.TelemetryModeID == "custom" || info.ModeID == "custom") {
		custom = info.TelemetryModeName
	}
	return cmp.Or(words.OneLine(custom, 100), info.Kind, info.ModeID)
}

// usual are the names and ids of the default participant.
var usual = []string{"agent", "GitHub Copilot", "copilot", "default", "ask", "edit", "edits",
	"github.copilot.default", "github.copilot.editsAgent", "github.copilot.editingSession", "github.copilot.editingSession2"}

// agentOf names the participant that answered, or returns "" for the default one.
func agentOf(agent chatlog.Agent) string {
	if slices.Contains(usual, agent.Name) || slices.Contains(usual, agent.ID) || strings.HasPrefix(agent.ID, "setup.") {
		return ""
	}
	return words.OneLine(agent.Name, 100)
}

// tokensOf returns the tokens used, wherever this version stores them.
func tokensOf(r *chatlog.Request) (in, out int64) {
	metadata := resultOf(r).Metadata.Usage
	used := cmp.Or(r.Usage, resultOf(r).Usage, chatlog.Usage{PromptTokens: metadata.PromptTokens, CompletionTokens: metadata.OutputTokens})
	return used.PromptTokens, used.CompletionTokens
}

// citationsOf returns licence and address of public code that an answer matched, each once.
func citationsOf(r *chatlog.Request) (out []sources.Citation) {
	seen := map[sources.Citation]bool{{}: true}
	for _, n := range r.CodeCitations {
		c := sources.Citation{License: n.License}
		if n.Value != nil {
			if c.Value = n.Value.Text; c.Value == "" && n.Value.URI().IsSet() {
				c.Value = n.Value.URI().String()
			}
		}
		if !seen[c] {
			seen[c], out = true, append(out, c)
		}
	}
	return out
}
