import { once } from 'node:events'
import { createServer } from 'node:http'
import { SMTPServer } from 'smtp-server'

/** A mail server that takes everything and keeps nothing but the number of mails. It tells the number over HTTP. */
let accepted = 0
const smtp = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  authOptional: true,
  onData: (stream, _session, done) => {
    stream.resume()
    stream.on('end', () => {
      accepted++
      done()
    })
  },
})
const server = createServer((_request, response) => response.end(String(accepted)))
await once(smtp.listen(Number(process.env['SMTP_PORT']), '127.0.0.1'), 'listening')
await once(server.listen(Number(process.env['PORT']), '127.0.0.1'), 'listening')
process.on('SIGTERM', () => process.exit())
console.log('ready')
