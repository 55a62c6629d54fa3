import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'

const USAGE = `Verifies a downloaded version of a public page against its hash.

  node scripts/verify-pop.mjs <file.json> <sha256> [--pictures <public page or its server>]

The hash is at the bottom of the public page and on every page of its PDF. With --pictures, such as
--pictures https://example.com, each picture is downloaded and verified against its hash in the file.`

/** @param {Buffer} bytes */
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/**
 * @typedef {{ key: string, sha256: string }} Picture
 * @typedef {{ program: string, client: string, version: number, publishedAt: string, popUrl: string,
 *             logo: Picture | null, chapters: { name: string, photos: Picture[] }[] }} Version
 */

/** @param {string} message */
function fail(message) {
  console.error(`FAILED: ${message}`)
  process.exitCode = 1
}

/**
 * @param {Version} version
 * @param {string} server
 */
async function checkPictures({ popUrl, logo, chapters }, server) {
  const pictures = [...(logo ? [logo] : []), ...chapters.flatMap(({ photos }) => photos)]
  let right = 0
  for (const { key, sha256: expected } of pictures) {
    const url = new URL(`/api/v1/public/pop/${encodeURIComponent(popUrl)}/pictures/${key}/large`, server)
    const answer = await fetch(url)
    if (!answer.ok) fail(`picture ${key} could not be downloaded (status ${answer.status}).`)
    else if (sha256(Buffer.from(await answer.arrayBuffer())) !== expected)
      fail(`picture ${key} differs from the published one.`)
    else right += 1
  }
  console.log(`${right} of ${pictures.length} pictures match the published ones.`)
}

async function main() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { pictures: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  const [file, expected] = positionals
  if (values.help || !file || !expected) {
    console.log(USAGE)
    if (!values.help) process.exitCode = 1
    return
  }
  const bytes = await readFile(file)
  const found = sha256(bytes)
  if (found !== expected.toLowerCase()) {
    fail(`${file} has the SHA-256 ${found}, not ${expected}.`)
    return
  }
  /** @type {Version} */
  const version = JSON.parse(bytes.toString('utf8'))
  const photos = version.chapters.reduce((sum, chapter) => sum + chapter.photos.length, 0)
  console.log(
    `${file} is version ${version.version} of ${version.program} (${version.client}), published ${version.publishedAt}: ` +
      `its ${bytes.length} bytes have the SHA-256 ${found}. It has ${photos} photos in ${version.chapters.length} markets.`,
  )
  if (values.pictures) await checkPictures(version, values.pictures)
}

await main().catch((error) => fail(error.message))
