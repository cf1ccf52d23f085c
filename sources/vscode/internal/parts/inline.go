package parts

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/uri"
)

// reference puts a name that stands for a file, a symbol or a page into the text.
// It has four shapes (formats/vscode-copilot-chat.md, section 2.5): an address, one
// with a path of Windows, one with a range, a symbol.
func (r *reader) reference(part *tree.Node) {
	to, name := part.Get("inlineReference"), part.Get("name").Text()
	if to.Get("location").Has() && !to.Get("path").Has() {
		r.page.code(cmp.Or(name, to.Get("name").Text()))
		return
	}
	lines := ""
	if at := to.Get("uri"); at.Has() {
		lines = rangeLines(to.Get("range"))
		to = at
	}
	u, ok := uri.Of(to)
	switch {
	case !ok:
		r.page.code(cmp.Or(name, to.Get("name").Text()))
	case u.Scheme == "http" || u.Scheme == "https":
		r.page.text(webAddress(to, u))
	default:
		r.page.code(cmp.Or(name, u.Base(), u.String()) + cmp.Or(lines, anchorLines(u.Fragment)))
	}
}

// rangeLines writes the lines of a range, which count from 1, as ":3" or ":3-9".
func rangeLines(n *tree.Node) string {
	start, ok := n.Get("startLineNumber").Int()
	if !ok || start < 1 {
		return ""
	}
	s := ":" + strconv.FormatInt(start, 10)
	if end, ok := n.Get("endLineNumber").Int(); ok && end > start {
		s += "-" + strconv.FormatInt(end, 10)
	}
	return s
}

// webAddress writes the address of a page so that it can be followed.
func webAddress(n *tree.Node, u uri.URI) string {
	for _, s := range []string{n.Get("external").Text(), n.Text()} {
		if strings.HasPrefix(s, u.Scheme+"://") && !strings.ContainsAny(s, " \t\r\n<>") {
			return s
		}
	}
	out := url.URL{Scheme: u.Scheme, Host: u.Authority, Path: u.Path, Fragment: u.Fragment,
		RawQuery: strings.NewReplacer(" ", "%20", "<", "%3C", ">", "%3E", "\n", "").Replace(u.Query)}
	return out.String()
}

// fileName is the name by which text calls a file, empty where there is none.
func fileName(n *tree.Node) string {
	u, ok := uri.Of(n)
	if !ok {
		return ""
	}
	return oneLine(cmp.Or(u.Base(), u.String()))
}
