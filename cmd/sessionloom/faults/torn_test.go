//go:build linux

package faults

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// tears are what terminals, editors and encodings put between the letters of a
// secret, of which a note leaves out the most.
var tears = []string{
	"\x1b(B\x1b[m", "\x1b[1;32m", "\x1b]0;title\a", "\x1b]8;;https://x.example\x1b\\", "\x1bP1$r0m\x1b\\", "\x1bc", "\x1b7", "\u009b31m", "\u0085",
	"\x00", "\b", "\v", "\f", "\x7f", "\u00ad", "\u034f", "\u061c", "\u115f", "\u180e", "\u200b", "\u200d", "\u200e", "\u202e", "\u2028", "\u2061", "\u2066", "\u206a",
	"\u3164", "\ufe0f", "\ufeff", "\uffa0", "\ufff9", "\U000e0041", "\U0001d173", `\u001b[32m`, `\033[0m`, `\e(B`,
}

// written are ways to write a secret as another text.
var written = []func(string) string{
	func(s string) string {
		return base64.StdEncoding.EncodeToString([]byte("HOST=db\nGITHUB_TOKEN=" + s + "\n"))
	},
	func(s string) string { return "&#103;" + s[1:] + ";" },
	func(s string) string { return "%67" + s[1:] },
	func(s string) string { return `\u0067` + s[1:] },
	func(s string) string { return "TOKEN=3D" + s },
}

// wraps are lines that break in a secret.
var wraps = []func(string) string{
	func(s string) string { return strings.Repeat("word ", 14) + s[:12] + "\n" + s[12:] },
	func(s string) string {
		return "\n     9\t" + strings.Repeat("word ", 14) + s[:12] + "\n    10\t" + s[12:]
	},
	func(s string) string {
		return "\na.env:9:" + strings.Repeat("word ", 14) + s[:12] + "\na.env:10:" + s[12:]
	},
	func(s string) string { return "\n+" + strings.Repeat("word ", 14) + s[:12] + "\n+" + s[12:] },
}

// Secrets that something tears apart or writes in another way, in the prompts,
// answers, commands, results and the title of a session: none is in a note, whole
// or as far as a note puts it together again, nor kept in the ledger.
func TestTornSecretsStayOut(t *testing.T) {
	p := newPlace(t)
	s := &sower{t: t, dice: rand.New(rand.NewSource(2))}
	var texts []string
	for _, tear := range tears {
		s.field = fmt.Sprintf("torn by %q", tear)
		secret := s.seedOf(0)
		texts = append(texts, "see "+secret[:3]+tear+secret[3:14]+tear+secret[14:]+" there")
	}
	for i, write := range written {
		s.field = fmt.Sprintf("way %d to write it", i)
		texts = append(texts, "see "+write(s.seedOf(0))+" there")
	}
	p.told(1, texts)
	p.plainlyTold(2, texts)
	for i, text := range texts[len(tears):] {
		p.plainlyTold(3+i, []string{text}) // a title too
	}
	p.log(20, func(w *bufio.Writer) {
		event(w, "user.message", 40000, `{"content":"read these"}`)
		for i, wrap := range wraps {
			s.field = fmt.Sprintf("way %d to wrap it", i)
			said := expect.Value(json.Marshal("see " + wrap(s.seedOf(0)) + " there"))(p.t)
			texts = append(texts, string(said))
			event(w, "assistant.message", 40001+2*i, `{"content":%s}`, said)
			event(w, "user.message", 40002+2*i, `{"content":%s}`, said)
		}
	})
	p.sync(0, "--transcript", "full")
	p.sound("torn secrets")
	secrets := soilOf(s.sown)
	for name := range tree(t, p.vault) {
		secrets.isNotIn(t, "the name "+name, name)
		if text, err := os.ReadFile(filepath.Join(p.vault, filepath.FromSlash(name))); err == nil {
			secrets.isNotIn(t, name, string(text))
		}
	}
	ledgers := expect.Value(filepath.Glob(p.at("state/*/ledger.db")))(p.t)
	for _, ledger := range ledgers {
		for _, text := range p.ledgerTexts(ledger) {
			secrets.isNotIn(t, "a packed text of the ledger", text)
		}
	}
	proved(t, "a secret torn by terminals, unseen characters, line ends and frames, or written in another way", len(texts), 2, "no piece of one in notes, names or ledger")
}

// plainlyTold has a session say the texts without fences, the first ones as titles.
func (p *place) plainlyTold(session int, texts []string) {
	p.log(session, func(w *bufio.Writer) {
		for i, text := range texts {
			i += 1000 * session
			said := expect.Value(json.Marshal(text))(p.t)
			event(w, "user.message", 4*i+1, `{"content":%s}`, said)
			event(w, "assistant.message", 4*i+2, `{"content":%s}`, said)
			event(w, "tool.execution_start", 4*i+3, `{"toolCallId":"c%d","toolName":"bash","arguments":{"command":%s,"description":%s}}`, i, said, said)
			event(w, "tool.execution_complete", 4*i+4, `{"toolCallId":"c%d","success":true,"result":{"content":%s}}`, i, said)
		}
	})
}
