// Command gitleaks compares the search for secrets with gitleaks' own engine, on the corpus in
// extract/redact/testdata. It is a separate module, as that engine needs more modules than sessionloom.
//
//	go -C .ci/gitleaks run .           compare: recall, precision, MB/s of both
//	go -C .ci/gitleaks run . corpus    make the corpus of secrets again
//	go -C .ci/gitleaks run . samples   make the corpus of gitleaks' own samples again
//	go -C .ci/gitleaks run . take      take the rules of the release in go.mod
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/zricethezav/gitleaks/v8/config"
)

const redactFolder = "../../extract/redact"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch strings.Join(args, " ") {
	case "":
		return compare()
	case "corpus":
		return writeCorpus()
	case "samples":
		return writeSamples()
	case "take":
		return take()
	}
	return errors.New("it is one of: corpus, samples, take, or nothing")
}

// take copies the rules and their licence from the module.
func take() error {
	module, err := moduleFolder()
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(filepath.Join(module, "LICENSE"))
	if err != nil {
		return err
	}
	folder := filepath.Join(redactFolder, "gitleaks")
	if err := os.WriteFile(filepath.Join(folder, "LICENSE"), licence, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "gitleaks.toml"), []byte(config.DefaultConfig), 0o644)
}
