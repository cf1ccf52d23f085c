package geminicli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// list is a file that tells of several items, by what each is known there: the lines that were typed in sessions, or
// the folders of projects and conversations.
type list map[string][]line

type line struct {
	session, text string
	at            time.Time
}

func (l list) add(key string, what line) {
	if key != "" && what.text != "" {
		l[key] = append(l[key], what)
	}
}

// list returns what a part lists, read once for each of its stamps.
func (s *Source) list(ctx context.Context, item sources.Item, p sources.Part) (list, error) {
	p.Path = item.File(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	if l, ok := s.lists[p]; ok {
		return l, nil
	}
	l, err := readList(ctx, p.Name, p.Path)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", p.Path, err)
	}
	s.lists[p] = l
	return l, ctx.Err()
}

func (r *reading) lines(ctx context.Context, part string) []line {
	p, ok := r.Item.Part(part)
	if !ok {
		return nil
	}
	l, err := r.src.list(ctx, r.Item, p)
	if err != nil {
		r.Problem(r.Item.File(p), err)
	}
	return l[keyIn(r.Item, part)]
}

// Digest tells whether what a shared part says of an item changed.
func (s *Source) Digest(ctx context.Context, item sources.Item, part string) (string, error) {
	p, ok := item.Part(part)
	if !ok {
		return "", nil
	}
	l, err := s.list(ctx, item, p)
	var texts []string
	for _, one := range l[keyIn(item, part)] {
		texts = append(texts, one.session, one.text, one.at.String())
	}
	if texts == nil {
		return "", err
	}
	return files.Hash(texts...), err
}

// readList reads a list. All but one are written anew each time: of what is torn counts what was read.
func readList(ctx context.Context, part, at string) (list, error) {
	l, folders := list{}, decode.Table[string]{}
	switch part {
	case partLogs:
		var all []entry
		_, err := decode.File(at, files.MaxLine, &all)
		for _, e := range all {
			if id := sources.FoldUUID(e.Session); e.Type == "user" && id != "" {
				l.add(short(id), line{id, strings.TrimSpace(e.Message), e.At.Time})
			}
		}
		return l, err
	case partProjects:
		var file struct {
			Projects decode.Table[string] `json:"projects"`
		}
		_, err := decode.File(at, files.MaxLine, &file)
		for folder, slug := range file.Projects.All() {
			l.add(slug, line{text: folder})
			l.add(hashOf(folder), line{text: folder})
		}
		return l, err
	case partLast:
		_, err := decode.File(at, files.MaxLine, &folders)
		for folder, id := range folders.All() {
			l.add(sources.FoldUUID(id), line{text: folder})
		}
		return l, err
	}
	log := jsonl.Log[typedLine]{Take: func(t *typedLine) (unknown string, ok bool) {
		if t.Conversation != "" {
			l.add(sources.FoldUUID(t.Conversation), line{text: t.Workspace})
		}
		return "", true
	}}
	return l, log.ReadFile(ctx, at)
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

func keyIn(item sources.Item, part string) string {
	switch part {
	case partLogs:
		return path.Base(item.Key) // the beginning of an id
	case partProjects:
		return projectOf(item)
	}
	return item.Session
}

func projectOf(item sources.Item) string {
	dir := filepath.Dir(item.Path)
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
		if filepath.Base(at) == "chats" {
			return filepath.Base(filepath.Dir(at))
		}
	}
	return filepath.Base(dir)
}

// hashOf stands for a folder: the name of the folder of its project in versions of 2025, and a member of each chat.
func hashOf(folder string) string {
	sum := sha256.Sum256([]byte(folder))
	return hex.EncodeToString(sum[:])
}
