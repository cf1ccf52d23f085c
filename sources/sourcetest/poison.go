package sourcetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata"
)

// Poison adds a text that would act in a note, with a secret, to each text of the JSON files below a folder,
// and returns the secrets. Texts of the members in stay identify records and are left alone.
func Poison(t testing.TB, dir string, stay ...string) (secrets []string) {
	t.Helper()
	p := poison{t: t, stay: stay}
	Must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && strings.HasPrefix(filepath.Ext(path), ".json") {
			Write(t, path, p.file(Read(t, path)))
		}
		return err
	}))
	return p.secrets
}

type poison struct {
	t       testing.TB
	stay    []string
	secrets []string
}

// file poisons the values of a file, each on a line. Text after the last valid one stays.
func (p *poison) file(body []byte) []byte {
	p.t.Helper()
	var out bytes.Buffer
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	for {
		var v any
		if d.Decode(&v) != nil {
			_, err := io.Copy(&out, bytes.NewReader(bytes.TrimLeft(body[d.InputOffset():], "\n")))
			Must(p.t, err)
			return out.Bytes()
		}
		text, err := json.Marshal(p.value("", v))
		Must(p.t, err)
		out.Write(append(text, '\n'))
	}
}

func (p *poison) value(member string, v any) any {
	switch v := v.(type) {
	case string:
		return p.text(member, v)
	case []any:
		for i := range v {
			v[i] = p.value(member, v[i])
		}
	case map[string]any:
		for name, inner := range v {
			v[name] = p.value(name, inner)
		}
	}
	return v
}

// text returns a poisoned text; if the text is JSON, the texts in it are poisoned.
func (p *poison) text(member, text string) string {
	var inner map[string]any
	switch {
	case slices.Contains(p.stay, member):
		return text
	case json.Unmarshal([]byte(text), &inner) == nil:
		body, err := json.Marshal(p.value(member, inner))
		Must(p.t, err)
		return string(body)
	}
	p.secrets = append(p.secrets, fmt.Sprintf("ghp_%.36X", sha256.Sum256(fmt.Append(nil, len(p.secrets)))))
	return text + "\n" + p.secrets[len(p.secrets)-1] + "\n" + testdata.Hostile // the text may be cut
}
