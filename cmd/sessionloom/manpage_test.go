package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/help"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// option is what the library makes of a flag: its names, its default, and on the next line
// what it is for.
var option = regexp.MustCompile(`(?m)^(?:\.PP\n)?((?:\\fB-\w\\fP, )?\\fB--([\w-]+)\\fP).*\n\t(.*)$`)

// manPage is the page of a command by the library, with flags as --help has them, the commands
// below it, and on the first page what all commands share.
func manPage(t *testing.T, cmd *cobra.Command, date time.Time) []byte {
	cmd.DisableAutoGenTag = true
	header := doc.GenManHeader{Section: "1", Date: &date, Source: "sessionloom", Manual: "sessionloom"}
	var b bytes.Buffer
	expect.OK(t, doc.GenMan(cmd, &header, &b))
	page := option.ReplaceAllStringFunc(b.String(), func(found string) string {
		m := option.FindStringSubmatch(found)
		return manOption(cmd.Flag(m[2]), m[1], m[3])
	})
	page = strings.Replace(page, cmd.Short, strings.ReplaceAll(cmd.Short, " --", ` \&--`), 1) // else apropos reads a dash
	page = strings.Replace(page, ".SH OPTIONS\n", manCommands(cmd)+".SH OPTIONS\n", 1)
	page = strings.Replace(page, ".SH OPTIONS INHERITED FROM PARENT COMMANDS", ".SH OPTIONS OF ALL COMMANDS", 1)
	if cmd.Parent() == nil {
		page = strings.Replace(page, ".SH SEE ALSO\n", manShared(t)+".SH SEE ALSO\n", 1)
	}
	return []byte(page)
}

// manOption is a flag with the name of its value, where it takes one, and its default.
func manOption(f *pflag.Flag, names, usage string) string {
	value, _ := pflag.UnquoteUsage(f)
	if value != "" {
		value = ` \fI` + value + `\fP`
	}
	switch f.DefValue {
	case "", "0", "false", "[]":
	default:
		usage += " (default " + f.DefValue + ")"
	}
	return ".TP\n" + names + value + "\n" + usage
}

func manCommands(cmd *cobra.Command) string {
	var b strings.Builder
	for _, c := range cmd.Commands() {
		if hasPage(c) {
			fmt.Fprintf(&b, ".TP 13\n\\fB%s\\fP\n%s\n", c.Name(), c.Short)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return ".SH COMMANDS\n" + b.String() + "\n"
}

// manShared is what all commands share. The exit codes are those of the document for scripts.
func manShared(t *testing.T) string {
	var b strings.Builder
	b.WriteString(".SH EXIT STATUS\n")
	rows := regexp.MustCompile(`(?m)^\| (\d+) \| (.*) \|$`).FindAllStringSubmatch(string(readFile(t, filepath.Join(root, "docs", "scripting.md"))), -1)
	if len(rows) < 7 {
		t.Errorf("docs/scripting.md has a table of %d exit codes", len(rows))
	}
	for _, row := range rows {
		fmt.Fprintf(&b, ".TP\n%s\n%s\n", row[1], regexp.MustCompile("`([^`]*)`").ReplaceAllString(row[2], `\fB$1\fP`))
	}
	b.WriteString(`
.SH ENVIRONMENT
Each setting has a variable: that of \fBsources.copilot_cli.homes\fP is
\fBSESSIONLOOM_SOURCES_COPILOT_CLI_HOMES\fP. It wins over the configuration file, and a flag wins
over both. \fBsessionloom config list\fP prints all settings and where each value comes from.
.PP
\fBNO_COLOR\fP turns colours off. \fBPAGER\fP names the program that shows long lists.

.SH FILES
.TP
~/.config/sessionloom/config.yaml
the settings of this machine, below \fBXDG_CONFIG_HOME\fP where that is set
.TP
\fIVAULT\fP/Agents
the notes
.TP
\fIVAULT\fP/Agents/.sessionloom/vault.yaml
the settings of the vault, the same on all machines

`)
	return b.String()
}

// A page has what a reader looks for, and no default that looks like a part of the flag.
func TestManPageReadsWell(t *testing.T) {
	t.Parallel()
	for _, cmd := range help.EveryCommand(manualRoot(t)) {
		if !hasPage(cmd) {
			continue
		}
		page := string(manPage(t, cmd, time.Unix(0, 0).UTC()))
		want := []string{".SH NAME\n", ".SH SYNOPSIS\n", ".SH DESCRIPTION\n"}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			value, _ := pflag.UnquoteUsage(f)
			if !f.Hidden && f.Deprecated == "" {
				want = append(want, strings.TrimSuffix(`\fB--`+f.Name+`\fP \fI`+value+`\fP`, ` \fI\fP`)+"\n")
			}
		})
		if cmd.Example != "" {
			want = append(want, ".SH EXAMPLE\n")
		}
		if cmd.Parent() == nil {
			want = append(want, ".SH COMMANDS\n.TP 13\n\\fBaccept\\fP\n", ".SH EXIT STATUS\n.TP\n0\n", ".SH FILES\n", ".SH ENVIRONMENT\n")
		}
		for _, w := range want {
			expect.Has(t, page, w, cmd.CommandPath(), "has no")
		}
	}
}
