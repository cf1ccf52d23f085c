package escape

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// languages are the info strings a fence may keep. Others, such as dataviewjs, may be run.
const languages = " asm astro awk bash bat batch bicep c c# c++ cc clj clojure cmake cmd conf console cpp cs csharp css " +
	"csv cuda cxx dart diff docker dockerfile dotenv editorconfig elixir elm env erb erl erlang ex exs f# " +
	"fish fortran fs fsharp gitignore glsl go gomod gql gradle graphql groovy h haskell hcl hpp hs htm " +
	"html http ini java javascript jinja jinja2 jl js json json5 jsonc jsonl jsx julia just justfile " +
	"kotlin kt kts less lisp log lua make makefile markdown md mk ml mts nginx nim nix objc objectivec " +
	"ocaml pascal patch perl php pl plaintext postgres powershell proto protobuf ps1 psql py python r rb " +
	"razor regex rs rst ruby rust sass scala scheme scss sh shell shellsession solidity sql sqlite styl " +
	"svelte swift sys systemd tcl terraform tex text tf toml ts tsv tsx txt typescript vb verilog vhdl vim vue " +
	"wasm wat wgsl xml yaml yml zig zsh "

// language is the info string for a fence: as given if allowed, else "text".
func language(info string) string {
	info = strings.ToLower(strings.TrimSpace(info))
	if i := strings.IndexAny(info, " \t\n,{:;"); i >= 0 {
		info = info[:i]
	}
	if info != "" && !strings.Contains(languages, " "+info+" ") {
		return "text"
	}
	return info
}

// Fence puts any text into one fence, longer than every run of backticks in it.
func Fence(info, s string) string {
	return string(appendFence(nil, language(info), strings.Trim(Clean(s), "\n"), ""))
}

// appendFence appends a fence of clean text, each line behind prefix.
func appendFence(out []byte, info, s, prefix string) []byte {
	mark := strings.Repeat("`", max(3, longestRun(s, '`')+1))
	out = append(out, prefix...)
	out = append(out, mark...)
	out = append(out, info...)
	body := defuseFields(string(appendDefused(nil, s)))
	if prefix == "" {
		body = defuseConflicts(body)
	}
	if evaluated(body) {
		text := strings.TrimLeftFunc(body, unicode.IsSpace)
		body = body[:len(body)-len(text)] + `\` + text
	}
	out = append(out, '\n')
	if body == "" {
		out = append(out, strings.TrimRight(prefix, " ")...)
	}
	out = append(out, prefixLines(body, prefix)...)
	out = append(out, '\n')
	out = append(out, prefix...)
	return append(out, mark...)
}

// conflictMark begins a line that git takes for one end of a conflict.
var conflictMark = regexp.MustCompile(`(?m)^(?:<{7}|>{7}) `)

// defuseConflicts puts a space before quoted marks of a merge: in an edited note they would pass
// for real ones.
func defuseConflicts(s string) string {
	if !strings.Contains(s, "<<<<<<< ") && !strings.Contains(s, ">>>>>>> ") {
		return s
	}
	return conflictMark.ReplaceAllString(s, " $0")
}

// evaluated reports whether a plugin runs code of this text, or makes an input of it.
func evaluated(text string) bool {
	text = strings.TrimSpace(text)
	return slices.ContainsFunc([]string{"=", "$=", "INPUT[", "VIEW[", "BUTTON["}, func(prefix string) bool { return strings.HasPrefix(text, prefix) })
}

// appendDefused appends code without what is active even in code: "<%" and our markers.
func appendDefused(out []byte, s string) []byte {
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 {
			return append(out, s...)
		}
		out = append(out, s[:i]...)
		if n := len(out); n > 0 && (out[n-1] == '<' || out[n-1] == '%' && namesRegion(s[i+1:])) {
			out = append(out, ' ')
		}
		out = append(out, '%')
		s = s[i+1:]
	}
}

// namesRegion reports whether s, which follows "%%", would make it a region marker.
func namesRegion(s string) bool {
	const farthest = 64
	return strings.HasPrefix(strings.TrimLeft(s[:min(len(s), farthest)], "% \t/"), "sessionloom")
}

// prefixLines puts prefix before every line; empty text stays empty.
func prefixLines(s, prefix string) string {
	if s == "" {
		return ""
	}
	bare := strings.TrimRight(prefix, " ")
	var b strings.Builder
	b.Grow(len(s) + (strings.Count(s, "\n")+1)*len(prefix))
	for line := range strings.SplitAfterSeq(s, "\n") {
		if line == "" || line == "\n" {
			b.WriteString(bare)
		} else {
			b.WriteString(prefix)
		}
		b.WriteString(line)
	}
	return b.String()
}
