package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
)

// Floors are what the machine needs for the same bytes and files without us.
// They are measured in the run whose cases they stand beside.

// readAll is the time to read every file of a folder: cat where there is one.
func readAll(ctx context.Context, dir string) (time.Duration, error) {
	begin := time.Now()
	if runtime.GOOS != "windows" {
		err := exec.CommandContext(ctx, "find", dir, "-type", "f", "-exec", "cat", "{}", "+").Run()
		return time.Since(begin), wrap(err, "cat the sources")
	}
	err := eachFile(dir, func(name string, _ fs.FileInfo) error {
		_, err := os.ReadFile(filepath.Join(dir, name))
		return err
	})
	return time.Since(begin), wrap(err, "read the sources")
}

// walk is the time to find every file of the folders and stat it: find where it
// prints sizes, else our own walk.
func walk(ctx context.Context, dirs ...string) (time.Duration, error) {
	begin := time.Now()
	if runtime.GOOS == "linux" {
		err := exec.CommandContext(ctx, "find", append(dirs, "-type", "f", "-printf", "%s %T@ %i %p\n")...).Run()
		return time.Since(begin), wrap(err, "find with stat")
	}
	for _, dir := range dirs {
		if err := eachFile(dir, func(string, fs.FileInfo) error { return nil }); err != nil {
			return 0, err
		}
	}
	return time.Since(begin), nil
}

// syncers is as many writers as the program has.
const syncers = 2

// createAll is the time to create files of the given sizes in a new folder, each
// with fsync.
func createAll(ctx context.Context, dir string, sizes []int64) (time.Duration, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	begin := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	for w := range syncers {
		group.Go(func() error {
			for i := w; i < len(sizes) && ctx.Err() == nil; i += syncers {
				if err := createOne(filepath.Join(dir, strconv.Itoa(i)), sizes[i]); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}
	err := group.Wait()
	return time.Since(begin), wrap(err, "create with fsync")
}

func createOne(path string, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err = f.Write(make([]byte, size)); err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

func wrap(err error, what string) error {
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
