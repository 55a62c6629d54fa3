import type { BodyOf, IssueComment, issueWork } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { withSignedUrls } from '../../platform/files/index.ts'
import { addIssuePhotos, claimPhotosOfStaff } from './issue-photos.ts'
import { issueRecords, photosWhere } from './queries.ts'

/** A page shows the newest comments of an issue. */
const MAX_COMMENTS = 200

async function loadComments(db: Db, issueUid: string, only?: string): Promise<IssueComment[]> {
  const { rows } = await sql<IssueComment>`
    select c.uid, c.text, c.at, json_build_object('uid', w.uid, 'name', w.name) as by,
           ${photosWhere(sql`q.comment_uid = c.uid and q.issue_uid = c.issue_uid`)} as photos
      from issue_comment c join user_account w on w.uid = c.changed_by
     where c.issue_uid = ${issueUid} and ${only ? sql`c.uid = ${only}` : sql`true`}
     order by c.at desc, c.uid desc limit ${sql.lit(MAX_COMMENTS)}`.execute(db)
  return rows.map((comment) => ({ ...comment, photos: comment.photos.map(withSignedUrls) })).toReversed()
}

/** The comments on an issue that the caller may see. */
export async function commentsOf(db: Db, scope: Scope, issueUid: string): Promise<IssueComment[]> {
  await issueRecords.get(db, scope, issueUid)
  return loadComments(db, issueUid)
}

/** Adds a comment with its photos. */
export const addComment = (
  db: Db,
  scope: Scope,
  issueUid: string,
  { text, photoFileUids }: BodyOf<typeof issueWork.comment>,
): Promise<IssueComment> =>
  inTransaction(db, async (db) => {
    await issueRecords.get(db, scope, issueUid)
    await claimPhotosOfStaff(db, scope, photoFileUids)
    const { uid } = await db
      .insertInto('issue_comment')
      .values({ issue_uid: issueUid, text, changed_by: scope.actor.uid, changed_from: scope.actor.address })
      .returning('uid')
      .executeTakeFirstOrThrow()
    await addIssuePhotos(db, { issueUid, commentUid: uid, fileUids: photoFileUids })
    const [added] = await loadComments(db, issueUid, uid)
    if (!added) throw new Error('A comment that was just added is gone.')
    return added
  })
