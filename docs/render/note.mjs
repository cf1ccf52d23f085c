// Notes as Obsidian reads them: frontmatter, comments, wikilinks, task boxes
// and callouts.

import markdownIt from 'markdown-it'
import { icon } from './page.mjs'

// parseNote takes a note apart. path is from the vault's root, with slashes.
export function parseNote(path, text) {
  const [, front, rest] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text)
  const props = []
  for (const line of front.split('\n')) {
    const item = /^\s+- (.*)$/.exec(line)
    if (item) {
      props.at(-1).value.push(scalar(item[1]))
      continue
    }
    const [, key, value] = /^([\w-]+):\s*(.*)$/.exec(line)
    props.push({ key, value: value === '' ? [] : scalar(value) })
  }
  // Obsidian hides comments and the ids of blocks.
  const body = rest.replace(/^%%.*%%\n/gm, '').replace(/^%%[^]*?^%%\n?/gm, '').replace(/(^| )\^[a-z]+-[0-9a-f-]+$/gm, '')
  return { path, props, body, id: props.find((p) => p.key === 'id')?.value, name: path.split('/').at(-1).replace(/\.md$/, '') }
}

function scalar(text) {
  return text.startsWith('"') || /^-?\d+$/.test(text) ? JSON.parse(text) : text
}

// backlinksOf lists the notes that link to one, by name.
export function backlinksOf(note, notes) {
  const target = `[[${note.path.replace(/\.md$/, '')}`
  const points = (text) => text.includes(target + '|') || text.includes(target + '\\|')
  return notes
    .filter((n) => n !== note && (points(n.body) || n.props.some((p) => [p.value].flat().some((v) => points(String(v))))))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

// renderBody gives the HTML of a note's text.
export function renderBody(note, opened) {
  const md = markdownIt({ breaks: true, linkify: true })
  md.inline.ruler.before('link', 'wikilink', wikilink)
  md.inline.ruler.before('wikilink', 'embed', embed)
  md.core.ruler.push('tasks', tasks)
  md.core.ruler.push('callouts', (state) => callouts(state, opened))
  return md.render(note.body)
}

function wikilink(state, silent) {
  const m = /^\[\[([^\]|]+)(?:\|([^\]]+))?\]\]/.exec(state.src.slice(state.pos))
  if (!m) return false
  if (!silent) {
    state.push('link_open', 'a', 1).attrs = [['class', 'internal'], ['href', '#']]
    state.push('text', '', 0).content = m[2] ?? m[1]
    state.push('link_close', 'a', -1)
  }
  state.pos += m[0].length
  return true
}

// embed names the view of a base in its place: what Obsidian computes is not made
// up here.
function embed(state, silent) {
  const m = /^!\[\[([^\]|#]+)(?:#([^\]|]+))?(?:\|[^\]]+)?\]\]/.exec(state.src.slice(state.pos))
  if (!m) return false
  if (!silent) {
    const token = state.push('html_inline', '', 0)
    token.content = `<span class="embed">${icon('table')}${state.md.utils.escapeHtml([m[1].split('/').at(-1), m[2]].filter(Boolean).join(' › '))}</span>`
  }
  state.pos += m[0].length
  return true
}

function tasks(state) {
  state.tokens.forEach((token, i) => {
    const m = token.type === 'inline' && /^\[([ x])\] /.exec(token.content)
    if (!m || state.tokens[i - 2]?.type !== 'list_item_open') return
    state.tokens[i - 2].attrJoin('class', m[1] === 'x' ? 'task done' : 'task')
    token.children[0].content = token.children[0].content.slice(4)
    const box = new state.Token('html_inline', '', 0)
    box.content = `<input type="checkbox"${m[1] === 'x' ? ' checked' : ''}>`
    token.children.unshift(box)
  })
}

const calloutIcons = { abstract: 'clipboard-list', question: 'circle-help', warning: 'triangle-alert', info: 'info', note: 'pencil' }

// callouts turns quotes that begin with [!kind] into boxes. What is folded shows
// its title alone; of the others everything.
function callouts(state, opened) {
  let folded = 0
  const tokens = state.tokens
  for (let i = 0; i < tokens.length; i++) {
    const inline = tokens[i + 2]
    const m = tokens[i].type === 'blockquote_open' && inline?.type === 'inline' && /^\[!(\w+)\]([-+]?) ?/.exec(inline.content)
    if (!m) continue
    const [, kind, fold] = m
    const open = fold !== '-' || opened.includes(++folded)
    let close = i
    for (let depth = 0; ; close++) {
      depth += tokens[close].nesting * (tokens[close].type.startsWith('blockquote'))
      if (depth === 0) break
    }
    const at = inline.children.findIndex((t) => t.type === 'softbreak' || t.type === 'hardbreak')
    const title = at < 0 ? inline.children.splice(0) : inline.children.splice(0, at + 1).slice(0, at)
    title[0].content = title[0].content.replace(m[0].trimEnd(), '').trimStart()
    const head = new state.Token('html_block', '', 0)
    const chevron = fold ? icon(open ? 'chevron-down' : 'chevron-right') : ''
    head.content = `<div class="callout-title">${icon(calloutIcons[kind] ?? 'pencil')}<span>` +
      state.md.renderer.renderInline(title, state.md.options, {}) + `</span>${chevron}</div>`
    tokens[i].tag = tokens[close].tag = 'div'
    tokens[i].attrs = [['class', `callout ${kind} ${open ? 'open' : 'folded'}`]]
    tokens.splice(i + 1, 0, head)
    if (!open) tokens.splice(i + 2, close - i - 1)
  }
}
