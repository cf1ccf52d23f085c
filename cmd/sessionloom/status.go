package main

import "github.com/spf13/cobra"

func newStatus(a *app) *cobra.Command { return &cobra.Command{Use: "status"} }
