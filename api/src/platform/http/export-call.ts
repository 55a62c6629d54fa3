import type { Endpoint } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'

/** A file of many rows costs as much as hundreds of pages, and holds a database connection while it is read. */
export const isExport = (endpoint: Endpoint | undefined, { query }: Pick<FastifyRequest, 'query'>): boolean =>
  (query as { format?: unknown } | undefined)?.format !== undefined || endpoint?.isExport === true
