package names

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
)

// Note is a note as it is told by its name.
type Note struct {
	ID, Type string
	Session  string // id of its session, empty for a page
	Path     string // in the managed folder
}

// IsPlacedByUs tells whether a note lies at one of its names, in some layout: nobody
// but us put it there.
func IsPlacedByUs(path string, named ...string) bool {
	for _, l := range layouts() {
		for _, name := range named {
			if path == l.Place(name) {
				return true
			}
		}
	}
	return false
}

// IsNamedByUs tells whether a note has the name that we give its id.
func IsNamedByUs(n Note) bool {
	kind, rest, _ := strings.Cut(n.ID, ":")
	var page string
	switch kind {
	case TypeHome:
		page = HomePath
	case TypeThreads:
		page = ThreadsPath
	case TypeProject:
		page = ProjectPath(identity.ProjectFromKey(rest))
	case TypeFile:
		key, file, ok := CutFileID(rest)
		if !ok {
			return false
		}
		page = FilePath(identity.ProjectFromKey(key), file)
	case TypeDay:
		page = DayPath(rest)
	case TypeWeek:
		page = WeekPath(rest)
	default:
		return slices.ContainsFunc(NameEnds(n), func(end string) bool { return strings.HasSuffix(path.Base(n.Path), end+".md") })
	}
	return IsPlacedByUs(n.Path, page, TrimMD(page)+PageTaken)
}

// NameEnds are the ends of the names that we give a note which is no page: what
// comes before tells of the day and the prompt, which change.
func NameEnds(n Note) (ends []string) {
	if n.Type == TypeMemory && n.Session == "" {
		_, name, ok := strings.Cut(n.ID, ":repo:")
		if !ok {
			name = strings.TrimPrefix(n.ID, "memory:user:")
		}
		ends = append(ends, "("+texts.Digest(name, 8)+")")
		if i := strings.LastIndexByte(name, '-'); i > 0 {
			ends = append(ends, "("+texts.Digest(name[:i], 8)+name[i:]+")")
		}
		return ends
	}
	for _, full := range []bool{false, true} {
		id := idIn(n.Session, full)
		var number int
		switch _, err := fmt.Sscanf(n.ID[strings.LastIndexByte(n.ID, ':')+1:], "%d", &number); {
		case n.ID == SessionID(n.Session):
			ends = append(ends, "("+id+")")
		case err == nil && n.ID == PartID(n.Session, number):
			ends = append(ends, fmt.Sprintf("(%s) part %d", id, number))
		case err == nil && n.ID == CheckpointID(n.Session, number):
			ends = append(ends, fmt.Sprintf("checkpoint %d (%s)", number, id))
		default:
			if name, ok := strings.CutPrefix(n.ID, "memory:"+n.Session+":"); ok && name == "plan" {
				ends = append(ends, "("+id+")")
			} else if ok {
				ends = append(ends, "("+id+"-"+texts.Digest(name, 4)+")")
			}
		}
	}
	return ends
}
