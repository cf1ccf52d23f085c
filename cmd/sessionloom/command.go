package main

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
)

func (a *app) bareConfig() (config.Config, error) {
	file, named := config.File(a.configFlag, a.env, a.home)
	return config.Load(new(pflag.FlagSet), file, named, a.home, time.Now())
}

func (a *app) command(name string, c config.Config) string {
	line := "sessionloom " + name
	bare, err := a.bareConfig()
	if err != nil || bare.Vault != c.Vault {
		line += " --vault " + present.ShellPath(c.Vault, a.home)
	}
	if err == nil && bare.Folder != c.Folder {
		line += " --folder " + homepath.ShellWord(c.Folder)
	}
	if a.configFlag != "" {
		line += " --config " + present.ShellPath(a.configFlag, a.home)
	}
	return line
}
