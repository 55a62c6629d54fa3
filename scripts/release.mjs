import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { copyFolder, copyPackage, fetchPackage, runtimePackages } from './release/packages.mjs'
import { main, root, run, StartError } from './run.mjs'
import { ensureBuilt, ensureInstalled, ensureNode } from './setup.mjs'

const USAGE = `Usage: npm run release -- [--to FOLDER] [--arch x64|arm64]... [--quick] [--unpacked]

Makes a tarball for each architecture, and SHA256SUMS. --quick packs faster and larger, to try it. With --unpacked, FOLDER itself becomes the program for this
machine, without Node and not packed: an image takes that.`

const ARCHITECTURES = ['x64', 'arm64']
const SHORT_COMMIT = 8

/** What a running program, and whoever operates it, reads besides the built code and packages. */
const files = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'api/package.json', 'api/migrations', 'deploy', 'docs']

await main(async () => {
  const { to, arch, unpacked, quick } = readArguments()
  ensureNode()
  await ensureInstalled()
  await ensureBuilt()
  const { version, ...source } = await sourceOf()
  if (unpacked) {
    await fill(to, process.arch, { version, commit: source.commit })
    return console.log(`Roadshow ${version} is in ${to}`)
  }
  mkdirSync(to, { recursive: true })
  const sums = []
  for (const each of arch) {
    const tarball = `roadshow-${version}-linux-${each}.tar.gz`
    await packRelease(path.join(to, tarball), { version, arch: each, quick, ...source })
    sums.push(`${await sha256(path.join(to, tarball))}  ${tarball}\n`)
    console.log(`Roadshow ${version} for ${each}: ${path.join(to, tarball)}`)
  }
  writeFileSync(path.join(to, 'SHA256SUMS'), sums.join(''))
})

function readArguments() {
  const { values } = parseArgs({
    options: {
      to: { type: 'string', default: 'release' },
      arch: { type: 'string', multiple: true, default: ARCHITECTURES },
      unpacked: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
    },
  })
  if (!values.arch.every((arch) => ARCHITECTURES.includes(arch))) throw new StartError(USAGE)
  return { ...values, to: path.resolve(process.env.INIT_CWD ?? root, values.to) }
}

/**
 * What the release is made from: its version, the commit, and the time of the commit, which its files get: one commit makes
 * one tarball. A commit without the tag of its version adds itself to the version, so that no two releases have one name,
 * and none is unpacked over another. An image is built without the history, so there the caller names the commit.
 */
async function sourceOf() {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  if (process.env.COMMIT) return { version, commit: process.env.COMMIT, seconds: '0' }
  const { ok, output } = await run('git', ['log', '-1', '--format=%H %ct'], { quiet: true })
  if (!ok) return { version, seconds: '0' }
  const [commit = '', seconds = '0'] = output.trim().split(' ')
  const tags = await run('git', ['tag', '--points-at', commit], { quiet: true })
  const isTagged = tags.output.split('\n').includes(`v${version}`)
  return { version: isTagged ? version : `${version}-${commit.slice(0, SHORT_COMMIT)}`, commit, seconds }
}

/**
 * @param {string} tarball
 * @param {{ version: string, arch: string, quick: boolean, commit?: string, seconds: string }} release
 */
async function packRelease(tarball, { version, arch, quick, commit, seconds }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'roadshow-release-'))
  try {
    const name = `roadshow-${version}`
    await fill(path.join(folder, name), arch, { version, commit })
    await addNode(path.join(folder, name), arch)
    const sameEverywhere = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX']
    // A quick one is not compressed, which takes longer than all the rest; it is unpacked with the same command.
    const packed = quick ? path.join(folder, 'release.tar') : tarball
    const gzip = quick ? [] : ['--use-compress-program=gzip --no-name --best']
    const args = [...sameEverywhere, '-C', folder, `--mtime=@${seconds}`, ...gzip, '-cf', packed, name]
    const { ok, output } = await run('tar', args, { quiet: true })
    if (!ok) throw new StartError(`The release cannot be packed:\n${output}`)
    if (quick) await pipeline(createReadStream(packed), createGzip({ level: 0 }), createWriteStream(tarball))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Fills a folder with the built program and the packages that it needs while it runs. */
async function fill(/** @type {string} */ folder, /** @type {string} */ arch, /** @type {object} */ about) {
  const bundled = 'api/dist/bundled'
  copyFolder(path.join(root, bundled), path.join(folder, bundled))
  for (const file of [...files, ...threadFiles()])
    cpSync(path.join(root, file), path.join(folder, file), { recursive: true })
  for (const pages of ['web', 'player']) copyFolder(path.join(root, pages, 'dist'), path.join(folder, pages, 'dist'))
  for (const each of runtimePackages('api', arch)) await copyPackage(each, folder)
  cpSync(path.join(root, 'deploy/bin'), path.join(folder, 'bin'), { recursive: true })
  writeFileSync(path.join(folder, 'release.json'), `${JSON.stringify(about)}\n`)
}

/** Files that the server finds beside its sources: JavaScript that starts as it is. */
function threadFiles() {
  const all = readdirSync(path.join(root, 'api/src'), { recursive: true, encoding: 'utf8' })
  return all.filter((file) => file.endsWith('.js')).map((file) => `api/src/${file}`)
}

/** The release runs on the Node that it was made with, so that the machine needs none. */
async function addNode(/** @type {string} */ folder, /** @type {string} */ arch) {
  const program = path.join(folder, 'bin/node')
  if (arch === process.arch) copyFileSync(process.execPath, program)
  else {
    const fetched = path.join(folder, '.node')
    await fetchPackage(`node-linux-${arch}@${process.versions.node}`, fetched)
    copyFileSync(path.join(fetched, 'bin/node'), program)
    rmSync(fetched, { recursive: true })
  }
  chmodSync(program, 0o755)
}

async function sha256(/** @type {string} */ file) {
  const sum = createHash('sha256')
  await pipeline(createReadStream(file), sum)
  return sum.digest('hex')
}
