import type { ArtworkSet, artworkSets, BodyOf } from '@roadshow/contract'
import { AppError, joinNames } from '../../platform/runtime/app-error.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { Deletion } from '../../platform/deletion/index.ts'
import { claimFile } from '../../platform/files/index.ts'
import { refuseIfInRotation, refuseIfPlanned } from '../in-use/index.ts'
import { programRecords } from '../programs/index.ts'
import { addressSetsShowing, artworkRecords, trucksForProgram } from './queries.ts'
import { approvalProblem, misfitProblem, newArtworkFiles } from './rules.ts'

type Input = BodyOf<typeof artworkSets.create>

const toRow = (input: Input) => ({
  program_uid: input.programUid,
  name: input.name,
  driver_side_artwork_uid: input.driverSideArtworkUid,
  passenger_side_artwork_uid: input.passengerSideArtworkUid,
  rear_artwork_uid: input.rearArtworkUid,
  note: input.note,
})

async function claimNewFiles(db: Db, scope: Scope, input: Input, current?: ArtworkSet): Promise<void> {
  for (const file of newArtworkFiles(input, current)) await claimFile(db, scope, { ...file, purpose: 'artwork' })
}

export const createArtworkSet = (db: Db, scope: Scope, input: Input): Promise<ArtworkSet> =>
  inTransaction(db, async (db) => {
    await programRecords.requireRefs(db, scope, { programUid: input.programUid })
    await claimNewFiles(db, scope, input)
    return artworkRecords.create(db, scope, toRow(input))
  })

export const updateArtworkSet = (
  db: Db,
  scope: Scope,
  { uid, version, ...input }: BodyOf<typeof artworkSets.update>,
): Promise<ArtworkSet> =>
  inTransaction(db, async (db) => {
    const current = await artworkRecords.get(db, scope, uid)
    // A set keeps the program it has, even one that is deleted by now.
    await programRecords.requireRefs(db, scope, { programUid: input.programUid }, [current.program.uid])
    if (input.programUid !== current.program.uid) await refuseIfInRotation(db, uid)
    await claimNewFiles(db, scope, input, current)
    return artworkRecords.update(db, scope, uid, version, toRow(input))
  })

/** Approves the files that the approver saw. The hash names them. Files that fit no truck need a reason. */
export async function approveArtworkSet(
  db: Db,
  scope: Scope,
  { uid, filesHash: seenHash, reason }: BodyOf<typeof artworkSets.approve>,
): Promise<ArtworkSet> {
  const set = await artworkRecords.get(db, scope, uid)
  const problem = approvalProblem(set, seenHash)
  if (problem) throw problem
  if (set.approvedHash === seenHash) return set
  const misfit = misfitProblem(set, await trucksForProgram(db, set.program.uid), reason)
  if (misfit) throw misfit
  return artworkRecords.update(db, scope, uid, set.version, {
    status: 'approved',
    approved_hash: seenHash,
    approved_by: scope.actor.uid,
    approved_at: new Date(await sharedNow(db)),
    approval_reason: reason,
  })
}

export async function withdrawArtworkApproval(db: Db, scope: Scope, { uid }: { uid: string }): Promise<ArtworkSet> {
  const set = await artworkRecords.get(db, scope, uid)
  if (set.status === 'draft') return set
  return artworkRecords.update(db, scope, uid, set.version, {
    status: 'draft',
    approved_hash: null,
    approved_by: null,
    approved_at: null,
    approval_reason: '',
  })
}

export const artworkDeletion: Deletion = {
  kind: 'artworkSet',
  records: artworkRecords,
  needed: { program_uid: ['client_program', 'program'] },
  async refuse(db, _scope, uid) {
    const showing = await addressSetsShowing(db, uid)
    if (showing.length > 0) {
      throw new AppError('stillNeeded', {
        text: `SD addresses still show this artwork: ${joinNames(showing)}. Choose other artwork for them first.`,
      })
    }
    await refuseIfInRotation(db, uid)
    await refuseIfPlanned(db, 'artwork_set_uid', uid, { what: 'artwork set' })
  },
}
