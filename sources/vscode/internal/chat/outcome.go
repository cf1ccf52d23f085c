package chat

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/uri"
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
func statusOf(r *tree.Node, answered bool) (sources.Status, string) {
	state, known := r.Get("modelState").Get("value").Int()
	e := errorOf(r)
	level, graded := e.Get("level").Int()
	harmless := !e.Has() || state == stateComplete && graded && level == levelInfo
	switch {
	case known && state == stateCancelled, is(r.Get("isCanceled")), strings.EqualFold(e.Get("code").Text(), "canceled"):
		return sources.Cancelled, ""
	case state == stateFailed, !harmless:
		return sources.Failed, errorText(e)
	case state == stateComplete:
		return sources.Complete, ""
	case !known && (answered || r.Get("result").Has()):
		return sources.Complete, ""
	}
	return sources.Pending, ""
}

func errorOf(r *tree.Node) *tree.Node {
	if e := r.Get("result").Get("errorDetails"); e.Has() {
		return e
	}
	return r.Get("responseErrorDetails")
}

// errorText is the message of an error without its stack, or in plain words what
// its flags say.
func errorText(e *tree.Node) string {
	text := e.Get("message").Text()
	if i := stack.FindStringIndex(text); i != nil {
		text = text[:i[0]]
	}
	if text = strings.TrimSpace(text); text != "" {
		return text
	}
	for _, flag := range []struct{ name, says string }{
		{"isRateLimited", "rate limited"}, {"isQuotaExceeded", "quota exceeded"}, {"responseIsFiltered", "filtered"},
		{"responseIsRedacted", "redacted"}, {"responseIsIncomplete", "the answer is incomplete"},
	} {
		if is(e.Get(flag.name)) {
			return flag.says
		}
	}
	return e.Get("code").Text()
}

// stack finds where the stack of an error of JavaScript or Python begins.
var stack = regexp.MustCompile(`\r?\n\s+at \S|(^|\n)Traceback \(most recent call last\)`)

// minEpoch tells a point in time from a duration, in milliseconds: some versions
// store when they answered as timeSpentWaiting.
const minEpoch = 1e11

// endOf is when the answer was complete. A clock that was set back gives none.
func endOf(r *tree.Node, at time.Time) time.Time {
	end := when(r.Get("modelState").Get("completedAt"))
	if end.IsZero() {
		end = when(r.Get("responseTimestamp"))
	}
	for _, took := range []*tree.Node{r.Get("elapsedMs"), r.Get("result").Get("timings").Get("totalElapsed")} {
		if ms, ok := took.Int(); ok && end.IsZero() && !at.IsZero() && ms >= 0 && ms < minEpoch {
			end = at.Add(time.Duration(ms) * time.Millisecond)
		}
	}
	if waited := r.Get("timeSpentWaiting"); end.IsZero() {
		if ms, _ := waited.Int(); ms > minEpoch {
			end = when(waited)
		}
	}
	if end.Before(at) {
		return time.Time{}
	}
	return end
}

// auto is the model id that leaves the choice to the service.
const auto = "auto"

// modelOf names the model that answered: "copilot/auto" is resolved, and where
// there is no id the one the answer shows is taken ("GPT-5.2 • 1x").
func modelOf(r *tree.Node, resolved string) string {
	model := plainModel(r.Get("modelId").Text())
	if model != "" && model != auto {
		return model
	}
	result := r.Get("result")
	shown, _, _ := strings.Cut(result.Get("details").Text(), " • ")
	if len(shown) > 80 || strings.ContainsAny(shown, "\r\n") {
		shown = ""
	}
	return first(plainModel(result.Get("metadata").Get("resolvedModel").Text()), plainModel(resolved), strings.TrimSpace(shown), model)
}

// plainModel is a model without its vendor.
func plainModel(id string) string {
	if _, name, ok := strings.Cut(id, "/"); ok && name != "" {
		return name
	}
	return id
}

// modeOf is the name of a custom mode, else ask, edit or agent.
func modeOf(info *tree.Node) string {
	custom := info.Get("modeInstructions").Get("name").Text()
	if id := info.Get("telemetryModeId").Text(); custom == "" && (id == "custom" || info.Get("modeId").Text() == "custom") {
		custom = info.Get("telemetryModeName").Text()
	}
	return first(oneLine(custom, 100), info.Get("kind").Text(), info.Get("modeId").Text())
}

// agentOf names the participant that answered, empty for the usual one, which
// goes by several names.
func agentOf(agent *tree.Node) string {
	name := first(agent.Get("name").Text(), agent.Text())
	usual := []string{"agent", "GitHub Copilot", "copilot", "default", "ask", "edit", "edits"}
	usualIDs := []string{"github.copilot.default", "github.copilot.editsAgent", "github.copilot.editingSession", "github.copilot.editingSession2"}
	id := agent.Get("id").Text()
	if slices.Contains(usual, name) || slices.Contains(usualIDs, id) || strings.HasPrefix(id, "setup.") {
		return ""
	}
	return oneLine(name, 100)
}

// tokensOf reads what was used, wherever this version stores it.
func tokensOf(r *tree.Node) *sources.Tokens {
	result := r.Get("result")
	for _, n := range []struct {
		in  *tree.Node
		out string
	}{{r, "completionTokens"}, {result.Get("usage"), "completionTokens"}, {result.Get("metadata"), "outputTokens"}} {
		in, _ := n.in.Get("promptTokens").Int()
		out, _ := n.in.Get(n.out).Int()
		if in > 0 || out > 0 {
			return &sources.Tokens{In: max(in, 0), Out: max(out, 0)}
		}
	}
	return nil
}

// citationsOf lists licence and address of public code an answer matched, each
// once.
func citationsOf(list *tree.Node) []sources.Citation {
	var out []sources.Citation
	seen := map[sources.Citation]bool{}
	for _, n := range list.Items() {
		c := sources.Citation{License: n.Get("license").Text(), Value: n.Get("value").Text()}
		if u, ok := uri.Of(n.Get("value")); ok && c.Value == "" {
			c.Value = u.String()
		}
		if (c.License != "" || c.Value != "") && !seen[c] {
			seen[c] = true
			out = append(out, c)
		}
	}
	return out
}
