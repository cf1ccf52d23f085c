package copilotcli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/semver"

	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
)

// tested is the newest version of Copilot CLI whose logs the tests read.
const tested = "1.0.102"

// maxStart is the most of a log that its first line is looked for in, in bytes.
const maxStart = 64 << 10

// Details tells of each home by which version of the CLI its newest log was begun.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	all, _ := s.cfg.found()
	for _, h := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if version := versionIn(h.newestLog()); version != "" {
			out[h.Root.Path] = append(out[h.Root.Path], homes.WrittenBy(version, tested))
		}
	}
	return out, nil
}

// newestLog is the log that changed last, empty where there is none.
func (h *home) newestLog() (newest string) {
	var at time.Time
	for _, c := range h.found {
		for _, log := range []string{filepath.Join(c.dir, "events.jsonl"), c.flat} {
			info, err := os.Stat(log)
			if c.dir == "" && log != c.flat || err != nil || !info.Mode().IsRegular() || info.ModTime().Before(at) {
				continue
			}
			newest, at = log, info.ModTime()
		}
	}
	return newest
}

// versionIn is the version that the first line of a log names; empty: none. One that is embedded
// elsewhere says "unknown".
func versionIn(log string) string {
	f, _, err := files.OpenLog(log)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, maxStart)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return ""
	}
	var start struct {
		Data struct {
			Version string `json:"copilotVersion"`
		} `json:"data"`
	}
	for i, b := range head[:n] {
		if b == '\n' {
			if json.Unmarshal(head[:i], &start) == nil && semver.IsValid("v"+start.Data.Version) {
				return start.Data.Version
			}
			break
		}
	}
	return ""
}
