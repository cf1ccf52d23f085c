package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
)

// floor is what the machine needs for the same bytes and files without the program, or for work that must be
// done anyway. It is measured in turns with its case.
type floor struct {
	name    string
	measure func(context.Context, []*stage) (time.Duration, error)
}

// readSources reads every file of the sources, with cat if available.
func readSources(ctx context.Context, stages []*stage) (time.Duration, error) {
	home, begin := stages[0].home, time.Now()
	if runtime.GOOS != "windows" {
		err := exec.CommandContext(ctx, "find", home, "-type", "f", "-exec", "cat", "{}", "+").Run()
		return time.Since(begin), err
	}
	err := eachFile(home, func(name string, _ fs.FileInfo) error {
		_, err := os.ReadFile(filepath.Join(home, name))
		return err
	})
	return time.Since(begin), err
}

func findAll(ctx context.Context, stages []*stage) (time.Duration, error) {
	return find(ctx, stages[0].home, stages[0].vault())
}

func findVault(ctx context.Context, stages []*stage) (time.Duration, error) {
	return find(ctx, stages[0].vault())
}

// find examines size and time of every file, with find if it prints them, else by walking.
func find(ctx context.Context, dirs ...string) (time.Duration, error) {
	begin := time.Now()
	if runtime.GOOS == "linux" {
		err := exec.CommandContext(ctx, "find", append(dirs, "-type", "f", "-printf", "%s %T@ %i %p\n")...).Run()
		return time.Since(begin), err
	}
	for _, dir := range dirs {
		if _, err := folderSize(dir); err != nil {
			return 0, err
		}
	}
	return time.Since(begin), nil
}

// syncAgain lets every program read what the run before wrote, and returns the time of the first one with
// nothing to do.
func syncAgain(ctx context.Context, stages []*stage) (took time.Duration, err error) {
	for i, s := range stages {
		for range 2 {
			o, err := s.sync(ctx)
			if err != nil {
				return 0, err
			}
			if i == 0 {
				took = o.wall
			}
		}
	}
	return took, nil
}

// createAll creates files of the same sizes as in the vault, each with fsync, by two writers.
func createAll(ctx context.Context, stages []*stage) (time.Duration, error) {
	var sizes []int64
	err := eachFile(stages[0].vault(), func(_ string, info fs.FileInfo) error {
		sizes = append(sizes, info.Size())
		return nil
	})
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp(filepath.Dir(stages[0].dir), "created-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	const writers = 2
	begin := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	for w := range writers {
		group.Go(func() error {
			for i := w; i < len(sizes) && ctx.Err() == nil; i += writers {
				if err := createOne(filepath.Join(dir, strconv.Itoa(i)), sizes[i]); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}
	err = group.Wait()
	return time.Since(begin), err
}

func createOne(path string, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, size))
	return errors.Join(err, f.Sync(), f.Close())
}

func folderSize(dir string) (bytes int64, err error) {
	err = eachFile(dir, func(_ string, info fs.FileInfo) error {
		bytes += info.Size()
		return nil
	})
	return bytes, err
}

// copyTree copies a folder with the modification times of its files.
func copyTree(to, from string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return eachFile(from, func(name string, info fs.FileInfo) error {
		return os.Chtimes(filepath.Join(to, name), info.ModTime(), info.ModTime())
	})
}

// eachFile calls f for every file below dir, with its relative path.
func eachFile(dir string, f func(name string, info fs.FileInfo) error) error {
	return fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return f(filepath.FromSlash(name), info)
	})
}
