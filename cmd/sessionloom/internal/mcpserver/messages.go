package mcpserver

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const maxMessage = 4 << 20

// transport answers a line that is not a message with an error: the SDK would end the server.
func transport(in io.ReadCloser, out io.Writer) *mcp.IOTransport {
	answers := &answers{to: out, calls: make(chan struct{}, maxCalls)}
	return &mcp.IOTransport{Reader: &messages{ReadCloser: in, lines: bufio.NewReader(in), answers: answers}, Writer: answers}
}

const (
	maxCalls = 1 << 10          // pending; more wait
	patience = 30 * time.Second // for pending answers when the input ends
)

// messages reads only the lines that hold a message.
type messages struct {
	io.ReadCloser
	lines   *bufio.Reader
	rest    []byte // rest of the current line
	answers *answers
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, tooLong, err := m.line()
		if err != nil && len(line) == 0 {
			m.answers.finish()
			return 0, err
		}
		message, bad := jsonrpc.DecodeMessage(line)
		switch {
		case tooLong:
			err = m.answers.refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message of more than %d bytes", maxMessage))
		case len(bytes.TrimSpace(line)) == 0:
		case bad != nil:
			err = m.answers.refuse(jsonrpc.CodeParseError, "a line that is no message of JSON-RPC")
		default:
			if call, ok := message.(*jsonrpc.Request); ok && call.IsCall() {
				m.answers.calls <- struct{}{}
			}
			m.rest = line
		}
		if err != nil && !errors.Is(err, io.EOF) { // the next line finds the end again
			return 0, err
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// line returns the next line with its end, truncated if it is too long.
func (m *messages) line() (line []byte, tooLong bool, err error) {
	for {
		part, err := m.lines.ReadSlice('\n')
		if len(line) <= maxMessage {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, len(line) > maxMessage, err
		}
	}
}

type answers struct {
	mu    sync.Mutex
	to    io.Writer
	calls chan struct{} // one for each pending call
}

func (a *answers) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n, err := a.to.Write(p)
	if message, bad := jsonrpc.DecodeMessage(p); bad == nil {
		if _, ok := message.(*jsonrpc.Response); ok {
			select {
			case <-a.calls:
			default: // not the answer to a call
			}
		}
	}
	return n, err
}

func (a *answers) finish() {
	for begin := time.Now(); len(a.calls) > 0 && time.Since(begin) < patience; {
		time.Sleep(5 * time.Millisecond)
	}
}

// Close does nothing: the program closes the output.
func (a *answers) Close() error { return nil }

func (a *answers) refuse(code int, why string) error {
	_, err := fmt.Fprintf(a, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, why)
	return err
}
