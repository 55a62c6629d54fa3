import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { API_BASE, auth, type Endpoint } from '@roadshow/contract'
import { type BareDebian, canStartDebian, startDebian } from '@roadshow/test-kit/bare-debian'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

const root = fileURLToPath(new URL('../../', import.meta.url))
const documented = await readFile(path.join(root, 'docs/install.md'), 'utf8')
const commands = /```sh\n([\s\S]*?)```/.exec(documented)?.[1] ?? ''
const MINUTES = 60_000

test('the documents install it with twelve commands', () => {
  const lines = commands
    .replaceAll(/<<'END'\n[\s\S]*?\nEND\n/g, '\n')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  expect(lines).toHaveLength(12)
  for (const line of lines) expect(line.replaceAll(/'[^']*'|"[^"]*"/g, '')).not.toMatch(/&&|;|\|\|/)
})

test('what makes and checks backups is confined as the service is', async () => {
  const linesOf = async (unit: string) =>
    new Set((await readFile(path.join(root, 'deploy/systemd', unit), 'utf8')).split('\n'))
  const confining = [...(await linesOf('roadshow.service'))].filter((line) =>
    /^(Protect|Private|Restrict|NoNew|Lock|Capability|SystemCall|UMask|StateDirectory)/.test(line),
  )
  expect(confining.length).toBeGreaterThan(20)
  for (const unit of ['roadshow-backup.service', 'roadshow-backup-check.service']) {
    const lines = await linesOf(unit)
    expect(confining.filter((line) => !lines.has(line))).toEqual([])
  }
})

// Where it is left out: it needs root and the package systemd-container.
describe.skipIf(!(await canStartDebian()))('on a bare Debian with systemd', () => {
  let folder: string
  let debian: BareDebian

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-install-'))
    const options = ['--to', folder, '--arch', process.arch, '--quick']
    await promisify(execFile)(process.execPath, ['scripts/release.mjs', ...options], {
      cwd: root,
      // oxlint-disable-next-line node/no-process-env
      env: { ...process.env, INIT_CWD: root },
    })
    debian = await startDebian(folder)
    await debian.run(
      `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=console.example.com \
        -addext subjectAltName=DNS:console.example.com -keyout key.pem -out certificate.pem 2>&1`,
    )
  }, 10 * MINUTES)

  afterAll(async () => {
    await debian.stop()
    await rm(folder, { recursive: true })
  })

  const CURL = `curl --silent --show-error --cacert certificate.pem --resolve console.example.com:443:127.0.0.1`

  /** Calls the console through the proxy, as its users do. */
  async function call(endpoint: Endpoint, { body, token }: { body?: object; token?: string } = {}): Promise<unknown> {
    const sent = body ? `--json '${JSON.stringify(body)}'` : ''
    const signedIn = token === undefined ? '' : `--header 'Authorization: Bearer ${token}'`
    const url = `https://console.example.com${API_BASE}/${endpoint.path}`
    return JSON.parse(await debian.run(`${CURL} --fail-with-body ${sent} ${signedIn} '${url}'`))
  }

  const isReady = async () => {
    await debian.run('until curl --silent --fail localhost:3000/readyz; do sleep 0.2; done')
  }

  test('the documented commands lead to a signed-in admin behind TLS', { timeout: 5 * MINUTES }, async () => {
    const said = await debian.run(commands)
    const token = /https:\/\/console\.example\.com\/forgot-password\?token=(\S+)/.exec(said)?.[1]
    await isReady()
    const password = 'a-lorry-full-of-lamps'
    await call(auth.passwordReset, { body: { token, password } })
    const body = { email: 'you@example.com', password, clientType: 'web' }
    const signedIn = auth.authenticate.reply.parse(await call(auth.authenticate, { body }))
    const user = auth.me.reply.parse(await call(auth.me, { token: signedIn.data.token }))
    expect(user.data).toMatchObject({ name: 'Your Name', role: 'admin' })
  })

  test('the version is in /healthz and in the page', async () => {
    const health = JSON.parse(await debian.run(`${CURL} https://console.example.com/healthz`)) as unknown
    const { version } = z.object({ version: z.string() }).parse(health)
    expect(await debian.run('/opt/roadshow/bin/roadshow version')).toBe(`${version}\n`)
    expect(await debian.run('readlink -f /opt/roadshow')).toBe(`/opt/roadshow-${version}\n`)
    expect(await debian.run(`${CURL} https://console.example.com/trucks`)).toContain(`data-version="${version}"`)
  })

  test('systemd finds nothing to say about the units, and keeps the limits', async () => {
    expect(await debian.run('systemd-analyze verify /opt/roadshow/deploy/systemd/* 2>&1')).toBe('')
    expect(await debian.run('systemctl show roadshow --property MemoryMax,TasksMax,NRestarts')).toBe(
      'NRestarts=0\nMemoryMax=2147483648\nTasksMax=256\n',
    )
  })

  const listening = () => debian.run('ss --listening --tcp --numeric --no-header "sport = 3000"')
  const setHost = (host: string) => `sed -i "s/^HOST=.*/HOST='${host}'/" /etc/roadshow/settings.env`

  test(
    'a credential is a setting that only the service reads; an empty HOST is all of IPv4',
    { timeout: 5 * MINUTES },
    async () => {
      await debian.run(`${setHost('')}
      install -D -m 600 /dev/stdin /etc/roadshow/credentials/METRICS_TOKEN <<< a-token-for-the-monitor
      systemctl restart roadshow`)
      await isReady()
      expect(await listening()).toContain('0.0.0.0:3000')
      const status = (header: string) =>
        debian.run(`curl --silent --output /dev/null --write-out '%{http_code}' ${header} localhost:3000/metrics`)
      expect(await status('')).toBe('403')
      expect(await status(`--header 'Authorization: Bearer a-token-for-the-monitor'`)).toBe('200')
      expect(await debian.run('runuser -u postgres -- ls /run/credentials/roadshow.service 2>&1 || true')).toContain(
        'Permission denied',
      )
    },
  )

  test('the timer’s service makes a backup that is complete', { timeout: 5 * MINUTES }, async () => {
    await debian.run(`install -D -m 600 /dev/stdin /etc/roadshow/credentials/BACKUP_PASSPHRASE <<< 'a passphrase of some length'
      systemctl start roadshow-backup.service`)
    const [made = ''] = (await debian.run('ls -d /var/backups/roadshow/*')).trim().split('\n')
    expect(await debian.run(`/opt/roadshow/bin/roadshow backup --check ${made}`)).toContain('with the secret key')
    await debian.run('systemctl start roadshow-backup-check.service')
    const metrics = () =>
      debian.run(`curl --silent --header 'Authorization: Bearer a-token-for-the-monitor' localhost:3000/metrics`)
    expect(await metrics()).toContain('roadshow_disk_free_bytes{folder="database"} ')
    expect(
      await debian.run(
        `runuser -u roadshow -- psql --tuples-only --no-align --command 'select kind, has_key from backup_run order by 1'`,
      ),
    ).toBe('backup|t\ncheck|t\n')
    for (const name of ['roadshow-backup', 'roadshow-backup-check']) {
      expect(await debian.run(`systemctl list-timers --no-legend ${name}.timer`)).toContain(`${name}.service`)
    }
  })

  test(
    'it is started again when it dies, with HOST=:: too, and ends by itself when told to',
    { timeout: 5 * MINUTES },
    async () => {
      await debian.run(`${setHost('::')}
      systemctl kill --signal KILL --kill-who main roadshow
      until systemctl show roadshow --property NRestarts | grep -q =1; do sleep 0.2; done`)
      await isReady()
      expect(await listening()).toContain('*:3000')
      await debian.run('systemctl stop roadshow')
      expect(await debian.run('systemctl show roadshow --property Result,ExecMainStatus')).toBe(
        'Result=success\nExecMainStatus=0\n',
      )
    },
  )
})
