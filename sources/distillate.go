package sources

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Distillate is an agent's answer about a session, see `distil`. Each line carries a quotation from the
// session.
type Distillate struct {
	By    string      `json:"by" text:"line"` // the agent or command that was asked
	At    time.Time   `json:"at"`             // when
	Of    string      `json:"of"`             // Fingerprint of the session at that time
	Lines []Distilled `json:"lines,omitempty"`
}

// Distilled is one line of a [Distillate].
type Distilled struct {
	Kind  DistilledKind `json:"kind"`
	Text  string        `json:"text" text:"said"`
	Quote string        `json:"quote" text:"said"` // literal text of a prompt or answer of the turn, but for white space
	Turn  int           `json:"turn"`              // index
}

// DistilledKind is a kind of line.
type DistilledKind string

// DistilledKinds returns all kinds, in the order in which they are shown.
func DistilledKinds() []DistilledKind {
	return []DistilledKind{"outcome", "left", "decision", "learned"}
}

// DistilMark begins each prompt of `distil` and the name of the folder in which the agent runs, so that
// its session is not taken for a person's.
const DistilMark = "sessionloom-distil"

// AsksToDistil reports whether the session is one of an agent that `distil` asked.
func (s *Session) AsksToDistil() bool {
	folder := s.Place.Cwd[strings.LastIndexAny(s.Place.Cwd, `/\`)+1:]
	return strings.HasPrefix(folder, DistilMark) || strings.HasPrefix(s.Title, DistilMark) || len(s.Turns) > 0 && strings.HasPrefix(s.Turns[0].User, DistilMark)
}

// Digest returns a digest of the answer.
func (d Distillate) Digest() string {
	text, _ := json.Marshal(d) // which never fails
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Fingerprint returns a fingerprint of what was said and done in a session. A new turn changes it, a
// new rule for secrets does not.
func (s *Session) Fingerprint() string {
	h := sha256.New()
	for _, t := range s.Turns {
		fmt.Fprintln(h, t.ID, t.At.UnixMilli(), t.Status, len(t.Tools), t.Assistant != "")
	}
	fmt.Fprintln(h, len(s.Checkpoints), len(s.Refs))
	const digits = 16
	return hex.EncodeToString(h.Sum(nil))[:digits]
}

// DistilledFile is an answer as stored in a vault.
type DistilledFile struct {
	Schema  int    `json:"schema"`
	Session string `json:"session"`
	Distillate
}

const distilledSchema = 1

// Masked returns the text of a file with masked words.
func (f DistilledFile) Masked(mask func(*Session, map[string]int) error) ([]byte, error) {
	s := Session{Distilled: []Distillate{f.Distillate}}
	if err := mask(&s, nil); err != nil {
		return nil, fmt.Errorf("mask an agent's answer: %w", err)
	}
	f.Schema, f.Distillate = distilledSchema, s.Distilled[0]
	text, err := json.MarshalIndent(f, "", " ")
	return append(text, '\n'), err
}

// DecodeDistilled reads a file.
func DecodeDistilled(text []byte) (f DistilledFile, err error) {
	if err = json.Unmarshal(text, &f); err != nil {
		return f, fmt.Errorf("read what was said of a session: %w", err)
	}
	if f.Schema != distilledSchema || f.Session == "" || !strings.ContainsFunc(strings.TrimSpace(f.By), unicode.IsGraphic) {
		return f, errors.New("it is of another version, or names no session or no agent")
	}
	if digits, err := hex.DecodeString(f.Of); err != nil || len(digits) > sha256.Size {
		return f, errors.New("what it is about is no fingerprint")
	}
	f.Lines = slices.DeleteFunc(f.Lines, func(l Distilled) bool { return !slices.Contains(DistilledKinds(), l.Kind) })
	return f, nil
}
