import * as z from '../platform/zod.ts'
import { editSettings } from '../catalog/settings-access.ts'
import { instant, one } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'

const awayService = z.strictObject({
  /** Its name at /readyz and in the metrics. */
  service: z.string(),
  /** As sentences begin: "The file storage". */
  label: z.string(),
  since: instant,
  /** What does not work meanwhile, as a sentence. */
  effect: z.string(),
})
export type AwayService = z.infer<typeof awayService>

/** Work that the nodes repeat by themselves. */
const backgroundJob = z.strictObject({
  name: z.string(),
  /** What it does, as a sentence. */
  what: z.string(),
  everySeconds: z.number(),
  runsOn: z.enum(['cluster', 'node']),
  /** How its last run ended, on any node; null before the first. `more`: its time was up, and it goes on. */
  lastRun: z
    .strictObject({ endedAt: instant, outcome: z.enum(['done', 'more', 'failed']), seconds: z.number() })
    .nullable(),
})
export type BackgroundJob = z.infer<typeof backgroundJob>

export const services = {
  away: endpoint({
    method: 'GET',
    path: 'services/away',
    access: editSettings,
    summary: 'The services outside that the answering node has lost, and the effects until they are back.',
    follows: [],
    atLeastEvery: 60,
    added: true,
    reply: one(z.array(awayService)),
  }),
  jobs: endpoint({
    method: 'GET',
    path: 'services/jobs',
    access: editSettings,
    summary: 'Every job that the nodes repeat by themselves, with how its last run ended.',
    follows: [],
    atLeastEvery: 30,
    added: true,
    reply: one(z.array(backgroundJob)),
  }),
}
