package system

import (
	"time"

	"github.com/thlib/go-timezone-local/tzlocal"
)

// Zone is the name of the time zone of this system, such as "Europe/Berlin"; "UTC" where it
// tells none.
func Zone() string {
	name, err := tzlocal.RuntimeTZ()
	if err != nil {
		return "UTC"
	}
	if _, err = time.LoadLocation(name); err != nil || name == "" || name == "Local" || name == "Etc/UTC" {
		return "UTC"
	}
	return name
}
