import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { end } from '@roadshow/test-kit/nodes'

// Azurite's account and key are public and always the same.
export const AZURITE_KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

export const azuriteConnection = (port: number) =>
  `DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=${AZURITE_KEY};BlobEndpoint=http://127.0.0.1:${port}/devstoreaccount1;`

/** Azure's own emulator, which keeps blobs in memory; at a port of its choice unless one is given. */
export async function startAzurite(port = 0) {
  const folder = path.dirname(createRequire(import.meta.url).resolve('azurite/package.json'))
  const options = ['--inMemoryPersistence', '--silent', '--disableTelemetry', '--skipApiVersionCheck']
  const program = path.join(folder, 'dist/src/blob/main.js')
  const azurite = spawn(process.execPath, [program, ...options, '--blobPort', String(port)])
  const listening = await new Promise<number>((resolve, reject) => {
    let said = ''
    const listen = (words: Buffer) => {
      said += words.toString()
      const found = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1]
      if (found) resolve(Number(found))
    }
    azurite.on('exit', (code) => reject(new Error(`Azurite ended with ${code}: ${said}`)))
    azurite.stdout.on('data', listen)
    azurite.stderr.on('data', listen)
  })
  return { port: listening, connection: azuriteConnection(listening), stop: () => end(azurite, 'SIGKILL') }
}
