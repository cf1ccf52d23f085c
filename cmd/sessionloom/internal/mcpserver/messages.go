package mcpserver

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage bounds one message of an agent, in bytes.
const maxMessage = 4 << 20

// transport reads and writes messages, one a line. A line that is no message, or is too long,
// is answered with an error and goes no further: the SDK would end the server for it.
func transport(in io.ReadCloser, out io.Writer) *mcp.IOTransport {
	answers := &answers{to: out}
	return &mcp.IOTransport{Reader: &messages{ReadCloser: in, lines: bufio.NewReader(in), refuse: answers.refuse}, Writer: answers}
}

// messages are those of the lines that hold one.
type messages struct {
	io.ReadCloser
	lines  *bufio.Reader
	rest   []byte // of the line in hand
	refuse func(code int, why string) error
}

func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, tooLong, err := m.line()
		if err != nil && len(line) == 0 {
			return 0, err
		}
		switch _, bad := jsonrpc.DecodeMessage(line); {
		case tooLong:
			err = m.refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message of more than %d bytes", maxMessage))
		case len(bytes.TrimSpace(line)) == 0:
		case bad != nil:
			err = m.refuse(jsonrpc.CodeParseError, "a line that is no message of JSON-RPC")
		default:
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

// line gives the next line with its end. Of one that is too long only the beginning is kept.
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

// answers are written whole, whoever writes them.
type answers struct {
	mu sync.Mutex
	to io.Writer
}

func (a *answers) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.to.Write(p)
}

// Close leaves the output to the program.
func (a *answers) Close() error { return nil }

func (a *answers) refuse(code int, why string) error {
	_, err := fmt.Fprintf(a, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, why)
	return err
}
