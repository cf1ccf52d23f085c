package ingest

import "testing"

func TestSilenceIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		heard
		told bool
	}{
		"nothing was read":                   {heard{}, false},
		"some kinds are new":                 {heard{records: 300, unknown: 100, fresh: 3, spoken: 3}, false},
		"more than a third is not known":     {heard{records: 300, unknown: 101, fresh: 3, spoken: 3}, true},
		"a small file of strange records":    {heard{records: 10, unknown: 9, fresh: 1}, false},
		"all grew, and one tells more":       {heard{records: 900, unknown: 7, grown: 9, changed: 1}, false},
		"all grew, and none tells more":      {heard{records: 900, unknown: 7, grown: 9}, true},
		"all were touched, nothing strange":  {heard{records: 900, grown: 9}, false},
		"two grew":                           {heard{records: 900, unknown: 7, grown: 2}, false},
		"many new ones, and nobody spoke":    {heard{records: 900, fresh: 12}, true},
		"many were opened and left":          {heard{records: 36, fresh: 12}, false},
		"many new ones, and somebody spoke":  {heard{records: 900, fresh: 12, spoken: 1}, false},
		"records are not counted, some grew": {heard{unknown: 4, grown: 3}, true},
	} {
		if got := c.silence(); (got != "") != c.told {
			t.Errorf("%s: told %q", name, got)
		}
	}
}
