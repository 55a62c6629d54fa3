import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

const file = (name: string) => new URL(`../../../${name}`, import.meta.url)
const read = (from: URL): unknown => JSON.parse(readFileSync(from, 'utf8'))

const { version } = z.object({ version: z.string() }).parse(read(file('package.json')))

// `npm run release` writes it beside the program's folders; a program that was built where it runs has none.
const release = file('../release.json')
const { commit } = existsSync(release) ? z.object({ commit: z.string().optional() }).parse(read(release)) : {}

/** What runs here: its version and, in a release, the commit that it was made from. */
export const build: { version: string; commit?: string } = { version, ...(commit !== undefined && { commit }) }
