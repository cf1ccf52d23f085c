package pages

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// The memory of a project, or of the person, is one set from all collections: several clones, editions and
// agents may each have one.

// MemorySet is the union of several collections: equal memories once, different ones with equal names
// separately.
type MemorySet struct {
	Project string            // key, empty for the person's
	Spare   map[string]string // former id of a note, from when its text was nowhere else → the note that has it now
	Layers  []string          // names of the layers of all collections
	notes   []memoryNote
	held    map[string]map[string]string // name as shown → text → id of its note
	origins map[string]*origin           // origins of notes, by id
}

// origin has the keys of the projects whose collections hold a text.
type origin struct {
	folders []string // projects by their folders alone, if different
	joined  []string // without joining
}

type memoryNote struct {
	sources.Artifact
	id, path string
}

// NewMemorySet returns the empty set of a project, or of the person if key is empty.
func NewMemorySet(key string) *MemorySet {
	return &MemorySet{Project: key, Spare: map[string]string{}, held: map[string]map[string]string{}, origins: map[string]*origin{}}
}

// Add adds a collection to the set; add smaller ids first. own is the project by place alone, joined the
// project without joining, if different.
func (x *MemorySet) Add(m session.Merged, own, joined string) {
	x.Layers = sorted(append(x.Layers, m.Layers...))
	for _, a := range m.Session.Artifacts {
		if a.Text == "" {
			continue
		}
		suffix := names.CollectionSuffix(m.Session.ID)
		apart := names.SharedMemoryID(x.Project, a, suffix)
		name := names.PlainName(a)
		if id, known := x.held[name][a.Text]; known {
			x.Spare[apart] = id
			x.addOrigin(id, own, joined)
			continue
		}
		if x.held[name] == nil {
			x.held[name] = map[string]string{}
			suffix = ""
		}
		id := names.SharedMemoryID(x.Project, a, suffix)
		if id != apart {
			x.Spare[apart] = id
		}
		x.held[name][a.Text] = id
		x.addOrigin(id, own, joined)
		x.notes = append(x.notes, memoryNote{a, id, names.SharedMemoryPath(x.Project, a)})
	}
}

func (x *MemorySet) addOrigin(id, own, joined string) {
	o := x.origins[id]
	if o == nil {
		o = &origin{}
		x.origins[id] = o
	}
	if own != x.Project {
		o.folders = append(o.folders, own)
	}
	o.joined = append(o.joined, cmp.Or(joined, x.Project))
}

// Has reports whether an id names a note of the set.
func (x *MemorySet) Has(id string) bool { return x.origins[id] != nil }

// joinedFrom returns the projects of a note without joining, if one differs from the set's.
func (x *MemorySet) joinedFrom(id string) []string {
	keys := sorted(x.origins[id].joined)
	if len(keys) == 1 && keys[0] == x.Project {
		return nil
	}
	return keys
}

func sorted(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// Memory builds the notes of a set.
func (b *Builder) Memory(x *MemorySet) []*Page {
	list := slices.Clone(x.notes)
	slices.SortStableFunc(list, func(a, b memoryNote) int { return strings.Compare(a.id, b.id) })
	list = slices.CompactFunc(list, func(a, b memoryNote) bool { return a.id == b.id })
	var out []*Page
	for _, n := range list {
		out = append(out, b.sharedMemory(x, n))
	}
	return out
}

func (b *Builder) sharedMemory(x *MemorySet, n memoryNote) *Page {
	title, scope := content.ArtifactTitle(n.Artifact, ""), string(sources.ScopeRepo)
	var project templates.Link
	if x.Project == "" {
		scope = string(sources.ScopeUser)
	}
	return &Page{
		Facts: facts.Facts{ID: n.id, Type: names.TypeMemory, Kind: n.Kind, Title: title, Created: n.At, Updated: n.At, Project: x.Project, Folders: sorted(x.origins[n.id].folders), Joined: x.joinedFrom(n.id), Sources: x.Layers, Rows: x.factRows(n.Artifact, title)},
		Path:  n.path,
		Body: func(*OpenSession) (string, error) {
			if x.Project != "" {
				project = b.projectLink(x.Project)
			}
			return b.Templates.Page(templates.Memory{Kind: templates.Text(n.Kind), Name: templates.Code(n.Name), Title: templates.Text(title), Scope: templates.Text(scope),
				At: b.local(n.At), Project: project, Text: templates.Text(content.Shown(n.Artifact, title)), Left: templates.Text(n.Left)})
		},
	}
}

// factRows returns the lines of a memory for other pages: the first of one that describes itself, as its title
// says the rest. Lines of an index that link to a memory of the set are left out.
func (x *MemorySet) factRows(a sources.Artifact, title string) (out []facts.Row) {
	limit := 30
	if description, _ := content.CutFrontmatter(a.Text); description != "" {
		limit = 1
	}
	for _, block := range texts.Blocks(content.Shown(a, title)) {
		text := block.Text
		if block.Cells != nil {
			text = strings.Join(block.Cells, " — ")
		}
		isTitle := block.Heading > 0 || strings.HasPrefix(text, "**") && strings.HasSuffix(text, "**") || strings.HasSuffix(strings.TrimRight(strings.ReplaceAll(text, "：", ":"), "* "), ":")
		if isTitle || x.isIndexed(text) || aboutFact.MatchString(text) || !strings.ContainsFunc(text, unicode.IsLetter) || len(out) == limit {
			continue
		}
		out = append(out, facts.Row{Key: facts.RowFact, From: strconv.Itoa(len(out) + 1), Text: texts.CutWords(texts.OneLine(text), maxRowText)})
	}
	return out
}

// isIndexed reports whether a line links to a memory of the set.
func (x *MemorySet) isIndexed(line string) bool {
	return slices.ContainsFunc(x.notes, func(n memoryNote) bool { return strings.Contains(line, "]("+path.Base(n.Name)+")") })
}

var aboutFact = regexp.MustCompile(`^(citations|reason|category): `)
