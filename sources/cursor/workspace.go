package cursor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Keys of ItemTable in the database of a workspace.
const (
	keyList        = "composer.composerData"                       // conversations of the workspace, up to 3.0; since then the open ones
	keyPane        = "workbench.panel.aichat.view.aichat.chatdata" // chats of 2023 and 2024
	keyPrompts     = "aiService.prompts"                           // typed texts
	keyGenerations = "aiService.generations"                       // typed texts with times
)

type workspaceList struct {
	All  []header `json:"allComposers" as:"list"`
	Open []string `json:"selectedComposerIds"`
}

// pane holds the chats of a workspace, from before they were conversations.
type pane struct {
	Tabs []struct {
		ID      string        `json:"tabId"`
		Title   decode.Loose  `json:"chatTitle"`
		Last    words.Instant `json:"lastSendTime"`
		Bubbles []struct {
			Type string `json:"type"`
			Text string `json:"text"`
			Raw  string `json:"rawText"`
		} `json:"bubbles"`
	} `json:"tabs"`
}

// workspace reads the database of a workspace: where its conversations worked, and the oldest chats, which are nowhere
// else.
func (r *reading) workspace(ctx context.Context) error {
	part, _ := r.Item.Part(partWorkspace)
	w := &workspaceReading{reading: r}
	var err error
	if w.items, err = sqlite.Values(ctx, r.Item.File(part), r.src.TempDir, keyList, keyPane, keyPrompts, keyGenerations); err != nil {
		return fmt.Errorf("read workspace %q: %w", r.Item.Key, err)
	}
	if p, ok := r.Item.Part(partFolder); ok {
		w.place = r.placeIn(r.Item.File(p))
	}
	if listed, chats := w.list(), w.pane(); listed+chats == 0 {
		w.prompts()
	}
	return nil
}

// placeIn reads from a workspace's file where its conversations worked.
func (r *reading) placeIn(file string) sources.Place {
	p, err := editor.ReadWorkspace(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.Problem(file, err)
	}
	return p
}

type workspaceReading struct {
	*reading
	items map[string]string
	place sources.Place
	typed []typedLine
}

// typedLine is a text that was sent, without the answer.
type typedLine struct {
	Text  decode.Loose  `json:"text"`
	Dated decode.Loose  `json:"textDescription"`
	At    words.Instant `json:"unixMs"`
}

// value reads a value, and reports a damaged one.
func (w *workspaceReading) value(key string, into any) {
	text := w.items[key]
	if text == "" {
		return
	}
	w.Out.Records++
	if decode.Text(text, into) != nil {
		w.Damaged(filepath.Join(w.Item.Path, partWorkspace), fmt.Errorf("%s is damaged", key))
	}
}

// list sets the place of each conversation, and returns how many are listed.
func (w *workspaceReading) list() int {
	var l workspaceList
	w.value(keyList, &l)
	for _, id := range l.Open {
		l.All = append(l.All, header{ID: id})
	}
	known := map[string]bool{}
	for _, h := range l.All {
		if known[h.ID] || !plainName().MatchString(h.ID) {
			continue
		}
		known[h.ID] = true
		k := newTalk()
		k.Session.Created, k.Session.Archived, k.Session.Place = h.Created.Time, h.Archived, w.place
		k.Session.Place.Branch = words.OneLine(string(h.Branch), titleSize)
		k.Entitle(title(h.Name), sources.TrustNamed)
		w.Give(sessionID(h.ID), sources.Layer{Name: layerWorkspace, Rank: sources.RankIndex, Session: k.Session})
	}
	return len(l.All)
}

// pane builds a session from each tab with typed text, and returns their number. The last bubble is mostly what stands
// in the tab's input: it is a prompt if it was sent as often as bubbles have its text.
func (w *workspaceReading) pane() (chats int) {
	var p pane
	if w.value(keyPane, &p); len(p.Tabs) > 0 {
		w.value(keyPrompts, &w.typed)
	}
	left := map[string]int{}
	for _, l := range w.typed {
		left[strings.TrimSpace(string(l.Text))]++
	}
	for _, tab := range p.Tabs {
		for _, b := range tab.Bubbles {
			left[strings.TrimSpace(cmp.Or(b.Text, b.Raw))]--
		}
	}
	for _, tab := range p.Tabs {
		k, asked := newTalk(), false
		for i, b := range tab.Bubbles {
			k.records++
			text := cmp.Or(b.Text, b.Raw)
			if b.Type == "user" && i == len(tab.Bubbles)-1 && left[strings.TrimSpace(text)] < 0 {
				break
			}
			switch b.Type {
			case "user":
				asked = asked || text != ""
				k.begin("", text, time.Time{})
			case "ai":
				k.Work().Say(text, builder.Answer)
			default:
				k.unknown["bubble of type "+words.OneLine(b.Type, titleSize)]++
			}
		}
		w.count(k)
		if !asked || !plainName().MatchString(tab.ID) {
			continue
		}
		k.Session.Complete, k.Session.Place = true, w.place
		k.Entitle(title(tab.Title), sources.TrustDerived)
		s := w.finish(k, "")
		s.Turns[len(s.Turns)-1].At = tab.Last.Time
		w.Give(sessionID(tab.ID), sources.Layer{Name: layerPane, Rank: sources.RankLog, Session: s})
		chats++
	}
	return chats
}

// prompts builds a session from the typed texts of a workspace that has nothing else: their chats are unknown.
func (w *workspaceReading) prompts() {
	var dated []typedLine
	if w.value(keyGenerations, &dated); len(dated) > 0 {
		w.typed = dated
	} else if w.typed == nil {
		w.value(keyPrompts, &w.typed)
	}
	left := homes.Prompts{}
	for _, l := range w.typed {
		left.Add(agentName+":prompts:"+filepath.Base(w.Item.Path), w.place, "", string(cmp.Or(l.Dated, l.Text)), l.At.Time)
	}
	left.GiveTo(&w.Reading, layerPrompts, w.src.PromptOnly)
}

// user is a user folder of the IDE, with its content.
type user struct {
	*homes.Home
	// Paths of globalStorage and workspaceStorage, empty if missing or given by another folder already.
	global, workspaces string
}

// list creates the items of a user folder: conversations and workspaces.
func (u *user) list(ctx context.Context, tempDir string) {
	if u.global != "" {
		u.conversations(ctx, tempDir)
	}
	for _, e := range u.ReadDir(u.Tag, u.workspaces) {
		if !e.IsDir() || ctx.Err() != nil {
			continue
		}
		it := sources.Item{Key: u.Tag + "/workspace/" + e.Name(), Kind: sources.KindMemory, Path: files.Below(u.workspaces, e.Name())}
		parts := u.Parts(it.Key)
		parts.Dir = it.Path
		if parts.Database(partWorkspace, files.Below(it.Path, partWorkspace)); len(parts.List) > 0 {
			parts.File(partFolder, files.Below(it.Path, partFolder), nil)
		}
		u.Add(it, parts)
	}
}

// conversations lists the conversations in the database. Those with a single row are read for words, as most
// are drafts.
func (u *user) conversations(ctx context.Context, tempDir string) {
	path, parts := files.Below(u.global, partWorkspace), u.Parts(u.Tag)
	if parts.Database(partIDE, path); len(parts.List) == 0 {
		return
	}
	parts.List[0].Shared = true
	u.Root.Bytes += parts.List[0].Stamp.Size
	var found map[string]bool
	err := sqlite.View(ctx, path, tempDir, func(db *sqlite.DB) (err error) {
		found, err = conversationsOf(ctx, db)
		return err
	})
	if err != nil && ctx.Err() == nil {
		u.Problem(u.Tag, path, err)
	}
	for id, spoken := range found {
		if plainName().MatchString(id) {
			u.Add(sources.Item{Key: u.Tag + "/composer/" + id, Kind: sources.KindSession, Session: sessionID(id), Path: path, Scaffold: !spoken}, parts)
		}
	}
}

// userFolders opens the user folders, each once.
func (s *Source) userFolders() (all []*user) {
	for _, one := range s.users.Open("globalStorage", "workspaceStorage") {
		all = append(all, &user{one, one.Real["globalStorage"], one.Real["workspaceStorage"]})
	}
	return all
}
