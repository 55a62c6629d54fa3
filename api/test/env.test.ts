import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { SECRET_SETTINGS } from '../src/env-secret-files.ts'
import { readEnv } from '../src/env.ts'
import { StartError } from '../src/platform/runtime/start-error.ts'

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://roadshow:secret@db.example.com:5432/roadshow',
  PUBLIC_URL: 'https://console.example.com',
}

describe('the settings', () => {
  test('have defaults for a first look on one’s own machine', () => {
    const env = readEnv({})
    expect(env).toMatchObject({
      production: false,
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      publicUrl: 'http://localhost:3000',
      smtpUrl: undefined,
      mailFrom: 'Roadshow <no-reply@localhost>',
      brandName: 'Roadshow',
      trustProxy: 0,
      decoding: { memoryMb: 320, processorSeconds: 30, atOnce: expect.any(Number) },
    })
    expect(path.isAbsolute(env.dataDir) && path.basename(env.dataDir)).toBe('data')
  })

  test('are taken as given', () => {
    const given = {
      ...production,
      PORT: '8080',
      HOST: '10.0.0.1',
      DATA_DIR: '/srv/roadshow',
      SMTP_URL: 'smtps://user:p%40ss@mail.example.com:465',
      MAIL_FROM: 'Trucks <trucks@example.com>',
      BRAND_NAME: ' Big Trucks ',
      LOG_LEVEL: 'debug',
      TRUST_PROXY: '1',
      CORS_ORIGINS: 'https://one.example.com, http://localhost:8080',
      OUTBOUND_PRIVATE_NETWORKS: '10.1.0.0/16, hooks.internal',
      RATE_LIMIT: '0',
      FILE_MEMORY_MB: '512',
      FILE_SECONDS: '60',
      FILES_AT_ONCE: '4',
    }
    expect(readEnv(given)).toMatchObject({
      production: true,
      port: 8080,
      host: '10.0.0.1',
      dataDir: '/srv/roadshow',
      databaseUrl: production.DATABASE_URL,
      publicUrl: 'https://console.example.com',
      smtpUrl: given.SMTP_URL,
      mailFrom: 'Trucks <trucks@example.com>',
      brandName: 'Big Trucks',
      privateNetworks: ['10.1.0.0/16', 'hooks.internal'],
      logLevel: 'debug',
      trustProxy: 1,
      corsOrigins: ['https://one.example.com', 'http://localhost:8080'],
      decoding: { memoryMb: 512, processorSeconds: 60, atOnce: 4 },
      callsPerMinute: 0,
      checkReplies: false,
    })
  })

  test('that are there but empty are not set', () => {
    const names = ['NODE_ENV', 'PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM']
    const empty = Object.fromEntries([...names, 'BRAND_NAME', 'LOG_LEVEL', 'TRUST_PROXY'].map((name) => [name, '']))
    expect(readEnv(empty)).toEqual(readEnv({}))
  })

  test('of other programs do not disturb', () => {
    expect(readEnv({ PATH: '/bin', PGHOST: 'x', port: 'y' })).toEqual(readEnv({}))
  })

  test('lead links and the sender of mails to the public address', () => {
    const env = readEnv({
      ...production,
      PUBLIC_URL: 'https://trucks.example.com/',
      PORT: '9000',
      BRAND_NAME: 'Big Trucks',
    })
    expect(env.publicUrl).toBe('https://trucks.example.com')
    expect(env.mailFrom).toBe('Big Trucks <no-reply@trucks.example.com>')
    expect(readEnv({ PORT: '9000' }).publicUrl).toBe('http://localhost:9000')
  })

  test('let a node drain in production, and elsewhere only when asked to', () => {
    const all = [readEnv({}), readEnv(production), readEnv({ DRAIN_SECONDS: '2' })]
    expect(all.map(({ drainMs }) => drainMs)).toEqual([0, 5000, 2000])
  })

  test('open the port to everybody only in production, and check replies only in tests', () => {
    expect(readEnv(production).host).toBe('0.0.0.0')
    expect(readEnv({ NODE_ENV: 'test' })).toMatchObject({ host: '127.0.0.1', checkReplies: true })
    expect([readEnv({}), readEnv(production)].map(({ checkReplies }) => checkReplies)).toEqual([false, false])
  })
})

describe('the archive of plays', () => {
  const azure = { AZURE_STORAGE_CONNECTION_STRING: 'AccountName=a;AccountKey=b' }
  const daysOf = (given: Record<string, string>) => readEnv(given).archiveAfterDays

  test('is on with a storage account, off with files on this machine, and as given', () => {
    expect([{}, azure].map(daysOf)).toEqual([undefined, 90])
    const given = [
      { ARCHIVE_AFTER_DAYS: '45' },
      { ...azure, ARCHIVE_AFTER_DAYS: '400' },
      { ...azure, ARCHIVE_AFTER_DAYS: 'off' },
    ]
    expect(given.map(daysOf)).toEqual([45, 400, undefined])
  })

  test.each(['44', '0', '-1', '3651', '60.5', 'never'])('after %s days makes no sense', (days) => {
    expect(() => daysOf({ ARCHIVE_AFTER_DAYS: days })).toThrow(
      'The setting ARCHIVE_AFTER_DAYS must be off, or a number of days from 45 to 3650: players may send plays up to 30 days late.',
    )
  })
})

describe('the Geotab account', () => {
  const account = { GEOTAB_DATABASE: 'trucks', GEOTAB_USER: 'us', GEOTAB_PASSWORD: 'secret' }

  test('is none unless it is named, and is asked every ten seconds at MyGeotab’s own server', () => {
    expect(readEnv({}).geotab).toBeUndefined()
    expect(readEnv(account).geotab).toEqual({
      server: 'https://my.geotab.com',
      database: 'trucks',
      user: 'us',
      password: 'secret',
      everyMs: 10_000,
    })
  })

  test('may be of another server, by name or as a whole URL', () => {
    const serverOf = (server: string) => readEnv({ ...account, GEOTAB_SERVER: server }).geotab?.server
    expect(['my3.geotab.com', 'http://127.0.0.1:1234/'].map(serverOf)).toEqual([
      'https://my3.geotab.com',
      'http://127.0.0.1:1234',
    ])
    expect(() => serverOf('ftp://geotab')).toThrow('GEOTAB_SERVER')
  })

  test('that lacks a part stops the start, and so does asking all the time', () => {
    const { GEOTAB_PASSWORD: _, ...half } = account
    expect(() => readEnv(half)).toThrow('The setting GEOTAB_PASSWORD is missing: Geotab needs it.')
    expect(() => readEnv({ ...account, GEOTAB_POLL_SECONDS: '0' })).toThrow('GEOTAB_POLL_SECONDS')
  })
})

describe('single sign-on', () => {
  const needed = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'roadshow', OIDC_CLIENT_SECRET: 's3cret' }

  test('is off unless it is named, with passwords on', () => {
    expect(readEnv({})).toMatchObject({ singleSignOn: undefined, isPasswordSignInOff: false })
  })

  test('needs an issuer, a client id and a secret', () => {
    expect(readEnv(needed).singleSignOn).toEqual({
      issuer: 'https://login.example.com',
      clientId: 'roadshow',
      clientSecret: 's3cret',
      name: 'your company account',
      scopes: 'openid email profile',
      roleClaim: 'roles',
      roles: [],
    })
    for (const name of Object.keys(needed)) {
      expect(() => readEnv({ ...needed, [name]: '' })).toThrow(
        `The setting ${name} is missing: single sign-on needs it.`,
      )
    }
  })

  test('takes roles from a claim, in the order in which they are written', () => {
    const env = readEnv({
      ...needed,
      OIDC_ROLE_CLAIM: 'groups',
      OIDC_ROLES: 'fleet-admins=admin, dispatch team = sales',
    })
    expect(env.singleSignOn).toMatchObject({
      roleClaim: 'groups',
      roles: [
        { value: 'fleet-admins', role: 'admin' },
        { value: 'dispatch team', role: 'sales' },
      ],
    })
  })

  test.each(['admins', 'admins=', '=admin', 'admins=root', 'admins=admin,', 'a=b=c'])(
    'refuses the roles %j with an example',
    (roles) => expect(() => readEnv({ ...needed, OIDC_ROLES: roles })).toThrow(/OIDC_ROLES must be .*dispatch=sales/),
  )

  test('gives no one the role client, which needs an invitation', () => {
    expect(() => readEnv({ ...needed, OIDC_ROLES: 'partners=client' })).toThrow(
      /OIDC_ROLES must not name the role client/,
    )
  })

  test('needs https, except on this machine outside of production', () => {
    const issuerOf = (issuer: string, more: object = {}) =>
      readEnv({ ...needed, ...more, OIDC_ISSUER: issuer }).singleSignOn?.issuer
    expect(issuerOf('http://127.0.0.1:9000')).toBe('http://127.0.0.1:9000')
    expect(issuerOf('http://localhost:9000')).toBe('http://localhost:9000')
    expect(() => issuerOf('http://login.example.com')).toThrow('The setting OIDC_ISSUER must begin with https://.')
    expect(() => issuerOf('http://127.0.0.1:9000', production)).toThrow('must begin with https:// in production')
    expect(() => issuerOf('login.example.com')).toThrow('The setting OIDC_ISSUER must be a URL')
  })

  test('lets passwords be switched off, and nothing else does', () => {
    expect(readEnv({ ...needed, PASSWORD_SIGN_IN: 'off' }).isPasswordSignInOff).toBe(true)
    expect(() => readEnv({ PASSWORD_SIGN_IN: 'off' })).toThrow(
      'The setting PASSWORD_SIGN_IN cannot be off without OIDC_ISSUER: no one could sign in.',
    )
    expect(() => readEnv({ ...needed, PASSWORD_SIGN_IN: 'no' })).toThrow(
      'The setting PASSWORD_SIGN_IN must be on or off.',
    )
    expect(() => readEnv({ OIDC_ROLES: 'admins=admin' })).toThrow('OIDC_ISSUER is missing: OIDC_ROLES needs it.')
  })

  test('asks for openid among its scopes', () => {
    expect(() => readEnv({ ...needed, OIDC_SCOPES: 'email profile' })).toThrow(/OIDC_SCOPES must be scopes with openid/)
  })
})

describe('the simulator', () => {
  const account = { GEOTAB_DATABASE: 'trucks', GEOTAB_USER: 'us', GEOTAB_PASSWORD: 'secret' }

  test('runs by itself only where someone tries the product out', () => {
    expect(readEnv({}).simulator).toBe(true)
    for (const other of [production, { NODE_ENV: 'test' }, account, { SIMULATOR: 'off' }])
      expect(readEnv(other).simulator).toBe(false)
    expect(readEnv({ NODE_ENV: 'test', SIMULATOR: 'on' }).simulator).toBe(true)
  })

  test.each([production, account])('cannot be on in production, nor beside real trucks', (other) => {
    expect(() => readEnv({ ...other, SIMULATOR: 'on' })).toThrow(/^The setting SIMULATOR cannot be on .*\.$/)
  })
})

describe('a setting that is wrong stops the start with a sentence that names it', () => {
  test.each([
    ['NODE_ENV', 'prod'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['DATABASE_REPLICA_URL', 'replica:5432'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'http://localhost:6379'],
    ['DRAIN_SECONDS', '-1'],
    ['DRAIN_SECONDS', '301'],
    ['PORT', '3000.5'],
    ['DATABASE_URL', 'mysql://localhost/roadshow'],
    ['DATABASE_URL', 'roadshow'],
    ['PUBLIC_URL', 'console.example.com'],
    ['PUBLIC_URL', 'ftp://console.example.com'],
    ['SMTP_URL', 'mail.example.com:25'],
    ['BRAND_NAME', 'x'.repeat(61)],
    ['BRAND_NAME', '   '],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '10'],
    ['CORS_ORIGINS', 'partner.example.com'],
    ['CORS_ORIGINS', 'https://partner.example.com/path'],
    ['CORS_ORIGINS', '*'],
    ['OUTBOUND_PRIVATE_NETWORKS', 'https://hooks.internal'],
    ['OUTBOUND_PRIVATE_NETWORKS', '10.0.0.0/40'],
    ['RATE_LIMIT', 'many'],
    ['FILE_MEMORY_MB', '64'],
    ['FILE_SECONDS', '0'],
    ['FILES_AT_ONCE', '0'],
    ['SIMULATOR', 'yes'],
    ['DEMO_PAST', 'long'],
  ])('%s=%s', (name, value) => {
    const start = () => readEnv({ [name]: value })
    expect(start).toThrow(StartError)
    expect(start).toThrow(new RegExp(`^The setting ${name} must .*\\.$`))
  })

  test('production insists on HTTPS, or on a word that TLS ends before it', () => {
    const plain = { ...production, PUBLIC_URL: 'http://console.example.com' }
    expect(() => readEnv(plain)).toThrow(
      new StartError(
        'The setting PUBLIC_URL must begin with https:// in production, or TLS_AT_PROXY=on must say that TLS ends before this server.',
      ),
    )
    expect(readEnv({ ...plain, TLS_AT_PROXY: 'on' })).toMatchObject({ isHttps: true, publicUrl: plain.PUBLIC_URL })
    expect(readEnv(production).isHttps).toBe(true)
    expect(readEnv({ PUBLIC_URL: plain.PUBLIC_URL }).isHttps).toBe(false)
    expect(() => readEnv({ TLS_AT_PROXY: 'yes' })).toThrow('The setting TLS_AT_PROXY must be on or off.')
  })

  test.each(['DATABASE_URL', 'PUBLIC_URL'])('%s is needed in production', (name) => {
    const start = () => readEnv({ ...production, [name]: '' })
    expect(start).toThrow(StartError)
    expect(start).toThrow(`The setting ${name} is missing: `)
    expect(() => readEnv({ ...production, [name]: undefined })).toThrow(StartError)
  })

  test('its value is not repeated: it may hold a password', () => {
    expect(() => readEnv({ DATABASE_URL: 'mysql://root:hunter2@localhost' })).toThrow(/^(?!.*hunter2)/)
  })
})

describe('a secret in a file', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'roadshow-secrets-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const fileOf = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text)
    return path.join(folder, name)
  }

  test('counts as the setting itself, whatever ends its line', () => {
    const values: Record<(typeof SECRET_SETTINGS)[number], string> = {
      DATABASE_URL: 'postgres://app:secret@db/roadshow',
      DATABASE_OWNER_URL: 'postgres://owner:secret@db/roadshow',
      DATABASE_REPLICA_URL: 'postgres://app:secret@replica/roadshow',
      REDIS_URL: 'redis://:secret@redis:6379',
      SMTP_URL: 'smtps://user:secret@mail:465',
      AZURE_STORAGE_CONNECTION_STRING: 'AccountName=a;AccountKey=b',
      GEOTAB_PASSWORD: ' a secret with spaces ',
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      BACKUP_PASSPHRASE: 'a passphrase of some length',
      METRICS_TOKEN: 'a-token-of-some-length',
      OIDC_CLIENT_SECRET: 's3cret',
    }
    const others = {
      GEOTAB_DATABASE: 'trucks',
      GEOTAB_USER: 'us',
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_CLIENT_ID: 'us',
    }
    for (const end of ['', '\n', '\r\n']) {
      const files = SECRET_SETTINGS.map((name) => [`${name}_FILE`, fileOf(name, `${values[name]}${end}`)])
      expect(readEnv({ ...others, ...Object.fromEntries(files) })).toEqual(readEnv({ ...others, ...values }))
    }
  })

  test('is not given twice, and neither missing nor empty', () => {
    const [url, file] = ['postgres://app:secret@db/roadshow', fileOf('url', 'postgres://app:secret@db/roadshow')]
    expect(() => readEnv({ DATABASE_URL: url, DATABASE_URL_FILE: file })).toThrow(
      new StartError('Set DATABASE_URL or DATABASE_URL_FILE, not both.'),
    )
    expect(readEnv({ DATABASE_URL: '', DATABASE_URL_FILE: file }).databaseUrl).toBe(url)
    expect(() => readEnv({ SMTP_URL_FILE: path.join(folder, 'none') })).toThrow(
      /^The file of the setting SMTP_URL_FILE cannot be read: ENOENT/,
    )
    expect(() => readEnv({ SECRET_KEY_FILE: fileOf('empty', '\n') })).toThrow(/SECRET_KEY_FILE is empty/)
    expect(() => readEnv({ REDIS_URL_FILE: fileOf('wrong', 'hunter2') })).toThrow(
      /^The setting REDIS_URL must be a URL/,
    )
  })

  test('of the owner needs the role that nodes run with', () => {
    expect(() => readEnv({ DATABASE_OWNER_URL: 'postgres://owner@db/roadshow' })).toThrow(
      'The setting DATABASE_URL is missing: DATABASE_OWNER_URL needs it.',
    )
  })
})
