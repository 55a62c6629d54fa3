import { type BodyOf, describeSeenTime, type shiftTimes, type TimeQuestion } from '@roadshow/contract'
import { correctTime, shiftRecords } from '../../planning/shifts/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { loadTimeQuestions } from './questions.ts'

export type TimeAnswer = BodyOf<typeof shiftTimes.answer>

const questionsOf = async (db: Db, uid: string): Promise<TimeQuestion[]> =>
  (await loadTimeQuestions(db, [uid])).get(uid) ?? []

/** The open questions about a shift that the caller may plan. */
export async function readQuestions(db: Db, scope: Scope, uid: string): Promise<TimeQuestion[]> {
  await shiftRecords.get(db, scope, uid)
  return questionsOf(db, uid)
}

/** Notes an answer to a question, which is not asked again. The first one counts. */
export async function noteTimeAnswer(
  db: Db,
  shiftUid: string,
  answer: TimeAnswer & { answeredBy: string },
): Promise<void> {
  await db
    .insertInto('shift_time_answer')
    .values({
      shift_uid: shiftUid,
      kind: answer.time,
      about: answer.about,
      seen_at: answer.seenAt,
      is_corrected: answer.isCorrected,
      answered_by: answer.answeredBy,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Answers an open question for the office: corrects the time or keeps it. */
export const answerQuestion = (db: Db, scope: Scope, uid: string, answer: TimeAnswer): Promise<TimeQuestion[]> =>
  inTransaction(db, async (db) => {
    const { truck, zone } = await shiftRecords.get(db, scope, uid)
    const question = (await questionsOf(db, uid)).find(
      ({ kind, about, at }) => kind === answer.time && about === answer.about && at === answer.seenAt,
    )
    if (!question) throw new AppError('staleVersion')
    await noteTimeAnswer(db, uid, { ...answer, answeredBy: scope.actor.uid })
    const { kind, at } = question
    const reason = describeSeenTime(question, truck.name, zone)
    if (answer.isCorrected) await correctTime(db, scope, { uid, kind, at, reason })
    return questionsOf(db, uid)
  })
