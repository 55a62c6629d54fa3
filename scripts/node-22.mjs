import { existsSync } from 'node:fs'
import path from 'node:path'
import { npm, root } from './run.mjs'

// The oldest supported version runs everything else; this one is the newest that Debian and hosts ship widely.
const VERSION = '22.23.3'

/**
 * The Node on which the tests of whole nodes run besides the oldest supported one: this process's own if it is 22 or later,
 * otherwise the one of an npm package. It is kept out of node_modules, whose programs would replace `node` in npm scripts.
 * Where the package cannot be installed, the tests run on this Node, and a sentence says so.
 * @returns {Promise<string>}
 */
export async function ensureNode22() {
  if (Number.parseInt(process.versions.node, 10) >= 22) return process.execPath
  const name = `node-linux-${process.arch}`
  const folder = path.join(root, '.cache/node-22')
  const program = path.join(folder, 'node_modules', name, 'bin/node')
  if (existsSync(program)) return program
  console.log(`Installing Node ${VERSION} for the system tests …`)
  const { ok, output } = await npm(
    [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      `${name}@${VERSION}`,
    ],
    { quiet: true },
  )
  if (ok && existsSync(program)) return program
  console.log(
    `The npm package ${name}@${VERSION} could not be installed, so the system tests run on Node ${process.versions.node} only:\n${output.trimEnd()}`,
  )
  return process.execPath
}
