import * as z from '../platform/zod.ts'
import { editSettings } from '../catalog/settings-access.ts'
import {
  chosenInstant,
  instant,
  listQuery,
  NO_EXPORT,
  one,
  page,
  paragraph,
  requiredLine,
  uid,
  version,
} from '../platform/common.ts'
import { removeEndpoint, restoreEndpoint } from '../platform/deletion.ts'
import { endpoint } from '../platform/endpoint.ts'
import { historyEndpoint } from '../platform/history.ts'

/** The page that says whether everything works, also to visitors who are not signed in. */
export const STATUS_PATH = '/status'

/** An outage or maintenance as the operator describes it on the status page. */
const incident = z.strictObject({
  uid,
  title: z.string(),
  text: z.string(),
  startsAt: instant,
  /** Null while it lasts. */
  endsAt: instant.nullable(),
  updatedAt: instant,
  version,
})
export type Incident = z.infer<typeof incident>

const incidentInput = z
  .strictObject({
    title: requiredLine(120),
    text: paragraph(4000).prefault(''),
    startsAt: chosenInstant,
    endsAt: chosenInstant.nullable().prefault(null),
  })
  .refine(({ startsAt, endsAt }) => endsAt === null || Date.parse(endsAt) >= Date.parse(startsAt), {
    path: ['endsAt'],
    error: 'Must not be before the start.',
  })
export type IncidentInput = z.input<typeof incidentInput>

const view = { module: 'users', needs: 'view' } as const
const ofOne = z.strictObject({ uid })

export const incidents = {
  list: endpoint({
    method: 'GET',
    path: 'incidents/run',
    access: view,
    summary: 'Incidents that the status page tells about, searched in title and text.',
    follows: ['incidents'],
    added: true,
    query: listQuery(['startsAt', 'title'], {}).omit(NO_EXPORT),
    reply: page(incident),
  }),
  get: endpoint({
    method: 'GET',
    path: 'incidents/{uid}',
    access: view,
    summary: 'One incident, as its drawer opens it.',
    follows: ['incidents'],
    added: true,
    params: ofOne,
    reply: one(incident),
  }),
  create: endpoint({
    method: 'POST',
    path: 'incidents/',
    access: editSettings,
    summary: 'Adds an incident. The status page shows it at once, to everybody.',
    added: true,
    body: incidentInput,
    reply: one(incident),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'incidents/',
    access: editSettings,
    summary: 'Changes an incident, or ends it. An old version answers 409.',
    added: true,
    body: incidentInput.safeExtend({ uid, version }),
    reply: one(incident),
  }),
  remove: removeEndpoint({
    path: 'incidents',
    access: editSettings,
    added: true,
    summary: 'Deletes an incident: the status page no longer shows it.',
  }),
  restore: restoreEndpoint({ path: 'incidents', access: editSettings }),
  history: historyEndpoint('incidents', view),
}
