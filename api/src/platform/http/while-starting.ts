import { once } from 'node:events'
import { createServer } from 'node:http'
import { AppError } from '../runtime/app-error.ts'
import { healthOf } from './readiness.ts'

const notYet = new AppError('unavailable', { text: 'This node is starting: its database is being prepared.' })
const RETRY_SECONDS = '5'

/**
 * Answers on the port while the database is started and migrated, which may take a while: this node is alive but not
 * ready. Without an answer, a service manager would kill it halfway. Returns a function that stops answering.
 */
export async function answerWhileStarting(
  port: number,
  host: string,
  stopping?: AbortSignal,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const isAlive = request.url === '/healthz'
    response.writeHead(isAlive ? 200 : notYet.status, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
      ...(!isAlive && { 'retry-after': RETRY_SECONDS }),
    })
    response.end(JSON.stringify(isAlive ? healthOf(stopping?.aborted) : notYet.body))
  })
  await once(server.listen(port, host), 'listening')
  return async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
}
