#!/usr/bin/env node
// Passes the fixes of gpsd on to the player in the browser beside it: gpsd speaks JSON over TCP, which a page cannot open.
// It listens on this machine only, and uses nothing but Node.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { connect } from 'node:net'

// gps-bridge.mjs [port of gpsd] [own port]
const [gpsdPort = '2947', ownPort = '2948'] = process.argv.slice(2)
const GPSD = { host: '127.0.0.1', port: Number(gpsdPort) }
const RETRY_MS = 3000
const SILENT_MS = 20_000
const MAX_LINE = 65_536
const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** @type {Set<import('node:stream').Duplex>} */
const pages = new Set()

/** One unmasked text frame; messages are always shorter than 126 bytes. @param {string} text */
function frameOf(text) {
  const content = Buffer.from(text)
  return Buffer.concat([Buffer.from([0x81, content.length]), content])
}

/** @param {string} line */
function passOn(line) {
  /** @type {{ class?: string, mode?: number, lat?: number, lon?: number, speed?: number }} */
  let report
  try {
    report = JSON.parse(line)
  } catch {
    return
  }
  // Mode 2 is a fix on the ground, mode 3 one with its height.
  if (report.class !== 'TPV' || (report.mode ?? 0) < 2) return
  if (typeof report.lat !== 'number' || typeof report.lon !== 'number') return
  const speedKmh = typeof report.speed === 'number' ? Math.round(report.speed * 36) / 10 : null
  const latitude = Number(report.lat.toFixed(7))
  const longitude = Number(report.lon.toFixed(7))
  const frame = frameOf(JSON.stringify({ latitude, longitude, speedKmh }))
  for (const page of pages) page.write(frame)
}

function followGpsd() {
  const socket = connect(GPSD)
  let rest = ''
  socket.setEncoding('utf8')
  socket.setTimeout(SILENT_MS, () => socket.destroy())
  socket.on('connect', () => socket.write('?WATCH={"enable":true,"json":true};\n'))
  socket.on('data', (/** @type {string} */ text) => {
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(-MAX_LINE)
    for (const line of lines) passOn(line)
  })
  socket.on('error', () => undefined)
  socket.on('close', () => setTimeout(followGpsd, RETRY_MS))
}

const server = createServer((_request, response) => response.writeHead(426).end('A WebSocket is expected here.\n'))
server.on('upgrade', (request, socket) => {
  const key = request.headers['sec-websocket-key']
  if (!key || request.headers.upgrade?.toLowerCase() !== 'websocket') return socket.destroy()
  const accept = createHash('sha1').update(`${key}${WEBSOCKET_GUID}`).digest('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
  pages.add(socket)
  // Pages have nothing to say; whatever they send is read and dropped.
  socket.resume()
  socket.on('error', () => socket.destroy())
  socket.on('close', () => pages.delete(socket))
})
server.listen(Number(ownPort), '127.0.0.1')
followGpsd()
