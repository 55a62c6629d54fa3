import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** Pages that the server fills, with the places that it fills in them. */
const FILLED = ['pop', 'campaign', 'proposal']

/** A folder with the entries of a built web app, as a node serves them; each says its name. */
export async function writePages(): Promise<{ pages: string; removePages: () => Promise<void> }> {
  const pages = await mkdtemp(path.join(os.tmpdir(), 'roadshow-pages-'))
  await mkdir(path.join(pages, 'driver'))
  await writeFile(path.join(pages, 'driver', 'manifest.webmanifest'), '{}')
  for (const name of ['index', 'sign-in', 'driver', 'offline']) await writeFile(path.join(pages, `${name}.html`), name)
  for (const name of FILLED) {
    const place = name.toUpperCase()
    const shell = `<head><!--${place}_HEAD--></head><body><!--${place}_BODY--></body>`
    await writeFile(path.join(pages, `${name}.html`), shell)
  }
  return { pages, removePages: () => rm(pages, { recursive: true }) }
}
