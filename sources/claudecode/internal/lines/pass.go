package lines

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
)

// Log reads the lines of a transcript that show something. met is called for each line of the tree
// that is passed over, with its id and whether it has no parent.
func Log(take func(*Record), met func(uuid []byte, isRoot bool)) *jsonl.Log[Record] {
	return &jsonl.Log[Record]{
		Heads: []string{`{"parentUuid":`, `{"type":"`},
		Pass: func(head []byte) (unknown string, pass bool) {
			if unknown, pass = passable(head); pass && bytes.HasPrefix(head, treeMark) {
				_, uuid, _ := bytes.Cut(head, idMark)
				uuid, _, _ = bytes.Cut(uuid, []byte{'"'})
				met(uuid, bytes.HasPrefix(head, rootMark))
			}
			return unknown, pass
		},
		Take: func(r *Record) (unknown string, ok bool) {
			switch {
			case r.Type == "system" && r.Subtype != "" && !slices.Contains(subtypes, r.Subtype):
				unknown = "system " + r.Subtype
			case !slices.Contains(taken, r.Type) && !slices.Contains(known, r.Type):
				unknown = r.Type
			}
			take(r)
			return unknown, r.Type != ""
		},
	}
}

var (
	// taken are the types of lines that are decoded.
	taken = strings.Fields(`user assistant system attachment summary custom-title ai-title queue-operation pr-link
		worktree-state bridge-session`)
	// known are the others, which say nothing that a note shows. The lines api-request* hold
	// whole requests again, three quarters of the bytes of 2.1.330.
	known = strings.Fields(`progress agent-name last-prompt mode permission-mode file-history-snapshot file-history-delta
		cost-state tools-used api-request api-request-shape api-request-blob atis-latch tag agent-setting
		continued-in content-replacement`)
	// subtypes are those of system lines.
	subtypes = strings.Fields(`compact_boundary microcompact_boundary turn_duration local_command stop_hook_summary api_error
		away_summary informational bridge_status`)
)

var (
	typeMark       = []byte(`{"type":"`)
	treeMark       = []byte(`{"parentUuid":`)
	idMark         = []byte(`"uuid":"`)
	rootMark       = []byte(`{"parentUuid":null,`)
	attachmentMark = []byte(`,"attachment":{"type":"`)
	progressMark   = []byte(`,"type":"progress","data":{`)
	messageMark    = []byte(`,"message":{`)
)

// passable tells by the beginning of a line whether it is passed over: its type stands
// first, or where the program writes it in lines of the tree. A quote within a text is
// escaped, so none of the marks is one of a text; within the message or the data of a line
// they are not looked for.
func passable(head []byte) (unknown string, pass bool) {
	if rest, ok := bytes.CutPrefix(head, typeMark); ok {
		kind := upToQuote(rest)
		if unknown = kind; slices.Contains(known, kind) {
			unknown = ""
		}
		return unknown, kind != "" && !slices.Contains(taken, kind)
	}
	if !bytes.HasPrefix(head, treeMark) {
		return "", false
	}
	if i := bytes.Index(head, messageMark); i >= 0 {
		head = head[:i]
	}
	if i := bytes.Index(head, attachmentMark); i >= 0 {
		kind := upToQuote(head[i+len(attachmentMark):])
		return "", kind != "" && kind != QueuedCommand
	}
	return "", bytes.Contains(head, progressMark)
}

// upToQuote is a plain word, empty where it is none or has no end.
func upToQuote(text []byte) string {
	word, _, ended := bytes.Cut(text, []byte{'"'})
	if !ended || bytes.IndexByte(word, '\\') >= 0 || !utf8.Valid(word) {
		return ""
	}
	return string(word)
}

// QueuedCommand is the type of an attachment that the user typed.
const QueuedCommand = "queued_command"
