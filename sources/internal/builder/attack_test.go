package builder

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// call has the agent call a tool that succeeds.
func call(b *Builder, id, name string, args *tools.Arguments) *Called {
	c := b.Work().Call(Call{ID: id, Name: name, Args: args})
	b.Result(id, Result{OK: new(true)})
	return c
}

// named are arguments of a call that is about a file.
func named(path string) *tools.Arguments {
	return &tools.Arguments{Path: path}
}

// list has the agent give or change a list of one task.
func list(b *Builder, id, title string, merge bool) {
	items := []tools.Todo{{ID: decode.Scalar{Text: id}, Title: title}}
	call(b, "", "todo_write", &tools.Arguments{Merge: merge, Todos: tools.List{Items: items}}).End(Result{OK: new(true)})
}

// fields are those of one name in a list of a session: "Turns.User".
func fields(s *sources.Session, path string) (all []any) {
	of, name, _ := strings.Cut(path, ".")
	list := reflect.ValueOf(s).Elem().FieldByName(of)
	for i := range list.Len() {
		all = append(all, reflect.Indirect(list.Index(i).FieldByName(name)).Interface())
	}
	return all
}

// TestAttacks has acts in orders in which something was lost or invented once.
func TestAttacks(t *testing.T) {
	task := &tools.Arguments{Prompt: "do it"}
	for name, c := range map[string]struct {
		tell     func(b *Builder)
		of, want string
	}{
		"behind a prompt that was inserted": {func(b *Builder) {
			b.Insert(b.Insert(b.Prompt(Prompt{Text: "a"}), noon, Prompt{Text: "b"}), noon, Prompt{Text: "c"})
		}, "Turns.User", "[a b c]"},
		"a block that begins as the name of a message ends": {func(b *Builder) {
			b.Work().SayIn("m", "x\x00y", Answer)
			b.Work().SayIn("m\x00x", "y", Answer)
		}, "Turns.Assistant", "[x\x00y\n\ny]"},
		"a final answer that grew": {func(b *Builder) {
			b.Work().SayIn("m", "so", Report)
			b.Work().SayIn("m", "so be it", Final)
			b.Work().Say("on it", Report)
		}, "Turns.Assistant", "[on it\n\nso be it]"},
		"a chunk that ends with a blank": {func(b *Builder) { b.Work().Flow("one "); b.Work().Flow("two") }, "Turns.Assistant", "[one two]"},
		"numbers of checkpoints": {func(b *Builder) { b.Checkpoint(sources.Checkpoint{Number: 2}); b.Checkpoint(sources.Checkpoint{}) },
			"Checkpoints.Number", "[2 3]"},
		"commands behind which the user acted": {func(b *Builder) {
			for _, line := range []string{"/a", "/c"} {
				b.Prompt(Prompt{Text: line, Command: true})
				b.Act(sources.ActionShell, "!"+line)
			}
		}, "Actions.Text", "[/a !/a /c !/c]"},
		"finished twice": {func(b *Builder) { b.Prompt(Prompt{Text: "a"}); b.Finish() }, "Turns.User", "[a]"},
		"a commit of a turn that was taken back": {func(b *Builder) {
			b.Prompt(Prompt{Text: "a"})
			ran(b, "1", "git commit -m x", "[main abcdef1] x\n<exited with exit code 0>")
			b.Rewind(1)
		}, "Acts.Text", "[a]"},
		"an early result told twice": {func(b *Builder) {
			b.Result("1", Result{OK: new(false)})
			b.Result("1", Result{OK: new(true)})
			call(b, "1", "edit", named("a.go"))
		}, "Files.Path", "[]"},
		"arguments behind a refusal": {func(b *Builder) {
			b.Work().Call(Call{ID: "1", Name: "Task"})
			b.Result("1", Result{Refused: true})
			call(b, "1", "Task", task)
		}, "Delegated.Task", "[]"},
		"files of a sub-agent of a turn that was taken back": {func(b *Builder) {
			call(b, "1", "Task", task).Turn().TakeBack()
			b.Employ([]*sources.Session{WorkOf(&sources.Session{Files: []sources.FileTouch{{Path: "a.go", Kind: sources.Edited}}}, sources.Delegation{Task: "do it"})})
		}, "Files.Path", "[]"},
		"a list of a turn that was taken back": {func(b *Builder) {
			list(b, "1", "stays", false)
			b.Prompt(Prompt{Text: "a"})
			list(b, "2", "goes", true)
			b.Rewind(1)
			list(b, "3", "comes", true)
			list(b, "1", "stayed", true)
		}, "Todos.Title", "[stayed comes]"},
		"told of a turn that was selected": {func(b *Builder) {
			turn := b.Prompt(Prompt{Text: "a"})
			b.Prompt(Prompt{Text: "b"})
			b.Select(turn)
			b.Refer(sources.Ref{Type: sources.Commit, Value: "abcdef1"})
		}, "Refs.Turn", "[0]"},
		"one question asked twice": {func(b *Builder) {
			b.Work().Call(Call{ID: "1", Name: "ask_user", Args: &tools.Arguments{}})
			b.Result("1", Result{OK: new(true), Answers: []Reply{{"Go on?", "yes"}, {"Go on?", "no"}}})
		}, "Acts.Answer", "[yes, no]"},
		"edited again long after it was restored": {func(b *Builder) {
			call(b, "1", "edit", named("a.go"))
			ran(b, "2", "git restore a.go", "<exited with exit code 0>")
			ran(b, "3", strings.Repeat("git revert x && ", 200)+"true", "<exited with exit code 0>")
			call(b, "4", "edit", named("a.go"))
		}, "Acts.Text", "[" + strings.Repeat("git revert ", 200)[:200*11-1] + "]"},
	} {
		b := told()
		c.tell(b)
		expect.Is(t, fmt.Sprint(fields(b.Finish(), c.of)), c.want, name)
	}
}

// wild tells acts as bytes choose them, and returns what persons typed, and the agent said and called.
func wild(data []byte) (s *sources.Session, typed, said []string, calls []*Called) {
	b, n := told(), 0
	next := func(most int) (v int) {
		if len(data) > 0 {
			v, data = int(data[0])%most, data[1:]
		}
		return v
	}
	id := func() string { return []string{"", "a", "b", "c\x00", "c"}[next(5)] }
	text := func() string {
		n++
		return fmt.Sprintf("%s<%d>", []string{"x", "\xff", "\x00", "/a ", "- b\r\n"}[next(5)], n)
	}
	prompt := func() Prompt {
		p := Prompt{Text: text(), Program: next(4) == 0, Command: next(4) == 0, Joins: next(2) == 0, Key: id(), Once: next(2) == 0, Inherited: next(9) == 0}
		if !p.Program {
			typed = append(typed, p.Text)
		}
		return p
	}
	say := func() string { said = append(said, text()); return said[len(said)-1] }
	var turns []*Turn
	for len(data) > 0 {
		b.At(noon.Add(time.Duration(next(5)) * time.Minute))
		turns = append(turns, b.Work())
		switch t := turns[max(0, len(turns)-1-next(9))]; next(16) {
		case 0, 1:
			b.Prompt(prompt())
		case 2:
			turns = append(turns, b.Insert(t, noon, prompt()))
		case 3:
			b.Rewind(next(4) - 1)
		case 4:
			b.Select([]*Turn{t, nil}[next(2)])
		case 5:
			t.TakeBack()
		case 6:
			t.SayIn(id(), say(), Phase(next(3)))
		case 7:
			t.Flow(say())
		case 8, 9, 10:
			var args *tools.Arguments
			if next(4) > 0 {
				args = &tools.Arguments{Path: named(fmt.Sprint("f", next(3))).Path, Command: tools.Command{Text: "git commit -qm 'made " + id() + "' && git restore f1"}, Prompt: text(),
					Plan: tools.List{Text: "# P"}, TaskID: decode.Scalar{Text: id()}, ShellID: decode.Scalar{Text: "1"}, PullNumber: 1, IssueNumber: 2}
			}
			name := strings.Fields("bash edit Task exit_plan_mode ask_user todo_write task_update read_bash store_memory github-mcp-server-x")[next(10)]
			calls = append(calls, t.Call(Call{ID: id(), Name: name, Args: args, Within: id()}))
		case 11, 12, 13:
			b.Result(id(), Result{Text: []string{"", "[main abcdef1] made", "<command with shellId: 1 is still running>", "<exited with exit code 1>"}[next(4)],
				OK: []*bool{nil, new(true), new(false)}[next(3)], Refused: next(4) == 0, Words: id(), Running: next(9) == 0, TaskID: id()})
		case 14:
			b.Act(sources.ActionShell, "!"+text())
			b.Refer(sources.Ref{Type: sources.Commit, Value: id()})
		case 15:
			work := WorkOf(&sources.Session{Files: []sources.FileTouch{{Path: "w", Kind: sources.Edited}}}, *b.Delegate(sources.Delegation{Task: id()}))
			b.Employ([]*sources.Session{nil, work})
		}
	}
	return b.Finish(), typed, said, calls
}

// FuzzActs tells acts in any order: each prompt and word stands once, and what was done stands in turns that there are.
func FuzzActs(f *testing.F) {
	for seed := range uint64(300) {
		data, random := make([]byte, 400), rand.New(rand.NewPCG(seed, 7))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, typed, said, calls := wild(data)
		if again, _, _, _ := wild(data); !reflect.DeepEqual(s, again) {
			t.Fatal("the same acts make another session")
		}
		for _, c := range calls {
			if c.OK != nil && !*c.OK && (len(c.Files()) > 0 || c.Worker() != nil) {
				t.Errorf("%+v failed, and did something", c.Tool)
			}
		}
		var prompts, words []any
		for _, list := range []string{"Turns.", "TakenBack."} {
			prompts, words = append(prompts, fields(s, list+"User")...), append(words, fields(s, list+"Assistant")...)
		}
		for all, told := range map[string][]string{fmt.Sprint(prompts, fields(s, "Actions.Text")): typed, fmt.Sprint(words): said} {
			for _, one := range told {
				expect.Is(t, strings.Count(all, strings.TrimSpace(one)), 1, one, "stands", "times in", all)
			}
		}
		for _, turn := range s.Turns {
			for _, c := range turn.Tools {
				if c.After > len(turn.Assistant) || c.Within > len(turn.Tools) {
					t.Errorf("%+v stands nowhere", c)
				}
			}
		}
		for _, list := range []string{"Files.Turn", "Refs.Turn", "Acts.Turn", "Actions.Turn"} {
			for _, i := range fields(s, list) {
				if i.(int) < -1 || i.(int) >= len(s.Turns) {
					t.Errorf("%s: there is no turn %d", list, i)
				}
			}
		}
	})
}
