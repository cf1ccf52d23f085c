// The page around a note: Obsidian's light or dark theme, the path above, properties and
// backlinks at the side.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const types = { created: 'clock', updated: 'clock', tags: 'tags', aliases: 'forward' }
const escape = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

// icon is one of Lucide, the set Obsidian uses.
export function icon(name) {
  const file = join(here, 'node_modules', 'lucide-static', 'icons', name + '.svg')
  return readFileSync(file, 'utf8').replace(/<!--[^]*?-->\s*/, '').replace('<svg', '<svg data-icon')
}

// page gives the whole HTML document of a picture.
export function page(picture, note, body, backlinks, theme) {
  const url = (path) => pathToFileURL(join(here, 'node_modules', path)).href
  const fonts = [
    '@fontsource-variable/inter/wght.css', '@fontsource-variable/jetbrains-mono/wght.css',
    '@fontsource/noto-sans-jp/400.css', '@fontsource/noto-color-emoji/emoji-400.css',
  ]
  return `<!doctype html><html><head><meta charset="utf-8"><title>${escape(note.name)}</title>
${fonts.map((f) => `<link rel="stylesheet" href="${url(f)}">`).join('\n')}
<style>${readFileSync(join(here, 'page.css'), 'utf8')}</style></head><body class="${picture.panes === false ? 'bare' : ''} ${theme}">
<main><header>${crumbs(note)}</header><article>${body}</article></main>
<aside>
<h4>${icon('info')}File properties</h4><dl>${note.props.map(property).join('')}</dl>
<h4>${icon('link')}Backlinks <span class="count">${backlinks.length}</span></h4>
${backlinks.map(backlink).join('')}
</aside>
<script>${picture.from ? scroll(picture.from) : ''}</script>
</body></html>`
}

// scroll begins the picture at a heading.
const scroll = (heading) => `
const h = [...document.querySelectorAll('h2')].find((e) => e.textContent === ${JSON.stringify(heading)})
document.querySelector('article').style.marginTop = 52 - h.offsetTop + 'px'`

function crumbs(note) {
  const parts = note.path.replace(/\.md$/, '').split('/')
  const name = parts.pop()
  return parts.map((p) => `<span>${escape(p)}</span> / `).join('') + `<b>${escape(name)}</b>`
}

function property({ key, value }) {
  const list = Array.isArray(value)
  const kind = types[key] ?? (list ? 'list' : typeof value === 'number' ? 'binary' : 'text')
  const shown = list
    ? value.map((v) => `<span class="pill">${escape(v)}</span>`).join('')
    : /^\[\[/.test(value) ? `<a class="internal" href="#">${escape(value.slice(2, -2).split('|').at(-1))}</a>` : escape(date(value))
  return `<dt>${icon(kind)}${key}</dt><dd>${shown}</dd>`
}

// date writes a date & time as Obsidian's property view does.
function date(value) {
  const m = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d$/.exec(value)
  return m ? `${m[1]} ${m[2]}` : value
}

function backlink(note) {
  return `<div class="backlink">${icon('file')}<span>${escape(note.name)}</span></div>`
}
