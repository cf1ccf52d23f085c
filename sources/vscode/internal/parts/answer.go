// Package parts reads the response of one chat request of VS Code, a list of
// parts of many kinds, as what a turn says and does
// (formats/vscode-copilot-chat.md, sections 2.5 to 2.7).
package parts

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// Answer is what the parts of one response come to. Turn of its files and refs
// is -1: the caller knows which turn it is.
type Answer struct {
	Text     string              // visible text in order
	Tools    []sources.Tool      // After is a byte offset in Text
	Todos    []sources.Todo      // of the last todo list
	HasTodos bool                // there was a list, perhaps an empty one
	Files    []sources.FileTouch // each path and kind once
	Plans    []sources.Artifact  // plan reviews in order; the last one counts
	Refs     []sources.Ref       // pull requests
	Model    string              // resolved for "auto", empty where it was not
	Unknown  map[string]int      // kinds of parts that are not known; nil: none
}

// reader goes through the parts of one response.
type reader struct {
	out     Answer
	page    page
	calls   map[*tree.Node]*Call
	nested  nesting
	touched touches

	edited   map[string]bool // files told as edited at the end of the page
	editedAt int             // where the page ended then
	listedAt int             // where the page ended with a list of changed files
}

// Read reads the parts of a response: an array of them, or text, or several
// texts, as the oldest files have it. calls are those of its result, see [Calls].
func Read(response *tree.Node, calls []Call) Answer {
	parts := response.Items()
	if response.Kind() != tree.Array {
		parts = []*tree.Node{response}
	}
	r := &reader{calls: join(parts, calls), edited: map[string]bool{}}
	for _, p := range parts {
		r.part(p)
	}
	r.out.Text = r.page.String()
	for i := range r.out.Tools {
		r.out.Tools[i].After = min(r.out.Tools[i].After, len(r.out.Text))
	}
	r.nested.settle(r.out.Tools)
	r.out.Files = r.touched.list()
	return r.out
}

// part takes in one part. Text and references flow on, most other kinds are
// blocks; bookkeeping of the editor says nothing and breaks nothing.
func (r *reader) part(p *tree.Node) {
	switch p.Kind() {
	case tree.String:
		r.page.text(p.Text())
		return
	case tree.Object:
	case 0, tree.Null: // a place that padding left
		return
	default:
		r.unknown("part that is no object")
		return
	}
	switch kind := p.Get("kind").Text(); kind {
	case "":
		r.untyped(p)
	case "markdownContent", "markdownVuln":
		r.page.text(markdown(p.Get("content")))
	case "inlineReference":
		r.reference(p)
	case "toolInvocationSerialized", "toolInvocation":
		r.tool(p)
	case "thinking":
		r.page.pause()
	case "codeblockUri":
		r.codeBlock(p)
	case "textEditGroup", "notebookEditGroup":
		r.editGroup(p)
	case "multiDiffData":
		r.multiDiff(p.Get("multiDiffData"))
	case "externalEdit":
		r.externalEdit(p)
	case "workspaceEdit":
		r.workspaceEdit(p)
	case "autoModeResolution":
		to := p.Get("resolved")
		r.out.Model = cmp.Or(p.Get("resolvedModel").Text(), to.Get("id").Text(), to.Get("name").Text(), to.Text(),
			p.Get("resolvedModelName").Text(), r.out.Model)
	default:
		if !r.notice(kind, p) && !silent(kind) {
			r.unknown(kind)
			r.page.pause()
		}
	}
}

// untyped reads a part without a kind: text, or the root of a tree.
func (r *reader) untyped(p *tree.Node) {
	switch {
	case p.Get("value").Kind() == tree.String:
		r.page.text(markdown(p))
	case p.Get("value").Kind() == tree.Object:
		r.page.text(markdown(p.Get("value")))
	case p.Get("content").Has():
		r.page.text(markdown(p.Get("content")))
	case p.Get("treeData").Has():
		r.block(treeList(p.Get("treeData")))
	case p.Get("label").Has() && p.Get("uri").Has():
		r.block(treeList(p))
	case p.Len() > 0 && !onlyMarkdown(p):
		r.unknown("part without a kind")
	}
}

// onlyMarkdown tells that a part is text whose value was empty and left out.
func onlyMarkdown(p *tree.Node) bool {
	for name := range p.Members() {
		switch name {
		case "value", "isTrusted", "supportThemeIcons", "supportHtml", "supportAlertSyntax", "baseUri", "uris":
		default:
			return false
		}
	}
	return true
}

// silent are the kinds that are known and say nothing to a reader.
func silent(kind string) bool {
	switch kind {
	case "undoStop", "prepareToolInvocation", "progressMessage", "progressTaskResult", "mcpServersStarting",
		"mcpAuthenticationRequired", "mcpServersStartingSlow", "voiceProgress", "disabledClaudeHooks", "extensions",
		"clearToPreviousToolInvocation", "reference", "usedContext", "codeCitation", "usage", "move", "externalEdits":
		return true
	}
	return false
}

func (r *reader) unknown(kind string) {
	if r.out.Unknown == nil {
		r.out.Unknown = make(map[string]int)
	}
	r.out.Unknown[clip(oneLine(kind), nameSize)]++
}

// block puts a paragraph on the page, if there is anything in it.
func (r *reader) block(text string) {
	if strings.TrimSpace(text) != "" {
		r.page.block(text)
	}
}
