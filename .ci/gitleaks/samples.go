package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
)

const gitleaksModule = "github.com/zricethezav/gitleaks/v8"

// Replacements of two files of gitleaks, so that its generator of rules prints its samples.
var (
	//go:embed samples/validate.go.txt
	tellSamples []byte
	//go:embed samples/regen.go.txt
	seededSecrets []byte
)

// sample is a text with which gitleaks' authors test a rule.
type sample struct {
	Rule, Text string
	IsSecret   bool
}

// rich are the rules with handwritten samples; those of the others come from some thirty templates, of which
// a few are enough.
var rich = []string{"curl-auth-header", "curl-auth-user", "generic-api-key", "private-key", "kubernetes-secret-yaml", "jwt", "jwt-base64",
	"nuget-config-password", "freemius-secret-key", "hashicorp-tf-password", "openshift-user-token", "sonar-api-token"}

// writeSamples makes the corpus of samples: some for each rule, with new values. A sample that is not a
// secret has all text before it and an empty secret.
func writeSamples() error {
	samples, err := readSamples()
	if err != nil {
		return err
	}
	cfg, err := gitleaksConfig()
	if err != nil {
		return err
	}
	dice := rand.New(rand.NewSource(seed))
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	all := detect.NewDetector(cfg)
	for _, s := range chosen(samples, dice) {
		p, ok := positive{Rule: s.Rule, Before: newWords(s.Text, dice)}, false
		if s.IsSecret {
			p, ok = renewed(oneRule(cfg, s.Rule), s, dice)
		} else { // another rule may take it for a secret
			ok = len(all.DetectString(s.Text)) == 0 && len(all.DetectString(p.Before)) == 0
		}
		if !ok {
			continue
		}
		p.Before, p.Secret, p.After = markedWords(p.Before), marked(p.Secret), markedWords(p.After)
		if err := enc.Encode(p); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(redactFolder, "testdata", "samples.jsonl"), b.Bytes(), 0o644)
}

// chosen returns a few samples of each rule and all that are not secrets.
func chosen(samples []sample, dice *rand.Rand) (out []sample) {
	const ofEach = 6
	for len(samples) > 0 {
		n := 1
		for n < len(samples) && samples[n].Rule == samples[0].Rule && samples[n].IsSecret == samples[0].IsSecret {
			n++
		}
		group := samples[:n:n]
		samples = samples[n:]
		if group[0].IsSecret && !slices.Contains(rich, group[0].Rule) {
			dice.Shuffle(n, func(i, j int) { group[i], group[j] = group[j], group[i] })
			group = group[:min(n, ofEach)]
		}
		out = append(out, group...)
	}
	return out
}

// readSamples runs gitleaks' generator of rules and returns its samples.
func readSamples() ([]sample, error) {
	dir, err := os.MkdirTemp("", "samples-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program, err := buildTeller(dir)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, filepath.Join(dir, "rules.toml"))
	cmd.Dir = filepath.Join(dir, "gitleaks", "cmd", "generate", "config")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("run the generator of rules: %w", err)
	}
	var all []sample
	in := bufio.NewScanner(bytes.NewReader(out))
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var s sample
		if err := json.Unmarshal(in.Bytes(), &s); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, in.Err()
}

// buildTeller builds the generator of rules in dir, two of its files replaced.
func buildTeller(dir string) (program string, err error) {
	module, err := moduleFolder()
	if err != nil {
		return "", err
	}
	copied := filepath.Join(dir, "gitleaks")
	if err := os.CopyFS(copied, os.DirFS(module)); err != nil {
		return "", err
	}
	for name, text := range map[string][]byte{
		"cmd/generate/config/utils/validate.go": tellSamples,
		"cmd/generate/secrets/regen.go":         seededSecrets,
	} {
		path := filepath.Join(copied, filepath.FromSlash(name))
		if err := os.Remove(path); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return "", err
		}
	}
	if err := copyModFiles(dir, copied); err != nil {
		return "", err
	}
	program = filepath.Join(dir, "teller")
	out, err := exec.Command("go", "build", "-modfile", filepath.Join(dir, "go.mod"), "-o", program, gitleaksModule+"/cmd/generate/config").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the generator of rules: %w\n%s", err, out)
	}
	return program, nil
}

// copyModFiles makes this module use gitleaks from a folder.
func copyModFiles(dir, from string) error {
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			return err
		}
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		return err
	}
	edit := exec.Command("go", "mod", "edit", "-replace", gitleaksModule+"="+from,
		"-replace", "github.com/sessionloom/sessionloom="+root, filepath.Join(dir, "go.mod"))
	if out, err := edit.CombinedOutput(); err != nil {
		return fmt.Errorf("edit go.mod: %w\n%s", err, out)
	}
	return nil
}

// oneRule returns gitleaks' engine with only that rule.
func oneRule(cfg config.Config, id string) *detect.Detector {
	rule := cfg.Rules[id]
	rule.Path = nil // a transcript has no names of files
	cfg.Rules = map[string]config.Rule{id: rule}
	cfg.Keywords = map[string]struct{}{}
	for _, k := range rule.Keywords {
		cfg.Keywords[strings.ToLower(k)] = struct{}{}
	}
	return detect.NewDetector(cfg)
}

// renewed replaces the secret of a sample: each letter and digit becomes another one of its kind if the rule
// still matches.
func renewed(d *detect.Detector, s sample, dice *rand.Rand) (positive, bool) {
	found := d.DetectString(s.Text)
	if len(found) == 0 || found[0].Secret == "" {
		return positive{}, false
	}
	secret := found[0].Secret
	if s.Rule == "curl-auth-user" || s.Rule == "sidekiq-sensitive-url" { // the user's name is not secret
		user, password, _ := strings.Cut(strings.Trim(secret, `"'`), ":")
		secret = strings.Trim(password, `"'`)
		if secret == "" {
			secret = user
		}
	}
	if s.Rule == "kubernetes-secret-yaml" { // nor is a field's
		_, value, _ := strings.Cut(secret, ":")
		secret = strings.Trim(value, " \t\n>|\"'")
	}
	before, after, ok := strings.Cut(s.Text, secret)
	if !ok {
		return positive{}, false
	}
	now := []byte(secret)
	hex := isHexWord(secret)
	for i, c := range now {
		if isFixed(secret, i) {
			continue
		}
		if now[i] = another(c, hex, dice); now[i] == c {
			continue
		}
		text := before + string(now) + strings.ReplaceAll(after, secret, string(now))
		again := d.DetectString(text)
		if len(again) == 0 || !strings.Contains(again[0].Secret, string(now)) {
			now[i] = c
		}
	}
	return positive{s.Rule, before, string(now), strings.ReplaceAll(after, secret, string(now))}, true
}

// isFixed reports whether a byte is common to all secrets of a kind, though no rule requires it: the start of
// encoded JSON, the frame of a key.
func isFixed(s string, i int) bool {
	const head = 3
	for n := i; n >= 0 && n > i-head; n-- {
		if strings.HasPrefix(s[n:], "eyJ") {
			return true
		}
	}
	line := s[strings.LastIndexByte(s[:i], '\n')+1:]
	return strings.HasPrefix(line, "-----") && !strings.HasPrefix(line, "------")
}

func isHexWord(s string) bool {
	return strings.Trim(strings.ToLower(s), "0123456789abcdef-") == ""
}

// another returns another byte of the same kind.
func another(c byte, hex bool, dice *rand.Rand) byte {
	letters := 26
	if hex {
		letters = 6
	}
	switch {
	case '0' <= c && c <= '9':
		return '0' + byte(dice.Intn(10))
	case 'a' <= c && c <= 'z':
		return 'a' + byte(dice.Intn(letters))
	case 'A' <= c && c <= 'Z':
		return 'A' + byte(dice.Intn(letters))
	}
	return c
}

// markedWords inserts marks into all words as long as a secret.
func markedWords(s string) string { return eachWord(s, marked) }

// newWords replaces all words that look like a secret by similar ones.
func newWords(s string, dice *rand.Rand) string {
	return eachWord(s, func(word string) string {
		if !strings.ContainsAny(word, "0123456789") {
			return word
		}
		now := []byte(word)
		for i, c := range now {
			now[i] = another(c, isHexWord(word), dice)
		}
		return string(now)
	})
}

// eachWord replaces the words of a text that are as long as a secret.
func eachWord(s string, with func(string) string) string {
	const long = 16
	isWord := func(r rune) bool {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || strings.ContainsRune("_-./+=", r)
	}
	var b strings.Builder
	for s != "" {
		n := strings.IndexFunc(s, func(r rune) bool { return !isWord(r) })
		if n < 0 {
			n = len(s)
		}
		if n >= long {
			b.WriteString(with(s[:n]))
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
		n = strings.IndexFunc(s, isWord)
		if n < 0 {
			n = len(s)
		}
		b.WriteString(s[:n])
		s = s[n:]
	}
	return b.String()
}

// moduleFolder returns the folder of the gitleaks module.
func moduleFolder() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", gitleaksModule).Output()
	if err != nil {
		return "", fmt.Errorf("find the module of gitleaks: %w", err)
	}
	dir := strings.TrimSpace(string(out))
	if _, err := os.Stat(dir); err != nil {
		return "", fmt.Errorf("look at the module of gitleaks: %w", err)
	}
	return dir, nil
}
