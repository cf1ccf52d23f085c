package main

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io/fs"
	"path/filepath"
)

// seal tells afterwards which files of some folders were touched. It holds
// hashes alone, since the memory of this process is the least that is measured of
// its children.
type seal map[uint64]uint64 // hash of the path: hash of size and modification time

// sealed looks at every file of the folders.
func sealed(dirs ...string) (seal, error) {
	s := seal{}
	for _, dir := range dirs {
		err := eachFile(dir, func(name string, info fs.FileInfo) error {
			s[pathHash(dir, name)] = stampHash(info)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// broken lists the files that came or were written to, by their path from their
// folder with slashes, and says how many are gone.
func (s seal) broken(dirs ...string) ([]string, error) {
	var paths []string
	kept := 0
	for _, dir := range dirs {
		err := eachFile(dir, func(name string, info fs.FileInfo) error {
			stamp, known := s[pathHash(dir, name)]
			if known {
				kept++
			}
			if !known || stamp != stampHash(info) {
				paths = append(paths, filepath.ToSlash(name))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if gone := len(s) - kept; gone > 0 {
		paths = append(paths, goneFiles(gone))
	}
	return paths, nil
}

func pathHash(dir, name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(dir)) // a hash never fails to write
	h.Write([]byte{0})
	h.Write([]byte(name))
	return h.Sum64()
}

func stampHash(info fs.FileInfo) uint64 {
	h := fnv.New64a()
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:8], uint64(info.Size()))
	binary.LittleEndian.PutUint64(b[8:], uint64(info.ModTime().UnixNano()))
	h.Write(b[:])
	return h.Sum64()
}

// eachFile calls f for every file below dir, with its path from there.
func eachFile(dir string, f func(name string, info fs.FileInfo) error) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		return f(name, info)
	})
	return wrap(err, "walk")
}

// goneFiles tells how many files are no longer there.
func goneFiles(n int) string { return fmt.Sprintf("(%d files that are gone)", n) }
