import {
  type Connection,
  type ConnectionState,
  connectionGroupLabel,
  type ConnectionStep,
  type PositionSource,
  positionSourceKindLabel,
  sendingSourceKinds,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { listSources, withServerAccount } from '../../live/trackers/index.ts'
import type { AppContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { ServiceStanding } from '../../platform/runtime/external-services.ts'

type Context = Pick<AppContext, 'env' | 'blobs' | 'services'>

/** What is known of a connection: from its use, and from its last test. */
interface Evidence {
  lastSuccessAt: string | null
  lastError: string | null
  lastErrorAt: string | null
}

const NO_EVIDENCE: Evidence = { lastSuccessAt: null, lastError: null, lastErrorAt: null }

const isLater = (one: string | null, other: string | null) =>
  one !== null && (other === null || Date.parse(one) > Date.parse(other))

/** The newest success and the newest problem of several. */
export const newestEvidence = (all: readonly Evidence[]): Evidence =>
  all.reduce(
    (best, each) => ({
      lastSuccessAt: isLater(each.lastSuccessAt, best.lastSuccessAt) ? each.lastSuccessAt : best.lastSuccessAt,
      ...(isLater(each.lastErrorAt, best.lastErrorAt)
        ? { lastError: each.lastError, lastErrorAt: each.lastErrorAt }
        : { lastError: best.lastError, lastErrorAt: best.lastErrorAt }),
    }),
    NO_EVIDENCE,
  )

/** A connection that is set up works if its newest success is newer than its newest problem. */
export function connectionStateOf({ lastSuccessAt, lastErrorAt }: Evidence): ConnectionState {
  if (isLater(lastErrorAt, lastSuccessAt)) return 'failing'
  return lastSuccessAt === null ? 'untried' : 'working'
}

const instantOf = (at: number) => new Date(at).toISOString()

/** What a node knows of a service while it uses it. */
const evidenceOfService = (standing: ServiceStanding | undefined): Evidence => ({
  lastSuccessAt: standing?.answeredAt === undefined ? null : instantOf(standing.answeredAt),
  lastError: standing?.failure === undefined ? null : `${standing.failure.reason}.`,
  lastErrorAt: standing?.failure === undefined ? null : instantOf(standing.failure.at),
})

/** What the last tests brought, by connection. */
async function readChecks(db: Db): Promise<Map<string, Evidence>> {
  const rows = await db
    .selectFrom('connection_check')
    .select(['connection', 'last_success_at', 'last_error', 'last_error_at'])
    .execute()
  return new Map(
    rows.map((row) => [
      row.connection,
      { lastSuccessAt: row.last_success_at, lastError: row.last_error, lastErrorAt: row.last_error_at },
    ]),
  )
}

/** What messages of a channel came to: the newest that was sent, and the newest that was not. */
async function evidenceOfChannel(db: Db, channel: 'mail' | 'push' | 'webhook'): Promise<Evidence> {
  const { rows } = await sql<Evidence>`
    select sent.done_at as "lastSuccessAt", failed.problem as "lastError", failed.at as "lastErrorAt"
      from (select 1) one
      left join lateral (select done_at from message
                          where channel = ${channel} and state = 'sent' and done_at is not null
                          order by done_at desc limit 1) sent on true
      left join lateral (select * from (
                           (select problem, done_at as at from message
                             where channel = ${channel} and state = 'dead' and problem is not null
                             order by done_at desc limit 1)
                           union all
                           (select problem, created_at from message
                             where channel = ${channel} and state = 'waiting' and problem is not null
                             order by created_at desc limit 1)) found
                          order by at desc limit 1) failed on true`.execute(db)
  return rows[0] ?? NO_EVIDENCE
}

interface Counts {
  browsers: number
  webhooks: number
  failingWebhooks: number
  keys: number
  keyUsedAt: string | null
}

async function readCounts(db: Db): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select (select count(*)::int from push_subscription) as browsers,
           w.webhooks, w."failingWebhooks", k.keys, k."keyUsedAt"
      from (select count(*)::int as webhooks, (count(*) filter (where failing_since is not null))::int as "failingWebhooks"
              from webhook where state <> 'ended') w,
           (select count(*)::int as keys, max(last_used_at) as "keyUsedAt"
              from api_key where ended_at is null and expires_at > now() and 'overview' = any (modules)) k`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The connections could not be counted.')
  return row
}

const countOf = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

type Described = Pick<Connection, 'group' | 'detail' | 'setUpIn'> &
  Partial<Pick<Connection, 'key' | 'name' | 'canTest'>> & {
    isOff?: boolean
    /** How it is switched on while it is off. */
    turnOn: string
    step?: ConnectionStep
    evidence: readonly (Evidence | undefined)[]
  }

function connectionOf({
  group,
  evidence,
  isOff = false,
  key = group,
  canTest = !isOff,
  turnOn,
  step,
  ...rest
}: Described): Connection {
  const newest = newestEvidence(evidence.filter((each) => each !== undefined))
  return {
    name: connectionGroupLabel[group],
    ...rest,
    key,
    group,
    canTest,
    state: isOff ? 'off' : connectionStateOf(newest),
    ...(isOff ? NO_EVIDENCE : newest),
    turnOn: isOff ? { text: turnOn, step: step ?? null } : null,
  }
}

const TRACKER_KEY = 'trackers '

/** The source of a connection's key; undefined for other connections. */
export const sourceUidOf = (key: string): string | undefined =>
  key.startsWith(TRACKER_KEY) ? key.slice(TRACKER_KEY.length) : undefined

function trackerConnection(source: PositionSource): Connection {
  const { uid, name, kind, state, account, trucks, lastSeenAt, lastFixAt, lastError, lastErrorAt } = source
  const lastSuccessAt = isLater(lastFixAt, lastSeenAt) ? lastFixAt : lastSeenAt
  const from =
    account === null ? positionSourceKindLabel[kind] : `${positionSourceKindLabel[kind]} at ${hostOf(account.server)}`
  return connectionOf({
    group: 'trackers',
    key: `${TRACKER_KEY}${uid}`,
    name,
    detail: state === 'revoked' ? `${from}. Its key was revoked.` : `${from}, ${countOf(trucks, 'truck')}`,
    setUpIn: account?.isSetByServer === true ? 'server' : 'console',
    isOff: state !== 'active',
    ...(state === 'revoked'
      ? { turnOn: 'Give it a new key under Position sources.', step: 'renewKey' }
      : { turnOn: 'Enter its account.', step: kind === 'samsara' ? 'connectSamsara' : 'connectGeotab' }),
    evidence: [{ lastSuccessAt, lastError, lastErrorAt }],
  })
}

/** The other kinds of trackers that could be connected, each until there is one. */
function missingTrackers(sources: readonly PositionSource[]): Connection[] {
  const isThere = (kinds: readonly string[]) => sources.some(({ kind }) => kinds.includes(kind))
  const off = { group: 'trackers', setUpIn: 'console', isOff: true, evidence: [] } as const
  return [
    ...(isThere(['samsara'])
      ? []
      : [
          connectionOf({
            ...off,
            key: 'new samsara',
            name: 'Samsara',
            detail: 'No account is asked for positions.',
            turnOn: 'Enter an API token with the right “Read Vehicle Statistics”.',
            step: 'connectSamsara',
          }),
        ]),
    ...(isThere(sendingSourceKinds)
      ? []
      : [
          connectionOf({
            ...off,
            key: 'new source',
            name: 'Traccar, OsmAnd and JSON',
            detail: 'No tracker, phone or program sends positions by itself.',
            turnOn: 'Add a source and enter its key at the tracker, phone or program.',
            step: 'addSource',
          }),
        ]),
  ]
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url)

/** Phones and players place trucks by themselves, and files are uploaded: there is nothing to connect. */
const isConnected = ({ kind }: PositionSource) => kind !== 'phone' && kind !== 'player' && kind !== 'file'

/** Everything that the server talks to. What a service says of itself is what the answering node knows. */
export async function listConnections(db: Db, { env, blobs, services }: Context): Promise<Connection[]> {
  const [sources, checks, counts, mail, push, webhook] = await Promise.all([
    listSources(db),
    readChecks(db),
    readCounts(db),
    evidenceOfChannel(db, 'mail'),
    evidenceOfChannel(db, 'push'),
    evidenceOfChannel(db, 'webhook'),
  ])
  const service = (name: string) => evidenceOfService(services.standingOf(name))
  const { geotab, smtpUrl, singleSignOn, geocoderUrl, mapFile, tiles } = env
  return [
    ...sources.filter(isConnected).map((source) => trackerConnection(withServerAccount(source, geotab))),
    ...missingTrackers(sources),
    connectionOf({
      group: 'storage',
      detail: blobs.origin === undefined ? "A folder of the server's own disk" : `Azure at ${hostOf(blobs.origin)}`,
      setUpIn: 'server',
      turnOn: '',
      evidence: [checks.get('storage'), service('storage')],
    }),
    connectionOf({
      group: 'mail',
      detail: smtpUrl ? hostOf(smtpUrl) : 'Without a mail server (SMTP_URL) emails are written to files of the server.',
      setUpIn: 'server',
      isOff: !smtpUrl,
      turnOn: 'Set SMTP_URL to your mail server and restart the server.',
      canTest: true,
      evidence: [checks.get('mail'), mail, service('mail')],
    }),
    connectionOf({
      group: 'push',
      detail: `${countOf(counts.browsers, 'browser')} with notifications on`,
      setUpIn: 'console',
      isOff: counts.browsers === 0,
      turnOn: 'Each person turns on notifications in their own browser. Begin with yours.',
      step: 'turnOnPush',
      canTest: true,
      evidence: [checks.get('push'), push],
    }),
    connectionOf({
      group: 'signOn',
      detail: singleSignOn ? hostOf(singleSignOn.issuer) : 'People sign in with passwords and passkeys.',
      setUpIn: 'server',
      isOff: !singleSignOn,
      turnOn: 'Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET and restart the server.',
      evidence: [checks.get('signOn'), service('singleSignOn')],
    }),
    connectionOf({
      group: 'geocoder',
      detail: geocoderUrl ? hostOf(geocoderUrl) : 'Addresses are placed by ZIP code.',
      setUpIn: 'server',
      isOff: !geocoderUrl,
      turnOn: 'Set GEOCODER_URL to a Nominatim-compatible geocoder and restart the server.',
      evidence: [checks.get('geocoder')],
    }),
    connectionOf({
      group: 'map',
      detail: mapFile ?? `Streets come from ${tiles === undefined ? 'a tile server' : hostOf(tiles.url)}.`,
      setUpIn: 'server',
      isOff: mapFile === undefined,
      turnOn: 'Set MAP_FILE to a PMTiles file of streets and restart the server.',
      evidence: [checks.get('map')],
    }),
    connectionOf({
      group: 'webhooks',
      detail: webhooksText(counts),
      setUpIn: 'console',
      isOff: counts.webhooks === 0,
      turnOn: 'Add the address of a partner’s system and choose its events.',
      step: 'addWebhook',
      evidence: [checks.get('webhooks'), webhook],
    }),
    connectionOf({
      group: 'feeds',
      detail: counts.keys === 0 ? 'No API key may read feeds.' : `${countOf(counts.keys, 'API key')} may read feeds`,
      setUpIn: 'console',
      isOff: counts.keys === 0,
      turnOn: 'Create an API key with the module Overview for the partner who reads them.',
      step: 'addApiKey',
      evidence: [checks.get('feeds'), { ...NO_EVIDENCE, lastSuccessAt: counts.keyUsedAt }],
    }),
  ]
}

function webhooksText({ webhooks, failingWebhooks }: Counts): string {
  if (webhooks === 0) return 'No webhooks'
  return failingWebhooks === 0
    ? countOf(webhooks, 'webhook')
    : `${countOf(webhooks, 'webhook')}, ${failingWebhooks} failing`
}
