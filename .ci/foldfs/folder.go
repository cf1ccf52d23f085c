package main

import (
	"context"
	"maps"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// folder finds its entries by folded names, and lists them decomposed.
type folder struct {
	fs.Inode
	mode uint32

	mu      sync.Mutex
	entries map[string]entry
	changed time.Time
}

type entry struct {
	shown string
	node  *fs.Inode
}

func newFolder(mode uint32) *folder {
	return &folder{mode: mode, entries: map[string]entry{}, changed: time.Now()}
}

func key(name string) string { return cases.Fold().String(norm.NFD.String(name)) }

func (d *folder) get(name string) (entry, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	e, ok := d.entries[key(name)]
	return e, ok
}

// put sets the entry with a name; nil removes it.
func (d *folder) put(name string, node *fs.Inode) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.changed = time.Now()
	if node == nil {
		delete(d.entries, key(name))
		return
	}
	d.entries[key(name)] = entry{norm.NFD.String(name), node}
}

func (d *folder) add(ctx context.Context, name string, node fs.InodeEmbedder, kind uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	if _, ok := d.get(name); ok {
		return nil, syscall.EEXIST
	}
	child := d.NewPersistentInode(ctx, node, fs.StableAttr{Mode: kind})
	d.put(name, child)
	return child, attributes(ctx, child, &out.Attr)
}

func attributes(ctx context.Context, node *fs.Inode, out *fuse.Attr) syscall.Errno {
	var attr fuse.AttrOut
	errno := node.Operations().(fs.NodeGetattrer).Getattr(ctx, nil, &attr)
	*out = attr.Attr
	return errno
}

func (d *folder) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	e, ok := d.get(name)
	if !ok {
		return nil, syscall.ENOENT
	}
	return e.node, attributes(ctx, e.node, &out.Attr)
}

func (d *folder) Readdir(context.Context) (fs.DirStream, syscall.Errno) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []fuse.DirEntry
	for _, k := range slices.Sorted(maps.Keys(d.entries)) {
		e := d.entries[k]
		list = append(list, fuse.DirEntry{Name: e.shown, Mode: e.node.Mode(), Ino: e.node.StableAttr().Ino})
	}
	return fs.NewListDirStream(list), 0
}

func (d *folder) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	return d.add(ctx, name, newFolder(mode), syscall.S_IFDIR, out)
}

func (d *folder) Create(ctx context.Context, name string, _ uint32, mode uint32, out *fuse.EntryOut) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	node, errno := d.add(ctx, name, &file{mode: mode, links: 1, changed: time.Now()}, syscall.S_IFREG, out)
	return node, nil, 0, errno
}

func (d *folder) Link(ctx context.Context, target fs.InodeEmbedder, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	if _, ok := d.get(name); ok {
		return nil, syscall.EEXIST
	}
	node := target.EmbeddedInode()
	target.(*file).link(1)
	d.put(name, node)
	return node, attributes(ctx, node, &out.Attr)
}

func (d *folder) Unlink(_ context.Context, name string) syscall.Errno {
	e, ok := d.get(name)
	if !ok {
		return syscall.ENOENT
	}
	if f, ok := e.node.Operations().(*file); ok {
		f.link(-1)
	}
	d.put(name, nil)
	return 0
}

func (d *folder) Rmdir(_ context.Context, name string) syscall.Errno {
	e, ok := d.get(name)
	if !ok {
		return syscall.ENOENT
	}
	if sub := e.node.Operations().(*folder); len(sub.entries) > 0 {
		return syscall.ENOTEMPTY
	}
	d.put(name, nil)
	return 0
}

// Rename cannot swap and replaces the target.
func (d *folder) Rename(_ context.Context, name string, into fs.InodeEmbedder, to string, flags uint32) syscall.Errno {
	if flags != 0 {
		return syscall.EINVAL
	}
	e, ok := d.get(name)
	if !ok {
		return syscall.ENOENT
	}
	next := into.(*folder)
	if was, ok := next.get(to); ok && was.node != e.node {
		if f, ok := was.node.Operations().(*file); ok {
			f.link(-1)
		} else if len(was.node.Operations().(*folder).entries) > 0 {
			return syscall.ENOTEMPTY
		}
	}
	d.put(name, nil)
	next.put(to, e.node)
	return 0
}

func (d *folder) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	d.mu.Lock()
	defer d.mu.Unlock()
	out.Mode, out.Nlink = syscall.S_IFDIR|d.mode, 2
	out.SetTimes(&d.changed, &d.changed, &d.changed)
	return 0
}

func (d *folder) Setattr(ctx context.Context, fh fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	if mode, ok := in.GetMode(); ok {
		d.mode = mode & 0o7777
	}
	return d.Getattr(ctx, fh, out)
}

func (*folder) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno { return 0 }
