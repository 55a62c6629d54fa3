import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The network between a screen and the server: answers take their time, and it can be cut. */
export async function networkTo(port: number, delayMs: number) {
  const open = new Set<Socket>()
  let isCut = false
  const end = (...sockets: Socket[]) => {
    for (const socket of sockets) {
      socket.destroy()
      open.delete(socket)
    }
  }
  const relay = createServer((screen) => {
    if (isCut) return void screen.destroy()
    const server = connect(port, 'localhost')
    for (const socket of [screen, server]) {
      open.add(socket)
      socket.on('error', () => end(screen, server)).on('close', () => end(screen, server))
    }
    screen.on('data', (bytes) => server.write(bytes))
    // The same delay for all keeps their order.
    server.on('data', (bytes) => setTimeout(() => screen.writable && screen.write(bytes), delayMs))
  })
  relay.listen(0, 'localhost')
  await once(relay, 'listening')
  const cut = () => {
    isCut = true
    end(...open)
  }
  return {
    url: `http://localhost:${(relay.address() as AddressInfo).port}`,
    cut,
    mend: () => void (isCut = false),
    async close() {
      cut()
      const closed = once(relay, 'close')
      relay.close()
      await closed
    },
  }
}
