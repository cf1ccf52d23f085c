// Command foldfs mounts a file system in memory whose names behave as in older macOS: decomposed, and Foo and
// foo are the same. "foldfs FOLDER" runs until it is unmounted. It is for tests: see cmd/sessionloom/faults.
package main

import (
	"log"
	"os"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: foldfs FOLDER")
	}
	server, err := fs.Mount(os.Args[1], newFolder(0o777), &fs.Options{MountOptions: fuse.MountOptions{FsName: "foldfs", DirectMount: true}})
	if err != nil {
		log.Fatal(err)
	}
	server.Wait()
}
