package extract

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// ours tells a note that we made from a copy to which its user gave another id:
// nothing but what we wrote may be taken away. We did where the ledger knows that
// we put or wrote it, and, where that is not known (the ledger was lost, another
// machine wrote the note), where it has the name that we give its id.
func ours(r ledger.NoteRow) bool {
	return r.Home != "" || len(r.Base) > 0 || namedByUs(r, false)
}

// namedByUs tells whether a note has the name that we give its id. The folder of a
// project may have got another name, where that is allowed.
func namedByUs(r ledger.NoteRow, renamed bool) bool {
	kind, rest, _ := strings.Cut(r.ID, ":")
	var page string
	switch kind {
	case typeHome:
		page = homePath
	case typeThreads:
		page = threadsPath
	case typeProject:
		page = projectPath(identity.ProjectFromKey(rest))
	case typeFile:
		key, file, ok := cutFileID(rest)
		if !ok {
			return false
		}
		page = filePath(identity.ProjectFromKey(key), file)
	case typeDay:
		page = dayPath(rest)
	case typeWeek:
		page = weekPath(rest)
	default:
		return slices.ContainsFunc(nameEnds(r), func(end string) bool { return strings.HasSuffix(path.Base(r.Path), end+".md") })
	}
	long := trimMD(page) + pageTaken
	if renamed && (kind == typeProject || kind == typeFile) {
		return slices.Contains([]string{path.Base(page), path.Base(long)}, path.Base(r.Path))
	}
	d := draft{plain: [2]string{page, long}}
	return d.placedByUs(r.Path)
}

// nameEnds are the ends of the names that we give a note which is no page: what
// comes before tells of the day and the prompt, which change.
func nameEnds(r ledger.NoteRow) (ends []string) {
	if r.Type == typeMemory && r.Session == "" {
		_, name, ok := strings.Cut(r.ID, ":repo:")
		if !ok {
			name = strings.TrimPrefix(r.ID, "memory:user:")
		}
		ends = append(ends, "("+texts.Digest(name, 8)+")")
		if i := strings.LastIndexByte(name, '-'); i > 0 {
			ends = append(ends, "("+texts.Digest(name[:i], 8)+name[i:]+")")
		}
		return ends
	}
	for _, full := range []bool{false, true} {
		id := idIn(r.Session, full)
		var n int
		switch _, err := fmt.Sscanf(r.ID[strings.LastIndexByte(r.ID, ':')+1:], "%d", &n); {
		case r.ID == sessionID(r.Session):
			ends = append(ends, "("+id+")")
		case err == nil && r.ID == partID(r.Session, n):
			ends = append(ends, fmt.Sprintf("(%s) part %d", id, n))
		case err == nil && r.ID == checkpointID(r.Session, n):
			ends = append(ends, fmt.Sprintf("checkpoint %d (%s)", n, id))
		default:
			if name, ok := strings.CutPrefix(r.ID, "memory:"+r.Session+":"); ok && name == "plan" {
				ends = append(ends, "("+id+")")
			} else if ok {
				ends = append(ends, "("+id+"-"+texts.Digest(name, 4)+")")
			}
		}
	}
	return ends
}
