package chat

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// notices are the kinds of parts that tell the person something beside the answer, as a
// block.
var notices = map[string]func(*chatlog.Part) string{
	"warning":                func(p *chatlog.Part) string { return lead("Warning:", said(p.Content)) },
	"info":                   func(p *chatlog.Part) string { return lead("Note:", said(p.Content)) },
	"systemNotification":     func(p *chatlog.Part) string { return lead("Notification:", said(p.Content)) },
	"hook":                   func(p *chatlog.Part) string { return lead("Warning:", oneLine(p.StopReason)) },
	"progressTask":           func(p *chatlog.Part) string { return inPassing(said(p.Content)) },
	"progressTaskSerialized": func(p *chatlog.Part) string { return inPassing(said(p.Content)) },
	"command":                func(p *chatlog.Part) string { return inPassing(oneLine(p.Command.Title)) },
	"confirmation":           func(p *chatlog.Part) string { return titled(p.Title, said(p.Message)) },
	"treeData":               func(p *chatlog.Part) string { return treeList(p.TreeData) },
}

func (r *reader) pullRequest(p *chatlog.Part) {
	r.block(r.pullLine(&chatlog.ToolData{Title: markdown(p.Title), LinkTag: p.LinkTag, URI: p.URI, Command: p.Command, Author: p.Author}))
}

// bold writes a lead-in.
func bold(s string) string {
	if s = oneLine(strings.ReplaceAll(s, "*", "")); s == "" {
		return ""
	}
	return "**" + s + "**"
}

// inPassing writes what is said in passing.
func inPassing(s string) string {
	if s == "" || strings.ContainsAny(s, "*_`\n") {
		return s
	}
	return "*" + s + "*"
}

// lead puts a lead-in before a text; empty where there is no text.
func lead(label, text string) string {
	switch text = strings.TrimSpace(text); {
	case text == "":
		return ""
	case strings.Contains(text, "\n"):
		return bold(label) + "\n\n" + text
	}
	return bold(label) + " " + text
}

// titled puts a title, itself a message, before a text.
func titled(title *chatlog.Markdown, text string) string {
	label := plain(title)
	if label == "" || text == "" || label == text {
		return cmp.Or(bold(label), text)
	}
	return lead(label, text)
}

// elicitation tells what a tool asked the person for, and the answer.
func (r *reader) elicitation(p *chatlog.Part) {
	if p.IsHidden {
		return
	}
	r.block(titled(p.Title, strings.TrimSpace(said(p.Subtitle)+"\n\n"+said(p.Message))))
	r.block(lead("Answer:", oneLine(p.State)))
	var given strings.Builder
	for name, value := range p.AcceptedResult.All() {
		if s := answerText(value); s != "" {
			given.WriteString("- " + oneLine(name) + ": " + s + "\n")
		}
	}
	r.block(given.String())
}

// planReview puts a plan, and what the person made of it, on the page.
func (r *reader) planReview(p *chatlog.Part) {
	content := strings.TrimSpace(markdown(p.Content))
	title := plain(p.Title)
	if first, _, _ := strings.Cut(content, "\n"); strings.TrimSpace(strings.TrimLeft(first, "# ")) != title {
		r.block(bold(title))
	}
	r.block(content)
	feedback := p.Data.Get("feedback")
	answer := []string{
		lead("Decision:", decisionOf(p)), lead("Feedback:", said(&chatlog.Markdown{Value: cmp.Or(feedback.Value.String(), feedback.Markdown)})),
	}
	for _, a := range answer {
		r.block(a)
	}
	if isRejected(p) || content == "" {
		return // nobody is to follow it
	}
	text := strings.TrimSpace(content + "\n\n" + strings.TrimSpace(strings.Join(answer, "\n\n")))
	r.out.Plan = &sources.Artifact{Kind: sources.Plan, Name: "plan-review.md", Text: text, Size: int64(len(text))}
}

// decisionOf is what the person chose, in the words of the button.
func decisionOf(p *chatlog.Part) string {
	if isRejected(p) {
		return "rejected"
	}
	decision := p.Data.Get("action").Value.String()
	for _, a := range p.Actions {
		if a.ID != "" && a.ID == decision {
			decision = cmp.Or(a.Label, decision)
		}
	}
	return oneLine(decision)
}

func isRejected(p *chatlog.Part) bool { return p.Data.Get("rejected").Value.Kind == 't' }

// maxTree is how deep a tree of files is shown.
const maxTree = 12

// treeList writes a tree of files as a nested list; nil: there is none.
func treeList(root *chatlog.Tree) string {
	if root == nil {
		return ""
	}
	var b strings.Builder
	var walk func(n chatlog.Tree, depth int)
	walk = func(n chatlog.Tree, depth int) {
		name := oneLine(cmp.Or(n.Label, fileName(n.URI)))
		if name == "" || depth > maxTree {
			return
		}
		b.WriteString(strings.Repeat("  ", depth) + "- " + codeSpan(name) + "\n")
		for _, c := range n.Children {
			walk(c, depth+1)
		}
	}
	walk(*root, 0)
	return b.String()
}

// pullPath is the path of a pull or merge request on a forge.
var pullPath = pattern.Lazy(`^/(.+?)/(?:-/)?(?:pull|pulls|merge_requests|pullrequest|pull-requests)/(\d{1,9})(?:/|$)`)

// pullLine links a pull request that a tool made.
func (r *reader) pullLine(p *chatlog.ToolData) string {
	title, tag := oneLine(p.Title), oneLine(p.LinkTag)
	u := p.URI
	if !u.IsSet() && len(p.Command.Arguments) > 0 {
		u = p.Command.Arguments[0]
	}
	web := u.IsWeb()
	ref := sources.Ref{Type: sources.PR, Value: strings.TrimLeft(tag, "#!"), Text: title, Turn: -1}
	if m := pullPath().FindStringSubmatch(u.Path); web && m != nil {
		ref.Value, ref.Repo = m[2], strings.ToLower(u.Authority)+"/"+m[1]
	}
	if number().MatchString(ref.Value) {
		r.out.Refs = append(r.out.Refs, ref)
		tag = cmp.Or(tag, "#"+ref.Value)
	}
	label := strings.TrimSpace(tag + " " + title)
	switch {
	case label == "":
		return ""
	case web:
		label = "[" + unbracketed.Replace(label) + "](" + bracketed(u.Link()) + ")"
	}
	if author := oneLine(p.Author); author != "" {
		label += " by " + author
	}
	return lead("Pull request:", label)
}

var (
	number      = pattern.Lazy(`^[1-9]\d{0,8}$`)
	unbracketed = strings.NewReplacer("[", `\[`, "]", `\]`, `\`, `\\`)
)

// bracketed makes an address safe within the brackets of a link.
func bracketed(address string) string {
	if u, err := url.Parse(address); err == nil {
		address = u.String()
	}
	return strings.NewReplacer("(", "%28", ")", "%29").Replace(address)
}
