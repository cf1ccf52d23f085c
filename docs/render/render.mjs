// Makes the pictures of docs/images: writes the built-in sample into a fresh
// vault, shows some of its notes as Obsidian's reading view would, with the
// "File properties" and "Backlinks" panes beside them, and photographs them.
//
//   make pictures        needs Go, Node.js and Chromium ($CHROMIUM names it)
//
// The notes are the program's own; nothing in them is written here.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { backlinksOf, parseNote, renderBody } from './note.mjs'
import { page } from './page.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const project = join(here, '..', '..')

// The pictures: a note by its id, how much of it, from which heading on, and
// which folded callouts (by their number in the note, from 1) are opened as a
// reader would. Without the panes a picture is narrower.
const session = 'session:7524f8de-6567-42a5-9569-07102f5d4c6c'
const widget = 'github.com/octo-org/widget'
const pictures = [
  { file: 'session.png', id: session, width: 1090, height: 1130, dark: true },
  { file: 'conversation.png', id: session, width: 740, height: 700, from: 'Conversation', opened: [1], panes: false },
  { file: 'project.png', id: 'project:' + widget, width: 1090, height: 1000, dark: true },
  { file: 'home.png', id: 'home', width: 1090, height: 900, dark: true },
  { file: 'threads.png', id: 'threads', width: 1090, height: 520 },
  { file: 'day.png', id: 'day:2026-11-03', width: 1090, height: 480 },
  { file: 'week.png', id: 'week:2026-W45', width: 1090, height: 800 },
  { file: 'checkpoint.png', id: 'checkpoint:7524f8de-6567-42a5-9569-07102f5d4c6c:2', width: 1090, height: 900 },
  { file: 'file.png', id: `file:${widget}:internal/auth/jwt.go`, width: 1090, height: 700 },
  { file: 'issue.png', id: `issue:${widget}:42`, width: 1090, height: 620 },
  { file: 'memory.png', id: 'memory:40a86369-6e1d-4d1a-8f65-f8682085b206:plan', width: 1090, height: 560 },
]

const temp = mkdtempSync(join(tmpdir(), 'sessionloom-pictures-'))
try {
  const notes = weave(join(temp, 'Vault'))
  for (const picture of pictures) {
    const note = notes.find((n) => n.id === picture.id)
    if (!note) throw new Error(`no note has the id ${picture.id}`)
    for (const theme of picture.dark ? ['light', 'dark'] : ['light']) {
      await shoot(picture, note, backlinksOf(note, notes), theme)
    }
  }
} finally {
  rmSync(temp, { recursive: true })
}

// weave runs the program on its sample and reads what it wrote.
function weave(vault) {
  const state = join(temp, 'state')
  execFileSync('go', ['run', './cmd/sessionloom', 'sync', '--sample', '--quiet', '--create', '--vault', vault, '--state', state], {
    cwd: project,
    stdio: 'inherit',
  })
  return readdirSync(vault, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile() && e.name.endsWith('.md'))
    .map((e) => join(e.parentPath, e.name))
    .sort()
    .map((path) => parseNote(relative(vault, path).split(sep).join('/'), readFileSync(path, 'utf8')))
}

// shoot photographs one note at twice the size, with a palette to keep it small.
// The page is our own, so Chromium may run without its sandbox, as root has to.
async function shoot(picture, note, backlinks, theme) {
  const html = join(temp, 'page.html')
  const raw = join(temp, 'raw.png')
  writeFileSync(html, page(picture, note, renderBody(note, picture.opened ?? []), backlinks, theme))
  execFileSync(process.env.CHROMIUM || 'chromium', [
    '--headless', '--no-sandbox', '--hide-scrollbars', '--force-device-scale-factor=2', '--virtual-time-budget=10000',
    '--allow-file-access-from-files', `--window-size=${picture.width},${picture.height}`, `--screenshot=${raw}`,
    pathToFileURL(html).href,
  ], { stdio: 'ignore' })
  const file = theme === 'dark' ? picture.file.replace('.png', '-dark.png') : picture.file
  const info = await sharp(raw).png({ palette: true, colours: 48, effort: 10, compressionLevel: 9 })
    .toFile(join(here, '..', 'images', file))
  console.log(`${file}: ${info.width}x${info.height}, ${Math.round(info.size / 1000)} kB`)
}
