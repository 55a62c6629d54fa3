import { artworkField, type ArtworkSet, type artworkSets, type BodyOf, truckSides } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'

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
