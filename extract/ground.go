package extract

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// A session may know only the folder it worked in where another one, of the same
// or another agent, knows the remote of that folder: both belong to the project
// of the remote. That is settled once all is read, from the cards of all
// sessions, so that the order in which they are found does not matter.

// ground is where a session worked, as other sessions may know it too.
type ground struct {
	own     string   // key of the project that its place alone gives
	folder  string   // from the home folder; empty: unknown, or several
	rooted  bool     // folder is the root of a repository
	folders []string // those of its workspace
}

func groundOf(place sources.Place) ground {
	g := ground{own: projectOf(place).Key}
	if isWorkspace(place) {
		for _, f := range place.Folders {
			if f = unifyPath(f); !isJunkFolder(f) {
				g.folders = append(g.folders, plainFolder(f))
			}
		}
		return g
	}
	if f := workFolder(place); f != "" {
		g.folder, g.rooted = plainFolder(f), f == unifyPath(place.GitRoot)
	}
	return g
}

// plainFolder is a unified folder as it is compared: from the home folder, and
// without regard to case where that means nothing.
func plainFolder(f string) string {
	rel := homeRelative(f)
	if isWindowsPath(f) {
		rel = strings.ToLower(rel)
	}
	return rel
}

// folderKey is the key of the project of a folder that has no remote.
func folderKey(plain string) string {
	return "folder/" + slugBase(path.Base(plain)) + "-" + texts.Digest(plain, 8)
}

// isRepository tells whether a project is that of a remote.
func isRepository(key string) bool {
	return key != "" && key != keyLoose && !strings.HasPrefix(key, "folder/")
}

// lesson says to which project a folder belongs, and since when that is known.
type lesson struct {
	project, updated string
	rooted           bool     // what lies below belongs to it too
	all              []string // projects that any session says it belongs to
}

// lessons holds by folder what sessions know of it: those that know a remote
// themselves, and those whose note stands in a repository's project, for they
// knew one once.
type lessons struct{ told, noted map[string]lesson }

func learn(cards []ledger.SessionRow, noted map[string]string) lessons {
	l := lessons{told: map[string]lesson{}, noted: map[string]lesson{}}
	add := func(to map[string]lesson, c ledger.SessionRow, project string) {
		have, known := to[c.Folder]
		if !known || cmp.Or(strings.Compare(have.updated, c.Updated), strings.Compare(project, have.project)) <= 0 {
			have.project, have.updated = project, c.Updated
		}
		have.rooted = have.rooted || c.Rooted
		have.all = append(have.all, project)
		to[c.Folder] = have
	}
	for _, c := range cards {
		switch {
		case c.Folder == "":
		case isRepository(c.Own):
			add(l.told, c, c.Own)
		case isRepository(noted[c.ID]):
			add(l.noted, c, noted[c.ID])
		}
	}
	return l
}

// lessonOf finds what is known of a folder, nothing where nobody knows: of the
// folder itself or, as long as it is no root of its own, of the nearest root above.
func lessonOf(in map[string]lesson, folder string, rooted bool) lesson {
	if known, ok := in[folder]; ok || rooted || folder == "" {
		return known
	}
	for i := strings.LastIndexByte(folder, '/'); i > 0; i = strings.LastIndexByte(folder[:i], '/') {
		if known, ok := in[folder[:i]]; ok && known.rooted {
			return known
		}
	}
	return lesson{}
}

// project finds the project of a session. One whose note stands in the project
// of a repository, of which nobody else is left who knows, stays there; one that
// no longer tells any place stays wherever its note stands.
func (l lessons) project(c ledger.SessionRow, noted string) string {
	if c.Own == "" || isRepository(c.Own) {
		return c.Own
	}
	if c.Own == keyLoose && c.Kind == string(sources.KindSession) && noted != "" {
		return noted
	}
	told := lessonOf(l.told, c.Folder, c.Rooted)
	if isRepository(noted) && !slices.Contains(told.all, noted) {
		return noted
	}
	return cmp.Or(told.project, lessonOf(l.noted, c.Folder, c.Rooted).project, c.Own)
}

// linked are the projects of the folders of a workspace, by line.
func (l lessons) linked(c ledger.SessionRow) string {
	var keys []string
	for folder := range strings.SplitSeq(c.Folders, "\n") {
		if folder != "" {
			keys = append(keys, cmp.Or(lessonOf(l.told, folder, false).project, lessonOf(l.noted, folder, false).project, folderKey(folder)))
		}
	}
	slices.Sort(keys)
	return strings.Join(slices.Compact(keys), "\n")
}

// markGround is set while the projects of notes say other than the cards.
const markGround = "ground"

// findGrounds settles the projects of all sessions and makes due those that
// change theirs. It returns all cards as they are then, none where there was
// nothing to settle.
func (p *pass) findGrounds() ([]ledger.SessionRow, error) {
	flag, err := p.Ledger.Meta(markGround)
	if err != nil || len(flag) == 0 && !p.carded {
		return nil, err
	}
	cards, err := p.Ledger.Sessions()
	if err != nil {
		return nil, err
	}
	noted, err := p.Ledger.Grounds()
	if err != nil {
		return nil, err
	}
	shelved, err := p.Ledger.ShelfGrounds()
	if err != nil {
		return nil, err
	}
	for _, c := range cards {
		if project := shelved[c.Own]; project != "" && c.Kind == string(sources.KindShelf) {
			noted[c.ID] = project
		}
	}
	l := learn(cards, noted)
	var moved []ledger.SessionRow
	for i, c := range cards {
		project, linked := l.project(c, noted[c.ID]), l.linked(c)
		if project == c.Project && linked == c.Linked {
			continue
		}
		if err := p.Ledger.PutProject(c.ID, project, linked); err != nil {
			return nil, err
		}
		cards[i].Project, cards[i].Linked = project, linked
		moved = append(moved, c)
	}
	for _, c := range moved {
		concerned := []ledger.SessionRow{c}
		if c.Kind == string(sources.KindShelf) { // those it leaves are named anew
			left, err := p.Ledger.Shelves(c.Scope, c.Project)
			if err != nil {
				return nil, err
			}
			concerned = append(concerned, left...)
		}
		for _, s := range concerned {
			if err := p.due.mark(ledger.DueSession, s.ID); err != nil {
				return nil, err
			}
		}
	}
	return cards, p.Ledger.SetMeta(markGround, nil)
}
