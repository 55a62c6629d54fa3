import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { PLAYER_PATH } from '@roadshow/contract'

const NEXT = '-next.js'
const toNext = (code: string) => code.replace(/(assets\/index-[\w-]+)\.js/g, `$1${NEXT}`)

/** Stands before a server. Once released, the player is another build: its script has another name, and all name it so. */
export async function serverWithNextBuild(port: number) {
  let isReleased = false
  const open = new Set<Duplex>()

  const answer = (asked: IncomingMessage, answered: ServerResponse) => {
    const url = (asked.url ?? '').replace(NEXT, '.js')
    // What a browser holds already may be of the build before.
    const { 'if-none-match': _, 'if-modified-since': __, ...headers } = asked.headers
    const options = { port, path: url, method: asked.method, headers: { ...headers, 'accept-encoding': 'identity' } }
    const forwarded = request(options, (response) => {
      answered.statusCode = response.statusCode ?? 500
      const isBuilt = isReleased && /\/player(\/.*\.js)?$/.test(url)
      for (const [name, value] of Object.entries(response.headers))
        if (value !== undefined && !(isBuilt && name === 'content-length')) answered.setHeader(name, value)
      if (!isBuilt) return void response.pipe(answered)
      text(response).then(
        (code) => answered.end(toNext(code)),
        () => answered.destroy(),
      )
    })
    forwarded.on('error', () => answered.destroy())
    asked.pipe(forwarded)
  }

  const relay = createServer(answer)
  relay.on('upgrade', (asked: IncomingMessage, screen: Duplex, head: Buffer) => {
    const server: Socket = connect(port, 'localhost', () => {
      const headers = asked.rawHeaders.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join('')
      server.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${headers}\r\n`)
      server.write(head)
      screen.pipe(server).pipe(screen)
    })
    const end = () => {
      open.delete(screen)
      screen.destroy()
      server.destroy()
    }
    open.add(screen)
    for (const socket of [screen, server]) socket.on('error', end).on('close', end)
  })
  relay.listen(0, 'localhost')
  await once(relay, 'listening')
  const dropSockets = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://localhost:${(relay.address() as AddressInfo).port}${PLAYER_PATH}`,
    /** Serves the next build, and lets screens connect again, as a restart of the server does. */
    release() {
      isReleased = true
      dropSockets()
    },
    close() {
      dropSockets()
      relay.closeAllConnections()
      relay.close()
    },
  }
}
