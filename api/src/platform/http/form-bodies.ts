import type { FastifyInstance } from 'fastify'

/** Lets the routes of an instance take forms, which no call of the API does. */
export const acceptForms = (app: Pick<FastifyInstance, 'addContentTypeParser'>): void =>
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
