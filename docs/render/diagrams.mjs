// Renders every Mermaid diagram that the program generates with the real Mermaid
// in headless Chromium, and fails where one does not come out as a picture.
//
//   make diagrams        needs Go, Node.js and Chromium ($CHROMIUM names it)
//
// The diagrams are those of the vault woven from the built-in sample, of a vault
// woven from a made-up history of hostile names, and of all golden pages. Each is
// rendered twice, with Mermaid's strict and with its loosest level of security: in
// neither may a name of a transcript act.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { write } from './hostile.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const project = join(here, '..', '..')
const temp = mkdtempSync(join(tmpdir(), 'sessionloom-diagrams-'))

// What must be reported, or the renderer is blind.
const blunders = [
  { from: 'a list that is not closed', text: 'xychart-beta\n  x-axis ["a", "b"\n  bar [1, 2]\n' },
  { from: 'a quote in a label', text: 'xychart-beta\n  x-axis ["a"b"]\n  bar [1]\n' },
  { from: 'no diagram', text: 'something else entirely\n' },
]
const acting = { from: 'a picture that leads elsewhere', text: 'graph TD\n  A-->B\n  click A href "https://example.com"\n' }

try {
  provesSight()
  const sample = weave('sample', ['--sample'])
  const home = join(temp, 'home')
  write(home)
  const hostile = weave('hostile', ['--no-defaults', '--copilot-home', home])
  const golden = ['testdata/golden', 'testdata/scenarios', 'templates/testdata'].flatMap((dir) => diagramsIn(join(project, dir), project))
  let faults = 0
  for (const [what, all] of Object.entries({ sample, hostile, golden })) {
    if (all.length === 0) throw new Error(`no diagram among the ${what} pages: nothing was looked at`)
    const found = judge(all)
    for (const f of found) console.error(`${f.from}: ${f.fault}\n${f.text}`)
    console.log(`${what}: ${all.length} diagrams, ${found.length} faults`)
    faults += found.length
  }
  process.exitCode = faults > 0 ? 1 : 0
} finally {
  rmSync(temp, { recursive: true })
}

function provesSight() {
  const found = judge([...blunders, acting]).map((f) => f.from)
  for (const b of [...blunders, acting]) {
    if (!found.includes(b.from)) throw new Error(`${b.from} was taken for a sound diagram`)
  }
}

// weave runs the program and gives the diagrams of the vault it makes.
function weave(name, flags) {
  const vault = join(temp, name)
  execFileSync('go', ['run', './cmd/sessionloom', 'sync', '--quiet', '--create', '--vault', vault, '--state', vault + '.state', ...flags], {
    cwd: project,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return diagramsIn(vault, temp)
}

// diagramsIn finds the fences of Mermaid in the pages below a folder, archives of
// pages among them. Lines of a unified diff in an archive lose their mark.
function diagramsIn(dir, root) {
  const found = []
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile() && /\.(md|txtar)$/.test(e.name))
    .map((e) => join(e.parentPath, e.name))
    .sort()
  for (const file of files) {
    for (const m of readFileSync(file, 'utf8').matchAll(/^(\+?)```mermaid\n([^]*?)\n\1```$/gm)) {
      found.push({ from: relative(root, file), text: m[1] ? m[2].replace(/^\+/gm, '') : m[2] })
    }
  }
  return found
}

// judge renders diagrams and gives those that fail, with the reason.
function judge(diagrams) {
  const file = join(temp, 'judge.html')
  writeFileSync(file, page(diagrams.map((d) => d.text)))
  const dom = execFileSync(process.env.CHROMIUM || 'chromium', [
    '--headless', '--no-sandbox', '--allow-file-access-from-files', '--virtual-time-budget=600000', '--dump-dom', pathToFileURL(file).href,
  ], { stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 }).toString()
  const told = /<pre id="told">([^<]*)<\/pre>/.exec(dom)
  if (!told) throw new Error('Chromium did not come to an end')
  const faults = JSON.parse(decodeURIComponent(told[1]))
  if (faults.length !== diagrams.length) throw new Error(`${faults.length} of ${diagrams.length} diagrams were looked at`)
  return diagrams.map((d, i) => ({ ...d, fault: faults[i] })).filter((d) => d.fault)
}

function page(texts) {
  return `<!doctype html><html><head><meta charset="utf-8"></head><body>
<script src="${pathToFileURL(join(here, 'node_modules/mermaid/dist/mermaid.min.js')).href}"></script>
<script>
const texts = JSON.parse(decodeURIComponent("${encodeURIComponent(JSON.stringify(texts)).replaceAll("'", '%27')}"))
let acted = false
window.hit = () => { acted = true }
${judgeOne}
async function all() {
  const faults = []
  for (const [i, text] of texts.entries()) {
    faults.push((await judgeOne(text, 'strict', 's' + i)) || (await judgeOne(text, 'loose', 'l' + i)))
  }
  const pre = document.createElement('pre')
  pre.id = 'told'
  pre.textContent = encodeURIComponent(JSON.stringify(faults))
  document.body.replaceChildren(pre)
}
all()
</script></body></html>`
}

// judgeOne runs in the browser. It says what is wrong with a diagram.
async function judgeOne(text, securityLevel, id) {
  acted = false
  try {
    mermaid.initialize({ startOnLoad: false, securityLevel, suppressErrorRendering: true })
    await mermaid.parse(text)
    const { svg } = await mermaid.render(id, text)
    const shown = document.createElement('div')
    document.body.append(shown)
    shown.innerHTML = svg
    await new Promise((done) => setTimeout(done, 20))
    const picture = shown.querySelector('svg')
    if (!picture || !picture.querySelector('text, foreignObject')) return 'nothing is shown'
    if (/Syntax error/.test(picture.textContent)) return 'a syntax error is shown'
    if (acted || shown.querySelector('script, a, img, .clickable')) return 'a label acts (' + securityLevel + ')'
    shown.remove()
  } catch (error) {
    return String(error?.message ?? error).split('\n').slice(0, 4).join(' ')
  }
  return ''
}
