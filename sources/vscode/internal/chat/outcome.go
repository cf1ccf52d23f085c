package chat

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// States of an answer as VS Code stores them; 0 (pending) and 4 (waits for its
// user) are those of a window that went away.
const (
	stateComplete  = 1
	stateCancelled = 2
	stateFailed    = 3
)

// levelInfo is an errorDetails.level that reports no error but a limit that was
// reached.
const levelInfo = 0

// statusOf tells how a request ended, and why where it failed.
func statusOf(r *chatlog.Request, answered bool) (sources.Status, string) {
	state, known := int64(0), r.ModelState.Value != nil
	if known {
		state = *r.ModelState.Value
	}
	e := cmp.Or(resultOf(r).ErrorDetails, r.ResponseErrorDetails)
	harmless := e == nil || state == stateComplete && e.Level != nil && *e.Level == levelInfo
	switch {
	case state == stateCancelled, r.IsCanceled, e != nil && strings.EqualFold(e.Code, "canceled"):
		return sources.Cancelled, ""
	case state == stateFailed, !harmless:
		return sources.Failed, errorText(e)
	case state == stateComplete:
		return sources.Complete, ""
	case !known && (answered || r.Result != nil):
		return sources.Complete, ""
	}
	return sources.Pending, ""
}

// errorText is the message of an error without its stack, or in plain words what
// its flags say.
func errorText(e *chatlog.ErrorDetails) string {
	if e == nil {
		return ""
	}
	text := e.Message
	if i := stack().FindStringIndex(text); i != nil {
		text = text[:i[0]]
	}
	if text = strings.TrimSpace(text); text != "" {
		return text
	}
	switch {
	case e.IsRateLimited:
		return "rate limited"
	case e.IsQuotaExceeded:
		return "quota exceeded"
	case e.ResponseIsFiltered:
		return "filtered"
	case e.ResponseIsRedacted:
		return "redacted"
	case e.ResponseIsIncomplete:
		return "the answer is incomplete"
	}
	return e.Code
}

// stack finds where the stack of an error of JavaScript or Python begins.
var stack = pattern.Lazy(`\r?\n\s+at \S|(^|\n)Traceback \(most recent call last\)`)

// endOf is when the answer was complete. A clock that was set back gives none. Some
// versions store when they answered as timeSpentWaiting.
func endOf(r *chatlog.Request, at time.Time) time.Time {
	const longest = 1e11 // milliseconds that a duration may have
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

// resultOf is the result of a request, an empty one where there is none.
func resultOf(r *chatlog.Request) *chatlog.Result { return cmp.Or(r.Result, &chatlog.Result{}) }

// auto is the model id that leaves the choice to the service.
const auto = "auto"

// modelOf names the model that answered: "copilot/auto" is resolved, and where
// there is no id the one the answer shows is taken ("GPT-5.2 • 1x").
func modelOf(r *chatlog.Request, resolved string) string {
	model := plainModel(r.ModelID)
	if model != "" && model != auto {
		return model
	}
	result := resultOf(r)
	shown, _, _ := strings.Cut(result.Details, " • ")
	if len(shown) > 80 || strings.ContainsAny(shown, "\r\n") {
		shown = ""
	}
	return cmp.Or(plainModel(result.Metadata.ResolvedModel), plainModel(resolved), strings.TrimSpace(shown), model)
}

// plainModel is a model without its vendor.
func plainModel(id string) string {
	if _, name, ok := strings.Cut(id, "/"); ok && name != "" {
		return name
	}
	return id
}

// modeOf is the name of a custom mode, else ask, edit or agent.
func modeOf(info chatlog.ModeInfo) string {
	custom := info.ModeInstructions.Name
	if custom == "" && (info.TelemetryModeID == "custom" || info.ModeID == "custom") {
		custom = info.TelemetryModeName
	}
	return cmp.Or(words.OneLine(custom, 100), info.Kind, info.ModeID)
}

// agentOf names the participant that answered, empty for the usual one, which
// goes by several names.
func agentOf(agent chatlog.Agent) string {
	usual := []string{"agent", "GitHub Copilot", "copilot", "default", "ask", "edit", "edits"}
	usualIDs := []string{"github.copilot.default", "github.copilot.editsAgent", "github.copilot.editingSession", "github.copilot.editingSession2"}
	if slices.Contains(usual, agent.Name) || slices.Contains(usualIDs, agent.ID) || strings.HasPrefix(agent.ID, "setup.") {
		return ""
	}
	return words.OneLine(agent.Name, 100)
}

// tokensOf reads what was used, wherever this version stores it.
func tokensOf(r *chatlog.Request) *sources.Tokens {
	usage, metadata := resultOf(r).Usage, resultOf(r).Metadata
	used := cmp.Or(sources.Tokens{In: r.PromptTokens, Out: r.CompletionTokens},
		sources.Tokens{In: usage.PromptTokens, Out: usage.CompletionTokens},
		sources.Tokens{In: metadata.PromptTokens, Out: metadata.OutputTokens})
	if used.In <= 0 && used.Out <= 0 {
		return nil
	}
	return &sources.Tokens{In: max(used.In, 0), Out: max(used.Out, 0)}
}

// citationsOf lists licence and address of public code an answer matched, each
// once.
func citationsOf(list []chatlog.Citation) []sources.Citation {
	var out []sources.Citation
	seen := map[sources.Citation]bool{}
	for _, n := range list {
		c := sources.Citation{License: n.License}
		if n.Value != nil {
			if c.Value = n.Value.Text; c.Value == "" && n.Value.URI().IsSet() {
				c.Value = n.Value.URI().String()
			}
		}
		if (c.License != "" || c.Value != "") && !seen[c] {
			seen[c] = true
			out = append(out, c)
		}
	}
	return out
}
