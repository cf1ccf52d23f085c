package ingest

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// A secret in what a failed call printed is known by the text around it: it is masked before the
// text is shortened, wherever the cut comes to lie.
func TestErrorsAreMaskedBeforeTheyAreCut(t *testing.T) {
	m := expect.Value(redact.New([]byte("key of the tests"), redact.Options{}))(t)
	var lines []string
	seed := sha256.Sum256([]byte("lines of a key"))
	for range 25 {
		more := sha256.Sum256(seed[:])
		lines = append(lines, base64.StdEncoding.EncodeToString(append(seed[:], more[:16]...)))
		seed = more
	}
	key := "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Join(lines, "\n") + "\n-----END RSA PRIVATE KEY-----\n"
	for behind := 0; behind < 1200; behind += 60 {
		said := strings.Repeat("step by step\n", 200) + key + strings.Repeat("no such file\n", behind/13)
		s := &sources.Session{ID: "a", Turns: []sources.Turn{{Tools: []sources.Tool{{Errors: said}}}}}
		expect.OK(t, Mask(m, s, map[string]int{}))
		kept := s.Turns[0].Tools[0].Errors
		for _, line := range lines {
			if strings.Contains(kept, line[:20]) || strings.Contains(kept, line[len(line)-20:]) {
				t.Fatalf("%d bytes behind it: a line of the key is kept:\n%s", behind, kept)
			}
		}
		if len(kept) > 1100 || !strings.HasPrefix(kept, "step by step\n") {
			t.Errorf("%d bytes are kept: %.80q", len(kept), kept)
		}
	}
}
