import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { withSecretFiles } from './env-secret-files.ts'
import { nameOf, singleSignOnOf, singleSignOnShape } from './env-single-sign-on.ts'
import { type DecodingLimits, defaultDecodingLimits } from './platform/decoding/limits.ts'
import { isNetworkEntry } from './platform/http/outbound-address.ts'
import type { TileSettings } from './platform/http/map-file.ts'
import { StartError } from './platform/runtime/start-error.ts'

const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be a URL such as ${example}` })
const count = (min: number, max: number, message: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message))
const list = (isEntry: (entry: string) => boolean, message: string) =>
  z
    .string()
    .transform((given) => given.split(/[\s,]+/).filter(Boolean))
    .refine((entries) => entries.every(isEntry), message)
    .prefault('')
const isOrigin = (given: string) => /^https?:/.test(given) && URL.canParse(given) && new URL(given).origin === given

// Players send plays up to 30 days late, and grading needs some days more.
const MIN_ARCHIVE_DAYS = 45
const ARCHIVE_DAYS_MESSAGE = `must be off, or a number of days from ${MIN_ARCHIVE_DAYS} to 3650: players may send plays up to 30 days late`
const archiveDays = count(MIN_ARCHIVE_DAYS, 3650, ARCHIVE_DAYS_MESSAGE)
const AZURE_ARCHIVE_DAYS = 90

const KEY_MESSAGE = 'must be 32 random bytes in base64, as openssl rand -base64 32 prints them'

type Settings = z.output<typeof settings>

/** Files of a storage account cost little; in the data folder they would take the same disk. */
function archiveAfterDaysOf(data: Settings): number | undefined {
  if (data.ARCHIVE_AFTER_DAYS === 'off') return undefined
  return data.ARCHIVE_AFTER_DAYS ?? (data.AZURE_STORAGE_CONNECTION_STRING ? AZURE_ARCHIVE_DAYS : undefined)
}

const settings = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'], 'must be development, production or test')
    .prefault('development'),
  PORT: count(0, 65_535, 'must be a port number').prefault('3000'),
  HOST: z.string().optional(),
  DATA_DIR: z.string().prefault('data'),
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgres://user:password@host:5432/name').optional(),
  // The same database for the role that owns its tables: it migrates and restores. Without it, DATABASE_URL does.
  DATABASE_OWNER_URL: url(/^postgres(ql)?$/, 'postgres://owner:password@host:5432/name').optional(),
  // How long a start waits for a database that does not answer.
  DATABASE_WAIT_SECONDS: count(0, 86_400, 'must be a number of seconds from 0 to 86400').prefault('300'),
  // A standby of the same database, for reports, exports and public pages.
  DATABASE_REPLICA_URL: url(/^postgres(ql)?$/, 'postgres://user:password@replica:5432/name').optional(),
  // Carries what nodes tell each other often; the database does without.
  REDIS_URL: url(/^rediss?$/, 'redis://user:password@host:6379/0').optional(),
  // Where people reach the console; links in mails start with it.
  PUBLIC_URL: url(/^https?$/, 'https://console.example.com').optional(),
  SMTP_URL: url(/^smtps?$/, 'smtps://user:password@host:465').optional(),
  MAIL_FROM: z.string().optional(),
  BRAND_NAME: nameOf(60).prefault('Roadshow'),
  // Whom visitors of public pages ask.
  CONTACT_EMAIL: z.email('must be an email address such as hello@example.com').optional(),
  // Where files are kept; in the data folder unless it is set.
  AZURE_STORAGE_CONNECTION_STRING: z.string().optional(),
  AZURE_STORAGE_CONTAINER: z
    .string()
    .regex(/^[a-z0-9](-?[a-z0-9]){2,62}$/, 'must have 3 to 63 small letters, digits and single hyphens')
    .prefault('roadshow'),
  // Plays older than this are moved into files of the blob storage.
  ARCHIVE_AFTER_DAYS: z.union([z.literal('off'), archiveDays], ARCHIVE_DAYS_MESSAGE).optional(),
  // Where maps get their street tiles. {z}, {x} and {y} stand for the tile; {s} for one of the hosts a, b and c.
  TILE_URL: url(/^https?$/, 'https://tile.openstreetmap.org/{z}/{x}/{y}.png').prefault(
    'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
  ),
  // A PMTiles file of streets, which maps draw instead of the tiles.
  MAP_FILE: z.string().optional(),
  TILE_ATTRIBUTION: z.string().max(200, 'must have at most 200 characters').prefault('© OpenStreetMap contributors'),
  // A Nominatim-compatible service; without one, addresses are placed by ZIP code.
  GEOCODER_URL: url(/^https?$/, 'https://nominatim.example.com').optional(),
  // The MyGeotab account that knows where trucks are.
  GEOTAB_SERVER: z
    .string()
    .transform((given) => (given.includes('://') ? given : `https://${given}`))
    .pipe(url(/^https?$/, 'https://my.geotab.com'))
    .transform((given) => given.replace(/\/+$/, ''))
    .prefault('my.geotab.com'),
  GEOTAB_DATABASE: z.string().optional(),
  GEOTAB_USER: z.string().optional(),
  GEOTAB_PASSWORD: z.string().optional(),
  GEOTAB_POLL_SECONDS: count(1, 9999, 'must be a number of seconds from 1 on').prefault('10'),
  // Encrypts the keys of code apps; in the data folder unless it is set.
  SECRET_KEY: z
    .base64(KEY_MESSAGE)
    .refine((given) => Buffer.from(given, 'base64').length === 32, KEY_MESSAGE)
    .optional(),
  // Seals the secret key in backups, and opens it in a restore.
  BACKUP_PASSPHRASE: z.string().min(16, 'must have at least 16 characters').optional(),
  // Whether a demo fleet is brought to life.
  SIMULATOR: z.enum(['on', 'off'], 'must be on or off').optional(),
  // How much of its past the demo gets: all, the newest of what a newcomer looks at first, or none.
  DEMO_PAST: z.enum(['whole', 'short', 'none'], 'must be whole, short or none').prefault('whole'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], 'must be a log level such as info')
    .optional(),
  // The percentage of successful calls that have a line in the log; failed ones always have one.
  LOG_SAMPLE_PERCENT: count(0, 100, 'must be a percentage from 0 to 100').prefault('100'),
  TRUST_PROXY: count(0, 9, 'must be the number of proxies in front, from 0 to 9').prefault('0'),
  // Pages of these other origins may call the API.
  CORS_ORIGINS: list(isOrigin, 'must be origins such as https://partner.example.com, with commas'),
  // Private networks and hosts that webhooks and other requests to addresses given by users may reach.
  OUTBOUND_PRIVATE_NETWORKS: list(
    isNetworkEntry,
    'must be networks, addresses or host names such as 10.1.0.0/16 or hooks.internal, with commas',
  ),
  // How long a node that stops says so before it closes anything.
  DRAIN_SECONDS: count(0, 300, 'must be a number of seconds from 0 to 300').optional(),
  // Says that users reach the server by HTTPS although PUBLIC_URL begins with http://.
  TLS_AT_PROXY: z.enum(['on', 'off'], 'must be on or off').prefault('off'),
  // Whether search engines may list public pages.
  ALLOW_INDEXING: z.enum(['on', 'off'], 'must be on or off').prefault('off'),
  // Opens /metrics to its holders; without one, only this machine may read it.
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  ...singleSignOnShape,
  // What reading files of users may take: memory and processor time of a decoder, and how many there are at once.
  FILE_MEMORY_MB: count(192, 8192, 'must be a number of megabytes from 192 to 8192').optional(),
  FILE_SECONDS: count(5, 600, 'must be a number of seconds from 5 to 600').optional(),
  FILES_AT_ONCE: count(1, 16, 'must be a number from 1 to 16').optional(),
  // Calls a minute that one account may make.
  RATE_LIMIT: count(0, 1_000_000, 'must be a number of calls a minute, or 0 for none').prefault('3000'),
})

/** The three that name an account are there together or not at all: one of them alone was meant to be more. */
function geotabOf(data: Settings) {
  const { GEOTAB_DATABASE, GEOTAB_USER, GEOTAB_PASSWORD } = data
  const account = { GEOTAB_DATABASE, GEOTAB_USER, GEOTAB_PASSWORD }
  const missing = Object.entries(account).filter(([, value]) => value === undefined)
  if (missing.length === Object.keys(account).length) return undefined
  for (const [name] of missing) throw new StartError(`The setting ${name} is missing: Geotab needs it.`)
  return {
    server: data.GEOTAB_SERVER,
    database: GEOTAB_DATABASE ?? '',
    user: GEOTAB_USER ?? '',
    password: GEOTAB_PASSWORD ?? '',
    everyMs: data.GEOTAB_POLL_SECONDS * 1000,
  }
}

/** On by default where people try the product: not in production, not in tests, not beside real trucks. */
function simulatorOf({ SIMULATOR, NODE_ENV }: Settings, geotab: ReturnType<typeof geotabOf>): boolean {
  if (SIMULATOR !== 'on') return SIMULATOR === undefined && NODE_ENV === 'development' && !geotab
  if (NODE_ENV === 'production') throw new StartError('The setting SIMULATOR cannot be on in production.')
  if (geotab) throw new StartError('The setting SIMULATOR cannot be on together with a Geotab account.')
  return true
}

/** Over plain HTTP anyone on the way reads passwords and tokens, so production asks for HTTPS or for a word that it is there. */
function checkHttps({ NODE_ENV, TLS_AT_PROXY }: Settings, publicUrl: string): boolean {
  const isHttps = publicUrl.startsWith('https:') || TLS_AT_PROXY === 'on'
  if (NODE_ENV === 'production' && !isHttps)
    throw new StartError(
      'The setting PUBLIC_URL must begin with https:// in production, or TLS_AT_PROXY=on must say that TLS ends before this server.',
    )
  return isHttps
}

function refuseMissing({ DATABASE_URL, DATABASE_OWNER_URL, PUBLIC_URL }: Settings, production: boolean): void {
  if (production && !DATABASE_URL) throw new StartError('The setting DATABASE_URL is missing: production needs it.')
  if (production && !PUBLIC_URL) throw new StartError('The setting PUBLIC_URL is missing: links in emails need it.')
  if (DATABASE_OWNER_URL && !DATABASE_URL)
    throw new StartError('The setting DATABASE_URL is missing: DATABASE_OWNER_URL needs it.')
}

const decodingOf = ({ FILE_MEMORY_MB, FILE_SECONDS, FILES_AT_ONCE }: Settings): DecodingLimits => ({
  memoryMb: FILE_MEMORY_MB ?? defaultDecodingLimits.memoryMb,
  processorSeconds: FILE_SECONDS ?? defaultDecodingLimits.processorSeconds,
  atOnce: FILES_AT_ONCE ?? defaultDecodingLimits.atOnce,
})

export type Env = ReturnType<typeof readEnv>

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Reads the settings, once. A wrong one stops the start with a sentence that names it. */
export function readEnv(given: Record<string, string | undefined>) {
  // A setting that is there but empty counts as not set.
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  const { data, error } = settings.safeParse(withSecretFiles(set))
  if (error) {
    const [wrong] = error.issues
    throw new StartError(`The setting ${String(wrong?.path[0])} ${wrong?.message}.`)
  }
  const production = data.NODE_ENV === 'production'
  refuseMissing(data, production)
  const publicUrl = data.PUBLIC_URL ?? `http://localhost:${data.PORT}`
  const isHttps = checkHttps(data, publicUrl)
  const geotab = geotabOf(data)
  const logLevel: string = data.LOG_LEVEL ?? (production ? 'info' : 'warn')
  const tiles: TileSettings = { url: data.TILE_URL, attribution: data.TILE_ATTRIBUTION }
  return {
    production,
    port: data.PORT,
    // A demo fleet with known passwords stays on this machine unless HOST says otherwise.
    host: data.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    dataDir: path.resolve(root, data.DATA_DIR),
    databaseUrl: data.DATABASE_URL,
    databaseOwnerUrl: data.DATABASE_OWNER_URL,
    databaseWaitMs: data.DATABASE_WAIT_SECONDS * 1000,
    replicaUrl: data.DATABASE_REPLICA_URL,
    redisUrl: data.REDIS_URL,
    publicUrl: publicUrl.replace(/\/$/, ''),
    smtpUrl: data.SMTP_URL,
    mailFrom: data.MAIL_FROM ?? `${data.BRAND_NAME} <no-reply@${new URL(publicUrl).hostname}>`,
    brandName: data.BRAND_NAME,
    contactEmail: data.CONTACT_EMAIL,
    azureStorage: data.AZURE_STORAGE_CONNECTION_STRING
      ? { connection: data.AZURE_STORAGE_CONNECTION_STRING, container: data.AZURE_STORAGE_CONTAINER }
      : undefined,
    archiveAfterDays: archiveAfterDaysOf(data),
    tiles,
    mapFile: data.MAP_FILE && path.resolve(root, data.MAP_FILE),
    geocoderUrl: data.GEOCODER_URL,
    geotab,
    secretKey: data.SECRET_KEY === undefined ? undefined : Buffer.from(data.SECRET_KEY, 'base64'),
    backupPassphrase: data.BACKUP_PASSPHRASE,
    simulator: simulatorOf(data, geotab),
    demoPast: data.DEMO_PAST,
    logLevel,
    logSamplePercent: data.LOG_SAMPLE_PERCENT,
    drainMs: (data.DRAIN_SECONDS ?? (production ? 5 : 0)) * 1000,
    trustProxy: data.TRUST_PROXY,
    corsOrigins: data.CORS_ORIGINS,
    privateNetworks: data.OUTBOUND_PRIVATE_NETWORKS,
    // Whether browsers reach this server by HTTPS. It speaks HTTP itself, so TLS ends before it.
    isHttps,
    allowIndexing: data.ALLOW_INDEXING === 'on',
    metricsToken: data.METRICS_TOKEN,
    singleSignOn: singleSignOnOf(data, production),
    // No one signs in with a password: the identity provider is the only way in.
    isPasswordSignInOff: data.PASSWORD_SIGN_IN === 'off',
    callsPerMinute: data.RATE_LIMIT,
    decoding: decodingOf(data),
    // Replies are checked against the contract.
    checkReplies: data.NODE_ENV === 'test',
  }
}
