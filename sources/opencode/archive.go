package opencode

import (
	"context"
	"time"
)

// archive is a store of sessions: the tables of a database, or files.
type archive interface {
	// info is what is known of a session beside its messages, nil where it is not there.
	info(ctx context.Context, id string) (*info, error)
	// messages gives the messages of a session in order.
	messages(ctx context.Context, i *info, each func(record)) error
	// parts gives the parts of a message of version 1 in order.
	parts(ctx context.Context, message string, each func(record)) error
	// todos gives the agent's list; known is false where it is kept nowhere but in calls.
	todos(ctx context.Context, i *info) (list []todo, known bool, err error)
	// origin finds the session that another one was forked from, empty where that is not there.
	origin(ctx context.Context, i *info) (id string, err error)
	// undone gives what was removed of a session and is still known.
	undone(ctx context.Context, i *info) ([]removed, error)
}

// record is a message or a part as it is stored. No data: it is too large to be read.
type record struct {
	id, kind, data string
	at             time.Time
}
