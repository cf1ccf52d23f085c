package identity

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Joins tells of projects, by key, which other one they are: what the user says of them. Of what
// is joined to a project that is joined itself, it has where that ends.
type Joins map[string]string

// Project is the project that a key stands for.
func (j Joins) Project(key string) string { return cmp.Or(j[key], key) }

// String has a line for each join, in order.
func (j Joins) String() string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(j)) {
		fmt.Fprintf(&b, "%s %s\n", key, j[key])
	}
	return b.String()
}

// ParseJoins reads what a user says of projects, by their keys, the ids of their pages or their
// names. known are the keys of all projects. What cannot be done is left out, and named in an
// error each.
func ParseJoins(said map[string]string, known []string) (Joins, []error) {
	next, joins := map[string]string{}, Joins{}
	var wrong []error
	for _, to := range slices.Sorted(maps.Values(said)) { // no session need know a repository
		to = strings.TrimPrefix(to, idOfPage)
		if r, ok := parseRemote(to, "", ""); ok && to == r.host+"/"+r.owner+"/"+r.repo && !slices.Contains(known, to) {
			known = append(known, to)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(said)) {
		from, err := projectSaid(name, known)
		to, unknown := projectSaid(said[name], known)
		if err = cmp.Or(err, unknown); err == nil && cmp.Or(next[from], to) != to {
			err = fmt.Errorf("%q is joined to %q and to %q", from, next[from], to)
		}
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		next[from] = to
	}
	for _, from := range slices.Sorted(maps.Keys(next)) {
		to := next[from]
		for range next {
			to = cmp.Or(next[to], to)
		}
		if next[to] != "" { // it has no end
			wrong = append(wrong, fmt.Errorf("%q is joined in a circle", from))
			continue
		}
		joins[from] = to
	}
	return joins, wrong
}

const idOfPage = "project:"

// projectSaid finds the key that a user means, be it written as the id of a page.
func projectSaid(name string, known []string) (string, error) {
	return ProjectNamed(strings.TrimPrefix(name, idOfPage), known)
}

// ProjectNamed finds a project by its key, or by a name that only one has, among lists of keys: the
// first list counts that has one.
func ProjectNamed(name string, lists ...[]string) (string, error) {
	for _, known := range lists {
		found := called(name, known)
		if len(found) > 1 {
			return "", fmt.Errorf("several projects are called %q: %s", name, strings.Join(found, ", "))
		}
		if len(found) > 0 {
			return found[0], nil
		}
	}
	return "", fmt.Errorf("no project has the key or name %q", name)
}

func called(name string, known []string) (keys []string) {
	if slices.Contains(known, name) {
		return []string{name}
	}
	for _, key := range known {
		if p := ProjectFromKey(key); name != "" && slices.Contains([]string{p.Name, p.Folder, p.Repo}, name) {
			keys = append(keys, key)
		}
	}
	return keys
}
