package observe

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/merge"
)

// OwnedFiles know where the files of ours that are no notes (bases, canvases,
// pictures) lie. They bear no id that is looked for: one that does not lie where it
// lay is known again by what is in it.
type OwnedFiles struct {
	vault    *vault.Vault
	standing map[string]bool   // where one of ours lies
	sums     map[string]string // of pictures that were looked at, by path
	others   []string          // all files of the managed folder that are no notes; nil: not looked for
}

// NewOwnedFiles knows of no file yet.
func NewOwnedFiles(v *vault.Vault) *OwnedFiles {
	return &OwnedFiles{vault: v, standing: map[string]bool{}, sums: map[string]string{}}
}

// Stands remembers that one of ours lies at a path.
func (o *OwnedFiles) Stands(at string) { o.standing[at] = true }

// Find looks for a file elsewhere in the managed folder where no other of ours
// lies, empty where there is none. Of several that of its own name counts, then
// the one with the shortest path, for a copy's name is longer. also may be nil.
func (o *OwnedFiles) Find(ctx context.Context, f ledger.OwnedFile, also func(at string) bool) (string, error) {
	if o.others == nil {
		var err error
		if o.others, err = o.vault.Files(ctx); err != nil {
			return "", err
		}
		o.others = append(o.others, "")[:len(o.others)] // it was looked for
	}
	var found []string
	for _, at := range o.others {
		if !strings.EqualFold(path.Ext(at), path.Ext(f.Path)) || o.standing[at] {
			continue
		}
		if o.isAt(f, at) && (also == nil || also(at)) {
			found = append(found, at)
		}
	}
	if len(found) == 0 {
		return "", nil
	}
	named := func(at string) bool { return path.Base(at) == path.Base(f.Path) }
	return slices.MinFunc(found, func(a, b string) int {
		return cmp.Or(first(named(a), named(b)), len(a)-len(b), strings.Compare(a, b))
	}), nil
}

// isAt tells whether a file of ours lies at a place. One that cannot be read, or
// went meanwhile, is nobody's.
func (o *OwnedFiles) isAt(f ledger.OwnedFile, at string) bool {
	sum, seen := o.sums[at]
	if !seen || !names.IsPictureFile(f.ID) {
		text, err := o.vault.File(at)
		if err != nil || !names.IsPictureFile(f.ID) {
			return err == nil && knowsAgain(f, text)
		}
		sum = names.PictureSum(text)
		o.sums[at] = sum
	}
	return strings.HasSuffix(f.ID, "/"+sum+path.Ext(f.Path))
}

// knowsAgain tells a file of ours wherever it lies: a canvas by the node of its
// project, for Obsidian writes the links of it anew, a base by our first line.
func knowsAgain(f ledger.OwnedFile, text []byte) bool {
	if _, key, ok := strings.Cut(f.ID, names.CanvasID("")); ok {
		return names.ShowsNode(text, names.ProjectID(key))
	}
	sum := merge.HashHeader(text)
	return sum != "" && (sum == f.Ours || sum == texts.Digest(f.Base, 16)) || f.Base != "" && string(text) == f.Base
}

// haveContent tells whether the content of a picture lies anywhere.
func (o *OwnedFiles) haveContent(picture string, all []ledger.OwnedFile) bool {
	return slices.ContainsFunc(all, func(f ledger.OwnedFile) bool {
		return names.IsPictureFile(f.ID) && names.PictureID(f.ID) == picture && o.standing[f.Path]
	})
}
