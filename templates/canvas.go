package templates

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/templates/escape"
)

// Canvas shows notes and cards with arrows (JSON Canvas 1.0): on top the project's page, below it the groups,
// then the files.
type Canvas struct {
	Top    CanvasNote
	Groups []CanvasGroup
	Files  []CanvasNote
	Arrows []CanvasArrow
}

// CanvasNote shows a note.
type CanvasNote struct {
	ID   string // 16 hex digits, unique in the canvas
	Path string // relative to the vault's root, with ".md"
}

// CanvasSession is the card of a session.
type CanvasSession struct {
	ID   string // like a note's
	Row  SessionRow
	Open int // number of open items
}

// CanvasGroup is a box around cards.
type CanvasGroup struct {
	ID       string
	Label    string
	Sessions []CanvasSession
}

// CanvasArrow leads from a card to a note, by id.
type CanvasArrow struct{ ID, From, To string }

const (
	nodeWidth, nodeHeight = 400, 220
	fileWidth, fileHeight = 320, 160
	canvasGap             = 60
	groupRows             = 5 // cards in a column
	canvasRows            = 6 // files in a row of narrow groups
)

type canvasNode struct {
	ID     string `json:"id"`
	Type   string `json:"type"`
	File   string `json:"file,omitempty"`
	Text   string `json:"text,omitempty"`
	Label  string `json:"label,omitempty"`
	X      int    `json:"x"`
	Y      int    `json:"y"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Color  string `json:"color,omitempty"`
}

type canvasEdge struct {
	ID       string `json:"id"`
	FromNode string `json:"fromNode"`
	FromSide string `json:"fromSide"`
	ToNode   string `json:"toNode"`
	ToSide   string `json:"toSide"`
}

// Text writes the canvas as Obsidian does, a note or arrow a line.
func (c Canvas) Text() string {
	edges := make([]canvasEdge, len(c.Arrows))
	for i, a := range c.Arrows {
		edges[i] = canvasEdge{ID: a.ID, FromNode: a.From, FromSide: "bottom", ToNode: a.To, ToSide: "top"}
	}
	return "{\n\t\"nodes\":[" + jsonLines(c.nodes()) + "],\n\t\"edges\":[" + jsonLines(edges) + "]\n}\n"
}

func jsonLines[T any](list []T) string {
	if len(list) == 0 {
		return ""
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, v := range list {
		_ = e.Encode(v) // texts and numbers never fail
	}
	return "\n\t\t" + strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", ",\n\t\t") + "\n\t"
}

// text returns the text of a card: the session, its outcome, its time, and its open items.
func (s CanvasSession) text() string {
	foot := []string{date(s.Row.At), open(s.Open)}
	lines := []string{s.Row.Link.String(), escape.Inline(string(s.Row.What)), strings.Join(slices.DeleteFunc(foot, isEmpty), " · ")}
	return strings.Join(slices.DeleteFunc(lines, isEmpty), "\n\n")
}

func isEmpty(s string) bool { return s == "" }

// nodes returns the groups, behind everything else, the cards and the notes.
func (c Canvas) nodes() []canvasNode {
	var groups, notes []canvasNode
	x, bottom := 0, 0
	for _, g := range c.Groups {
		columns := (len(g.Sessions) + groupRows - 1) / groupRows
		rows := min(len(g.Sessions), groupRows)
		group := canvasNode{ID: g.ID, Type: "group", Label: escape.OneLine(g.Label), X: x, Y: 0,
			Width:  columns*(nodeWidth+canvasGap) + canvasGap,
			Height: rows*(nodeHeight+canvasGap) + canvasGap}
		for i, s := range g.Sessions {
			notes = append(notes, canvasNode{ID: s.ID, Type: "text", Text: s.text(),
				X: x + canvasGap + i/groupRows*(nodeWidth+canvasGap), Y: canvasGap + i%groupRows*(nodeHeight+canvasGap),
				Width: nodeWidth, Height: nodeHeight})
		}
		groups = append(groups, group)
		x += group.Width + canvasGap
		bottom = max(bottom, group.Height)
	}
	top := canvasNode{ID: c.Top.ID, Type: "file", File: c.Top.Path, X: 0, Y: -2*nodeHeight - canvasGap, Width: 2 * nodeWidth, Height: 2 * nodeHeight, Color: "6"}
	notes = append(append(groups, top), notes...)
	beside := max(canvasRows, x/(fileWidth+canvasGap))
	for i, f := range c.Files {
		notes = append(notes, canvasNode{ID: f.ID, Type: "file", File: f.Path,
			X: i % beside * (fileWidth + canvasGap), Y: bottom + 3*canvasGap + i/beside*(fileHeight+canvasGap),
			Width: fileWidth, Height: fileHeight, Color: "4"})
	}
	return notes
}
