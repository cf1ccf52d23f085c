// Command controls proves that tests protect the guards in the code: it breaks one guard after the
// other, in a copy that only the compiler sees, and expects its test to fail.
//
//	go run ./.ci/controls            all of them
//	go run ./.ci/controls fsync swap those whose name contains one of the words
//	go run ./.ci/controls -j 2       two at a time
//	go run ./.ci/controls -both      also check that each test passes with its guard intact
//
// The controls are listed in controls.yaml; [control] has the fields of one. They name no files, as
// code may move.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	jobs := flag.Int("j", 1, "how many controls to run at a time")
	both := flag.Bool("both", false, "run each test with its guard whole, too, and expect it to be green")
	flag.Parse()
	if err := run(flag.Args(), *jobs, *both); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// outcome is the result of one control.
type outcome struct {
	name string
	took time.Duration
	said string // names of the failed tests
	err  error  // why it proves nothing
}

// run runs the controls whose name contains one of the words, or all, and fails if one proves nothing.
func run(words []string, jobs int, both bool) error {
	all, err := load(filepath.Join(".ci", "controls", "controls.yaml"))
	if err != nil {
		return err
	}
	module, err := readModule()
	if err != nil {
		return err
	}
	if len(words) > 0 {
		all = slices.DeleteFunc(all, func(c control) bool {
			return !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(c.Name, w) })
		})
	}
	if len(all) == 0 {
		return errors.New("no control has such a name")
	}
	began := time.Now()
	var unproved []string
	for o := range tryAll(all, module, jobs, both) {
		if o.err != nil {
			unproved = append(unproved, o.name)
			o.said = o.err.Error()
		}
		fmt.Printf("%-38s %5.1fs  %s\n", o.name, o.took.Seconds(), o.said)
	}
	fmt.Printf("%d of %d controls turned their test red, in %s\n",
		len(all)-len(unproved), len(all), time.Since(began).Round(time.Second))
	if len(unproved) > 0 {
		slices.Sort(unproved)
		return fmt.Errorf("%d prove nothing: %s", len(unproved), strings.Join(unproved, ", "))
	}
	return nil
}

// tryAll tries the controls and yields each result as it arrives.
func tryAll(all []control, module map[string]string, jobs int, both bool) <-chan outcome {
	waiting, done := make(chan control), make(chan outcome)
	var workers sync.WaitGroup
	for range max(1, jobs) {
		workers.Go(func() {
			for c := range waiting {
				done <- try(c, module, both)
			}
		})
	}
	go func() {
		for _, c := range all {
			waiting <- c
		}
		close(waiting)
		workers.Wait()
		close(done)
	}()
	return done
}

func try(c control, module map[string]string, both bool) outcome {
	began := time.Now()
	o := outcome{name: c.Name}
	var err error
	if both {
		err = c.isGreen()
	}
	if err == nil {
		o.said, err = c.goesRed(module)
	}
	o.took, o.err = time.Since(began), err
	return o
}
