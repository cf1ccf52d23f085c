package setup

import (
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
)

// Dialog asks questions. Each may end with the error of Ask, which ends the dialog.
type Dialog struct {
	Ask  func(question string) (string, error) // "": only Enter
	Tell func(line string)
	Home string // the user's home folder
}

const usualVault = "~/Vault"

// Vault asks which vault is meant and returns its path. The first one is the default.
func (d Dialog) Vault(found []obsidian.Vault, folder string) (string, error) {
	question := "Vault folder [" + usualVault + "]: "
	if len(found) == 0 {
		d.Tell("Obsidian lists no vault on this machine.")
	} else {
		d.Tell("Which Obsidian vault?")
		question = "Number, or another folder [1]: "
	}
	for i, v := range found {
		line := "  " + strconv.Itoa(i+1) + "  " + homepath.Tilde(v.Path, d.Home)
		if v.Open {
			line += "  (open in Obsidian)"
		}
		d.Tell(line)
	}
	for {
		answer, err := d.Ask(question)
		if err != nil {
			return "", err
		}
		path, ok, err := d.chosen(answer, found, folder)
		if ok || err != nil {
			return path, err
		}
	}
}

// chosen returns the vault of an answer; ok is false if it must be asked again.
func (d Dialog) chosen(answer string, found []obsidian.Vault, folder string) (path string, ok bool, err error) {
	if answer == "" && len(found) > 0 {
		answer = "1"
	} else if answer == "" {
		answer = usualVault
	}
	if n, err := strconv.Atoi(answer); err == nil && len(found) > 0 {
		if n < 1 || n > len(found) {
			d.Tell("Give a number from 1 to " + strconv.Itoa(len(found)) + ", or a folder.")
			return "", false, nil
		}
		return found[n-1].Path, true, nil
	}
	return d.Agree(homepath.Expand(answer, d.Home, ""), folder, true)
}

// Agree asks before a vault is made, and returns the agreed path. usual is the answer for Enter.
func (d Dialog) Agree(path, folder string, usual bool) (agreed string, ok bool, err error) {
	at := homepath.Tilde(path, d.Home)
	if around := Around(path, folder); around != "" {
		d.Tell(at + " is the folder of the notes in " + homepath.Tilde(around, d.Home) + ", so that is the vault.")
		return around, true, nil
	}
	kind := Look(path, folder)
	if kind != Missing && kind != Other {
		return path, true, nil
	}
	if kind == Missing {
		d.Tell(at + " does not exist.")
	} else {
		d.Tell(at + " is no Obsidian vault and is not empty.")
	}
	question := "Create it?"
	if kind == Other {
		question, usual = "Write the notes into its folder "+folder+"?", false
		if folder == "." {
			question = "Write the notes into it?"
		}
	}
	ok, err = d.Yes(question, usual)
	return path, ok, err
}

// Yes asks a question with the answers yes and no; usual is the answer for Enter.
func (d Dialog) Yes(question string, usual bool) (bool, error) {
	question += map[bool]string{true: " [Y/n]: ", false: " [y/N]: "}[usual]
	for {
		answer, err := d.Ask(question)
		if err != nil {
			return false, err
		}
		switch strings.ToLower(answer) {
		case "":
			return usual, nil
		case "y", "yes":
			return true, nil
		case "n", "no":
			return false, nil
		}
		d.Tell("Answer y or n.")
	}
}

// Zone asks for the time zone of the notes; usual is the answer for Enter.
func (d Dialog) Zone(usual string) (string, error) {
	for {
		answer, err := d.Ask("Time zone of the notes [" + usual + "]: ")
		if answer == "" || err != nil {
			return usual, err
		}
		if isZone(answer) {
			return answer, nil
		}
		d.Tell("There is no time zone " + strconv.Quote(answer) + ". They are called as Europe/Berlin is.")
	}
}

// NoTimer is the answer that asks for no timer.
const NoTimer = "none"

// Timer asks how often to sync; "" is never. wrong says why an answer is invalid.
func (d Dialog) Timer(wrong func(string) error) (string, error) {
	for {
		answer, err := d.Ask("Sync by itself: none, every 30m, or daily at 09:00 [" + NoTimer + "]: ")
		if err != nil {
			return "", err
		}
		answer = strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(answer), "every "), "daily ")
		if answer = strings.TrimPrefix(answer, "at "); answer == "" || answer == NoTimer {
			return "", nil
		}
		if err := wrong(answer); err != nil {
			d.Tell(err.Error())
			continue
		}
		return answer, nil
	}
}

// Several returns the vaults from which one must be named.
func Several(found []obsidian.Vault, home string) string {
	var paths []string
	for _, v := range found {
		paths = append(paths, present.ShellPath(v.Path, home))
	}
	return "name one of them: sessionloom init --vault " + strings.Join(paths, ", or ")
}

// Todo is what remains to be set up.
type Todo struct {
	Timer  bool // there is no timer
	Driver bool // the vault is in a git repository without the merge driver
}

// Lines returns a line for each remaining step; command gives the command for a vault.
func (t Todo) Lines(command func(string) string) (lines []string) {
	if t.Timer {
		lines = append(lines, "no timer: "+command("schedule install"))
	}
	if t.Driver {
		lines = append(lines, "merge driver not set up in git: "+command("git install"))
	}
	return lines
}

// isZone reports whether a name is a time zone that is the same on each machine.
func isZone(name string) bool {
	_, err := time.LoadLocation(name)
	return err == nil && name != "" && name != "Local"
}
