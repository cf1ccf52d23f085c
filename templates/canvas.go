package templates

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
)

// Canvas shows notes as cards on a plane, with arrows between them (JSON Canvas
// 1.0). It lays them out by itself: the page of the whole on top, the groups from
// left to right below it, the files under the groups.
type Canvas struct {
	Top    CanvasCard
	Groups []CanvasGroup
	Files  []CanvasCard
	Arrows []CanvasArrow
}

// CanvasCard shows a note.
type CanvasCard struct {
	ID   string // 16 hex digits, unique in the canvas
	Path string // from the vault's root, with ".md"
}

// CanvasGroup is a frame around cards.
type CanvasGroup struct {
	ID    string
	Label string
	Cards []CanvasCard
}

// CanvasArrow leads from a card to another, by id.
type CanvasArrow struct{ ID, From, To string }

// Sizes of the plane in pixels.
const (
	cardWidth, cardHeight = 400, 220
	fileWidth, fileHeight = 320, 160
	canvasGap             = 60
	groupRows             = 5 // cards below each other before a new column begins
	canvasRows            = 6 // files beside each other, where the groups are narrow
)

type canvasNode struct {
	ID     string `json:"id"`
	Type   string `json:"type"`
	File   string `json:"file,omitempty"`
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

// Text writes the canvas as Obsidian does, a card or arrow a line.
func (c Canvas) Text() (string, error) {
	edges := make([]canvasEdge, len(c.Arrows))
	for i, a := range c.Arrows {
		edges[i] = canvasEdge{ID: a.ID, FromNode: a.From, FromSide: "bottom", ToNode: a.To, ToSide: "top"}
	}
	return writeCanvas(c.nodes(), edges)
}

func writeCanvas(nodes []canvasNode, edges []canvasEdge) (string, error) {
	var b bytes.Buffer
	b.WriteString("{\n\t\"nodes\":[")
	if err := writeLines(&b, nodes); err != nil {
		return "", fmt.Errorf("write canvas: %w", err)
	}
	b.WriteString("],\n\t\"edges\":[")
	if err := writeLines(&b, edges); err != nil {
		return "", fmt.Errorf("write canvas: %w", err)
	}
	b.WriteString("]\n}\n")
	return b.String(), nil
}

// frameLabel is a span of time, as the frames of a canvas have it.
var frameLabel = regexp.MustCompile(`^[A-Za-z]+( [0-9]+( of [0-9]+)?)?$`)

// IsCanvas tells whether a text is a canvas that [Canvas.Text] may have written:
// cards of notes and frames, nothing that shows other files or web pages.
func IsCanvas(text []byte) bool {
	var c struct {
		Nodes []canvasNode
		Edges []canvasEdge
	}
	if json.Unmarshal(text, &c) != nil {
		return false
	}
	for _, n := range c.Nodes {
		card := n.Type == "file" && n.Label == "" && linkable(n.File) && fs.ValidPath(n.File) && path.Ext(n.File) == ".md"
		frame := n.Type == "group" && n.File == "" && frameLabel.MatchString(n.Label)
		if !card && !frame {
			return false
		}
	}
	again, err := writeCanvas(c.Nodes, c.Edges)
	return err == nil && again == string(text)
}

func writeLines[T any](b *bytes.Buffer, list []T) error {
	for i, v := range list {
		var line bytes.Buffer
		e := json.NewEncoder(&line)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			return err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n\t\t")
		b.Write(bytes.TrimSpace(line.Bytes()))
	}
	if len(list) > 0 {
		b.WriteString("\n\t")
	}
	return nil
}

// nodes are the frames, which lie behind all else, and the cards.
func (c Canvas) nodes() []canvasNode {
	var frames, cards []canvasNode
	x, bottom := 0, 0
	for _, g := range c.Groups {
		columns := (len(g.Cards) + groupRows - 1) / groupRows
		rows := min(len(g.Cards), groupRows)
		frame := canvasNode{ID: g.ID, Type: "group", Label: oneLine(g.Label), X: x, Y: 0,
			Width:  columns*(cardWidth+canvasGap) + canvasGap,
			Height: rows*(cardHeight+canvasGap) + canvasGap}
		for i, card := range g.Cards {
			cards = append(cards, canvasNode{ID: card.ID, Type: "file", File: card.Path,
				X: x + canvasGap + i/groupRows*(cardWidth+canvasGap), Y: canvasGap + i%groupRows*(cardHeight+canvasGap),
				Width: cardWidth, Height: cardHeight})
		}
		frames = append(frames, frame)
		x += frame.Width + canvasGap
		bottom = max(bottom, frame.Height)
	}
	top := canvasNode{ID: c.Top.ID, Type: "file", File: c.Top.Path, X: 0, Y: -2*cardHeight - canvasGap, Width: 2 * cardWidth, Height: 2 * cardHeight, Color: "6"}
	cards = append(append(frames, top), cards...)
	beside := max(canvasRows, x/(fileWidth+canvasGap))
	for i, f := range c.Files {
		cards = append(cards, canvasNode{ID: f.ID, Type: "file", File: f.Path,
			X: i % beside * (fileWidth + canvasGap), Y: bottom + 3*canvasGap + i/beside*(fileHeight+canvasGap),
			Width: fileWidth, Height: fileHeight, Color: "4"})
	}
	return cards
}
