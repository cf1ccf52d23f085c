package tools

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// Output is the output of a command, without the agent's wrapping.
type Output struct {
	Text    string
	Exit    *int   // nil: unknown
	Running bool   // it goes on in the background, or was stopped: it has no exit code
	Shell   string // where it goes on, or ""
	Failed  bool   // the text replaces the output, and says that it failed
	Unrun   bool   // the text says that a client, hook, rule or person kept it from running
}

// edge is how many bytes at both ends of an output are searched for wrapping.
const edge = 1 << 10

var (
	// heads match wrapping before an output; their group is the exit code: Codex since 0.55, editors'
	// bridges, Claude Code, its background commands, the sandbox of Codex.
	heads = []func() *regexp.Regexp{
		pattern.Lazy(`^(?:Chunk ID: .*\n|Wall time.*\n|Script (?:completed|failed|running).*\n|Original token count: .*\n|Process running .*\n|Output:\n|Warning: truncated output.*\n|Total output lines: .*\n|\n)*(?:Process exited with code|Exit code:) (-?\d{1,9})\n(?:(?:Wall time|Original token count|Total output lines|Chunk ID): .*\n)*(?:Output:(?:\n|$))?`),
		pattern.Lazy(`^Exited with code (-?\d{1,9})\.(?: ?Final output:\n*)?`),
		pattern.Lazy(`^(?:Error: )?Exit code (-?\d{1,9})(?:\n|$)`),
		pattern.Lazy(`^(?:Chunk ID: .*\n|Wall time.*\n|Script (?:completed|failed|running).*\n|Original token count: .*\n|Process running .*\n)+(?:Output:(?:\n|$))()`),
		pattern.Lazy(`^(?:<(?:retrieval_status|task_id|task_type|status)>[^<\n]{0,200}</[a-z_]+>\n*)+<exit_code>(-?\d{1,9})</exit_code>\s*(?:<(?:output|stdout)>\n?)?`),
		pattern.Lazy(`^failed in sandbox \S+ with execution error: [^,\n]{0,200}, exit code: (-?\d{1,9}), stdout: (?:, stderr: )?`),
		pattern.Lazy(`^exec_command failed[^\n]*?\bexit_code: (-?\d{1,9}), `),
	}
	// tails match wrapping after an output: Copilot CLI, Gemini CLI.
	tails = []func() *regexp.Regexp{
		pattern.Lazy(`\n?<(?:exited|shellId: \S{1,40} completed|command with id: \S{1,40} exited) with exit code (-?\d{1,9})>\s*$`),
		pattern.Lazy(`(?:^|\n)Exit Code: (-?\d{1,9})(?:\n(?:Signal|Background PIDs|Process Group PGID|Error|Full output saved to): .*)*\s*$`),
	}
	// running matches texts that say that a command has no exit code.
	running = pattern.Lazy(`(?m)^(?:Process running with session ID|Signal: \d|Signal: SIG|Exit Code: \(none\)|Command moved to background|Command is running in background|Command was cancelled|Command was automatically cancelled|Command running in background with ID|(?:bash|shell) tool terminated command|User aborted the command|<command started in background|<command with (?:shellId|id): \S{1,40} (?:is still running|stopped))`)
	// shell names the shell in which a command goes on: Copilot CLI, Claude Code, Codex.
	shell = pattern.Lazy(`(?:<command (?:started in background )?with (?:shellId|ID): |(?m:^)Command running in background with ID: |(?m:^)Process running with session ID )([^\s>]{1,64}?)(?:>|\.?\s|\.?$| is still running)`)
	// failed matches the beginning of a text that Codex writes in place of an output, unrun its counterpart
	// for a call that did not run (Claude Code, Codex).
	failed = pattern.Lazy(`^(?:failed in sandbox\b|exec_command failed|execution error: |apply_patch verification failed|(?:Wall time: .*\n)?aborted(?: by user|\s*$))`)
	unrun  = pattern.Lazy(`^(?:<tool_use_error>|PreToolUse:\S{1,99} hook error|exec command rejected by user|failed to parse function arguments|unsupported call)`)
	// blocked matches the end of a text whose command a rule kept from running: Codex.
	blocked = pattern.Lazy("` rejected: [^`\n]{1,200}\\s*$")
	// labels are labels of an output on its first line: Gemini CLI.
	labels = strings.NewReplacer("\nOutput: ", "\n", "\nStdout: ", "\n")
)

// Unwrap removes an agent's wrapping from an output: JSON, also within a text, lines before it, a line after
// it, nested wrappings.
func Unwrap(text string) Output {
	if strings.HasPrefix(text, "Command: ") { // Codex 0.118 puts the command first, of any length
		if _, rest, found := strings.Cut(text, "\nChunk ID: "); found {
			text = "Chunk ID: " + rest
		}
	}
	out := Output{Text: text}
	for range maxWraps {
		inner, code, ok := unwrapped(out.Text)
		if !ok {
			break
		}
		if out.Text = inner; code != nil {
			out.Exit = code
			break
		}
	}
	if out.Exit == nil {
		ends := text[:min(len(text), edge)] + "\n" + text[max(len(text)-edge, 0):]
		out.Running = hasAny(ends, "Command ", "<command ", "Process running ", "Signal: ", "Exit Code: (none)", "tool terminated command", "aborted the command") && running().MatchString(ends)
		if out.Running {
			if m := shell().FindStringSubmatch(ends); m != nil {
				out.Shell = m[1]
			}
		}
		if out.Text != "" && strings.IndexByte("<PWefua`", out.Text[0]) >= 0 {
			out.Unrun = unrun().MatchString(out.Text) || out.Text[0] == '`' && blocked().MatchString(text[max(len(text)-edge, 0):])
			out.Failed = out.Unrun || failed().MatchString(out.Text)
		}
	}
	if text = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(text, untrusted), shortened), "\n"); strings.HasPrefix(text, "Output: ") || strings.HasPrefix(text, "Command: ") || strings.HasPrefix(text, "Stdout: ") {
		out.Text = labels.Replace("\n" + out.Text)
	}
	return out
}

// Tags of newer Gemini CLI before an output, and before one that was too large.
const untrusted, shortened = "<untrusted_context>", "<tool_output_masked>"

// maxWraps limits the wrappings that are removed.
const maxWraps = 4

// unwrapped removes one wrapping; ok is false if there is none.
func unwrapped(text string) (inner string, code *int, ok bool) {
	if strings.HasPrefix(text, `"`) && decode.Text(text, &inner) == nil {
		return inner, nil, inner != ""
	}
	if inner, tagged := strings.CutPrefix(text, untrusted); tagged { // newer versions of Gemini CLI
		return strings.TrimSuffix(strings.TrimSpace(inner), "</"+untrusted[1:]), nil, true
	}
	if inner, tagged := strings.CutPrefix(text, shortened); tagged { // a shortened output, stored whole elsewhere
		inner, _, _ = strings.Cut(strings.TrimSpace(inner), "\n\nOutput too large. Full output available at: ")
		return inner, nil, true
	}
	if strings.HasPrefix(text, "{") && strings.Contains(text, `exit_code"`) {
		var wrapped struct {
			Output   string        `json:"output"`
			Stdout   string        `json:"stdout"`
			Exit     *decode.Whole `json:"exit_code"`
			Metadata struct {
				Exit *decode.Whole `json:"exit_code"`
			} `json:"metadata"`
		}
		if decode.Text(text, &wrapped) == nil {
			for _, code := range []*decode.Whole{wrapped.Exit, wrapped.Metadata.Exit} {
				if code != nil && *code == decode.Whole(int32(*code)) {
					return wrapped.Output + wrapped.Stdout, new(int(*code)), true
				}
			}
		}
	}
	for _, head := range heads {
		if !strings.ContainsAny(text[:min(len(text), 1)], "CEOPSW<ef") {
			break // no wrapping begins so
		}
		if m := head().FindStringSubmatchIndex(text[:min(len(text), edge)]); m != nil {
			return strings.TrimLeft(text[m[1]:], "\n"), number(text[m[2]:m[3]]), true
		}
	}
	from := max(len(text)-edge, 0)
	for _, tail := range tails {
		if !hasAny(text[from:], "exit code ", "Exit Code: ") {
			break
		}
		if m := tail().FindStringSubmatchIndex(text[from:]); m != nil {
			return text[:from+m[0]], number(text[from+m[2] : from+m[3]]), true
		}
	}
	return text, nil, false
}

// hasAny reports whether a text has one of these words, which is cheaper than a regular expression.
func hasAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// number reads an exit code of at most nine digits, or returns nil.
func number(digits string) *int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return nil
	}
	return &n
}

// Limits of the error text that is read, in bytes. More is read than is kept after masking, because a
// secret is recognized by the text around it.
const (
	errorHead  = 4 << 10  // beginning of a failed call's output
	errorTail  = 12 << 10 // its end
	errorLine  = 400      // a line in any other output, never cut
	errorLines = 6        // number of such lines
)

// ErrorsIn returns the lines of an output that report an error: both ends of it if the call failed,
// else the first lines that name an error as compilers, tests and programs do.
func ErrorsIn(output string, failed bool) string {
	output = strings.TrimSpace(output)
	if !failed {
		output = strings.Join(namedErrors(output), "\n")
	} else {
		output = BothEnds(output, errorHead, errorTail)
	}
	return strings.ToValidUTF8(output, "")
}

// BothEnds returns the whole lines within the first head and last tail bytes of a text, or the words of a single line.
func BothEnds(text string, head, tail int) string {
	if len(text) <= head+tail {
		return text
	}
	begin, end := text[:head], text[len(text)-tail:]
	_, rest, ok := strings.Cut(end, "\n")
	if !ok {
		_, rest, _ = strings.Cut(end, " ")
	}
	return begin[:strings.LastIndexByte(begin, '\n')+1] + rest
}

func namedErrors(output string) (lines []string) {
	for _, word := range []string{"rror", "FAIL", "atal: ", "anic: "} { // Error, error, fatal, panic
		for at := 0; len(lines) < errorLines; {
			i := strings.Index(output[at:], word)
			if i < 0 {
				break
			}
			from, to := strings.LastIndexByte(output[:at+i], '\n')+1, len(output)
			if end := strings.IndexByte(output[at+i:], '\n'); end >= 0 {
				to = at + i + end
			}
			line := strings.TrimSpace(output[from:to])
			if len(line) <= errorLine && strings.Contains(line, " ") && !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
			at = to
		}
	}
	return lines
}
