package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
)

const (
	model = "claude-sonnet-4.5"
	// stampLayout is the time format of events, workspace.yaml and the store.
	stampLayout = "2006-01-02T15:04:05.000Z"
)

// logWriter writes the event log of a session as Copilot CLI does: one JSON object per line, each naming its
// predecessor.
type logWriter struct {
	words
	s      *session
	out    io.Writer
	now    time.Time // time of the newest event
	parent string    // id of the newest event
	agent  string    // id of the current sub-agent, or ""
	told   told

	size, printed int64 // bytes so far; those printed by tools
	err           error // the first failure of out
}

// told holds what the CLI stores about a session outside its log.
type told struct {
	turns       []turn
	checkpoints []summary
	files       []touch
	commits     []touch
}

type turn struct {
	prompt, answer string
	at             time.Time
}

// touch is a file changed or a commit made in a turn.
type touch struct {
	name string
	turn int
	at   time.Time
}

// event is a line of the log.
type event struct {
	Type      string  `json:"type"`
	Data      object  `json:"data"`
	Agent     string  `json:"agentId,omitzero"`
	ID        string  `json:"id"`
	Timestamp string  `json:"timestamp"`
	Parent    *string `json:"parentId"`
}

func (l *logWriter) event(kind string, data ...any) {
	e := event{Type: kind, Data: data, Agent: l.agent, ID: l.uuid(), Timestamp: stamp(l.now)}
	if l.parent != "" {
		e.Parent = &l.parent
	}
	line, err := json.Marshal(e)
	if err == nil && l.err == nil {
		_, err = l.out.Write(append(line, '\n'))
	}
	if l.err == nil {
		l.err = err
	}
	l.parent = e.ID
	l.size += int64(len(line)) + 1
}

// wait advances the time.
func (l *logWriter) wait(low, high time.Duration) {
	l.now = l.now.Add((low + time.Duration(l.Int64N(int64(high-low)))).Truncate(time.Millisecond))
}

// writeLog writes the session from its start until it has its size.
func (l *logWriter) writeLog() error {
	l.start()
	for more := true; more; more = l.size+l.turnSize()/2 < l.s.size {
		l.turn(l.rounds())
		if l.s.subagent && len(l.told.turns) == 1 {
			l.subagent()
		}
		if n := len(l.told.checkpoints); n < l.s.checkpoints && l.size > l.s.size*int64(n+1)/int64(l.s.checkpoints+1) {
			l.compaction(n + 1)
		}
		if !l.s.long && l.chance(8) {
			l.shutdown()
			l.resume()
		}
	}
	l.shutdown()
	if l.err != nil {
		return fmt.Errorf("write log of %s: %w", l.s.id, l.err)
	}
	return nil
}

// rounds returns the rounds of tools in the next turn, none that would blow up a small log.
func (l *logWriter) rounds() int {
	switch left := l.s.size - l.size; {
	case l.s.long:
		return l.between(30, 90)
	case left < 10<<10:
		return 0
	case left < 24<<10:
		return 1
	default:
		return l.between(0, 3)
	}
}

// turnSize returns the approximate size of a turn in the log.
func (l *logWriter) turnSize() int64 {
	if l.s.long {
		return 700 << 10
	}
	return min(24<<10, l.s.size/2)
}

func (l *logWriter) context() object {
	p := l.s.project
	o := object{"cwd", p.folder}
	if p.git {
		o = append(o, "gitRoot", p.folder, "branch", l.s.branch, "headCommit", l.letters(40))
	}
	if p.repository != "" {
		o = append(o, "repository", p.repository, "hostType", "github", "repositoryHost", "github.com")
	}
	return o
}

func (l *logWriter) start() {
	l.event("session.start", "sessionId", l.s.id, "version", 1, "producer", "copilot-agent", "copilotVersion", "1.0.102",
		"startTime", stamp(l.now), "selectedModel", model, "context", l.context(), "alreadyInUse", false, "remoteSteerable", false)
	l.system()
}

// system writes the prompt that the CLI repeats in every process. The real one has 25 to 40 KB; here it is a
// fraction of the log.
func (l *logWriter) system() {
	n := min(30<<10, l.s.size/20)
	l.event("system.message", "role", "system", "content", l.paragraph(int(max(10, n/90))))
}

func (l *logWriter) resume() {
	l.wait(time.Hour, 30*time.Hour)
	l.event("session.resume", "resumeTime", stamp(l.now), "eventCount", l.size/3000, "eventsFileSizeBytes", l.size,
		"context", l.context(), "sessionWasActive", false)
	l.system()
}

func (l *logWriter) shutdown() {
	l.wait(time.Second, 10*time.Minute)
	changed := []string{}
	for _, f := range l.told.files {
		changed = append(changed, f.name)
	}
	l.event("session.shutdown", "shutdownType", "routine", "totalPremiumRequests", 0, "sessionStartTime", stamp(l.s.start),
		"codeChanges", object{"linesAdded", l.IntN(400), "linesRemoved", l.IntN(200), "filesModified", changed},
		"modelMetrics", object{model, object{"usage", object{"inputTokens", l.size / 4, "outputTokens", l.size / 40}}}, "currentModel", model)
}

// compaction summarises the session so far into a checkpoint. The CLI also logs the whole prompt, which
// nobody sees.
func (l *logWriter) compaction(n int) {
	c := newSummary(l, n)
	l.wait(time.Second, time.Minute)
	attempt := l.uuid()
	l.event("session.compaction_start", "compactionAttemptId", attempt, "model", model, "tokenLimit", 200000, "trigger", "threshold")
	l.event("model.messages_snapshot", "kind", "messages_snapshot", "messages", l.paragraph(int(min(30<<10, l.s.size/25)/90)))
	l.wait(time.Second, time.Minute)
	c.at = l.now
	l.event("session.compaction_complete", "success", true, "compactionAttemptId", attempt, "preCompactionTokens", 150000,
		"postCompactionTokens", 20000, "summaryContent", c.text()+"\n\n<checkpoint_title>"+c.title+"</checkpoint_title>",
		"checkpointNumber", n, "checkpointPath", "/home/dev/.copilot/session-state/"+l.s.id+"/checkpoints/"+c.file())
	l.told.checkpoints = append(l.told.checkpoints, c)
}

// subagent writes a sub-agent's work: its events carry its id, its prompt names the session as its source.
func (l *logWriter) subagent() {
	call := "call_" + l.letters(24)
	l.agent = l.uuid()
	l.event("subagent.started", "toolCallId", call, "agentName", "explore", "agentDisplayName", "Explore", "agentDescription", l.task())
	l.user(l.task(), "agent-"+l.s.id)
	l.step(0, "", 1)
	l.step(1, l.answer(), 0)
	l.event("subagent.completed", "toolCallId", call, "agentName", "explore", "totalToolCalls", 1)
	l.agent = ""
}

// changed records the first change of a file, as the store does.
func (l *logWriter) changed(path string) {
	if !slices.ContainsFunc(l.told.files, func(f touch) bool { return f.name == path }) {
		l.told.files = append(l.told.files, touch{path, len(l.told.turns), l.now})
	}
}

func stamp(t time.Time) string { return t.UTC().Format(stampLayout) }
