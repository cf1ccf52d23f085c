package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/zricethezav/gitleaks/v8/detect"
)

// engine finds secrets: it gives what it found in a text.
type engine struct {
	name string
	find func(text string) ([]string, error)
}

// compare prints how well both engines do on the corpus, and how fast.
func compare() error {
	engines, err := bothEngines()
	if err != nil {
		return err
	}
	positives, err := readPositives()
	if err != nil {
		return err
	}
	lookAlikes, err := readLines(filepath.Join(redactFolder, "testdata", "lookalikes.txt"))
	if err != nil {
		return err
	}
	text := strings.Repeat(strings.Join(lookAlikes, "\n")+"\n", 1+(4<<20)/len(strings.Join(lookAlikes, "\n")))
	fmt.Printf("%-12s %8s %10s %8s   (%d secrets, %d look-alikes)\n", "", "recall", "precision", "MB/s", len(positives), len(lookAlikes))
	for _, e := range engines {
		hit, alarms := 0, 0
		var missed []string
		for _, p := range positives {
			found, err := e.find(p.Before + p.Secret + p.After)
			if err != nil {
				return err
			}
			// It counts when the most of the secret would be masked.
			if slices.ContainsFunc(found, func(f string) bool {
				return strings.Contains(f, p.Secret) || strings.Contains(p.Secret, f) && 2*len(f) > len(p.Secret)
			}) {
				hit++
			} else if !slices.Contains(missed, p.Rule) {
				missed = append(missed, p.Rule)
			}
		}
		for _, line := range lookAlikes {
			found, err := e.find(line)
			if err != nil {
				return err
			}
			if len(found) > 0 {
				alarms++
			}
		}
		began := time.Now()
		if _, err := e.find(text); err != nil {
			return err
		}
		speed := float64(len(text)) / 1e6 / time.Since(began).Seconds()
		fmt.Printf("%-12s %8.4f %10.4f %8.1f\n", e.name, float64(hit)/float64(len(positives)), float64(hit)/float64(hit+alarms), speed)
		if len(missed) > 0 {
			fmt.Printf("%14s %s\n", "missed some of", strings.Join(missed, ", "))
		}
	}
	return nil
}

func bothEngines() ([]engine, error) {
	masker, err := redact.New([]byte("key"), redact.Options{})
	if err != nil {
		return nil, err
	}
	detector, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		return nil, err
	}
	return []engine{
		{"sessionloom", func(text string) ([]string, error) {
			found, err := masker.Find(text)
			out := make([]string, len(found))
			for i, f := range found {
				out[i] = text[f.From:f.To]
			}
			return out, err
		}},
		{"gitleaks", func(text string) ([]string, error) {
			var out []string
			for _, f := range detector.DetectString(text) {
				out = append(out, f.Secret)
			}
			return out, nil
		}},
	}, nil
}

func readPositives() ([]positive, error) {
	lines, err := readLines(filepath.Join(redactFolder, "testdata", "positives.jsonl"))
	if err != nil {
		return nil, err
	}
	out := make([]positive, len(lines))
	for i, line := range lines {
		if err := json.Unmarshal([]byte(strings.ReplaceAll(line, mark, "")), &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func readLines(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var lines []string
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		if in.Text() != "" {
			lines = append(lines, in.Text())
		}
	}
	return lines, in.Err()
}
