import path from 'node:path'
import pg from 'pg'
import { defaultSettings } from '@roadshow/contract'
import { archivePlaysJob } from '@roadshow/api/live/plays/archive/job'
import { restoreArchive } from '@roadshow/api/live/plays/archive/thaw'
import { playLifetimes } from '@roadshow/api/live/plays/lifetimes'
import { connect } from '@roadshow/api/platform/db/connection'
import { openLocalStore } from '@roadshow/api/platform/files/index'
import { runJob } from '@roadshow/api/platform/jobs/runner'
import { sweepJob } from '@roadshow/api/platform/lifetimes/sweep'
import { parquetOf } from '@roadshow/api/platform/parquet/index'

// A process that archives plays, or brings them back, and is killed at one moment of it; crash.test.ts starts it. It runs
// the compiled code, which loads much faster.

const [url = '', folder = '', dataDir = '', moment = ''] = process.argv.slice(2)

/** As kill -9: nothing is cleaned up. The promise never settles, so nothing else happens until the signal arrives. */
function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}

/** Moments of a statement: before it is sent, or after the database has answered. */
const statements: Record<string, { text: RegExp; isAfter: boolean }> = {
  'files are written, their record is missing': { text: /with gone as \(delete from play/, isAfter: false },
  'everything is done but the commit': { text: /insert into play_archive \(/, isAfter: true },
  'a week is about to be dropped': { text: /^call drop_partition/, isAfter: false },
  'plays are back, all but the commit': { text: /with dismissed as/, isAfter: true },
}

const blobs = await openLocalStore(folder)
const untouched = { ...blobs }

/** Moments of the storage. */
const storage: Record<string, Partial<typeof blobs>> = {
  'the first file is written': { writeFile: async (...args) => untouched.writeFile(...args).then(die) },
  'a leftover is removed but still noted': { remove: async (blob) => untouched.remove(blob).then(die) },
}
Object.assign(blobs, storage[moment])

const chosen = statements[moment]
if (chosen) {
  // oxlint-disable-next-line typescript/unbound-method -- it is applied to its client below
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  pg.Client.prototype.query = function (
    this: pg.Client,
    sent: { text?: string; callback?: unknown },
    ...rest: unknown[]
  ) {
    const isMoment = typeof sent.text === 'string' && chosen.text.test(sent.text)
    if (isMoment && !chosen.isAfter) return die()
    if (isMoment) sent.callback = die
    return query.call(this, sent, ...rest)
  } as pg.Client['query']
}

const { db, close } = connect(url)
const env = { brandName: 'Roadshow', publicUrl: 'http://localhost', archiveAfterDays: 45, dataDir }
const log = (error: unknown) => {
  // The parent reads it.
  // oxlint-disable-next-line no-console
  console.error(error)
  process.exitCode = 1
}
const parquet = parquetOf({ blobs, env: { dataDir: path.resolve(dataDir) } })
// The thread of DuckDB does not keep a process alive.
const alive = setInterval(() => {}, 60_000)
if (moment === 'plays are back, all but the commit') await restoreArchive({ db, parquet })
else {
  const sweep = sweepJob(playLifetimes, async () => defaultSettings)
  const job = moment === 'a leftover is removed but still noted' ? sweep : archivePlaysJob
  await runJob(job, { db, blobs, env, log }, { signal: new AbortController().signal })
}
await parquet.close()
await close()
clearInterval(alive)
