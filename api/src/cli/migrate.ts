import { readEnv } from '../env.ts'
import { sharedNow } from '../platform/db/clock.ts'
import { connect } from '../platform/db/connection.ts'
import { mergePastDays } from '../platform/db/merge-days.ts'
import { migrate } from '../platform/db/migrate.ts'
import { runCommand, say, withDatabase } from './command.ts'

// An export may read for minutes.
const PATIENCE_MS = 120_000

/** Merges the single days of databases that older versions made: nodes that do not own the tables cannot. */
async function mergeDays(url: string): Promise<void> {
  const { db, close } = connect(url, { max: 2 })
  try {
    for (const table of ['position', 'play'] as const) {
      const merged = await mergePastDays(db, table, { now: await sharedNow(db), patienceMs: PATIENCE_MS })
      if (merged > 0) say(`Merged the single days of ${merged} weeks of the table ${table}.`)
    }
  } finally {
    await close()
  }
}

async function main(): Promise<void> {
  const env = readEnv(process.env)
  await withDatabase(env, (url) => migrate(env.databaseOwnerUrl ?? url, { say }))
  if (env.databaseOwnerUrl) await mergeDays(env.databaseOwnerUrl)
  say('The database is migrated.')
}

await runCommand(main)
