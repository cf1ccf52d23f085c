package main

import (
	"fmt"
	"time"
)

const model = "claude-sonnet-4.5"

func (c *scribe) context(o object) object {
	p := c.s.project
	o = o.open("context").str("cwd", p.cwd)
	if p.root != "" {
		o = o.str("gitRoot", p.root).str("branch", c.s.branch).str("headCommit", c.opaque(40))
	}
	if p.repository != "" {
		o = o.str("repository", p.repository).str("hostType", "github").str("repositoryHost", "github.com")
	}
	return o.close()
}

// start opens the log of a new session.
func (c *scribe) start() {
	o := c.begin().str("sessionId", c.sessionID).num("version", 1).str("producer", "copilot-agent").
		str("copilotVersion", c.s.version).str("startTime", c.now.Format(stampLayout)).str("selectedModel", model)
	c.event("session.start", c.context(o).raw("alreadyInUse", "false").raw("remoteSteerable", "false"))
	c.pass(100*time.Millisecond, time.Second)
	c.event("session.model_change", c.begin().str("source", "startup").str("newModel", model).raw("reasoningEffort", "null"))
}

// system is the prompt the CLI repeats in every process. The real one has 25 to
// 40 KB; here it takes part in the size of the log.
func (c *scribe) system() {
	n := int(min(30<<10, max(1<<10, c.s.budget/20)))
	c.event("system.message", c.begin().str("role", "system").str("content", c.lex.paragraph(c.r, n/90)))
}

func (c *scribe) resume() {
	c.pass(time.Hour, 30*time.Hour)
	o := c.begin().str("resumeTime", c.now.Format(stampLayout)).num("eventCount", c.bytes/3000).num("eventsFileSizeBytes", c.bytes)
	c.event("session.resume", c.context(o).raw("sessionWasActive", "false"))
	c.system()
}

func (c *scribe) shutdown() {
	c.pass(time.Second, 10*time.Minute)
	o := c.begin().str("shutdownType", "routine").num("totalPremiumRequests", 0).str("sessionStartTime", c.s.start.Format(stampLayout)).
		open("codeChanges").num("linesAdded", c.r.Int64N(400)).num("linesRemoved", c.r.Int64N(200)).key("filesModified")
	o = append(o, '[')
	for i, f := range c.rows.files {
		if i > 0 {
			o = append(o, ',')
		}
		o = append(o, '"')
		o = append(appendEscaped(o, f.path), '"')
	}
	o = append(o, ']').close().open("modelMetrics").open(model).open("usage").num("inputTokens", c.bytes/4).num("outputTokens", c.bytes/40).
		close().close().close().str("currentModel", model)
	c.event("session.shutdown", o)
}

func (c *scribe) info(kind, message string) {
	c.event("session.info", c.begin().str("infoType", kind).str("message", message))
}

// user is a prompt of the person; source is empty for them.
func (c *scribe) user(text, source string) {
	if source == "" {
		c.pass(5*time.Second, 20*time.Minute)
	}
	o := c.begin().str("content", text).str("transformedContent", fmt.Sprintf("<current_datetime>%s</current_datetime>\n\n%s", c.now.Format(stampLayout), text)).
		str("messageId", uuid(c.r)).str("delivery", "idle").str("interactionId", uuid(c.r)).str("turnId", "0").str("agentMode", "interactive")
	if source != "" {
		o = o.str("source", source)
	}
	c.event("user.message", o)
}

// compaction summarises the session so far into a checkpoint, with the model.*
// events the current CLI leaves around it (formats/copilot-cli.md, section 0.10).
func (c *scribe) compaction(n int) {
	k := checkpointOf(c.s, n, c.lex)
	c.pass(time.Second, time.Minute)
	attempt := uuid(c.r)
	c.event("session.compaction_start", c.begin().str("compactionAttemptId", attempt).str("model", model).num("tokenLimit", 200000).str("trigger", "threshold"))
	if size := int(c.snapshotSize()); size > 0 {
		c.event("model.turn_started", c.begin().str("kind", "turn_started").str("model", model).num("turn", 0))
		c.event("model.messages_snapshot", c.begin().str("kind", "messages_snapshot").str("messages", c.lex.paragraph(c.r, 1+size/90)))
	}
	c.pass(time.Second, time.Minute)
	k.at = c.now
	path := fmt.Sprintf("/home/dev/.copilot/session-state/%s/checkpoints/%s", c.sessionID, k.file())
	c.event("session.compaction_complete", c.begin().raw("success", "true").str("compactionAttemptId", attempt).
		num("preCompactionTokens", 150000).num("postCompactionTokens", 20000).
		str("summaryContent", k.text()+"\n\n<checkpoint_title>"+k.title+"</checkpoint_title>").num("checkpointNumber", int64(n)).str("checkpointPath", path))
	c.rows.checkpoints = append(c.rows.checkpoints, k)
}

// subagent is a helper of the agent: its events carry its id, its prompt names
// the session as its source.
func (c *scribe) subagent() {
	call := "call_" + c.opaque(24)
	c.agent = uuid(c.r)
	c.event("subagent.started", c.begin().str("toolCallId", call).str("agentName", "explore").str("agentDisplayName", "Explore").str("agentDescription", c.lex.task(c.r)))
	c.user(c.lex.task(c.r), "agent-"+c.s.id)
	c.step(stepArgs{turn: 0, text: "", calls: 1})
	c.step(stepArgs{turn: 1, text: c.lex.answer(c.r)})
	c.event("subagent.completed", c.begin().str("toolCallId", call).str("agentName", "explore").num("totalToolCalls", 1))
	c.agent = ""
}
