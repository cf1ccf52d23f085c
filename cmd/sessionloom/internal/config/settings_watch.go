package config

import (
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
		set: func(c *Config, v any) error {
			c.Debounce.Interval, c.Debounce.Rest = v.(time.Duration), idleShare
			return longEnough(c.Debounce.Interval)
		},
	}, {
		key: "watch.quiet", kind: span, def: "2s",
		doc: "Once something changed, wait until nothing has for so long …",
		set: into(func(c *Config) *time.Duration { return &c.Debounce.Quiet }, positive),
	}, {
		key: "watch.at_most", kind: span, def: "30s",
		doc: "… but not longer than this.",
		set: into(func(c *Config) *time.Duration { return &c.Debounce.AtMost }, positive),
	}}
}
