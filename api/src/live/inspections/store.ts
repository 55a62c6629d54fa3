import type { ActProblem, driverAct } from '@roadshow/contract'
import type * as z from 'zod'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { claimIssuePhotos, raiseDriverIssue } from '../fleet/index.ts'

type InspectionAct = Extract<z.output<typeof driverAct>, { kind: 'inspection' }>
type InspectedItem = InspectionAct['items'][number]

/** An inspection with its true time, of a shift that the caller has locked and found to be the driver's. */
export interface ReceivedInspection {
  act: InspectionAct
  /** By the server's clock. */
  at: string
  truckUid: string
  scope: Scope
}

interface ListItem {
  uid: string
  name: string
  name_es: string
  issue_kind: string
}

/**
 * Stores an inspection once, in the caller's transaction; each defect raises an issue of the truck. Answers why it is
 * refused, before anything is written, or null.
 */
export async function storeInspection(db: Db, received: ReceivedInspection): Promise<ActProblem | null> {
  const { act } = received
  const itemUids = act.items.map(({ itemUid }) => itemUid)
  if (new Set(itemUids).size < itemUids.length) return 'invalid'
  // The list may have changed since the phone read it: items that were inspected count, also inactive ones.
  const known = await db
    .selectFrom('inspection_item')
    .select(['uid', 'name', 'name_es', 'issue_kind'])
    .where('uid', 'in', itemUids)
    .execute()
  if (known.length < itemUids.length) return 'itemMissing'
  const photos = act.items.map(({ photoFileUid }) => photoFileUid)
  if (!(await claimIssuePhotos(db, received.scope, photos))) return 'fileMissing'
  const inspectionUid = await insertInspection(db, received)
  if (inspectionUid !== undefined) await insertResults(db, received, inspectionUid, known)
  return null
}

/** The new inspection; undefined where its act was stored before. */
async function insertInspection(db: Db, { act, at, truckUid, scope }: ReceivedInspection): Promise<string | undefined> {
  const { actor } = scope
  const stored = await db
    .insertInto('inspection')
    .values({
      act_id: act.actId,
      driver_uid: actor.uid,
      truck_uid: truckUid,
      shift_uid: act.shiftUid,
      at,
      phone_at: act.at,
      latitude: act.place?.latitude ?? null,
      longitude: act.place?.longitude ?? null,
      accuracy_m: act.place?.accuracyM ?? null,
      signed_by: act.signedBy,
      defects: act.items.filter(({ result }) => result === 'defect').length,
      changed_by: actor.uid,
      changed_from: actor.address,
    })
    .onConflict((conflict) => conflict.columns(['driver_uid', 'act_id']).doNothing())
    .returning('uid')
    .executeTakeFirst()
  return stored?.uid
}

async function insertResults(
  db: Db,
  received: ReceivedInspection,
  inspectionUid: string,
  list: readonly ListItem[],
): Promise<void> {
  const itemOf = new Map(list.map((item) => [item.uid, item]))
  for (const [index, { itemUid, result, note, photoFileUid }] of received.act.items.entries()) {
    const item = itemOf.get(itemUid)
    if (!item) continue
    const issueUid = result === 'defect' ? await raiseDefect(db, received, item, { note, photoFileUid }) : null
    await db
      .insertInto('inspection_result')
      .values({
        inspection_uid: inspectionUid,
        item_uid: itemUid,
        position: index + 1,
        name: item.name,
        name_es: item.name_es,
        result,
        note,
        photo_file_uid: photoFileUid,
        issue_uid: issueUid,
      })
      .execute()
  }
}

const raiseDefect = (
  db: Db,
  { act, at, truckUid, scope }: ReceivedInspection,
  item: ListItem,
  { note, photoFileUid }: Pick<InspectedItem, 'note' | 'photoFileUid'>,
): Promise<string | undefined> =>
  raiseDriverIssue(db, {
    truckUid,
    shiftUid: act.shiftUid,
    kind: item.issue_kind,
    text: note === '' ? `Inspection: ${item.name}` : `Inspection: ${item.name}: ${note}`,
    photoFileUid,
    openedAt: at,
    address: scope.actor.address,
  })
