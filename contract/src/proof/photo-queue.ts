import * as z from '../platform/zod.ts'
import { anyOf, listQuery, namedRef, NO_EXPORT, page, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { fileRef } from '../platform/files.ts'
import { popPhoto } from './photos.ts'

/** What a truck wears: the file of each side. */
const wornArtwork = z.strictObject({
  uid,
  name: z.string(),
  /** It is that of the photo's shift, not only of its program. */
  isOfShift: z.boolean(),
  driverSide: fileRef.nullable(),
  passengerSide: fileRef.nullable(),
  rear: fileRef.nullable(),
})

/** A photo that waits for approval, with what is needed to decide. */
const queuedPhoto = popPhoto.extend({
  client: namedRef,
  /** The markets that it can be given. */
  markets: z.array(namedRef),
  /** The artwork of its shift; without one, the first set of its program. */
  artwork: wornArtwork.nullable(),
})
export type QueuedPhoto = z.infer<typeof queuedPhoto>

/** The photos of all programs that wait for approval. They are decided by `pops.updatePhoto`. */
export const photoQueue = {
  list: endpoint({
    method: 'GET',
    path: 'client-pop/photos/waiting/run',
    access: { module: 'pop', needs: 'edit', reach: 'all' },
    summary: 'Lists the photos of all programs that wait for approval, oldest first, with the artwork of their shifts.',
    follows: ['photos', 'pops'],
    added: true,
    query: listQuery(['createdAt'], { program: anyOf(uid).optional() }).omit(NO_EXPORT),
    reply: page(queuedPhoto),
  }),
}
