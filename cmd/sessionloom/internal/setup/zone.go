package setup

import (
	_ "embed" // the names of zones
	"path"
	"strings"
	"time"
)

// zoneNames are the time zones that countries have, a name in each line. They are
// offered for a wrong name; any zone of the system's is right.
//
//go:embed zones.txt
var zoneNames string

// ZoneLike finds the time zone that a wrong name was probably meant to be; empty: none
// is near.
func ZoneLike(name string) string {
	all := strings.Fields(zoneNames)
	city := path.Base
	name = strings.ReplaceAll(strings.TrimSpace(name), " ", "_")
	for _, zone := range all {
		if strings.EqualFold(zone, name) || strings.EqualFold(city(zone), name) {
			return zone
		}
	}
	if near := MostSimilar(name, all, func(zone string) string { return zone }); near != "" {
		return near
	}
	return MostSimilar(path.Base(name), all, city)
}

// isZone tells whether a name is that of a time zone which is the same on each machine.
func isZone(name string) bool {
	_, err := time.LoadLocation(name)
	return err == nil && name != "" && name != "Local"
}
