package chat

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// answer is what the parts of one response come to. Turn of its files and refs
// is -1: the caller knows which turn it is.
type answer struct {
	Text     string              // visible text in order
	Tools    []sources.Tool      // After is a byte offset in Text
	Todos    []sources.Todo      // of the last todo list
	HasTodos bool                // there was a list, perhaps an empty one
	Files    []sources.FileTouch // each path and kind once
	Plan     *sources.Artifact   // of the last plan review
	Refs     []sources.Ref       // pull requests
	Model    string              // resolved for "auto", empty where it was not
	Unknown  map[string]int      // kinds of parts that are not known; nil: none
}

// reader goes through the parts of one response.
type reader struct {
	out     answer
	page    page
	calls   map[*chatlog.Part]*chatlog.Call
	nested  nesting
	touched fileList

	edited   map[string]bool // files told as edited at the end of the page
	editedAt int             // where the page ended then
	listedAt int             // where the page ended with a list of changed files
}

// readAnswer reads a response, a list of parts of many kinds, as what a turn says and
// does. calls are those of its result, see callsOf.
func readAnswer(response chatlog.Response, calls []*chatlog.Call) answer {
	r := &reader{calls: join(response.Parts, calls), edited: map[string]bool{}}
	r.page.text(response.Text)
	for _, p := range response.Parts {
		if p != nil { // a place that padding left
			r.part(p)
		}
	}
	r.out.Text = r.page.String()
	for i := range r.out.Tools {
		r.out.Tools[i].After = min(r.out.Tools[i].After, len(r.out.Text))
	}
	r.nested.resolve(r.out.Tools)
	r.out.Files = r.touched.list()
	return r.out
}

// part takes in one part. Text and references flow on, most other kinds are
// blocks; bookkeeping of the editor says nothing and breaks nothing.
func (r *reader) part(p *chatlog.Part) {
	if take := kinds[p.Kind]; take != nil {
		take(r, p)
	} else if said := notices[p.Kind]; said != nil {
		r.block(said(p))
	} else if !slices.Contains(silent, p.Kind) {
		r.unknown(p.Kind)
		r.page.pause()
	}
}

// kinds are those of parts that are more than a block.
var kinds = map[string]func(*reader, *chatlog.Part){
	"":                         (*reader).untyped,
	"markdownContent":          (*reader).content,
	"markdownVuln":             (*reader).content,
	"inlineReference":          (*reader).reference,
	"toolInvocationSerialized": (*reader).tool,
	"toolInvocation":           (*reader).tool,
	"thinking":                 func(r *reader, _ *chatlog.Part) { r.page.pause() },
	"codeblockUri":             (*reader).codeBlock,
	"textEditGroup":            (*reader).editGroup,
	"notebookEditGroup":        (*reader).editGroup,
	"multiDiffData":            (*reader).multiDiff,
	"externalEdit":             (*reader).externalEdit,
	"workspaceEdit":            (*reader).workspaceEdit,
	"autoModeResolution":       (*reader).autoMode,
	"elicitationSerialized":    (*reader).elicitation,
	"elicitation":              (*reader).elicitation,
	"elicitation2":             (*reader).elicitation,
	"questionCarousel":         (*reader).questions,
	"planReview":               (*reader).planReview,
	"pullRequest":              (*reader).pullRequest,
}

// silent are the kinds that are known and say nothing to a reader.
var silent = strings.Fields(`undoStop prepareToolInvocation progressMessage progressTaskResult mcpServersStarting
	mcpAuthenticationRequired mcpServersStartingSlow voiceProgress disabledClaudeHooks extensions
	clearToPreviousToolInvocation reference usedContext codeCitation usage move externalEdits`)

func (r *reader) content(p *chatlog.Part) { r.page.text(markdown(p.Content)) }

func (r *reader) autoMode(p *chatlog.Part) {
	r.out.Model = cmp.Or(p.ResolvedModel, p.Resolved.ID, p.Resolved.Name, p.ResolvedModelName, r.out.Model)
}

// untyped reads a part without a kind: text, or the root of a tree.
func (r *reader) untyped(p *chatlog.Part) {
	switch {
	case p.Value != nil:
		text := *p.Value
		text.Icons = text.Icons || p.Icons
		r.page.text(markdown(&text))
	case p.Content != nil:
		r.content(p)
	case p.TreeData != nil:
		r.block(treeList(p.TreeData))
	case p.Label != "" && p.URI.IsSet():
		r.block(treeList(&chatlog.Tree{Label: p.Label, URI: p.URI, Children: p.Children}))
	default:
		r.unknown("part without a kind")
	}
}

func (r *reader) unknown(kind string) {
	if r.out.Unknown == nil {
		r.out.Unknown = make(map[string]int)
	}
	r.out.Unknown[words.OneLine(kind, nameSize)]++
}

// block puts a paragraph on the page, if there is anything in it.
func (r *reader) block(text string) {
	if strings.TrimSpace(text) != "" {
		r.page.block(text)
	}
}
