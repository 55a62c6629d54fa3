import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

const file = (name: string) => new URL(`../../../../${name}`, import.meta.url)

// `npm run release` writes it beside the program's folders; a program that was built where it runs has package.json there.
const release = file('release.json')
const about: unknown = JSON.parse(readFileSync(existsSync(release) ? release : file('package.json'), 'utf8'))
const { version, commit } = z.object({ version: z.string(), commit: z.string().optional() }).parse(about)

/** What runs here: its version and, in a release, the commit that it was made from. */
export const build: { version: string; commit?: string } = { version, ...(commit !== undefined && { commit }) }
