// Command controls proves that tests guard what they say they guard: it breaks
// one guard after the other, in a copy that only the compiler sees, and expects
// the test to go red.
//
//	go run ./.ci/controls            all of them
//	go run ./.ci/controls fsync swap those whose name contains one of the words
//	go run ./.ci/controls -j 2       two at a time
//	go run ./.ci/controls -both      and see each test green while its guard is whole
//
// A control is a file *.yaml beside this one; [control] has its fields.
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

// outcome is what became of one control.
type outcome struct {
	name string
	took time.Duration
	said string // which test went red
	err  error  // why it proves nothing
}

// run runs the controls whose name contains one of the words, or all, each to its
// end whatever becomes of the others, and fails where one proves nothing.
func run(words []string, jobs int, both bool) error {
	files, err := filepath.Glob(".ci/controls/*.yaml")
	if err != nil {
		return err
	}
	if len(words) > 0 {
		files = slices.DeleteFunc(files, func(file string) bool {
			return !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(nameOf(file), w) })
		})
	}
	if len(files) == 0 {
		return errors.New("no control has such a name")
	}
	began := time.Now()
	var unproved []string
	for o := range tryAll(files, jobs, both) {
		if o.err != nil {
			unproved = append(unproved, o.name)
			o.said = o.err.Error()
		}
		fmt.Printf("%-38s %5.1fs  %s\n", o.name, o.took.Seconds(), o.said)
	}
	fmt.Printf("%d of %d controls turned their test red, in %s\n",
		len(files)-len(unproved), len(files), time.Since(began).Round(time.Second))
	if len(unproved) > 0 {
		slices.Sort(unproved)
		return fmt.Errorf("%d prove nothing: %s", len(unproved), strings.Join(unproved, ", "))
	}
	return nil
}

// tryAll tries the controls in files and gives what became of each as it ends.
func tryAll(files []string, jobs int, both bool) <-chan outcome {
	waiting, done := make(chan string), make(chan outcome)
	var workers sync.WaitGroup
	for range max(1, jobs) {
		workers.Go(func() {
			for file := range waiting {
				done <- try(file, both)
			}
		})
	}
	go func() {
		for _, file := range files {
			waiting <- file
		}
		close(waiting)
		workers.Wait()
		close(done)
	}()
	return done
}

func try(file string, both bool) outcome {
	began := time.Now()
	o := outcome{name: nameOf(file)}
	c, err := load(file)
	if err == nil && both {
		err = c.isGreen()
	}
	if err == nil {
		o.said, err = c.goesRed()
	}
	o.took, o.err = time.Since(began), err
	return o
}

func nameOf(file string) string { return strings.TrimSuffix(filepath.Base(file), ".yaml") }
