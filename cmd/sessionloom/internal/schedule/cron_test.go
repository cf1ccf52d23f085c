package schedule

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// FuzzTable plays install and remove on tables of any content: what is not ours
// stays, byte for byte, and twice is once.
func FuzzTable(f *testing.F) {
	f.Add("", "")
	f.Add("MAILTO=me\n\n0 9 * * * echo 100\\% # hi\n", "")
	f.Add("# mine\n# sessionloom:begin other-1 every 30m\n*/30 * * * * x\n# sessionloom:end other-1\n", "# last\n")
	f.Add("no end of line", "\r\n")
	f.Add("# sessionloom:begin notes-1 every 30m\nx\n", "")
	f.Add("# sessionloom:begin notes-1\nx\n# sessionloom:end notes-1\n", "# sessionloom:end notes-1\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		const name, block = "notes-1", "# sessionloom:begin notes-1 every 2h\n0 */2 * * * x\n# sessionloom:end notes-1\n"
		table := before + after
		bare, err := withBlock(table, name, "")
		if err != nil {
			if !strings.Contains(table, blockBegin(name)) {
				t.Fatalf("%v in %q", err, table)
			}
			return
		}
		with, err := withBlock(table, name, block)
		if err != nil || !strings.Contains(with, block) {
			t.Fatalf("%q becomes %q (%v)", table, with, err)
		}
		if again, err := withBlock(with, name, block); again != with || err != nil {
			t.Fatalf("a second time changes %q to %q (%v)", with, again, err)
		}
		gone, err := withBlock(with, name, "")
		if err != nil || gone != bare && gone != bare+"\n" {
			t.Fatalf("%q comes back as %q (%v)", bare, gone, err)
		}
		if !strings.Contains(table, blockBegin(name)) && bare != table {
			t.Fatalf("%q was cut to %q", table, bare)
		}
	})
}

// fakeCron keeps a table as the program crontab does; gone says that there is none.
type fakeCron struct {
	table   string
	none    bool
	refuses error
	ran     []string
}

func (c *fakeCron) run(_ context.Context, input string, command ...string) (string, error) {
	c.ran = append(c.ran, strings.Join(command, " "))
	switch {
	case c.refuses != nil:
		return "", c.refuses
	case command[1] == "-l" && c.none:
		return "", errors.New("crontab -l: exit status 1: no crontab for dev")
	case command[1] == "-l":
		return c.table, nil
	case command[1] == "-":
		c.table, c.none = input, false
	case command[1] == "-r":
		c.table, c.none = "", true
	}
	return "", nil
}

func TestCronKeepsOtherLines(t *testing.T) {
	const mine = "MAILTO=me\n0 9 * * * echo 100\\%\n"
	for _, before := range []*fakeCron{{table: mine}, {none: true}} {
		was := *before
		m := exampleMachine("/home/dev")
		m.Run = before.run
		c, p := cron{m}, exampleSpec()
		for i, want := range []bool{true, false} {
			if changed, err := c.Install(t.Context(), p); err != nil || changed != want {
				t.Fatalf("install %d: %v, %v", i, changed, err)
			}
		}
		other := p
		other.Name = "other-2"
		if _, err := c.Install(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		p.When = When{Daily: true, Hour: 9}
		if changed, err := c.Install(t.Context(), p); err != nil || !changed {
			t.Fatalf("another time: %v, %v", changed, err)
		}
		state, err := c.Find(t.Context(), p.Name)
		if err != nil || !state.Active || state.When != p.When || state.Next.Format("15:04") != "09:00" {
			t.Errorf("found %+v (%v)", state, err)
		}
		if !strings.HasPrefix(before.table, was.table) || strings.Count(before.table, "--scheduled") != 2 {
			t.Errorf("the table is\n%s", before.table)
		}
		for _, name := range []string{p.Name, other.Name} {
			if gone, err := c.Remove(t.Context(), name); err != nil || len(gone) != 1 {
				t.Errorf("remove: %q, %v", gone, err)
			}
		}
		if before.table != was.table || before.none != was.none {
			t.Errorf("left behind: %q", before.table)
		}
		if gone, err := c.Remove(t.Context(), p.Name); err != nil || len(gone) != 0 {
			t.Errorf("removed twice: %q, %v", gone, err)
		}
	}
}

// A table that cannot be read, or whose block has lost its end, is not written.
func TestCronWritesNoTableItCannotRead(t *testing.T) {
	for _, before := range []*fakeCron{
		{table: "0 9 * * * mine\n", refuses: errors.New("crontab -l: exit status 1: You (dev) are not allowed to use this program")},
		{table: blockBegin("my-notes-1a2b3c4d") + " every 30m\n*/30 * * * * x\n0 9 * * * mine\n"},
	} {
		m := exampleMachine("/home/dev")
		m.Run = before.run
		was := before.table
		if _, err := (cron{m}).Install(t.Context(), exampleSpec()); err == nil {
			t.Error("it was installed")
		}
		if before.refuses == nil {
			if _, err := (cron{m}).Remove(t.Context(), "my-notes-1a2b3c4d"); err == nil {
				t.Error("it was removed")
			}
		}
		if before.table != was || slices.Contains(before.ran, "crontab -") || slices.Contains(before.ran, "crontab -r") {
			t.Errorf("the table became %q by %q", before.table, before.ran)
		}
	}
}
