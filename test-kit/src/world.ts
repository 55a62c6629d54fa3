import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import {
  API_BASE,
  type ApiKeyInput,
  apiKeys,
  type Client,
  clients,
  DATA_PART,
  defaultModules,
  type Endpoint,
  type ErrorBody,
  type InputOf,
  type Market,
  markets,
  type ModuleKey,
  modules,
  type Program,
  type ProgramInput,
  programs,
  type ReplyOf,
  type Role,
} from '@roadshow/contract'
import type pg from 'pg'
import { afterAll, expect, inject } from 'vitest'
import { buildApp, type Deps, messageChecks, tableLifetimes } from '@roadshow/api/app'
import { createPasswordLink, openSession } from '@roadshow/api/accounts/sign-in/index'
import { readSettings } from '@roadshow/api/catalog/settings/index'
import { sharedNow } from '@roadshow/api/platform/db/clock'
import { connect, type Db } from '@roadshow/api/platform/db/connection'
import type { App } from '@roadshow/api/platform/http/app'
import type { Scope } from '@roadshow/api/platform/db/records/scope'
import type { ReadDb } from '@roadshow/api/platform/db/replica'
import { openLocalStore } from '@roadshow/api/platform/files/index'
import type { SweepContext } from '@roadshow/api/platform/lifetimes/lifetime'
import { tableSweep } from '@roadshow/api/platform/lifetimes/sweep'
import { openSockets, type OpenSocketModule } from '@roadshow/api/platform/sockets/index'
import { mailChannel } from '@roadshow/api/platform/mail/channel'
import type { Mail } from '@roadshow/api/platform/mail/mailer'
import { checkedChannel, sendDue } from '@roadshow/api/platform/outbox/index'
import { cloneOnCluster, dropOnCluster, onDatabase, runOn } from './citus.ts'
import { foreignFigures } from './written-figures.ts'

interface TestDatabase {
  url: string
  remove: () => Promise<void>
}

const OBJECT_IN_USE = '55006'

/** A clone of the template: on the cluster in tests that run on one, otherwise on the one PostgreSQL. */
async function cloneTemplate({ isOnOneServer = false }: Place): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const cluster = isOnOneServer ? null : inject('cluster')
  if (cluster) {
    const { nodes, template } = cluster
    return { url: await cloneOnCluster(nodes, template, name), remove: () => dropOnCluster(nodes, name) }
  }
  const server = onDatabase(inject('serverUrl'), 'postgres')
  // Copying its files takes half the time of writing each page to the log first.
  await runOn(server, `create database ${name} template roadshow strategy file_copy`)
  return { url: onDatabase(inject('serverUrl'), name), remove: () => dropUnused(server, name) }
}

/** Removes a database, which may lie in memory. One that is still used goes with its server. */
async function dropUnused(server: string, name: string): Promise<void> {
  try {
    await runOn(server, `drop database ${name}`)
  } catch (error) {
    if ((error as pg.DatabaseError).code !== OBJECT_IN_USE) throw error
  }
}

export interface Answer<T> {
  status: number
  /** The body of a success; on an error, look at `error`. */
  body: T
  error: ErrorBody
  headers: Record<string, unknown>
  text: string
}

interface Options {
  token?: string
  headers?: Record<string, string>
  /** Where the call comes from. */
  address?: string
}

interface Given {
  params?: Record<string, string>
  query?: object
  body?: object
  files?: Record<string, Blob[]>
}

function formOf(body: object, files: Record<string, Blob[]> = {}): FormData {
  const form = new FormData()
  form.append(DATA_PART, JSON.stringify(body))
  for (const [part, given] of Object.entries(files)) for (const file of given) form.append(part, file)
  return form
}

interface Place {
  /** A migrated database to use instead of a clone of the template. */
  url?: string
  /** Whether a test on a cluster wants a database of the one PostgreSQL beside it. */
  isOnOneServer?: boolean
  /** Where calls read that a replica may answer. */
  reads?: (db: Db) => ReadDb
}

/**
 * The real app on a database of its own, with a user of each role. Call it once at the top of a test file; settings that
 * differ from the usual ones can be given.
 */
export async function openWorld(settings: Partial<Deps['env']> = {}, place: Place = {}) {
  const { url, remove } = place.url ? { url: place.url, remove: undefined } : await cloneTemplate(place)
  const { db, close } = connect(url)
  const mails: Mail[] = []
  const env = {
    brandName: 'Roadshow',
    publicUrl: 'http://localhost:3000',
    logLevel: 'silent',
    trustProxy: 0,
    checkReplies: true,
    ...settings,
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-files-'))
  const blobs = await openLocalStore(folder)
  const foreign: string[] = []
  const mailer = {
    async send(mail: Mail) {
      mails.push(mail)
      foreign.push(...foreignFigures(`${mail.subject}\n${mail.text}`))
    },
  }
  const app = await buildApp({ db, blobs, env, mailer, ...(place.reads && { reads: place.reads(db) }) })
  afterAll(async () => {
    await app.close()
    await close()
    await remove?.()
    await rm(folder, { recursive: true })
    expect(foreign, 'mails write days, times and figures as everywhere').toEqual([])
  })

  async function addUser(role: Role, held: readonly ModuleKey[] = defaultModules[role], clientUid?: string) {
    const email = `${role}-${randomUUID()}@example.com`
    const { uid } = await db
      .insertInto('user_account')
      .values({ email, name: `The ${role}`, role, modules: [...held], client_uid: clientUid ?? null })
      .returning('uid')
      .executeTakeFirstOrThrow()
    const token = await openSession(db, uid, { address: '127.0.0.1', userAgent: 'test' })
    return { uid, email, role, token }
  }

  /** The token of a new link to set a password. */
  async function resetToken(userUid: string, kind: 'invitation' | 'reset' = 'reset'): Promise<string> {
    const link = await createPasswordLink(db, userUid, { kind })
    if (!link) throw new Error('The user is deleted.')
    return link.token
  }

  const people = {
    admin: await addUser('admin'),
    sales: await addUser('sales'),
    driver: await addUser('driver'),
    client: await addUser('client'),
  }

  const errors: unknown[] = []
  const sending = { db, signal: new AbortController().signal, log: (error: unknown) => void errors.push(error) }

  /** Sends the mails that wait in the outbox, as a node does all the time. */
  async function deliverMails(): Promise<void> {
    await app.kernel.backgroundDone()
    await sendDue(checkedChannel(mailChannel({ mailer }), db, messageChecks), sending)
    if (errors.length > 0) throw errors[0]
  }

  /** Makes a call of the contract, as the admin unless a token is given; an empty token is none. */
  async function call<E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    options: Options = {},
  ): Promise<Answer<ReplyOf<E>>> {
    const given = input as unknown as Given
    const { token = people.admin.token, headers = {}, address = '127.0.0.1' } = options
    const response = await app.inject({
      method: endpoint.method,
      url: `${API_BASE}/${endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given.params?.[name] ?? ''))}`,
      ...(given.query && { query: given.query as Record<string, string> }),
      ...(given.body && { payload: endpoint.files ? formOf(given.body, given.files) : given.body }),
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      remoteAddress: address,
    })
    if (endpoint.method !== 'GET') await deliverMails()
    const json = /json(;|$)/.test(String(response.headers['content-type'])) ? response.json() : undefined
    return {
      status: response.statusCode,
      body: json as ReplyOf<E>,
      error: json as ErrorBody,
      headers: response.headers,
      text: response.body,
    }
  }

  let count = 0
  const addClient = async (name = `Client ${++count}`): Promise<Client> =>
    (await call(clients.create, { body: { name } })).body.data

  const addMarket = async (name: string): Promise<Market> =>
    (await call(markets.create, { body: { name, state: 'TX', zone: 'America/Chicago' } })).body.data

  /** A program that runs, of a client of its own unless one is given. */
  async function addProgram(given: Partial<ProgramInput> = {}): Promise<Program> {
    const clientUid = given.clientUid ?? (await addClient()).uid
    const name = given.name ?? `Program ${++count}`
    const days = { startsOn: '2026-01-01', endsOn: '2026-12-31' }
    const body = { status: 'active' as const, popUrl: `${name}-${++count}`, ...days, ...given, clientUid, name }
    return (await call(programs.create, { body })).body.data
  }

  /** An API key of the admin, or of another user: it reads every module and client unless the input says otherwise. */
  async function addKey(given: Partial<ApiKeyInput> = {}, token = people.admin.token) {
    const usual = { name: 'Data warehouse', modules: [...modules], access: 'read' as const, expiresInDays: 30 }
    const { body } = await call(apiKeys.create, { body: { ...usual, ...given } }, { token })
    return { token: body.data.key, ...body.data.apiKey }
  }

  /** What a handler gets for a call of the admin that reaches every row. */
  async function adminScope(): Promise<Scope> {
    const user = await app.kernel.readSession(people.admin.token)
    if (!user) throw new Error('The admin is not signed in.')
    return { rows: 'all', actor: { ...user, address: '127.0.0.1' } }
  }

  async function listenOn(node: App, modules: OpenSocketModule[]): Promise<string> {
    const sockets = await openSockets(node, url, { modules })
    await node.listen({ port: 0, host: '127.0.0.1' })
    afterAll(() => sockets.close())
    return `http://127.0.0.1:${(node.server.address() as AddressInfo).port}`
  }

  /** Serves calls and these sockets on a port; returns the address of the node. */
  const openNode = (socketsOf: (node: App) => OpenSocketModule[]) => listenOn(app, socketsOf(app))

  /** Another node on the same database, with connections of its own. */
  async function openSecondNode(socketsOf: (node: App) => OpenSocketModule[]): Promise<string> {
    const own = connect(url)
    const node = await buildApp({ db: own.db, env, blobs, mailer: { send: async () => {} } })
    afterAll(async () => {
      await node.close()
      await own.close()
    })
    return listenOn(node, socketsOf(node))
  }

  /** Deletes what is older than its lifetime, in all tables or only in these. */
  async function sweep(tables?: readonly (keyof typeof tableLifetimes)[], given: Partial<SweepContext> = {}) {
    const lifetimes = Object.entries(tableLifetimes).filter(([table]) => tables?.includes(table as never) ?? true)
    await tableSweep(Object.fromEntries(lifetimes))({
      db,
      blobs,
      env,
      signal: new AbortController().signal,
      now: await sharedNow(db),
      settings: await readSettings(db),
      log: () => {},
      ...given,
    })
  }

  return {
    app,
    db,
    folder,
    openNode,
    openSecondNode,
    url,
    mails,
    deliverMails,
    people,
    addUser,
    sweep,
    resetToken,
    addClient,
    addMarket,
    addProgram,
    addKey,
    call,
    adminScope,
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>
