import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { screens } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { storeAnswer, takeWaiting } from '../src/live/players/commands.ts'
import { archiveOf } from '../src/live/plays/archive/test-archive.ts'
import { openProposals } from '../src/outreach/proposals/test-proposals.ts'
import { blobsOf } from '../src/platform/backup/inventory.ts'
import { withClient } from '../src/platform/db/with-client.ts'
import { listBlobs } from '../src/platform/files/index.ts'
import { makePdfs } from '../src/proof/pop/pdf/job.ts'
import { openPops } from '../src/proof/pop/test-pop.ts'

const world = await openWorld()
const { app, db, call } = world
const pops = await openPops(world)
// Both have a market in Dallas.
await sql`update market set name = name || ' of POPs'`.execute(db)
const proposals = await openProposals(world)
const src = fileURLToPath(new URL('../src/', import.meta.url))

/** Every place that stores a file, with a name that such a file has. */
const KINDS: Readonly<Record<string, RegExp>> = {
  'live/players/commands.ts': /^screen-/,
  'live/plays/archive/write.ts': /^plays\/.*\.parquet$/,
  'outreach/proposals/pictures.ts': /^proposal-/,
  // The file as it is kept, and the picture of a video: names without a prefix.
  'platform/files/uploads.ts': /^(?!pop-|screen-|proposal-|plays)/,
  'proof/photos/pictures.ts': /^pop-.*-small$/,
  'proof/pop/pdf/job.ts': /^pop-pdf-/,
  'proof/pop/publication/publish.ts': /^pop-.*-large$/,
}

/** Places that pass on what others store, store it for them, or delete at once what they store to try the storage. */
const PASSES_ON = ['platform/files/', 'console/services/connection-tests.ts']

test('every place that stores a file is a known kind', async () => {
  const files = (await readdir(src, { recursive: true })).filter(
    (file) => /\.[jt]s$/.test(file) && !/\.test\.ts$|(^|\/)test-[^/]+$/.test(file),
  )
  const storing: string[] = []
  for (const file of files) {
    const text = await readFile(path.join(src, file), 'utf8')
    if (/\b(blobs|store)\.(write|writeFile|move|uploadTarget)\(/.test(text)) storing.push(file)
  }
  const isKnown = (file: string) => file in KINDS || PASSES_ON.some((folder) => file.startsWith(folder))
  expect(storing.filter((file) => !isKnown(file))).toEqual([])
  expect(Object.keys(KINDS).filter((file) => !storing.includes(file))).toEqual([])
})

test('a backup holds every file that the product has stored, of every kind', async () => {
  const pop = await pops.addPop()
  await pops.addPhoto(pop.uid, pops.austin)
  await pops.publish(pop.uid, 'The first')
  // The PDF shows the photo, and photos of tests are no pictures.
  const shown = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#c00' } })
    .webp()
    .toBuffer()
  for await (const { blob } of listBlobs(world.folder)) {
    if (blob.startsWith('pop-')) await app.blobs.write(blob, shown, 'image/webp')
  }
  await makePdfs(
    { db, blobs: app.blobs, publicUrl: 'http://localhost', log: (error) => expect(error).toBeUndefined() },
    new AbortController().signal,
  )

  const draft = await proposals.addDraft()
  await proposals.dress(draft.uid)
  await proposals.sent(draft.uid)

  const past = archiveOf(world)
  const truck = await past.addTruck([80])
  await past.store(truck, past.playsOf(truck, 80))
  await past.grade()
  await past.archive()
  expect(past.errors).toEqual([])

  const asked = await call(screens.command, { params: { uid: truck.device.uid }, body: { kind: 'showScreen' } })
  expect(asked.status, asked.text).toBe(200)
  const [command] = await takeWaiting(db, truck.device.uid)
  const picture = Buffer.from('a picture')
  await storeAnswer(db, app.blobs, command?.commandUid ?? '', { state: 'done', reason: '', picture })

  const stored: string[] = []
  for await (const { blob } of listBlobs(world.folder)) stored.push(blob)
  for (const [file, name] of Object.entries(KINDS))
    expect(
      stored.filter((blob) => name.test(blob)),
      file,
    ).not.toEqual([])
  const inBackup = await withClient(world.url, blobsOf)
  expect(stored.filter((blob) => !inBackup.includes(blob))).toEqual([])
  expect(inBackup).toEqual(inBackup.toSorted())

  await db.updateTable('device_command').set({ picture_removed_at: new Date() }).execute()
  expect((await withClient(world.url, blobsOf)).filter((blob) => blob.startsWith('screen-'))).toEqual([])
})
