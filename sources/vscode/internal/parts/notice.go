package parts

import (
	"cmp"
	"net/url"
	"regexp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/uri"
)

// notice takes in the kinds that tell the person something beside the answer, and
// reports whether the kind is one of them.
func (r *reader) notice(kind string, p *tree.Node) bool {
	switch kind {
	case "warning":
		r.block(lead("Warning:", said(p.Get("content"))))
	case "info":
		r.block(lead("Note:", said(p.Get("content"))))
	case "systemNotification":
		r.block(lead("Notification:", said(p.Get("content"))))
	case "hook":
		r.block(lead("Warning:", oneLine(p.Get("stopReason").Text())))
	case "progressTask", "progressTaskSerialized":
		r.block(aside(said(p.Get("content"))))
	case "command":
		r.block(aside(oneLine(p.Get("command").Get("title").Text())))
	case "confirmation":
		r.block(titled(p.Get("title"), said(p.Get("message"))))
	case "elicitationSerialized", "elicitation", "elicitation2":
		r.elicitation(p)
	case "questionCarousel":
		r.questions(p)
	case "planReview":
		r.planReview(p)
	case "treeData":
		r.block(treeList(p.Get("treeData")))
	case "pullRequest":
		r.pullRequest(p)
	default:
		return false
	}
	return true
}

// bold writes a lead-in.
func bold(s string) string {
	if s = oneLine(strings.ReplaceAll(s, "*", "")); s == "" {
		return ""
	}
	return "**" + s + "**"
}

// aside writes what is said in passing.
func aside(s string) string {
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
func titled(title *tree.Node, text string) string {
	label := plain(title)
	if label == "" || text == "" || label == text {
		return cmp.Or(bold(label), text)
	}
	return lead(label, text)
}

// elicitation tells what a tool asked the person for, and the answer.
func (r *reader) elicitation(p *tree.Node) {
	if hidden, _ := p.Get("isHidden").Bool(); hidden {
		return
	}
	text := titled(p.Get("title"), strings.TrimSpace(said(p.Get("subtitle"))+"\n\n"+said(p.Get("message"))))
	if answer := oneLine(p.Get("state").Text()); answer != "" {
		text += "\n\n" + lead("Answer:", answer)
	}
	var given []string
	for name, value := range p.Get("acceptedResult").Members() {
		if s := answerText(value); s != "" {
			given = append(given, "- "+oneLine(name)+": "+s)
		}
	}
	if len(given) > 0 {
		text += "\n\n" + strings.Join(given, "\n")
	}
	r.block(text)
}

// planReview puts a plan, and what the person made of it, on the page.
func (r *reader) planReview(p *tree.Node) {
	content := strings.TrimSpace(markdown(p.Get("content")))
	title := plain(p.Get("title"))
	if first, _, _ := strings.Cut(content, "\n"); strings.TrimSpace(strings.TrimLeft(first, "# ")) != title {
		r.block(bold(title))
	}
	r.block(content)
	data := p.Get("data")
	answer := []string{lead("Decision:", decisionOf(p)), lead("Feedback:", said(data.Get("feedback")))}
	for _, a := range answer {
		r.block(a)
	}
	if no, _ := data.Get("rejected").Bool(); no || content == "" {
		return // nobody is to follow it
	}
	text := strings.TrimSpace(content + "\n\n" + strings.TrimSpace(strings.Join(answer, "\n\n")))
	r.out.Plans = append(r.out.Plans, sources.Artifact{Kind: sources.Plan, Name: "plan-review.md", Text: text, Size: int64(len(text))})
}

// decisionOf is what the person chose, in the words of the button.
func decisionOf(p *tree.Node) string {
	data := p.Get("data")
	if no, _ := data.Get("rejected").Bool(); no {
		return "rejected"
	}
	decision := data.Get("action").Text()
	for _, a := range p.Get("actions").Items() {
		if id := a.Get("id").Text(); id != "" && id == decision {
			decision = cmp.Or(a.Get("label").Text(), decision)
		}
	}
	return oneLine(decision)
}

// maxTree is how deep a tree of files is shown.
const maxTree = 12

// treeList writes a tree of files as a nested list.
func treeList(root *tree.Node) string {
	var b strings.Builder
	var walk func(n *tree.Node, depth int)
	walk = func(n *tree.Node, depth int) {
		name := oneLine(cmp.Or(n.Get("label").Text(), fileName(n.Get("uri"))))
		if name == "" || depth > maxTree {
			return
		}
		b.WriteString(strings.Repeat("  ", depth) + "- " + codeSpan(name) + "\n")
		for _, c := range n.Get("children").Items() {
			walk(c, depth+1)
		}
	}
	walk(root, 0)
	return b.String()
}

// pullPath is the path of a pull or merge request on a forge.
var pullPath = regexp.MustCompile(`^/(.+?)/(?:-/)?(?:pull|pulls|merge_requests|pullrequest|pull-requests)/(\d{1,9})(?:/|$)`)

// pullRequest links a pull request, as a part or as what a tool made.
func (r *reader) pullRequest(p *tree.Node) {
	r.block(r.pullLine(p))
}

func (r *reader) pullLine(p *tree.Node) string {
	title, tag := oneLine(p.Get("title").Text()), oneLine(p.Get("linkTag").Text())
	at := p.Get("uri")
	if !at.Has() {
		at = p.Get("command").Get("arguments").At(0)
	}
	u, ok := uri.Of(at)
	web := ok && (u.Scheme == "https" || u.Scheme == "http")
	ref := sources.Ref{Type: sources.PR, Value: strings.TrimLeft(tag, "#!"), Text: title, Turn: -1}
	if m := pullPath.FindStringSubmatch(u.Path); web && m != nil {
		ref.Value, ref.Repo = m[2], strings.ToLower(u.Authority)+"/"+m[1]
	}
	if number.MatchString(ref.Value) {
		r.out.Refs = append(r.out.Refs, ref)
		tag = cmp.Or(tag, "#"+ref.Value)
	}
	label := strings.TrimSpace(tag + " " + title)
	switch {
	case label == "":
		return ""
	case web:
		label = "[" + unbracketed.Replace(label) + "](" + bracketed(webAddress(at, u)) + ")"
	}
	if author := oneLine(p.Get("author").Text()); author != "" {
		label += " by " + author
	}
	return lead("Pull request:", label)
}

var (
	number      = regexp.MustCompile(`^[1-9]\d{0,8}$`)
	unbracketed = strings.NewReplacer("[", `\[`, "]", `\]`, `\`, `\\`)
)

// bracketed makes an address safe within the brackets of a link.
func bracketed(address string) string {
	if u, err := url.Parse(address); err == nil {
		address = u.String()
	}
	return strings.NewReplacer("(", "%28", ")", "%29").Replace(address)
}
