import * as z from '../platform/zod.ts'
import {
  anyOf,
  day,
  instant,
  listQuery,
  namedRef,
  NO_EXPORT,
  one,
  page,
  requiredLine,
  textLine,
  uid,
  version,
} from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { fileRef } from '../platform/files.ts'
import { historyEndpoint } from '../platform/history.ts'
import { issueStatus } from '../catalog/truck-issues.ts'
import type { IssueKind } from '../catalog/truck-issues.ts'
import { inspectionResults } from './driver-app.ts'

export const defectKinds = ['mechanical', 'screen', 'other'] as const satisfies readonly IssueKind[]
const defectKind = z.enum(defectKinds, `Choose ${defectKinds.join(', ')}.`)
export type DefectKind = z.infer<typeof defectKind>

const inspectionItem = z.strictObject({
  uid,
  name: z.string(),
  nameEs: z.string(),
  position: z.int(),
  isActive: z.boolean(),
  /** The kind of truck issue that a defect raises. */
  issueKind: defectKind,
  /** Every truck has it, so that it cannot be “not applicable” on the phone. */
  isOnEveryTruck: z.boolean(),
  updatedAt: instant,
  version,
})
export type InspectionItem = z.infer<typeof inspectionItem>

const place = 'Must be a whole number from 1 to 999.'
export const inspectionItemInput = z.strictObject({
  name: requiredLine(80),
  nameEs: requiredLine(80),
  position: z.int(place).min(1, place).max(999, place),
  isActive: z.boolean(),
  issueKind: defectKind,
  /** Without it, a new item is not on every truck and a changed one stays as it is. */
  isOnEveryTruck: z.boolean('Must be true or false.').optional(),
})
export type InspectionItemInput = z.input<typeof inspectionItemInput>

export const repairOutcomes = ['repaired', 'notNeeded'] as const
const repairOutcome = z.enum(repairOutcomes, 'Choose repaired or notNeeded.')
export type RepairOutcome = z.infer<typeof repairOutcome>
export const repairLabel: Record<RepairOutcome, string> = { repaired: 'Repaired', notNeeded: 'Repair not needed' }

export type InspectionResult = (typeof inspectionResults)[number]
export const inspectionResultLabel: Record<InspectionResult, string> = {
  ok: 'OK',
  defect: 'Defect',
  notApplicable: 'Not applicable',
}

/** An inspection as lists show it. */
const inspectionSummary = z.strictObject({
  uid,
  truck: namedRef.extend({ plate: z.string(), vin: z.string() }),
  driver: namedRef,
  shift: z.strictObject({ uid, date: day, program: z.string(), market: z.string() }),
  /** The zone of the shift's market, in which to show times. */
  zone: z.string(),
  at: instant,
  /** What the phone's clock showed, where it was wrong and `at` is the corrected time. */
  phoneAt: instant.nullable(),
  receivedAt: instant,
  /** Sent more than ten minutes after it was done. */
  isLate: z.boolean(),
  place: z.strictObject({ latitude: z.number(), longitude: z.number(), accuracyM: z.number() }).nullable(),
  signedBy: z.string(),
  defects: z.int(),
  /** Defects whose repair is not certified yet. */
  openDefects: z.int(),
})
export type InspectionSummary = z.infer<typeof inspectionSummary>

const inspectedLine = z.strictObject({
  itemUid: uid,
  name: z.string(),
  nameEs: z.string(),
  result: z.enum(inspectionResults),
  note: z.string(),
  photo: fileRef.nullable(),
  issue: z.strictObject({ uid, status: issueStatus }).nullable(),
  repair: z.strictObject({ outcome: repairOutcome, by: z.string(), at: instant, note: z.string() }).nullable(),
})
export type InspectedLine = z.infer<typeof inspectedLine>

const inspection = inspectionSummary.extend({ lines: z.array(inspectedLine) })
export type Inspection = z.infer<typeof inspection>

// For admins, like the settings.
const viewList = { module: 'users', needs: 'view' } as const
const editList = { module: 'users', needs: 'edit' } as const
const view = { module: 'trucks', needs: 'view', reach: 'all' } as const
const edit = { module: 'trucks', needs: 'edit', reach: 'all' } as const
const driver = {
  module: ['schedule', 'userSchedule', 'dailySchedule'],
  needs: 'view',
  except: ['admin', 'sales', 'client'],
} as const
const ofOne = z.strictObject({ uid })

const inspectionQuery = listQuery(['at'], {
  truck: anyOf(uid).optional(),
  shift: anyOf(uid).optional(),
  /** The first and last day on which it was done, in the market's time. */
  from: day.optional(),
  to: day.optional(),
  /** Only those with a defect whose repair is not certified. */
  open: z.enum(['true', 'false']).optional(),
})

/** The list that drivers inspect by. */
export const inspectionItems = {
  list: endpoint({
    method: 'GET',
    path: 'inspection-items/run',
    access: viewList,
    summary: 'The items of the inspection list in their order, inactive ones included.',
    follows: ['inspections'],
    added: true,
    query: listQuery(['position', 'name'], {}).omit(NO_EXPORT),
    reply: page(inspectionItem),
  }),
  get: endpoint({
    method: 'GET',
    path: 'inspection-items/{uid}',
    access: viewList,
    summary: 'One item of the inspection list.',
    follows: ['inspections'],
    added: true,
    params: ofOne,
    reply: one(inspectionItem),
  }),
  create: endpoint({
    method: 'POST',
    path: 'inspection-items/',
    access: editList,
    summary: 'Adds an item to the inspection list.',
    added: true,
    body: inspectionItemInput,
    reply: one(inspectionItem),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'inspection-items/',
    access: editList,
    summary: 'Changes an item of the inspection list. Reports keep the names that they were made with.',
    added: true,
    body: inspectionItemInput.extend({ uid, version }),
    reply: one(inspectionItem),
  }),
  history: historyEndpoint('inspection-items', viewList),
}

export const inspections = {
  list: endpoint({
    method: 'GET',
    path: 'inspections/run',
    access: view,
    summary: 'Inspections of trucks, newest first.',
    follows: ['inspections'],
    added: true,
    query: inspectionQuery,
    reply: page(inspectionSummary),
  }),
  get: endpoint({
    method: 'GET',
    path: 'inspections/{uid}',
    access: view,
    summary: 'One inspection with its lines and certified repairs.',
    follows: ['inspections'],
    added: true,
    params: ofOne,
    reply: one(inspection),
  }),
  pdf: endpoint({
    method: 'GET',
    path: 'inspections/{uid}/pdf',
    access: view,
    isExport: true,
    summary: 'The driver vehicle inspection report as a PDF.',
    added: true,
    params: ofOne,
    // The reply is a file, not JSON.
    reply: z.unknown(),
  }),
  certify: endpoint({
    method: 'PUT',
    path: 'inspections/repairs',
    access: edit,
    // A person answers for it.
    keys: false,
    summary: 'Certifies that a defect was repaired or needs no repair, and resolves its issue.',
    added: true,
    body: z.strictObject({ uid, itemUid: uid, outcome: repairOutcome, note: textLine(300).prefault('') }),
    reply: one(inspection),
  }),
  ownList: endpoint({
    method: 'GET',
    path: 'driver-app/inspections/run',
    access: driver,
    keys: false,
    ownRows: 'records',
    summary: 'A driver’s own inspections, newest first.',
    added: true,
    query: inspectionQuery.omit(NO_EXPORT),
    reply: page(inspectionSummary),
  }),
  own: endpoint({
    method: 'GET',
    path: 'driver-app/inspections/{uid}',
    access: driver,
    keys: false,
    ownRows: 'records',
    summary: 'One of a driver’s own inspections.',
    added: true,
    params: ofOne,
    reply: one(inspection),
  }),
  ownPdf: endpoint({
    method: 'GET',
    path: 'driver-app/inspections/{uid}/pdf',
    access: driver,
    keys: false,
    ownRows: 'records',
    isExport: true,
    summary: 'The report of one of a driver’s own inspections as a PDF.',
    added: true,
    params: ofOne,
    reply: z.unknown(),
  }),
}
