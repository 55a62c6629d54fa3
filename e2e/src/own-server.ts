import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const entry = fileURLToPath(new URL('../../api/dist/bundled/main.js', import.meta.url))

async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return String(port)
}

export interface OwnServer {
  url: string
  port: number
  /** Where it keeps its data, mails included. */
  folder: string
  /** Ends it as a power cut does. */
  kill(): Promise<void>
  /** Starts it again on the same data. */
  start(): Promise<void>
  stop(): Promise<void>
}

interface Running {
  /** Settles once it has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** Starts a server on a data folder; settles once it is ready. */
async function startOn(folder: string, port: string, settings: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, ['--max-old-space-size=1024', '--max-semi-space-size=16', entry], {
    env: {
      ...process.env,
      PORT: port,
      DATA_DIR: folder,
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      DEMO_PAST: 'none',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => text.includes('is ready at') && resolve())
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)))
  })
  return {
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
    },
  }
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

/** A data folder with the demo fleet. The first journey that needs one fills it: the others copy it, which is faster. */
async function filledFolder(): Promise<string> {
  const folder = path.join(process.env['E2E_DATA'] ?? os.tmpdir(), 'filled')
  const isFilled = `${folder}.done`
  const isMine = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (isMine) {
    const server = await startOn(folder, await freePort(), {})
    await server.end('SIGTERM')
    await writeFile(isFilled, '')
  }
  // Another worker fills it; a journey that waits in vain ends by its own timeout.
  while (!(await exists(isFilled))) await sleep(200)
  return folder
}

const command = fileURLToPath(new URL('../../api/dist/bundled/create-admin.js', import.meta.url))

/** A server of a new company, without a record but its first admin, who was made by the command. */
export async function emptyServer(
  admin: { email: string; name: string },
  settings: Record<string, string> = {},
): Promise<OwnServer & { passwordLink: string }> {
  const port = await freePort()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-e2e-empty-'))
  const given = { PUBLIC_URL: `http://localhost:${port}`, ...settings }
  const env = { ...process.env, DATA_DIR: folder, NODE_ENV: 'test', PORT: port, ...given }
  const options = ['--email', admin.email, '--name', admin.name]
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...options], { env })
  const passwordLink = /https?:\S+/.exec(stdout)?.[0] ?? ''
  return { ...(await serverOn(folder, port, given)), passwordLink }
}

/** A server for one journey alone, with a demo fleet of its own, which has no past. */
export async function ownServer(settings: Record<string, string> = {}): Promise<OwnServer> {
  const port = await freePort()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-e2e-own-'))
  // Not by Node, whose copy would belong to another user than the database's files do.
  await promisify(execFile)('cp', ['-a', `${await filledFolder()}/.`, folder])
  return serverOn(folder, port, settings)
}

async function serverOn(folder: string, port: string, settings: Record<string, string>): Promise<OwnServer> {
  let server = await startOn(folder, port, settings)
  return {
    url: `http://localhost:${port}`,
    port: Number(port),
    folder,
    kill: () => server.end('SIGKILL'),
    async start() {
      server = await startOn(folder, port, settings)
    },
    async stop() {
      await server.end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
