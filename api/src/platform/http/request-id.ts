import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './app.ts'

/** Sends the id under which the log lists this call. */
export const sendRequestId = (request: FastifyRequest, reply: FastifyReply): void =>
  void reply.header('x-request-id', request.id)

/** Sends the request id with every answer. */
export function sendRequestIds(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    sendRequestId(request, reply)
    done()
  })
}
