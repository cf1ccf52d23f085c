package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// copyFile copies the bytes of a file over another, which keeps its inode where
// it exists, and gives it the modification time.
func copyFile(to, from string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if e := out.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("copy %q: %w", from, err)
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

// copyTree copies a folder with the modification times of its files.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, name), 0o700)
		}
		return copyFile(filepath.Join(to, name), path)
	})
}
