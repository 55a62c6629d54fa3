import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { main, root, StartError } from './run.mjs'

/** `npm version` calls it between the new number and the commit: it turns Unreleased into the section of the release. */
await main(async () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const today = new Date().toISOString().slice(0, 10)
  replaceIn('CHANGELOG.md', /^## Unreleased\n/m, `## Unreleased\n\n## ${version} (${today})\n`)
  replaceIn('deploy/kubernetes/deployment.yaml', /(image: \S+\/roadshow):\S+/, `$1:${version}`)
})

/** @param {string} name @param {RegExp} pattern @param {string} text */
function replaceIn(name, pattern, text) {
  const file = path.join(root, name)
  const before = readFileSync(file, 'utf8')
  if (!pattern.test(before)) throw new StartError(`${name} has nothing like ${pattern}.`)
  writeFileSync(file, before.replace(pattern, text))
}
