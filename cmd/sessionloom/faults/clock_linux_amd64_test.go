package faults

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A clock that is wrong by years, as that of a machine whose battery is empty. The
// disk's clock, from which files have their times, is another: it goes right.
func TestWrongClock(t *testing.T) {
	needsTracing(t)
	years := []int{1970, 9999, 2039, 2107, 2263, 1980}
	passes := 0
	for _, year := range thin(years) {
		offset := time.Date(year, 1, 2, 3, 4, 5, 0, time.UTC).Unix() - time.Now().Unix()
		what := fmt.Sprintf("the clock says %d", year)
		p := placeIn(t, memoryDir(t), small)
		p.syncAt(offset, what) // a first pass
		if last, _ := filepath.Glob(filepath.Join(p.state, "*", "last.json")); len(last) != 1 || !strings.Contains(string(p.text(last[0])), fmt.Sprintf(`"at":"%d-`, year)) {
			t.Fatalf("%s: the program did not see it: %q", what, last)
		}
		p.sound(what)
		p.add(middle, 0.6)
		p.syncAt(offset, what)
		p.add(middle, 1)
		p.syncAt(0, "the clock goes right")
		before := tree(t, p.vault)
		p.syncAt(offset, what)
		if d := differences(before, tree(t, p.vault), true); d != "" {
			t.Errorf("%s: a further pass writes:\n%s", what, d)
		}
		p.sound(what)
		passes += 4
	}
	proved(t, "clock that is wrong by years (1970…9999), passes with it and without in turn", len(thin(years)), passes, "as by the right clock")
}

// syncAt runs a pass by a clock that is wrong by some seconds.
func (p *place) syncAt(offset int64, what string) {
	p.t.Helper()
	out := p.tracedBy(&tracer{decide: func(call) fate { return fate{} }, clock: offset}, nil, "sync")
	if out.code != 0 {
		p.t.Fatalf("%s: %s", what, out)
	}
}

// askKernelForTime has a program that was just started see no page of the kernel's
// in its memory, so that it asks for the time by a call.
func askKernelForTime(pid int) error {
	const vdso, ignore = 33, 1 // AT_SYSINFO_EHDR, AT_IGNORE
	var regs syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(pid, &regs); err != nil {
		return err
	}
	word := make([]byte, 8)
	next := func(at uintptr) (uint64, error) {
		_, err := syscall.PtracePeekData(pid, at, word)
		return binary.LittleEndian.Uint64(word), err
	}
	at := uintptr(regs.Rsp) + 8 // behind the number of arguments
	for range 2 {               // arguments, then the environment
		for {
			value, err := next(at)
			if err != nil {
				return err
			}
			if at += 8; value == 0 {
				break
			}
		}
	}
	for ; ; at += 16 {
		switch kind, err := next(at); {
		case err != nil:
			return err
		case kind == 0:
			return errors.New("the program has no such page")
		case kind == vdso:
			binary.LittleEndian.PutUint64(word, ignore)
			_, err := syscall.PtracePokeData(pid, at, word)
			return err
		}
	}
}

// shiftTime changes the seconds of a printed time.
func shiftTime(pid int, at uintptr, by int64) {
	word := make([]byte, 8)
	if _, err := syscall.PtracePeekData(pid, at, word); err == nil {
		binary.LittleEndian.PutUint64(word, uint64(int64(binary.LittleEndian.Uint64(word))+by))
		_, _ = syscall.PtracePokeData(pid, at, word)
	}
}
