package templates

import (
	"fmt"
	"maps"
	"slices"
	"text/template/parse"
)

// examine looks for whatever the files of a user must not hold: text that
// passes no escaper, fields that no view has, templates that nothing uses or
// that use themselves. What reads well is then tried out.
func (s *Set) examine(trees map[string]*parse.Tree, base []sheet, mine map[string]*sheet) []*Fault {
	own := map[string]bool{}
	for _, file := range mine {
		for name := range file.trees {
			own[name] = true
		}
	}
	faults := unused(trees, base, mine)
	if loops := circular(trees, own); len(loops) > 0 {
		return append(faults, loops...) // what follows would not end
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		faults = append(faults, guard(trees[name], trees)...)
	}
	faults = append(faults, wrongFields(trees, own)...)
	if len(faults) == 0 {
		faults = s.tryOut(trees, own)
	}
	return faults
}

// unused finds templates of a user that are not known to the program and that
// no page comes by: their names are misspelt.
func unused(trees map[string]*parse.Tree, base []sheet, mine map[string]*sheet) []*Fault {
	known := map[string]bool{}
	for _, s := range base {
		for name := range s.trees {
			known[name] = true
		}
	}
	reached := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if t := trees[name]; t != nil && !reached[name] {
			reached[name] = true
			for _, n := range uses(t) {
				visit(n.Name)
			}
		}
	}
	for name := range known {
		visit(name)
	}
	var faults []*Fault
	for _, file := range slices.Sorted(maps.Keys(mine)) {
		for _, name := range slices.Sorted(maps.Keys(mine[file].trees)) {
			if t := mine[file].trees[name]; !reached[name] {
				faults = append(faults, faultAt(t, t.Root, fmt.Sprintf("no page uses the template %q", name)))
			}
		}
	}
	return faults
}

// circular finds templates of a user that come back to themselves.
func circular(trees map[string]*parse.Tree, own map[string]bool) []*Fault {
	var faults []*Fault
	for _, start := range slices.Sorted(maps.Keys(own)) {
		seen := map[string]bool{}
		var visit func(name string) bool
		visit = func(name string) bool {
			t := trees[name]
			if t == nil || seen[name] {
				return false
			}
			seen[name] = true
			return slices.ContainsFunc(uses(t), func(n *parse.TemplateNode) bool { return n.Name == start || visit(n.Name) })
		}
		for _, n := range uses(trees[start]) {
			if n.Name == start || visit(n.Name) {
				faults = append(faults, faultAt(trees[start], n, fmt.Sprintf("template %q uses itself", start)))
				break
			}
		}
	}
	return faults
}

// uses lists where a template uses others.
func uses(t *parse.Tree) []*parse.TemplateNode {
	var out []*parse.TemplateNode
	eachNode(t.Root, func(n parse.Node) {
		if c, ok := n.(*parse.TemplateNode); ok {
			out = append(out, c)
		}
	})
	return out
}

// eachNode visits the nodes of a list, those of its branches included, in the
// order in which they are written.
func eachNode(list *parse.ListNode, visit func(parse.Node)) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		visit(n)
		if b := branchOf(n); b != nil {
			eachNode(b.List, visit)
			eachNode(b.ElseList, visit)
		}
	}
}

// branchOf gives what if, range and with have in common, nil for other nodes.
func branchOf(n parse.Node) *parse.BranchNode {
	switch n := n.(type) {
	case *parse.IfNode:
		return &n.BranchNode
	case *parse.RangeNode:
		return &n.BranchNode
	case *parse.WithNode:
		return &n.BranchNode
	}
	return nil
}
