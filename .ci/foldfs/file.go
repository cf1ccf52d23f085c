package main

import (
	"context"
	"sync"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// file is a regular file.
type file struct {
	fs.Inode

	mu      sync.Mutex
	text    []byte
	mode    uint32
	links   uint32
	changed time.Time
	status  time.Time // time of its last change of any kind
}

func (f *file) link(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.links = uint32(int(f.links) + n)
	f.status = time.Now()
}

func (*file) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) { return nil, 0, 0 }

func (f *file) Read(_ context.Context, _ fs.FileHandle, to []byte, at int64) (fuse.ReadResult, syscall.Errno) {
	f.mu.Lock()
	defer f.mu.Unlock()
	from := min(at, int64(len(f.text)))
	return fuse.ReadResultData(append([]byte(nil), f.text[from:min(from+int64(len(to)), int64(len(f.text)))]...)), 0
}

func (f *file) Write(_ context.Context, _ fs.FileHandle, text []byte, at int64) (uint32, syscall.Errno) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.resize(max(len(f.text), int(at)+len(text)))
	copy(f.text[at:], text)
	return uint32(len(text)), 0
}

func (f *file) resize(size int) {
	text := make([]byte, size)
	copy(text, f.text)
	f.text, f.changed = text, time.Now()
	f.status = f.changed
}

func (f *file) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	f.mu.Lock()
	defer f.mu.Unlock()
	out.Mode, out.Nlink, out.Size = syscall.S_IFREG|f.mode, f.links, uint64(len(f.text))
	out.SetTimes(&f.changed, &f.changed, &f.status)
	return 0
}

func (f *file) Setattr(ctx context.Context, fh fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	f.mu.Lock()
	if mode, ok := in.GetMode(); ok {
		f.mode, f.status = mode&0o7777, time.Now()
	}
	if size, ok := in.GetSize(); ok {
		f.resize(int(size))
	}
	if at, ok := in.GetMTime(); ok {
		f.changed, f.status = at, time.Now()
	}
	f.mu.Unlock()
	return f.Getattr(ctx, fh, out)
}

func (*file) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno { return 0 }
