package inspect

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/vault/merge"
)

// judgeFiles looks at what lies beside the notes and is ours: views, canvases,
// pictures.
func (c *check) judgeFiles(ctx context.Context) error {
	for _, f := range c.listed.Others {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if words := c.fileDamage(f.Path); words != "" {
			c.find(FindingFile, f.Path, 0, words)
		}
	}
	return nil
}

// fileDamage says what is wrong with a file that is no note, nothing where it is
// whole, gone, or none of ours.
func (c *check) fileDamage(p string) string {
	kind := strings.ToLower(path.Ext(p))
	named := isContentName(p)
	if !named && kind != ".base" && kind != ".canvas" {
		return ""
	}
	text, _, err := c.Read(p)
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if err != nil {
		return err.Error()
	}
	sum := sha256.Sum256(text)
	switch {
	case named && !strings.HasPrefix(path.Base(p), hex.EncodeToString(sum[:8])+"."):
		return "its content is not what its name says"
	case kind == ".base" && (merge.HashHeader(text) != "" || c.ours("", p)) && !merge.WellFormed(p, string(text)):
		return "no program can read it as a view of notes"
	case kind == ".canvas" && len(bytes.TrimSpace(text)) > 0 && c.ours("", p) && !isCanvas(text):
		return "no program can read it as a canvas"
	}
	return ""
}

func (c *check) ours(id, p string) bool { return c.Ours != nil && c.Ours(id, p) }

// isCanvas tells whether a text is a JSON Canvas: cards and arrows with an id each.
func isCanvas(text []byte) bool {
	var plane *struct{ Nodes, Edges []struct{ ID string } }
	return json.Unmarshal(text, &plane) == nil && plane != nil
}

// isContentName tells a picture of ours by its name: that of its content.
func isContentName(p string) bool {
	name := strings.TrimSuffix(path.Base(p), path.Ext(p))
	_, err := hex.DecodeString(name)
	return err == nil && len(name) == 16 && path.Base(path.Dir(p)) == "attachments"
}
