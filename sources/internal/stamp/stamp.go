// Package stamp makes the stamps by which files are compared with themselves as
// last seen.
package stamp

import (
	"io/fs"
	"os"

	"github.com/sessionloom/sessionloom/sources"
)

// Of gives the stamp of a file from the result of a stat. Inode and change time
// are zero where the system has none.
func Of(info fs.FileInfo) sources.Stamp {
	s := sources.Stamp{Size: info.Size(), MTime: info.ModTime().UnixNano()}
	s.Inode, s.CTime = system(info)
	return s
}

// Database stamps a SQLite database, of which info is the result of a stat,
// together with what lies beside it and holds its newest rows. The change time of
// that does not count: SQLite run as root sets its owner anew whenever it is read.
func Database(path string, info fs.FileInfo) sources.Stamp {
	s := Of(info)
	for _, suffix := range []string{"-wal", "-journal"} {
		if info, err := os.Lstat(path + suffix); err == nil {
			newest := Of(info)
			newest.CTime = 0
			s = Join(s, newest)
		}
	}
	return s
}

// Join makes one stamp of two files that hold one content, such as a database
// and its write-ahead log: it moves when either does.
func Join(a, b sources.Stamp) sources.Stamp {
	return sources.Stamp{
		Size:  a.Size + b.Size,
		MTime: max(a.MTime, b.MTime),
		Inode: a.Inode ^ (b.Inode<<32 | b.Inode>>32),
		CTime: max(a.CTime, b.CTime),
	}
}
