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

export const services = {
  away: endpoint({
    method: 'GET',
    path: 'services/away',
    access: editSettings,
    summary: 'The services outside that the answering node has lost, and the effects until they are back.',
    added: true,
    reply: one(z.array(awayService)),
  }),
}
