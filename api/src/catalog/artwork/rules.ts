import {
  artworkField,
  type ArtworkSet,
  type artworkSets,
  type BodyOf,
  fitOfSet,
  isMisfit,
  truckSides,
} from '@roadshow/contract'
import { AppError, joinNames } from '../../platform/runtime/app-error.ts'

type Files = Pick<BodyOf<typeof artworkSets.create>, `${(typeof artworkField)[keyof typeof artworkField]}Uid`>
type CurrentFiles = {
  [Field in keyof Files as Field extends `${infer Name}Uid` ? Name : never]: { uid: string } | null
}

/** The files that a set does not have yet, each with its form field. */
export function newArtworkFiles(files: Files, current?: CurrentFiles): { field: keyof Files; uid: string }[] {
  return truckSides.flatMap((side) => {
    const field = `${artworkField[side]}Uid` as const
    const uid = files[field]
    return uid && uid !== current?.[artworkField[side]]?.uid ? [{ field, uid }] : []
  })
}

type Approvable = CurrentFiles & Pick<ArtworkSet, 'filesHash'>

/** Why a set cannot be approved: a side lacks its file, or the files are not the ones that the approver saw. */
export function approvalProblem(set: Approvable, seenHash: string): AppError | undefined {
  if (!set.filesHash) {
    const missing = truckSides.find((side) => !set[artworkField[side]]) ?? 'rear'
    return new AppError('artworkIncomplete', {
      fields: { [`${artworkField[missing]}Uid`]: 'This side has no file yet.' },
    })
  }
  return set.filesHash === seenHash ? undefined : new AppError('artworkChanged')
}

/** A truck that artwork is for, with its screens. */
export interface TruckForArtwork {
  number: string
  panels: Parameters<typeof fitOfSet>[1]
}

/** The trucks that none of the files fit, if no truck is known that they do fit. */
function trucksWithoutFit(set: Pick<ArtworkSet, ArtworkFile>, trucks: readonly TruckForArtwork[]): string[] {
  const files = Object.fromEntries(truckSides.map((side) => [side, set[artworkField[side]]])) as Parameters<
    typeof fitOfSet
  >[0]
  const known = trucks
    .map(({ number, panels }) => ({ number, fit: fitOfSet(files, panels).fit }))
    .filter(({ fit }) => fit !== 'unknown')
  return known.every(({ fit }) => isMisfit(fit)) ? known.map(({ number }) => number) : []
}

type ArtworkFile = (typeof artworkField)[keyof typeof artworkField]

/** Files that fit none of the trucks are approved with a reason only. */
export function misfitProblem(
  set: Pick<ArtworkSet, ArtworkFile | 'name'>,
  trucks: readonly TruckForArtwork[],
  reason: string,
): AppError | undefined {
  const misfits = trucksWithoutFit(set, trucks)
  if (reason !== '' || misfits.length === 0) return undefined
  const text = `${set.name} doesn't fit the screens of any truck it is for: ${joinNames(misfits)}. Enter a reason to approve it anyway.`
  return new AppError('artworkFitsNone', { text, fields: { reason: text } })
}
