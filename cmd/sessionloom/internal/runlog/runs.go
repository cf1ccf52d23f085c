package runlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/atomicfile"
)

// runsName is the file in a vault's state folder that tells of the last runs that a
// timer began: one JSON object a line, the newest at the end.
const runsName = "runs.jsonl"

// keptRuns is how many runs are remembered.
const keptRuns = 50

// Read gives what is remembered, the newest last. Lines that cannot be read are
// left out; no file is no run. Runs that broke off since are among them.
func Read(folder string) []Run {
	return withCrashed(recordedRuns(folder), crashed(folder, false))
}

// withCrashed adds runs that broke off, but for those that told how they ended just
// before they did.
func withCrashed(runs, broken []Run) []Run {
	for _, r := range broken {
		if !slices.ContainsFunc(runs, r.isThe) {
			runs = append(runs, r)
		}
	}
	return runs
}

func (r Run) isThe(other Run) bool { return r.At.Equal(other.At) }

func recordedRuns(folder string) []Run {
	text, err := os.ReadFile(filepath.Join(folder, runsName))
	if err != nil {
		return nil
	}
	var runs []Run
	for line := range bytes.Lines(text) {
		var r Run
		if json.Unmarshal(line, &r) == nil && !r.At.IsZero() {
			runs = append(runs, r)
		}
	}
	return runs
}

// Add remembers one more run, and those that broke off before, and forgets the
// oldest. Of two that end in the same moment one may be lost.
func Add(folder string, r Run) error {
	runs := withCrashed(recordedRuns(folder), crashed(folder, true))
	runs = append(slices.DeleteFunc(runs, r.isThe), r) // it may have been taken for one that broke off
	runs = runs[max(0, len(runs)-keptRuns):]
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, r := range runs {
		if err := e.Encode(r); err != nil {
			return fmt.Errorf("remember the run: %w", err)
		}
	}
	err := atomicfile.File{Path: filepath.Join(folder, runsName), Mode: 0o600}.PutText(b.Bytes())
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // without its folder there is no vault to tell of
		return fmt.Errorf("remember the run: %w", err)
	}
	return nil
}

// Forget takes away what is remembered of the runs of a timer. It names what was
// there.
func Forget(folder string) (gone []string, err error) {
	crashed(folder, true)
	file := filepath.Join(folder, runsName)
	switch err := os.Remove(file); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("forget the runs: %w", err)
	}
	return []string{file}, nil
}
