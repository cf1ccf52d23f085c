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

	"github.com/zricethezav/gitleaks/v8/detect"

	"github.com/sessionloom/sessionloom/extract/redact"
)

// engine finds the secrets in a text.
type engine struct {
	name string
	find func(text string) ([]string, error)
}

// compare prints quality and speed of both engines on the corpora.
func compare() error {
	engines, err := bothEngines()
	if err != nil {
		return err
	}
	ours, err := readPositives("positives.jsonl")
	if err != nil {
		return err
	}
	lookAlikes, err := readLines(filepath.Join(redactFolder, "testdata", "lookalikes.txt"))
	if err != nil {
		return err
	}
	theirs, err := readPositives("samples.jsonl")
	if err != nil {
		return err
	}
	for _, line := range lookAlikes {
		ours = append(ours, positive{Before: line})
	}
	if err := rates(engines, "our corpus", ours); err != nil {
		return err
	}
	if err := rates(engines, "gitleaks' own samples", theirs); err != nil {
		return err
	}
	return speeds(engines, strings.Repeat(strings.Join(lookAlikes, "\n")+"\n", 1+(4<<20)/len(strings.Join(lookAlikes, "\n"))))
}

// rates prints recall and precision on a corpus.
func rates(engines []engine, name string, corpus []positive) error {
	for _, e := range engines {
		secrets, hits, others, alarms := 0, 0, 0, 0
		var missed []string
		for _, p := range corpus {
			found, err := e.find(p.Before + p.Secret + p.After)
			switch {
			case err != nil:
				return err
			case p.Secret == "":
				others++
				alarms += min(len(found), 1)
			case finds(found, p.Secret):
				secrets++
				hits++
			default:
				secrets++
				if !slices.Contains(missed, p.Rule) {
					missed = append(missed, p.Rule)
				}
			}
		}
		fmt.Printf("%-12s %s: recall %.4f of %d secrets, precision %.4f with %d look-alikes\n",
			e.name, name, float64(hits)/float64(secrets), secrets, float64(hits)/float64(hits+alarms), others)
		if len(missed) > 0 {
			fmt.Printf("%14s %s\n", "missed some of", strings.Join(missed, ", "))
		}
	}
	return nil
}

// finds reports whether most of a secret would be masked.
func finds(found []string, secret string) bool {
	return slices.ContainsFunc(found, func(f string) bool {
		return strings.Contains(f, secret) || strings.Contains(secret, f) && 2*len(f) > len(secret)
	})
}

// speeds prints the speed on a text without secrets.
func speeds(engines []engine, text string) error {
	for _, e := range engines {
		began := time.Now()
		if _, err := e.find(text); err != nil {
			return err
		}
		fmt.Printf("%-12s %.1f MB/s\n", e.name, float64(len(text))/1e6/time.Since(began).Seconds())
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

func readPositives(name string) ([]positive, error) {
	lines, err := readLines(filepath.Join(redactFolder, "testdata", name))
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
