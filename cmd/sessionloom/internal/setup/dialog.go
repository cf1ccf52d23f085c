package setup

import (
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
)

// Dialog puts questions. Each may end with the error of Ask, which ends all.
type Dialog struct {
	Ask  func(question string) (string, error) // "": Enter alone
	Tell func(line string)
	Home string // the user's home folder
}

const usualVault = "~/Vault"

// Vault asks which vault is meant and gives its path. The first one is the default.
func (d Dialog) Vault(found []obsidian.Vault, folder string) (string, error) {
	question := "Vault folder [" + usualVault + "]: "
	if len(found) == 0 {
		d.Tell("Obsidian has no vault on this machine.")
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

// chosen is the vault that an answer means; not ok: to be asked again.
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
	var known []string
	for _, v := range found {
		known = append(known, v.Path)
	}
	return d.Agree(homepath.Expand(answer, d.Home, ""), folder, known, true)
}

// Agree asks before a vault is made at a path and gives the path that was agreed on: it,
// or the one it was meant to be. usual is whether Enter makes a new folder.
func (d Dialog) Agree(path, folder string, known []string, usual bool) (agreed string, ok bool, err error) {
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
	if near := Near(path, known); near != "" {
		usual = false
		ok, err := d.Yes("Did you mean "+homepath.Tilde(near, d.Home)+"?", true)
		if err != nil {
			return "", false, err
		}
		if ok {
			return d.Agree(near, folder, known, usual)
		}
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

// Prompts asks whether notes are wanted of sessions of which only the prompts are left. keep
// are the agents here that keep them; nothing is asked where there is none.
func (d Dialog) Prompts(keep []string) (bool, error) {
	if len(keep) == 0 {
		return false, nil
	}
	d.Tell("Some deleted sessions still have their prompts on disk: " + strings.Join(keep, ", ") + ".")
	return d.Yes("Write notes of these too?", false)
}

// Yes asks a question that is answered by yes or no; usual is what Enter means.
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

// Zone asks for the time zone of the notes; usual is what Enter means, until a wrong
// name was like another one.
func (d Dialog) Zone(usual string) (string, error) {
	for {
		answer, err := d.Ask("Time zone of the notes [" + usual + "]: ")
		if answer == "" || err != nil {
			return usual, err
		}
		if isZone(answer) {
			return answer, nil
		}
		line := "There is no time zone " + strconv.Quote(answer) + "."
		if near := ZoneLike(answer); near != "" {
			line, usual = line+" Did you mean "+near+"?", near
		}
		d.Tell(line)
	}
}

// NoTimer is the answer that asks for no timer.
const NoTimer = "none"

// Timer asks how often the system is to sync. wrong tells why an answer cannot be taken;
// the answer is empty where there is to be no timer.
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
