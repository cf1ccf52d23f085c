// Package brain reads the transcripts of Antigravity CLI (agy), and of the program with windows
// of that name. They have no documents: what is read here was seen in real files of June to
// October 2026.
package brain

import (
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// step is a line of a transcript.
type step struct {
	Index   *decode.Whole `json:"step_index"`
	Source  string        `json:"source" max:"64"`
	Type    string        `json:"type" max:"64"`
	Status  string        `json:"status" max:"64"`
	At      words.Instant `json:"created_at"`
	Content decode.Loose  `json:"content"`
	Error   decode.Loose  `json:"error"`
	Calls   []call        `json:"tool_calls"`
	Cut     []decode.None `json:"truncated_fields"`
}

type call struct {
	Name string    `json:"name" max:"200"`
	Args arguments `json:"args"`
}

// arguments are those of the calls that are looked at. In transcript.jsonl each is JSON in a
// text once more.
type arguments struct {
	TargetFile   string `json:"TargetFile" max:"2048"`
	AbsolutePath string `json:"AbsolutePath" max:"2048"`
	CommandLine  string `json:"CommandLine" max:"65536"`
	Cwd          string `json:"Cwd" max:"4096"`
	Summary      string `json:"toolSummary" max:"2048"`
	First        string `as:"first" max:"1024"`
}

// ReadJSON implements decode.Reader: it reads an object, or the text of one.
func (a *arguments) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	type object arguments
	counted := d.Misfits
	defer func() { d.Misfits = counted }()
	switch d.PeekKind() {
	case '{':
		err = d.Read((*object)(a))
	case '"':
		var body string
		if err = d.Read(&body); err == nil && decode.Text(body, (*object)(a)) != nil {
			*a = arguments{First: decode.Cut(body, 1024)}
		}
	default:
		return true, d.SkipValue()
	}
	for _, s := range []*string{&a.TargetFile, &a.AbsolutePath, &a.CommandLine, &a.Cwd, &a.Summary, &a.First} {
		if strings.HasPrefix(*s, `"`) {
			if plain, err := strconv.Unquote(*s); err == nil {
				*s = plain
			}
		}
	}
	return true, err
}
