import { artworkField, type ArtworkSet, type artworkSets, type BodyOf, truckSides } from '@roadshow/contract'
import { AppError, joinNames } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { refuseIfPlanned } from '../in-use/index.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { claimFile } from '../../platform/files/index.ts'
import { programRecords } from '../programs/index.ts'
import { addressSetsShowing, artworkRecords } from './queries.ts'

type Input = BodyOf<typeof artworkSets.create>

const toRow = (given: Input) => ({
  program_uid: given.programUid,
  name: given.name,
  driver_side_artwork_uid: given.driverSideArtworkUid,
  passenger_side_artwork_uid: given.passengerSideArtworkUid,
  rear_artwork_uid: given.rearArtworkUid,
  note: given.note,
})

/** Takes the files that are new to the set; the others are its own already. */
async function claimFiles(db: Db, scope: Scope, given: Input, current?: ArtworkSet): Promise<void> {
  for (const side of truckSides) {
    const field = `${artworkField[side]}Uid` as const
    const uid = given[field]
    if (uid && uid !== current?.[artworkField[side]]?.uid) await claimFile(db, scope, uid, 'artwork', field)
  }
}

export const createArtworkSet = (db: Db, scope: Scope, given: Input): Promise<ArtworkSet> =>
  inTransaction(db, async (db) => {
    await programRecords.requireRefs(db, scope, { programUid: given.programUid })
    await claimFiles(db, scope, given)
    return artworkRecords.create(db, scope, toRow(given))
  })

export const updateArtworkSet = (
  db: Db,
  scope: Scope,
  uid: string,
  version: number,
  given: Input,
): Promise<ArtworkSet> =>
  inTransaction(db, async (db) => {
    const current = await artworkRecords.get(db, scope, uid)
    // A program that was deleted since stays the set's own.
    await programRecords.requireRefs(db, scope, { programUid: given.programUid }, [current.program.uid])
    await claimFiles(db, scope, given, current)
    return artworkRecords.update(db, scope, uid, version, toRow(given))
  })

/** Approves what the approver has seen: other files than those of the hash are refused. */
export async function approveArtworkSet(db: Db, scope: Scope, uid: string, seen: string): Promise<ArtworkSet> {
  const set = await artworkRecords.get(db, scope, uid)
  if (!set.filesHash) {
    const missing = truckSides.find((side) => !set[artworkField[side]]) ?? 'rear'
    throw new AppError('artworkIncomplete', {
      fields: { [`${artworkField[missing]}Uid`]: 'This side has no file yet.' },
    })
  }
  if (set.filesHash !== seen) throw new AppError('artworkChanged')
  if (set.approvedHash === seen) return set
  return artworkRecords.update(db, scope, uid, set.version, {
    status: 'approved',
    approved_hash: seen,
    approved_by: scope.actor.uid,
    approved_at: new Date(),
  })
}

export async function withdrawArtworkApproval(db: Db, scope: Scope, uid: string): Promise<ArtworkSet> {
  const set = await artworkRecords.get(db, scope, uid)
  if (set.status === 'draft') return set
  return artworkRecords.update(db, scope, uid, set.version, {
    status: 'draft',
    approved_hash: null,
    approved_by: null,
    approved_at: null,
  })
}

/** Deletes a set, unless SD addresses or shifts still show it. */
export const removeArtworkSet = (db: Db, scope: Scope, uid: string): Promise<{ uid: string }> =>
  artworkRecords.removeUnless(db, scope, uid, async (db) => {
    const showing = await addressSetsShowing(db, uid)
    if (showing.length > 0) {
      throw new AppError('stillNeeded', {
        text: `SD addresses show this artwork: ${joinNames(showing)}. Give them another one first.`,
      })
    }
    await refuseIfPlanned(db, 'artwork_set_uid', uid, 'artwork set')
  })
