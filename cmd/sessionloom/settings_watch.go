package main

import (
	"fmt"
	"strings"
	"time"
)

// shortest is the least time between two looks at everything: more often they
// would cost more than watching saves.
const shortest = time.Second

// idleShare is how many times as long as a pass took hints wait after it: passes
// take a twentieth of one core, however busy an agent is.
const idleShare = 20

// watchSettings say how soon and how often `watch` works.
func watchSettings() []setting {
	return []setting{{
		key: "watch.interval", kind: span, def: "5m", flag: "interval", only: "watch", help: "look at everything so often, hint or no hint: a `TIME` such as 90s, 5m, 1h",
		doc: "How soon and how often sessionloom watch works. Times have a unit: 30s, 5m.\nLook at everything so often, whether or not something seems to have changed.",
		set: func(c *config, v any) error {
			c.pace.Interval, c.pace.Rest = v.(time.Duration), idleShare
			return longEnough(c.pace.Interval)
		},
	}, {
		key: "watch.quiet", kind: span, def: "2s",
		doc: "Once something changed, wait until nothing has for so long …",
		set: func(c *config, v any) error { c.pace.Quiet = v.(time.Duration); return positive(c.pace.Quiet) },
	}, {
		key: "watch.at_most", kind: span, def: "30s",
		doc: "… but not longer than this.",
		set: func(c *config, v any) error { c.pace.AtMost = v.(time.Duration); return positive(c.pace.AtMost) },
	}}
}

// plainSpan writes a time as one would in the configuration: 5m, not 5m0s.
func plainSpan(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func longEnough(d time.Duration) error {
	if d < shortest {
		return fmt.Errorf("wants at least %s, got %s", shortest, d)
	}
	return nil
}

func positive(d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("wants a time above zero, got %s", d)
	}
	return nil
}
