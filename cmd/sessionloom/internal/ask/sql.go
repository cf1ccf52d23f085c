package ask

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/discover"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/query"
	"github.com/sessionloom/sessionloom/extract/query/memdb"
	"github.com/sessionloom/sessionloom/vault"
)

type sqlRun struct {
	host                              Host
	asJSON, asCSV, asMarkdown, schema bool
	timeout                           time.Duration
	rows                              int
}

const mostRows = 1_000_000

const hintSchema = "sessionloom sql --schema prints the views and their columns"

func newSQL(h Host) *cobra.Command {
	q := &sqlRun{host: h}
	cmd := &cobra.Command{
		Use:   "sql [STATEMENT]",
		Short: "ask the history in SQL",
		Long: "Answer one SELECT or WITH statement of SQLite about the history, as the last sync\n" +
			"left it; without an argument, the one on standard input. A statement can only read\n" +
			"the views that --schema prints. They are filled for the time of the answer, and\n" +
			"secrets are masked in them. docs/ask.md has examples.",
		Example: "  sessionloom sql 'SELECT title, turns FROM sessions ORDER BY turns DESC LIMIT 10'\n" +
			"  sessionloom sql --csv --project widget 'SELECT line, count(*) FROM commands WHERE ok = 0 GROUP BY line'\n" +
			"  sessionloom sql --schema",
		Args: Args(0, 1, "put the statement in quotes"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := q.check(args); err != nil {
				return err
			}
			if q.schema {
				return q.printSchema()
			}
			return q.answer(cmd, args)
		},
	}
	h.Settings(cmd, filtering)
	addJSON(cmd, &q.asJSON)
	f := cmd.Flags()
	f.BoolVar(&q.asCSV, "csv", false, "print comma-separated values")
	f.BoolVar(&q.asMarkdown, "markdown", false, "print a Markdown table")
	f.BoolVar(&q.schema, "schema", false, "print the views with a sentence for each column")
	f.DurationVar(&q.timeout, "timeout", 30*time.Second, "stop a statement that takes longer")
	f.IntVar(&q.rows, "max-rows", 10_000, "refuse an answer with more rows")
	return cmd
}

func (q *sqlRun) printSchema() error {
	s := present.NewSchema()
	if q.asJSON {
		return q.host.Print.Object(s)
	}
	return q.host.Print.Page(s.Lines(q.host.Print.LineWidth()))
}

func (q *sqlRun) check(args []string) error {
	forms := 0
	for _, set := range []bool{q.asJSON, q.asCSV, q.asMarkdown} {
		if set {
			forms++
		}
	}
	switch {
	case forms > 1:
		return exit.Usage("leave out all but one", "--json, --csv and --markdown cannot be used together")
	case q.schema && (q.asCSV || q.asMarkdown):
		return exit.Usage("--schema takes --json", "the schema is no table")
	case q.schema && len(args) > 0:
		return exit.Usage("leave out one of them", "--schema takes no statement")
	case q.rows < 1 || q.rows > mostRows:
		return exit.Usage(fmt.Sprintf("from 1 to %d", mostRows), "--max-rows cannot be %d", q.rows)
	case q.timeout <= 0:
		return exit.Usage("such as 30s or 5m", "--timeout cannot be %s", q.timeout)
	}
	return nil
}

func (q *sqlRun) answer(cmd *cobra.Command, args []string) error {
	statement, err := q.statement(cmd.InOrStdin(), args)
	if err != nil {
		return err
	}
	if err := memdb.BoundMemory(); err != nil { // before the ledger is opened
		return err
	}
	one, err := query.New(cmd.Context(), statement, query.Options{MaxRows: q.rows, Timeout: q.timeout})
	if err != nil {
		return q.explain(err)
	}
	// The state is closed before the statement runs, so that a sync need not wait for it.
	err = q.host.Texts(cmd, func(k Known) error { return fill(cmd, k, one) })
	var a query.Answer
	if err == nil {
		a, err = one.Answer(cmd.Context())
	}
	if err = errors.Join(err, one.Close()); err != nil {
		return q.explain(err)
	}
	for _, p := range a.Problems {
		q.host.Print.Warn(fmt.Sprintf("warning: %s is left out: %s", p.Item, p.Error))
	}
	return q.print(present.Rows{Schema: 1, Columns: a.Columns, Rows: a.Rows})
}

func (q *sqlRun) statement(in io.Reader, args []string) (string, error) {
	if len(args) == 1 && args[0] != "-" {
		return args[0], nil
	}
	if len(args) == 0 && q.host.Print.Interactive(in) {
		return "", exit.Usage(hintSchema, "no statement was given")
	}
	const most = 1 << 20
	text, err := io.ReadAll(io.LimitReader(in, most+1))
	if err != nil {
		return "", fmt.Errorf("read the statement: %w", err)
	}
	if strings.TrimSpace(string(text)) == "" {
		return "", exit.Usage(hintSchema, "no statement was given")
	}
	return string(text), nil // a longer statement is rejected later
}

// fill fills the views of a statement with the sessions that settings allow.
func fill(cmd *cobra.Command, k Known, one *query.Question) error {
	f, err := k.Filter()
	if err != nil {
		return err
	}
	e := extract.Engine{
		Ledger: k.Ledger, Folder: k.Config.Folder, Ignored: discover.Ignored, Now: time.Now,
		Settings: extract.DefaultSettings(), Scope: extract.Scope{Projects: f.Projects, Excluded: f.Excluded, Since: f.Since},
	}
	v, err := vault.Open(k.Config.Vault, k.Config.Folder, vault.Options{DryRun: true})
	if err == nil { // else the ledger's data is used, as in lists
		defer func() { _ = v.Close() }() // nothing was written
		e.Vault = v
		if e.Settings, err = config.Rendering(v.Marker().Settings, k.Config.Marker()); err != nil {
			return err
		}
	}
	return one.Fill(cmd.Context(), &e, extract.Selected{Sources: f.Sources}, k.Zone)
}

func (q *sqlRun) explain(err error) error {
	var refused *memdb.RefusedError
	var wrong *memdb.Error
	switch {
	case errors.As(err, &refused):
		return exit.Usage("one SELECT or WITH that reads the views; "+hintSchema, "the statement is refused: %w", err)
	case errors.As(err, &wrong):
		return exit.Usage(hintSchema, "SQLite cannot answer the statement: %w", err)
	case errors.Is(err, query.ErrRows):
		return exit.Failed("add LIMIT, sum up with GROUP BY, or allow more with --max-rows", "the answer has more than %d rows", q.rows)
	case errors.Is(err, query.ErrTime):
		return exit.Failed("a condition on each joined view makes it quicker; --timeout allows more", "the statement was stopped after %s", q.timeout)
	case errors.Is(err, query.ErrContent):
		return exit.Failed("--project or --since reads less; so does naming fewer columns", "%w", err)
	case errors.Is(err, memdb.ErrMemory), errors.Is(err, memdb.ErrTooLong), errors.Is(err, query.ErrSize):
		return exit.Failed("read fewer rows, or cut long texts with substr(text, 1, 200)", "%w", err)
	}
	return err
}

func (q *sqlRun) print(rows present.Rows) error {
	p := q.host.Print
	switch {
	case q.asJSON:
		return p.Object(rows)
	case q.asCSV:
		text, err := rows.CSV()
		if err != nil {
			return err
		}
		_, err = io.WriteString(p, present.Clean(text))
		return err
	case q.asMarkdown:
		_, err := io.WriteString(p, present.Clean(strings.Join(rows.Markdown(), "\n")+"\n"))
		return err
	}
	return p.Page(rows.Table(p.LineWidth()))
}
