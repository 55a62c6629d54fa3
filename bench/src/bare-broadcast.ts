import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Server } from 'socket.io'

/** The floor of the live fleet: Socket.IO with the settings of our server, telling everybody the same once a second. */

const SECOND_MS = 1_000
const payload: unknown = JSON.parse(readFileSync(process.env.PAYLOAD ?? '', 'utf8'))

const server = createServer((request, response) => {
  let left = Number(request.url?.slice(1))
  const timer = setInterval(() => {
    if (left-- > 0) io.emit('geotab-feed', payload)
    else {
      clearInterval(timer)
      response.end()
    }
  }, SECOND_MS)
})
const io = new Server(server, { transports: ['websocket'], perMessageDeflate: false, serveClient: false })
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('The bare broadcast is ready'))
