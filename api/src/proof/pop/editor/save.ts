import type { BodyOf, Pop, pops, ReplyOf } from '@roadshow/contract'
import { hashPassword } from '../../../accounts/sign-in/index.ts'
import { refuseFields } from '../../../platform/runtime/app-error.ts'
import { sharedNow } from '../../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../../platform/db/connection.ts'
import type { Scope } from '../../../platform/db/records/scope.ts'
import type { Deletion } from '../../../platform/deletion/index.ts'
import { photoDeletion } from '../../photos/index.ts'
import { loadPopMarkets, writePopMarkets } from '../publication/markets.ts'
import { loadPopFigures } from '../publication/figures.ts'
import { popRows } from '../publication/pop-rows.ts'
import { loadPop, popListFor } from './queries.ts'

/** Changes text, cover and last public day of a POP. */
export async function updatePop(db: Db, scope: Scope, input: BodyOf<typeof pops.update>): Promise<Pop> {
  const { uid, version, coverPhotoUid, shownUntil, headline, text } = input
  await inTransaction(db, async (db) => {
    await loadPop(db, scope, uid)
    await checkCover(db, uid, coverPhotoUid ?? null)
    await popRows.update(db, scope, uid, version, {
      ...(headline !== undefined && { headline }),
      ...(text !== undefined && { text }),
      ...(coverPhotoUid !== undefined && { cover_photo_uid: coverPhotoUid }),
      ...(shownUntil !== undefined && { ends_on: shownUntil }),
    })
  })
  return loadPop(db, scope, uid)
}

async function checkCover(db: Db, programUid: string, photoUid: string | null): Promise<void> {
  if (photoUid === null) return
  const found = await db
    .selectFrom('pop_photo')
    .select('uid')
    .where('uid', '=', photoUid)
    .where('program_uid', '=', programUid)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!found) refuseFields({ coverPhotoUid: 'Photo not found in this program.' })
}

/** A POP that has a deleted photo as its cover loses the cover. */
export const photoAndCoverDeletion: Deletion = {
  ...photoDeletion,
  async afterRemove(db, scope, uid) {
    await photoDeletion.afterRemove?.(db, scope, uid)
    const { actor } = scope
    await db
      .updateTable('pop')
      .set({ cover_photo_uid: null, changed_by: actor.uid, changed_from: actor.address })
      .where('cover_photo_uid', '=', uid)
      .execute()
  },
}

/** Sets or removes the password of a public page. Passes that were given for another password end at once. */
export async function setPagePassword(db: Db, scope: Scope, input: BodyOf<typeof pops.setPassword>): Promise<Pop> {
  const { uid, version, password } = input
  const hash = password === null ? null : await hashPassword(password)
  await inTransaction(db, async (db) => {
    await loadPop(db, scope, uid)
    await popRows.update(db, scope, uid, version, {
      password_set_at: hash === null ? null : new Date(await sharedNow(db)),
    })
    if (hash === null) await db.deleteFrom('pop_password').where('program_uid', '=', uid).execute()
    else
      await db
        .insertInto('pop_password')
        .values({ program_uid: uid, hash })
        .onConflict((conflict) => conflict.column('program_uid').doUpdateSet({ hash }))
        .execute()
  })
  return loadPop(db, scope, uid)
}

/** Replaces the markets of a POP, in this order. */
export async function savePopMarkets(db: Db, scope: Scope, input: BodyOf<typeof pops.saveMarkets>): Promise<Pop> {
  const { uid, version, markets } = input
  await inTransaction(db, async (db) => {
    await loadPop(db, scope, uid)
    await popRows.update(db, scope, uid, version, {})
    await writePopMarkets(db, uid, markets)
  })
  return loadPop(db, scope, uid)
}

/** The figures of a program up to now, in total and by market. */
export async function milesDriven(
  db: Db,
  scope: Scope,
  programUid: string,
): Promise<ReplyOf<typeof pops.milesDriven>['data']> {
  await popListFor(scope).get(db, scope, programUid)
  const { total, markets } = await loadPopFigures(db, programUid)
  const named = await loadPopMarkets(db, programUid)
  return {
    total,
    markets: named.flatMap(({ uid, name }) => {
      const found = markets.get(uid)
      return found ? [{ market: name, marketUid: uid, ...found.figures, perDay: found.days }] : []
    }),
  }
}
