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
)

// Distillate is what an agent said of a session when it was asked to, see `distil`. Each of its
// lines stands on a quotation of the session.
type Distillate struct {
	By    string      `json:"by" text:"line"` // the agent or command that was asked
	At    time.Time   `json:"at"`             // when
	Of    string      `json:"of"`             // Fingerprint of the session as it was
	Lines []Distilled `json:"lines,omitempty"`
}

// Distilled is one line of a [Distillate].
type Distilled struct {
	Kind  DistilledKind `json:"kind"`
	Text  string        `json:"text" text:"said"`
	Quote string        `json:"quote" text:"said"` // letter by letter as in a prompt or an answer of the turn, but for white space
	Turn  int           `json:"turn"`              // index
}

// DistilledKind says what a line tells.
type DistilledKind string

// The kinds of lines, in the order in which they are shown.
const (
	DistilledOutcome  DistilledKind = "outcome"
	DistilledLeft     DistilledKind = "left"
	DistilledDecision DistilledKind = "decision"
	DistilledLearned  DistilledKind = "learned"
)

// DistilledKinds are all of them.
func DistilledKinds() []DistilledKind {
	return []DistilledKind{DistilledOutcome, DistilledLeft, DistilledDecision, DistilledLearned}
}

// DistilMark begins each prompt by which an agent is asked, and the name of the folder in which it
// runs: such a session is no session of a person.
const DistilMark = "sessionloom-distil"

// AsksToDistil tells a session of an agent that was asked so.
func (s *Session) AsksToDistil() bool {
	folder := s.Place.Cwd[strings.LastIndexAny(s.Place.Cwd, `/\`)+1:]
	return strings.HasPrefix(folder, DistilMark) || strings.HasPrefix(s.Title, DistilMark) || len(s.Turns) > 0 && strings.HasPrefix(s.Turns[0].User, DistilMark)
}

// Fingerprint is one of what was said and done in a session. A new turn gives another one, a new
// rule for secrets does not.
func (s *Session) Fingerprint() string {
	h := sha256.New()
	for _, t := range s.Turns {
		fmt.Fprintln(h, t.ID, t.At.UnixMilli(), t.Status, len(t.Tools), t.Assistant != "")
	}
	fmt.Fprintln(h, len(s.Checkpoints), len(s.Refs))
	const digits = 16
	return hex.EncodeToString(h.Sum(nil))[:digits]
}

// DistilledFile is an answer as it is kept in a vault.
type DistilledFile struct {
	Schema  int    `json:"schema"`
	Session string `json:"session"`
	Distillate
}

const distilledSchema = 1

// DistilledPrefix begins the names of the files about a session.
func DistilledPrefix(session string) string {
	sum := sha256.Sum256([]byte(session))
	const digits = 24
	return hex.EncodeToString(sum[:])[:digits] + "-"
}

// Encode gives the text of a file, and its name, which no other text has.
func (f DistilledFile) Encode() (name string, text []byte, err error) {
	f.Schema = distilledSchema
	if text, err = json.MarshalIndent(f, "", " "); err != nil {
		return "", nil, err
	}
	text = append(text, '\n')
	sum := sha256.Sum256(text)
	const digits = 16
	return DistilledPrefix(f.Session) + hex.EncodeToString(sum[:])[:digits] + ".json", text, nil
}

// DecodeDistilled reads a file.
func DecodeDistilled(text []byte) (f DistilledFile, err error) {
	if err = json.Unmarshal(text, &f); err != nil {
		return f, fmt.Errorf("read what was said of a session: %w", err)
	}
	if f.Schema != distilledSchema || f.Session == "" {
		return f, errors.New("it is of another version, or names no session")
	}
	if digits, err := hex.DecodeString(f.Of); err != nil || len(digits) > sha256.Size {
		return f, errors.New("what it is about is no fingerprint")
	}
	f.Lines = slices.DeleteFunc(f.Lines, func(l Distilled) bool { return !slices.Contains(DistilledKinds(), l.Kind) })
	return f, nil
}
