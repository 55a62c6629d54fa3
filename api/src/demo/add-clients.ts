import type { FileRef, TruckSide } from '@roadshow/contract'
import type { Db } from '../platform/db/connection.ts'
import type { Scope } from '../platform/db/records/scope.ts'
import { type BlobStore, claimFile, storeUploadedPicture } from '../platform/files/index.ts'
import { uidsByName, type Uids } from './add-fleet.ts'
import { demoClients, demoContacts, type DemoClient } from './clients.ts'
import { drawArtwork, drawLogo } from './pictures.ts'

/** The files of a client: its programs all wear the same artwork. */
interface Pictures {
  logo: FileRef
  artwork: Record<TruckSide, FileRef>
}

export type PicturesOf = ReadonlyMap<string, Pictures>

/** Draws the pictures of every client and keeps them as if they were uploaded. */
export async function addPictures(db: Db, blobs: BlobStore, scope: Scope): Promise<PicturesOf> {
  const store = { blobs, kernel: { db } }
  const keepFor = async (client: DemoClient): Promise<[string, Pictures]> => {
    const word = client.name.toLowerCase().replace(/[^a-z]+/g, '-')
    const [logo, ...sides] = await Promise.all([
      drawLogo(client).then((content) =>
        storeUploadedPicture(store, scope, { purpose: 'logo', name: `${word}.png`, content }),
      ),
      ...(await drawArtwork(client)).map(async ({ side, content }) => {
        const name = `${word}_${side}.jpg`
        return [side, await storeUploadedPicture(store, scope, { purpose: 'artwork', name, content })] as const
      }),
    ])
    return [client.name, { logo, artwork: Object.fromEntries(sides) as Record<TruckSide, FileRef> }]
  }
  const kept = new Map(await Promise.all(demoClients.map(keepFor)))
  for (const { logo, artwork } of kept.values()) {
    await claimFile(db, scope, { uid: logo.uid, purpose: 'logo' })
    for (const { uid } of Object.values(artwork)) await claimFile(db, scope, { uid, purpose: 'artwork' })
  }
  return kept
}

export async function addClients(db: Db, { actor }: Scope, pictures: PicturesOf): Promise<Uids> {
  const people = demoContacts()
  const rows = demoClients.map(({ name, note }, index) => ({
    name,
    note,
    logo_file_uid: pictures.get(name)?.logo.uid ?? null,
    contacts: JSON.stringify(people[index]),
    changed_by: actor.uid,
  }))
  return uidsByName(await db.insertInto('client').values(rows).returning(['uid', 'name']).execute())
}
