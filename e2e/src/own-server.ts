import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const entry = fileURLToPath(new URL('../../api/dist/main.js', import.meta.url))

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

/** A server for one journey alone, with a demo fleet of its own, which has no past. */
export async function ownServer(settings: Record<string, string> = {}): Promise<OwnServer> {
  const port = await freePort()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-e2e-own-'))
  const run = async () => {
    const child = spawn(process.execPath, ['--max-old-space-size=1024', entry], {
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
    return child
  }
  let child = await run()
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  return {
    url: `http://localhost:${port}`,
    port: Number(port),
    folder,
    kill: () => end('SIGKILL'),
    async start() {
      child = await run()
    },
    async stop() {
      await end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
