package faults

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// waitStopped waits for a child of a tracer to stop by a signal and returns its
// number. It stands still at each traced call too, but then its tracer is at work.
func (p *place) waitStopped(tracer int) int {
	p.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		list, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", tracer, tracer))
		for _, word := range strings.Fields(string(list)) {
			if pid, err := strconv.Atoi(word); err == nil && stopped(pid) {
				if before := asleep(tracer); before != "" {
					time.Sleep(50 * time.Millisecond)
					if stopped(pid) && asleep(tracer) == before {
						return pid
					}
				}
			}
		}
	}
	p.t.Fatal("the program never stopped")
	return 0
}

// stopped reports whether all threads of a process stand still, waiting to be
// continued.
func stopped(pid int) bool {
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, task := range tasks {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/status", pid, task.Name()))
		_, state, _ := strings.Cut(string(text), "State:\t")
		if !strings.HasPrefix(state, "t") && !strings.HasPrefix(state, "T") {
			return false
		}
	}
	return err == nil && len(tasks) > 0
}

// asleep returns what tells one sleep of a process from the next, empty if it is
// awake.
func asleep(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if !strings.Contains(string(text), "State:\tS") {
		return ""
	}
	_, switches, _ := strings.Cut(string(text), "\nvoluntary_ctxt_switches:")
	return switches
}
