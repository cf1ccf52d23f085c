package chat

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

type reader struct {
	*converter
	turn  *builder.Turn
	page  page
	model string // resolved for "auto", or ""

	calls   map[*chatlog.Part]*chatlog.Call // calls of the rounds, with their parameters
	inside  map[string]int                  // number of calls by sub-agents
	told    map[tools.Does]bool             // effects of calls that other parts have
	waits   bool                            // the request has no end
	waiting *chatlog.Part                   // the last part, or nil
	made    map[string]bool                 // files that calls created

	label  string          // goes before the answer
	failed string          // the client's words about an error, not an answer
	edited map[string]bool // files last shown as edited
	listed bool            // the last part was a list of changed files
}

// silent are the known kinds that show nothing.
var silent = strings.Fields(`undoStop prepareToolInvocation progressMessage progressTaskResult mcpServersStarting
	mcpAuthenticationRequired mcpServersStartingSlow voiceProgress disabledClaudeHooks extensions
	clearToPreviousToolInvocation reference usedContext codeCitation usage move externalEdits`)

// answer reads a response, a list of parts of many kinds, into a turn. label goes before it. newest says that
// no request follows. It returns the model that was resolved for "auto".
func (c *converter) answer(t *builder.Turn, req *chatlog.Request, label string, newest bool) string {
	r := &reader{converter: c, turn: t, made: map[string]bool{}, label: label, failed: strings.TrimSpace(errorOf(req).Message)}
	parts := slices.DeleteFunc(slices.Clone(req.Response.Parts), func(p *chatlog.Part) bool { return p == nil }) // left by padding
	r.join(parts, resultOf(req))
	status, _ := statusOf(req, false)
	r.waits = newest && status == sources.Pending
	for _, p := range parts {
		if r.waits && p.Kind != "thinking" && !slices.Contains(silent, p.Kind) {
			r.waiting = p
		}
	}
	r.page.text(req.Response.Text)
	for _, p := range parts {
		r.part(p)
	}
	r.flush()
	return r.model
}

// say adds a paragraph unless it is empty.
func (r *reader) say(text string) {
	if text = strings.TrimRight(text, " \t\r\n"); strings.TrimSpace(text) == "" || text == r.failed {
		return
	}
	r.begin()
	r.edited, r.listed = nil, false
	r.turn.Say(text, builder.Answer)
}

// begin adds the label before the first output.
func (r *reader) begin() {
	r.turn.Say(r.label, builder.Answer)
	r.label = ""
}

func (r *reader) flush() { r.say(r.page.end()) }

func (r *reader) pause() {
	if f, _ := r.page.open(); f.size == 0 {
		r.flush()
	}
}

// block adds a paragraph, a list, … of its own.
func (r *reader) block(text string) {
	if strings.TrimSpace(text) != "" {
		r.flush()
		r.page.write(text)
		r.flush()
	}
}

// notices are the prefixes of the editor's notices.
var notices = map[string]string{"warning": "Warning:", "info": "Note:", "systemNotification": "Notification:"}

// part records one part. Texts are joined, most others are blocks, bookkeeping shows nothing.
func (r *reader) part(p *chatlog.Part) {
	switch p.Kind {
	case "":
		r.untyped(p)
	case "markdownContent", "markdownVuln":
		r.page.text(markdown(p.Content))
	case "inlineReference":
		r.reference(p)
	case "toolInvocationSerialized", "toolInvocation":
		r.tool(p)
	case "thinking":
		r.pause()
	case "codeblockUri": // VS Code writes an empty code block around an edit
		if line, _ := r.page.bare(); line != "" {
			r.flush()
			if name := fileName(p.URI); !p.IsEdit {
				r.say(codeSpan(name) + strings.Repeat(":", min(len(name), 1)))
				r.page.taken = ""
				r.page.write(line + "\n")
			}
		}
	case "textEditGroup", "notebookEditGroup":
		r.editGroup(p)
	case "multiDiffData":
		r.multiDiff(p)
	case "externalEdit":
		before, after, kind := p.OriginalURI, p.URI, tools.ChangeKind(p.EditKind)
		switch kind {
		case sources.Edited:
			before = after
		case sources.Deleted:
			before, after = after, editor.URI{}
		}
		r.changed("", kind, before, after, p.Diff)
	case "workspaceEdit":
		for _, e := range p.Edits {
			r.changed("", sources.Renamed, e.OldResource, e.NewResource, chatlog.Lines{})
		}
	case "autoModeResolution":
		r.model = cmp.Or(p.ResolvedModel, p.Resolved.ID, p.Resolved.Name, p.ResolvedModelName, r.model)
	case "elicitationSerialized", "elicitation", "elicitation2":
		r.elicitation(p)
	case "questionCarousel":
		r.questions(p)
	case "planReview":
		r.planReview(p)
	case "confirmation":
		r.confirmation(p)
	case "pullRequest":
		line, ref := pullLine(&chatlog.ToolData{Title: markdown(p.Title), LinkTag: p.LinkTag, URI: p.URI, Command: p.Command, Author: p.Author})
		r.Refer(ref)
		r.block(line)
	case "warning", "info", "systemNotification":
		r.block(lead(notices[p.Kind], said(p.Content)))
	case "hook":
		r.block(lead("Warning:", oneLine(p.StopReason)))
	case "progressTask", "progressTaskSerialized":
		r.block(inPassing(said(p.Content)))
	case "command":
		r.block(inPassing(oneLine(p.Command.Title)))
	case "treeData":
		r.block(treeList(cmp.Or(p.TreeData, &chatlog.Tree{})))
	default:
		if !slices.Contains(silent, p.Kind) {
			r.unknown[words.OneLine(p.Kind, 200)]++
			r.pause()
		}
	}
}

// untyped reads a part without a kind: text, or the root of a tree.
func (r *reader) untyped(p *chatlog.Part) {
	switch {
	case p.Value != nil:
		text := *p.Value
		text.Icons = text.Icons || p.Icons
		r.page.text(markdown(&text))
	case p.Content != nil:
		r.page.text(markdown(p.Content))
	case p.TreeData != nil, p.Label != "" && p.URI.IsSet():
		r.block(treeList(cmp.Or(p.TreeData, &p.Tree)))
	default:
		r.unknown["part without a kind"]++
	}
}

// tell records a question to the person, and their decision. Without an answer it is pending if nothing follows.
func (r *reader) tell(p *chatlog.Part, a sources.Act) {
	if a.Pending = p == r.waiting && a.Answer == "" && a.Verdict == ""; a.Text != "" {
		r.Tell(a)
	}
}

// questions adds questions to the person, and their answers, to the page.
func (r *reader) questions(p *chatlog.Part) {
	var b strings.Builder
	for _, q := range p.Questions {
		title, ask := plain(q.Title), plain(q.Message)
		line := cmp.Or(bold(title), ask, bold(q.ID))
		switch {
		case line == "":
			continue
		case title != "" && ask != "" && ask != title:
			line = lead(strings.TrimSuffix(title, ":")+":", ask)
		}
		given, told := p.Data.Find(q.ID)
		if !told && q.Title != nil {
			given = p.Data.Get(q.Title.Value)
		}
		act := sources.Act{Kind: sources.ActAsked, Text: cmp.Or(ask, title, q.ID), Answer: chosen(given, q.Options)}
		if p.IsUsed && p.Data.Len() == 0 {
			act.Verdict = sources.Rejected
		}
		r.tell(p, act)
		b.WriteString("- " + line + "\n  - " + cmp.Or(act.Answer, "*no answer*") + "\n")
	}
	if b.Len() > 0 {
		r.block(said(p.Message))
		r.block(b.String())
	}
}

// elicitation adds a tool's request to the person, and the answer, to the page.
func (r *reader) elicitation(p *chatlog.Part) {
	if p.IsHidden {
		return
	}
	r.block(titled(p.Title, strings.TrimSpace(said(p.Subtitle)+"\n\n"+said(p.Message))))
	r.block(lead("Answer:", oneLine(p.State)))
	list, given := "", []string(nil)
	for name, value := range p.AcceptedResult.All() {
		if s := chosen(value, nil); s != "" {
			list, given = list+"- "+oneLine(name)+": "+s+"\n", append(given, s)
		}
	}
	r.block(list)
	act := sources.Act{Kind: sources.ActAsked, Text: strings.TrimSpace(plain(p.Title) + " " + plain(p.Message))}
	switch p.State {
	case "accepted":
		act.Answer = cmp.Or(strings.Join(given, ", "), p.State)
	case "rejected":
		act.Verdict = sources.Rejected
	}
	r.tell(p, act)
}

// confirmation adds a question with buttons to the page. The next request says which one was clicked.
func (r *reader) confirmation(p *chatlog.Part) {
	r.block(titled(p.Title, said(p.Message)))
	if _, own := p.Data.Find("copilotRequestedRoundLimit"); own { // asks whether to continue
		return
	}
	r.confirm = cmp.Or(plain(p.Title), plain(p.Message))
	if p == r.waiting && !p.IsUsed {
		r.tell(p, sources.Act{Kind: sources.ActAsked, Text: r.confirm})
	}
}

// planReview adds a plan, and the person's decision, to the page. A rejected plan is not to be followed.
func (r *reader) planReview(p *chatlog.Part) {
	content, title := strings.TrimSpace(markdown(p.Content)), plain(p.Title)
	if first, _, _ := strings.Cut(content, "\n"); strings.TrimSpace(strings.TrimLeft(first, "# ")) != title {
		r.block(bold(title))
	}
	r.block(content)
	decision, feedback := chosen(p.Data.Get("action"), p.Actions), ""
	verdict := map[bool]sources.Verdict{true: sources.Accepted}[decision != ""]
	if chosen(p.Data.Get("rejected"), nil) == "yes" {
		decision, verdict = "rejected", sources.Rejected
	}
	for _, value := range p.Data.Get("feedback") {
		feedback += said(&chatlog.Markdown{Value: value.String()})
	}
	answer := strings.TrimSpace(lead("Decision:", decision) + "\n\n" + lead("Feedback:", feedback))
	r.block(answer)
	r.tell(p, sources.Act{Kind: sources.ActPlanned, Text: cmp.Or(builder.TitleOf(content), title), Answer: feedback, Verdict: verdict})
	if verdict != sources.Rejected && content != "" {
		r.Artifact(sources.Artifact{Kind: sources.Plan, Name: "plan-review.md", Text: strings.TrimSpace(content + "\n\n" + answer)})
	}
}

func treeList(root *chatlog.Tree) string {
	const deepest = 12
	var b strings.Builder
	var walk func(n *chatlog.Tree, depth int)
	walk = func(n *chatlog.Tree, depth int) {
		if name := oneLine(cmp.Or(n.Label, fileName(n.URI))); name != "" && depth <= deepest {
			b.WriteString(strings.Repeat("  ", depth) + "- " + codeSpan(name) + "\n")
			for i := range n.Children {
				walk(&n.Children[i], depth+1)
			}
		}
	}
	walk(root, 0)
	return b.String()
}
