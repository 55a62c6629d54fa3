import * as z from '../platform/zod.ts'
import { textLine, one } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { pathNumber } from '../platform/path-number.ts'
import { popFigures, popMarketFigures } from './pop-document.ts'
import { pictureParams } from './photos.ts'

const popUrl = z.string().min(1).max(100)

// The reply is a file, not JSON.
const content = z.unknown()

/** Public endpoints of a published program by the name in its address. Unknown and hidden programs answer alike. */
export const publicPop = {
  milesDriven: endpoint({
    method: 'GET',
    path: 'public/miles-driven',
    fromReplica: true,
    rate: 'public',
    access: 'public',
    summary: 'Returns the figures of a published program as frozen in its version.',
    query: z.strictObject({ popUrl }),
    reply: one(popFigures),
  }),
  marketMilesDriven: endpoint({
    method: 'GET',
    path: 'public/market-miles-driven',
    fromReplica: true,
    rate: 'public',
    access: 'public',
    summary: 'Returns the figures of a published program by market.',
    query: z.strictObject({ popUrl, market: textLine(120).optional() }),
    reply: one(z.array(popMarketFigures)),
  }),
  document: endpoint({
    method: 'GET',
    path: 'public/pop/{popUrl}/document',
    fromReplica: true,
    rate: 'public',
    access: 'public',
    summary: 'Returns the complete public version; its SHA-256 is the hash on the page.',
    added: true,
    params: z.strictObject({ popUrl }),
    reply: content,
  }),
  picture: endpoint({
    method: 'GET',
    path: 'public/pop/{popUrl}/pictures/{key}/{size}',
    fromReplica: true,
    rate: 'picture',
    access: 'public',
    summary: 'Returns a picture of the public version.',
    added: true,
    params: z.strictObject({ popUrl, ...pictureParams.shape }),
    reply: content,
  }),
  shareImage: endpoint({
    method: 'GET',
    path: 'public/pop/{popUrl}/share-image/{number}',
    fromReplica: true,
    rate: 'picture',
    access: 'public',
    summary: 'Returns the picture that link previews of the public version show, as a JPEG of 1200 by 630 pixels.',
    added: true,
    params: z.strictObject({ popUrl, number: pathNumber }),
    reply: content,
  }),
  pdf: endpoint({
    method: 'GET',
    path: 'public/pop/{popUrl}/pdf',
    fromReplica: true,
    rate: 'public',
    access: 'public',
    summary: 'Returns the public version as a PDF.',
    added: true,
    params: z.strictObject({ popUrl }),
    reply: content,
  }),
  method: endpoint({
    method: 'GET',
    path: 'public/pop/{popUrl}/impressions-method/{version}',
    fromReplica: true,
    rate: 'public',
    access: 'public',
    summary: 'Returns a version of the method by which the public version estimates impressions.',
    added: true,
    params: z.strictObject({ popUrl, version: pathNumber }),
    reply: content,
  }),
}
