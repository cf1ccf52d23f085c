package geminicli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// list is a file that tells of several items, by what each is known there: the lines that were
// typed in sessions, or the folders of projects and conversations.
type list struct {
	stamp sources.Stamp
	lines map[string][]line

	once   sync.Mutex
	isRead bool
	err    error
}

type line struct {
	session, text string
	at            time.Time
}

// list gives what a part lists, read once for each of its stamps.
func (s *Source) list(ctx context.Context, item sources.Item, p sources.Part) (*list, error) {
	at := item.File(p)
	s.mu.Lock()
	l := s.lists[at]
	if l == nil || l.stamp != p.Stamp {
		l = &list{stamp: p.Stamp}
		s.lists[at] = l
	}
	s.mu.Unlock()
	return l, l.read(ctx, p.Name, at)
}

// lines are what a part lists of the item.
func (r *reading) lines(ctx context.Context, part string) []line {
	p, ok := r.Item.Part(part)
	if !ok {
		return nil
	}
	l, err := r.src.list(ctx, r.Item, p)
	if err != nil {
		r.Problem(r.Item.File(p), err)
		return nil
	}
	return l.lines[keyIn(r.Item, part)]
}

// read reads the list once. A reading that was cancelled is none.
func (l *list) read(ctx context.Context, part, at string) error {
	l.once.Lock()
	defer l.once.Unlock()
	if l.isRead {
		return l.err
	}
	l.lines = map[string][]line{}
	if part == partTyped {
		log := jsonl.Log[typedLine]{Take: l.typedIn}
		l.err = log.ReadFile(ctx, at)
	} else {
		l.err = l.readDocument(ctx, part, at)
	}
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), l.err)
	}
	l.isRead = true
	return l.err
}

// readDocument reads a file of one value. It is written anew each time: of one that is torn
// counts what was read.
func (l *list) readDocument(ctx context.Context, part, at string) error {
	f, _, err := files.OpenLog(at)
	if err != nil {
		return fmt.Errorf("open %q: %w", at, err)
	}
	defer f.Close()
	d := decode.New(f)
	switch part {
	case partLogs:
		_ = d.Elements(func() error {
			var e entry
			if err := d.Read(&e); err != nil {
				return err
			}
			if id := sources.FoldUUID(e.Session); e.Type == "user" && id != "" {
				l.add(short(id), line{id, strings.TrimSpace(e.Message), e.At.Time})
			}
			return ctx.Err()
		})
	case partProjects:
		var file struct {
			Projects decode.Table[string] `json:"projects"`
		}
		_ = d.Read(&file)
		for folder, slug := range file.Projects.All() {
			l.add(slug, line{text: folder})
			l.add(hashOf(folder), line{text: folder})
		}
	case partLast:
		var last decode.Table[string]
		_ = d.Read(&last)
		for folder, id := range last.All() {
			l.add(sources.FoldUUID(id), line{text: folder})
		}
	}
	return nil
}

// entry is one of logs.json: a line that was typed at the terminal.
type entry struct {
	Session string        `json:"sessionId" max:"128"`
	Type    string        `json:"type" max:"64"`
	Message string        `json:"message"`
	At      words.Instant `json:"timestamp"`
}

// typedLine is one of history.jsonl, which agy keeps.
type typedLine struct {
	Workspace    string `json:"workspace" max:"4096"`
	Conversation string `json:"conversationId" max:"128"`
}

func (l *list) typedIn(t *typedLine) (unknown string, ok bool) {
	if t.Conversation != "" && t.Workspace != "" {
		l.add(sources.FoldUUID(t.Conversation), line{text: t.Workspace})
	}
	return "", true
}

func (l *list) add(key string, what line) {
	if key != "" && what.text != "" {
		l.lines[key] = append(l.lines[key], what)
	}
}

// digest changes when what is told of a key does.
func (l *list) digest(key string) string {
	all := l.lines[key]
	if len(all) == 0 {
		return ""
	}
	var texts []string
	for _, one := range all {
		texts = append(texts, one.session, one.text, one.at.String())
	}
	return files.Hash(texts...)
}

// keyIn is by what an item is known in a list.
func keyIn(item sources.Item, part string) string {
	switch part {
	case partLogs:
		return path.Base(item.Key) // the beginning of an id
	case partProjects:
		return projectOf(item)
	}
	return item.Session
}

// projectOf is the name of the folder of a project that an item lies in.
func projectOf(item sources.Item) string {
	dir := filepath.Dir(item.Path)
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
		if filepath.Base(at) == "chats" {
			return filepath.Base(filepath.Dir(at))
		}
	}
	return filepath.Base(dir)
}

// hashOf stands for a folder: the name of the folder of its project in versions of 2025, and
// a member of each chat.
func hashOf(folder string) string {
	sum := sha256.Sum256([]byte(folder))
	return hex.EncodeToString(sum[:])
}
