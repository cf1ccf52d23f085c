module github.com/sessionloom/sessionloom/.ci/foldfs

go 1.26.0

require (
	github.com/hanwen/go-fuse/v2 v2.12.1
	golang.org/x/text v0.43.0
)

require golang.org/x/sys v0.28.0 // indirect
