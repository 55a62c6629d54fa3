import { execFile } from 'node:child_process'
import { chown, copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { auth, trucks } from '@roadshow/contract'
import { TestClient } from '@roadshow/test-kit/client'
import { newNode } from '@roadshow/test-kit/nodes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBackup } from '../src/platform/backup/make.ts'
import { restoreBackup } from '../src/platform/backup/restore.ts'
import { contentOf } from '../src/platform/backup/test-databases.ts'
import { withClient as on } from '../src/platform/db/with-client.ts'
import { connect } from '../src/platform/db/connection.ts'
import { type EmbeddedServer, startEmbedded } from '../src/platform/db/embedded/server.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { dropPartitionsBefore, listPartitions } from '../src/platform/db/partitions.ts'
import { requireSessions } from '../src/platform/db/require-sessions.ts'
import { checkRole } from '../src/platform/db/server-checks.ts'
import { makeCertificate } from './test-certificate.ts'

// One server that takes the app's role by TLS only, with a database whose owner migrates and whose nodes run as
// roadshow_app, prepared by the documented file.
const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-roles-'))
const at = (name: string) => path.join(folder, name)
const roles = await readFile(path.join(root, 'deploy/database/roles.sql'), 'utf8')

const PASSWORD = 'a-long-password'
let server: EmbeddedServer
let authority = ''
const asSuperuser = (database: string) => Object.assign(new URL(server.superuserUrl), { pathname: database }).href
/** A connection string that checks the certificate; the host's name must be in it. */
function urlOf(user: string, database = 'fleet', host = 'localhost', ca = authority): string {
  const { port } = new URL(server.url)
  return `postgres://${user}:${PASSWORD}@${host}:${port}/${database}?sslmode=verify-full${ca && `&sslrootcert=${ca}`}`
}
const asApp = () => urlOf('roadshow_app')
const asOwner = (database?: string) => urlOf('fleet_owner', database)

/** Gives the server a certificate, and refuses the app's role without TLS. */
async function encrypt(cluster: string): Promise<void> {
  const made = await makeCertificate(folder)
  authority = made.authority
  const owner = await stat(cluster)
  for (const [name, from] of [
    ['server.crt', made.certificate],
    ['server.key', made.key],
  ] as const) {
    await copyFile(from, path.join(cluster, name))
    await chown(path.join(cluster, name), owner.uid, owner.gid)
  }
  const hba = path.join(cluster, 'pg_hba.conf')
  await writeFile(hba, `hostnossl all roadshow_app all reject\n${await readFile(hba, 'utf8')}`)
  await on(server.superuserUrl, async (client) => {
    await client.query('alter system set ssl = on')
    await client.query('select pg_reload_conf()')
  })
}

async function addDatabase(name: string): Promise<void> {
  await on(asSuperuser('postgres'), (client) =>
    client.query(`create database ${name} owner fleet_owner template template0`),
  )
  await on(asSuperuser(name), (client) => client.query(roles))
}

/** A command as operators run it, with its settings. */
async function command(name: string, settings: Record<string, string>, ...args: string[]): Promise<string> {
  const env = {
    PATH: '',
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://console.example.com',
    DATA_DIR: folder,
    ...settings,
  }
  const program = path.join(root, `api/dist/bundled/${name}.js`)
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env })
  return stdout
}

beforeAll(async () => {
  server = await startEmbedded({ dir: at('postgres'), fsync: false })
  await encrypt(at('postgres/cluster'))
  await on(asSuperuser('postgres'), async (client) => {
    await client.query(`create role fleet_owner login password '${PASSWORD}'`)
    await client.query(`alter role roadshow_app password '${PASSWORD}'`)
  })
  await addDatabase('fleet')
}, 120_000)

afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a database that the role cannot migrate is refused, and one whose certificate cannot be checked', async () => {
  await expect(migrate(asApp())).rejects.toThrow(
    /the role roadshow_app may not change its tables\. Run npm run migrate with the owner in DATABASE_OWNER_URL\.$/,
  )
  await expect(requireSessions(urlOf('roadshow_app', 'fleet', '127.0.0.1'))).rejects.toThrow(/altnames/)
  await expect(requireSessions(asApp().replace(/\?.*/, ''))).rejects.toThrow(/pg_hba.conf rejects/)
  const node = await newNode({ DATABASE_URL: urlOf('roadshow_app', 'fleet', 'localhost', ''), DATA_DIR: folder })
  await expect(node.start()).rejects.toThrow(
    'The database that DATABASE_URL names cannot be used: unable to verify the first certificate.',
  )
}, 120_000)

test('the owner migrates; then a node runs as the other role, by TLS alone', async () => {
  await writeFile(at('owner-url'), `${asOwner()}\n`)
  const settings = { DATABASE_URL: asApp(), DATABASE_OWNER_URL_FILE: at('owner-url') }
  expect(await command('migrate', settings)).toContain('The database is migrated.')
  const admin = { email: 'first@example.com', name: 'First Admin' }
  const said = await command('create-admin', { DATABASE_URL: asApp() }, '--email', admin.email, '--name', admin.name)

  const node = await newNode({ DATABASE_URL: asApp(), DATA_DIR: folder })
  const client = new TestClient(node.url)
  try {
    await node.start()
    const password = 'a long password of the admin'
    const token = /token=(\S+)/.exec(said)?.[1] ?? ''
    expect(await client.call(auth.passwordReset, { body: { token, password } })).toMatchObject({ status: 200 })
    const login = { email: admin.email, password, clientType: 'web' as const }
    client.token = (await client.call(auth.authenticate, { body: login })).body.data.token
    const body = { number: 'T-1', kind: 'led' as const, state: 'active' as const }
    expect(await client.call(trucks.create, { body })).toMatchObject({ status: 200 })
    // Every connection that the node has at this moment.
    const { rows } = await on(server.superuserUrl, (superuser) =>
      superuser.query(`select count(*)::int > 0 as "hasAny", bool_and(ssl) as "allSafe"
        from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'roadshow_app'`),
    )
    expect(rows).toEqual([{ hasAny: true, allSafe: true }])
  } finally {
    client.close()
    await node.stop()
  }
}, 120_000)

test('weeks are made and dropped for a role that may not change a table', async () => {
  const { db, close } = connect(asApp(), { max: 2 })
  try {
    expect(await listPartitions(db, 'play')).not.toEqual([])
    const { rows: owners } = await on(asOwner(), (client) =>
      client.query(`select distinct relowner::regrole::text as owner from pg_class where relname ~ '^play_week_'`),
    )
    expect(owners).toEqual([{ owner: 'fleet_owner' }])
    expect(await dropPartitionsBefore(db, 'play', { before: Infinity })).toBe(0)
    expect(await listPartitions(db, 'play')).toEqual([])
    expect(await checkRole(db)).toBeUndefined()
  } finally {
    await close()
  }
  const forbidden = [
    'alter table truck add column extra text',
    'drop table truck',
    'create table extra ()',
    'create schema extra',
    `call drop_partition('truck', 'truck')`,
    `call ensure_week('truck', current_date)`,
    'drop trigger keep_history on truck',
    'set session_replication_role = replica',
    'truncate audit_log',
  ]
  for (const statement of forbidden) {
    await expect(
      on(asApp(), (client) => client.query(statement)),
      statement,
    ).rejects.toThrow(/must be owner|permission denied|has no weeks/)
  }
}, 60_000)

test('the role of nodes makes backups, and the owner restores them', async () => {
  const [backup, blobFolder] = [at('backup'), at('restored-blobs')]
  await makeBackup({ url: asApp(), blobFolder: at('blobs'), to: backup, say: () => {} })
  await addDatabase('fleet_again')
  const target = asOwner('fleet_again')
  const restore = () => restoreBackup({ from: backup, blobFolder, openDatabase: async () => target, say: () => {} })
  await expect(restore()).rejects.toThrow('This database user may not switch triggers off.')
  const change = (statement: string) => on(asSuperuser('postgres'), (client) => client.query(statement))
  await change('grant set on parameter session_replication_role to fleet_owner')
  await restore()
  const restored = urlOf('roadshow_app', 'fleet_again')
  expect(await contentOf(restored)).toEqual(await contentOf(asApp()))

  const rightsOf = async (url: string) => {
    const { db, close } = connect(url, { max: 1 })
    const sentence = await checkRole(db)
    await close()
    return sentence
  }
  expect(await rightsOf(target)).toContain('REVOKE SET ON PARAMETER session_replication_role FROM fleet_owner')
  expect(await rightsOf(restored)).toBeUndefined()
}, 60_000)
