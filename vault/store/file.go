package vault

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/sessionloom/sessionloom/vault/note"
)

// tempPrefix begins the name of every temporary file. Behind it stand random
// digits, the hash of the text to write and that of the text it replaces:
// `.tmp-<8>-<16>-<16>`. Whatever else is found in such a file is a human's.
const tempPrefix = ".tmp-"

// tempHashes reads the hashes from the name of a temporary file of ours.
func tempHashes(name string) (hashes []string, ok bool) {
	rest, ok := strings.CutPrefix(name, tempPrefix)
	part := strings.Split(rest, "-")
	if !ok || len(part) != 3 || len(part[0]) != 8 || len(part[1]) != 16 || len(part[2]) != 16 {
		return nil, false
	}
	_, err := hex.DecodeString(strings.Join(part, ""))
	return part[1:], err == nil
}

// isTemp tells a temporary file of ours by its name.
func isTemp(name string) bool {
	_, ok := tempHashes(name)
	return ok
}

// content is a file as it was read.
type content struct {
	text  []byte
	stamp Stamp
	mode  fs.FileMode
}

// ErrTooLarge says that a file is larger than anything we write. It is not read.
var ErrTooLarge = note.ErrTooLarge

// readFile reads a regular file of the folder. Links, pipes and devices are
// refused, and never waited for; a file of more than note.MaxSize bytes is
// [ErrTooLarge].
func (f *folder) readFile(name string) (content, error) {
	return f.readIf(name, func(*os.File) error { return nil })
}

// readDisplaced reads a file that was taken out of its place, after which nobody
// new finds it. One that somebody still has open to write is [errMoved]: what
// they save would be gone with it.
func (f *folder) readDisplaced(name string) (content, error) {
	return f.readIf(name, func(file *os.File) error {
		if beingWritten(file) {
			return errMoved
		}
		return nil
	})
}

// readIf is readFile of a file that may be read once it is open.
func (f *folder) readIf(name string, allowed func(*os.File) error) (content, error) {
	if c, known, err := f.readRehearsed(name); known || err != nil {
		return c, err
	}
	info, err := f.root.Lstat(name)
	if err != nil {
		return content{}, err
	}
	if !info.Mode().IsRegular() {
		return content{}, fmt.Errorf("%q is no regular file", name)
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return content{}, err
	}
	defer func() { _ = file.Close() }()
	opened, err := file.Stat()
	if err != nil {
		return content{}, err
	}
	if !os.SameFile(info, opened) {
		return content{}, fmt.Errorf("%q was swapped while it was opened", name)
	}
	if err := allowed(file); err != nil {
		return content{}, err
	}
	if opened.Size() > note.MaxSize {
		return content{}, fmt.Errorf("%q is %w", name, ErrTooLarge)
	}
	buf := bytes.NewBuffer(make([]byte, 0, opened.Size()+bytes.MinRead))
	if n, err := buf.ReadFrom(io.LimitReader(file, note.MaxSize+1)); err != nil {
		return content{}, err
	} else if n > note.MaxSize { // it grew meanwhile
		return content{}, fmt.Errorf("%q is %w", name, ErrTooLarge)
	}
	return content{text: buf.Bytes(), stamp: stampOf(opened), mode: opened.Mode().Perm()}, nil
}

// temp is a temporary file, complete and synced but not yet in place.
type temp struct {
	name  string
	stamp Stamp
}

// writeTemp writes a temporary file that is to replace another. A mode of 0 is
// that of any new file. On an error nothing is left behind.
func (v *Vault) writeTemp(f *folder, text, was []byte, mode fs.FileMode) (temp, error) {
	name, err := v.tempName(text, was)
	if err != nil {
		return temp{}, err
	}
	first := fs.FileMode(0o644)
	if mode != 0 {
		first = 0o600
	}
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, first)
	if err != nil {
		return temp{}, err
	}
	t := temp{name: name}
	if _, err = file.Write(text); err == nil && mode != 0 {
		err = tolerateMode(file.Chmod(mode))
	}
	if err == nil {
		err = v.syncFile(file)
	}
	if err == nil {
		var info fs.FileInfo
		if info, err = file.Stat(); err == nil {
			t.stamp = stampOf(info)
		}
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return temp{}, errors.Join(err, f.root.Remove(name))
	}
	return t, nil
}

func (v *Vault) syncFile(file *os.File) error {
	do := v.seams.sync
	if do == nil {
		do = func(f *os.File) error { return tolerate(f.Sync()) }
	}
	return v.gather.sync(file, do)
}

// tolerate forgives a file system that does not know a call at all.
func tolerate(err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}

// tolerateMode forgives a file system that keeps no modes, or has another owner for
// whatever is made on it: as made, the file is open to nobody else.
func tolerateMode(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return tolerate(err)
}

func (v *Vault) tempName(text, was []byte) (string, error) {
	var salt [4]byte
	v.mu.Lock()
	_, err := io.ReadFull(v.opt.Rand, salt[:])
	v.mu.Unlock()
	if err != nil {
		return "", fmt.Errorf("make a random name: %w", err)
	}
	return tempPrefix + hex.EncodeToString(salt[:]) + "-" + note.Hash(text) + "-" + note.Hash(was), nil
}

// create writes a new file; [ErrTaken] if there is one of that name.
func (v *Vault) create(f *folder, name string, text []byte) (Stamp, error) {
	if f.exists(name) {
		return Stamp{}, ErrTaken
	}
	t, err := v.writeTemp(f, text, nil, 0)
	if err != nil {
		return Stamp{}, err
	}
	if err := v.renameNew(f, t.name, name); err != nil {
		return Stamp{}, errors.Join(err, f.root.Remove(t.name))
	}
	v.folders.touched(f)
	v.wroteIn(f, name)
	return f.stampAfter(name, t), nil
}

func (f *folder) exists(name string) bool {
	if _, known, err := f.readRehearsed(name); known || err != nil {
		return err == nil
	}
	_, err := f.root.Lstat(name)
	return err == nil
}

// renameNew gives a file a name that nobody has, [ErrTaken] if somebody does.
// Where the system has no such rename a second link is made, and where it has
// no links either the name is looked up just before.
func (v *Vault) renameNew(f *folder, old, name string) error {
	err := errors.ErrUnsupported
	if !v.seams.plain {
		err = renameNoReplace(f.dir, old, f.dir, name)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		if err = f.root.Link(old, name); err == nil {
			return f.root.Remove(old)
		}
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return ErrTaken
	case noLinks(err):
		if f.exists(name) {
			return ErrTaken
		}
		return f.root.Rename(old, name)
	}
	return err
}

// noLinks tells whether a second link failed because the file system has none.
func noLinks(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EPERM)
}

// stampAfter is the stamp of a file just put in place, empty if another has
// taken its place already.
func (f *folder) stampAfter(name string, t temp) Stamp {
	info, err := f.root.Lstat(name)
	if err != nil {
		return Stamp{}
	}
	s := stampOf(info)
	if s.Size != t.stamp.Size || s.MTime != t.stamp.MTime || s.Inode != t.stamp.Inode {
		return Stamp{}
	}
	return s
}
