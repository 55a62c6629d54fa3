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

/** A server for one journey alone, with a demo fleet of its own, which has no past. */
export async function ownServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-e2e-own-'))
  const child = spawn(process.execPath, ['--max-old-space-size=1024', entry], {
    env: {
      ...process.env,
      PORT: port,
      DATA_DIR: folder,
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      DEMO_PAST: 'none',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => text.includes('is ready at') && resolve())
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)))
  })
  return {
    url: `http://localhost:${port}`,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
