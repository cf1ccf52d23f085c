package copilotcli

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// artifact reads a file the agent or its user saved. What is binary or too large
// is listed without text. Its time stays unknown: the event that wrote it is in
// the log, and a modification time never becomes output.
func (r *reading) artifact(p sources.Part, folder, rest string) (sources.Artifact, error) {
	a := sources.Artifact{Kind: artifactKind(folder), Name: strings.ToValidUTF8(rest, "\ufffd")}
	if files.IsMore(p) {
		a.Left = "not all files are read"
		return a, nil
	}
	t, err := readText(r.Item.File(p), r.src.cfg.MaxArtifact)
	r.Out.BytesRead += t.Read
	if err != nil {
		r.Problem(r.Item.File(p), err)
		return a, err
	}
	a.Text, a.Size, a.Left = t.Body, t.Size, t.Left
	return a, nil
}

func artifactKind(folder string) string {
	switch folder {
	case "research":
		return sources.Research
	case "files":
		return sources.File
	default:
		return sources.Plan
	}
}
