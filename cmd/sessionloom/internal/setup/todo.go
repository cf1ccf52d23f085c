package setup

// Todo is what of a set-up is left to do.
type Todo struct {
	Timer  bool // there is no timer
	Driver bool // the vault lies in a git repository that has no merge driver
}

// Lines say in a line each what is left, command giving the command for a vault.
func (t Todo) Lines(command func(string) string) (lines []string) {
	if t.Timer {
		lines = append(lines, "no timer: "+command("schedule install"))
	}
	if t.Driver {
		lines = append(lines, "merge driver not set up in git: "+command("git install"))
	}
	return lines
}
