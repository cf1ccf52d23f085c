package cursor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Keys of ItemTable in the database of a workspace.
const (
	keyList        = "composer.composerData"                       // conversations of the workspace, up to 3.0; since then those that are open
	keyPane        = "workbench.panel.aichat.view.aichat.chatdata" // chats of 2023 and 2024
	keyPrompts     = "aiService.prompts"                           // what was typed
	keyGenerations = "aiService.generations"                       // the same, with times
)

// workspaceList is what a workspace tells of its conversations.
type workspaceList struct {
	All  []header `json:"allComposers"`
	Open []string `json:"selectedComposerIds"`
}

// pane are the chats of a workspace, of the time before they were conversations.
type pane struct {
	Tabs []struct {
		ID      string        `json:"tabId"`
		Title   loose         `json:"chatTitle"`
		Last    words.Instant `json:"lastSendTime"`
		Bubbles []struct {
			Type string `json:"type"`
			Text string `json:"text"`
			Raw  string `json:"rawText"`
		} `json:"bubbles"`
	} `json:"tabs"`
}

// workspace reads the database of a workspace: where its conversations worked, and the oldest
// chats, which lie nowhere else.
func (r *reading) workspace(ctx context.Context) error {
	part, _ := r.Item.Part(partWorkspace)
	path := r.Item.File(part)
	var items map[string]string
	err := sqlite.View(ctx, path, r.src.cfg.TempDir, func(db *sqlite.DB) (err error) {
		items, err = itemsOf(ctx, db, keyList, keyPane, keyPrompts, keyGenerations)
		return err
	})
	if err != nil {
		return fmt.Errorf("read workspace %q: %w", r.Item.Key, err)
	}
	var place sources.Place
	if p, ok := r.Item.Part(partFolder); ok {
		if place, err = editor.ReadWorkspace(r.Item.File(p)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			r.Problem(r.Item.File(p), err)
		}
	}
	w := &workspaceReading{reading: r, items: items, place: place}
	list := w.list()
	if chats := w.pane(); chats == 0 && len(list.All)+len(list.Open) == 0 {
		w.prompts()
	}
	return nil
}

// workspaceReading is the reading of a workspace under way.
type workspaceReading struct {
	*reading
	items map[string]string
	place sources.Place
}

// value reads one of the values. One that is damaged is told.
func (w *workspaceReading) value(key string, into any) {
	text := w.items[key]
	if text == "" {
		return
	}
	w.Out.Records++
	if decode.Text(text, into) != nil {
		path := filepath.Join(w.Item.Path, partWorkspace)
		w.Out.Problems = append(w.Out.Problems, sources.Problem{Source: agentName, Item: w.Item.Key, Path: path, Err: fmt.Errorf("%s is damaged", key)})
	}
}

// list tells of each conversation where it worked.
func (w *workspaceReading) list() (l workspaceList) {
	w.value(keyList, &l)
	known := map[string]bool{}
	index := func(h header) {
		if known[h.ID] || !plainName().MatchString(h.ID) {
			return
		}
		known[h.ID] = true
		s := &sources.Session{Place: w.place, Created: h.Created.Time, Archived: h.Archived}
		s.Place.Branch = words.OneLine(string(h.Branch), titleSize)
		if s.Title = title(string(h.Name)); s.Title != "" {
			s.TitleFrom = sources.TrustNamed
		}
		w.give(sessionID(h.ID), sources.Layer{Name: layerWorkspace, Rank: sources.RankIndex, Session: s})
	}
	for _, h := range l.All {
		index(h)
	}
	for _, id := range l.Open {
		index(header{ID: id})
	}
	return l
}

// pane makes a session of each tab in which something was typed.
func (w *workspaceReading) pane() (chats int) {
	var p pane
	w.value(keyPane, &p)
	for _, tab := range p.Tabs {
		to, asked := newBuilder(), false
		for _, b := range tab.Bubbles {
			w.Out.Records++
			text := cmp.Or(b.Text, b.Raw)
			switch b.Type {
			case "user":
				asked = asked || text != ""
				begin(to, "", text, time.Time{})
			case "ai":
				say(to.Work(), text)
			default:
				w.Unknown(map[string]int{"bubble of type " + words.OneLine(b.Type, titleSize): 1})
			}
		}
		if !asked || !plainName().MatchString(tab.ID) {
			continue
		}
		s := finish(to, "")
		s.Complete, s.Place, s.Turns[len(s.Turns)-1].At = true, w.place, tab.Last.Time
		if s.Title = title(string(tab.Title)); s.Title != "" {
			s.TitleFrom = sources.TrustDerived
		}
		w.give(sessionID(tab.ID), sources.Layer{Name: layerPane, Rank: sources.RankLog, Session: s})
		chats++
	}
	return chats
}

// prompts makes a session of what was typed in a workspace that has nothing else, where that is
// wished: nobody knows which chats it was of.
func (w *workspaceReading) prompts() {
	var typed []struct {
		Text loose `json:"text"`
	}
	var dated []struct {
		At   words.Instant `json:"unixMs"`
		Text loose         `json:"textDescription"`
	}
	w.value(keyPrompts, &typed)
	w.value(keyGenerations, &dated)
	to, id := newBuilder(), agentName+":prompts:"+filepath.Base(w.Item.Path)
	for _, g := range dated {
		if g.Text != "" {
			begin(to, "", string(g.Text), g.At.Time)
		}
	}
	for _, p := range typed {
		if len(dated) == 0 && p.Text != "" {
			begin(to, "", string(p.Text), time.Time{})
		}
	}
	if len(to.Turns()) == 0 {
		return
	}
	w.Out.RowsOnly = append(w.Out.RowsOnly, id)
	if w.src.cfg.PromptOnly {
		s := finish(to, "")
		s.Place, s.Damage = w.place, []string{"only the list of prompts is left"}
		w.give(id, sources.Layer{Name: layerPrompts, Rank: sources.RankIndex, Session: s})
	}
}
