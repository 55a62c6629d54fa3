import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { claimFile } from '../../platform/files/index.ts'

/** Claims the photos that staff uploaded for an issue or a comment; refuses the field if one is missing. */
export async function claimPhotosOfStaff(db: Db, scope: Scope, fileUids: readonly string[]): Promise<void> {
  for (const uid of fileUids.toSorted()) await claimFile(db, scope, { uid, purpose: 'issue', field: 'photoFileUids' })
}

interface IssuePhotos {
  issueUid: string
  /** Null for further photos of the issue itself. */
  commentUid: string | null
  fileUids: readonly string[]
}

export async function addIssuePhotos(db: Db, { issueUid, commentUid, fileUids }: IssuePhotos): Promise<void> {
  if (fileUids.length === 0) return
  const rows = fileUids.map((file_uid, position) => ({
    file_uid,
    issue_uid: issueUid,
    comment_uid: commentUid,
    position,
  }))
  await db.insertInto('issue_photo').values(rows).execute()
}
