package templates

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"text/template/parse"
	"time"
)

// tryOut renders every page of views made up for it: one that is empty, and
// full ones whose texts are, one after the other, the literals that the
// templates compare with. What fails would fail in a vault, too.
func (s *Set) tryOut(trees map[string]*parse.Tree, own map[string]bool) []*Fault {
	words := map[string]bool{"text": true}
	for name := range own {
		literals(trees[name], words)
	}
	var faults []*Fault
	for _, p := range allPages() {
		if trees[p.name] == nil {
			continue
		}
		views := []reflect.Value{reflect.Zero(p.view)}
		for _, word := range slices.Sorted(maps.Keys(words)) {
			views = append(views, full(p.view, word, 0))
		}
		for _, v := range views {
			var page bytes.Buffer
			if err := s.pages.ExecuteTemplate(&page, p.name, v.Interface()); err != nil {
				f := faultOf(err, p.name+".tmpl")
				f.Err = fmt.Errorf("the trial of page %q failed: %w", p.name, f.Err)
				faults = append(faults, f)
				break
			}
			if regionRule.MatchString(string(tidy(nil, page.Bytes()))) {
				err := errors.New("the page holds a line that looks like a marker of a region")
				faults = append(faults, &Fault{File: p.name + ".tmpl", Err: err})
				break
			}
		}
	}
	return faults
}

// literals collects the texts that stand in the conditions of a template.
func literals(t *parse.Tree, into map[string]bool) {
	eachNode(t.Root, func(n parse.Node) {
		if b := branchOf(n); b != nil {
			literalsOf(b.Pipe, into)
		}
	})
}

func literalsOf(p *parse.PipeNode, into map[string]bool) {
	for _, cmd := range p.Cmds {
		for _, arg := range cmd.Args {
			switch arg := arg.(type) {
			case *parse.StringNode:
				into[arg.Text] = true
			case *parse.PipeNode:
				literalsOf(arg, into)
			}
		}
	}
}

// maxDepth bounds views that hold views of their own kind.
const maxDepth = 8

// full makes a value of a type in which nothing is empty: texts are the word,
// lists have two elements.
func full(t reflect.Type, word string, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case depth > maxDepth:
	case t == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Date(2026, time.November, 3, 8, 30, 0, 0, time.UTC)))
	case t.Kind() == reflect.String:
		v.SetString(word)
	case t.Kind() == reflect.Int:
		v.SetInt(2)
	case t.Kind() == reflect.Bool:
		v.SetBool(true)
	case t.Kind() == reflect.Slice:
		one := full(t.Elem(), word, depth+1)
		v = reflect.Append(v, one, one)
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			v.Field(i).Set(full(t.Field(i).Type, word, depth+1))
		}
	}
	return v
}
