package pages

import (
	"reflect"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

func TestCallsOfASubAgentStandInItsCall(t *testing.T) {
	no := false
	got := toolLines([]sources.Tool{
		{Name: "runSubagent", Kind: sources.ToolTask, Detail: "audience check"},
		{Name: "grep", Kind: sources.ToolSearch, Within: 1},
		{Name: "read", Kind: sources.ToolRead, Detail: "a.go", Within: 1},
		{Name: "runSubagent", Kind: sources.ToolTask, Detail: "deeper", Within: 1},
		{Name: "read", Kind: sources.ToolRead, Detail: "b.go", Within: 4, OK: &no},
		{Name: "read", Kind: sources.ToolRead, Detail: "c.go", Within: 9},
		{Name: "read", Kind: sources.ToolRead, Detail: "d.go", Within: 7},
	})
	read := func(name string, failed bool) templates.ToolDetail {
		return templates.ToolDetail{Text: templates.Text(name), Times: 1, Failed: failed}
	}
	want := []templates.ToolLine{
		{Kind: sources.ToolTask, Details: []templates.ToolDetail{{Text: "audience check", Times: 1, Within: []templates.ToolLine{
			{Kind: sources.ToolSearch, Details: []templates.ToolDetail{{Times: 1}}},
			{Kind: sources.ToolRead, Details: []templates.ToolDetail{read("a.go", false)}},
			{Kind: sources.ToolTask, Details: []templates.ToolDetail{{Text: "deeper", Times: 1, Within: []templates.ToolLine{
				{Kind: sources.ToolRead, Details: []templates.ToolDetail{read("b.go", true)}}}}}},
		}}}},
		{Kind: sources.ToolRead, Details: []templates.ToolDetail{read("c.go", false), read("d.go", false)}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
