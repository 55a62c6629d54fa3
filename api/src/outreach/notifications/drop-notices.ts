import { pluralize } from '@roadshow/contract'
import type { EventHandler } from '../../platform/outbox/index.ts'
import { notify } from './fan-out.ts'

interface DropData {
  programUid: string
  program: string
  causeId: number
  shiftUid: string | null
  plays: number
  verified: number
  sentences: string[]
}

const LISTED_DROPS = 5

/** Plays that a program has lost, to the office: once for each program and cause, with the shift whose times can be corrected. */
export const dropHandler: EventHandler = {
  types: ['figures.dropped'],
  async handle(db, { type, uid, object, data }, context) {
    const { programUid, program, causeId, shiftUid, plays, verified, sentences } = data as unknown as DropData
    const lost = plays > 0 ? pluralize(plays, 'play') : pluralize(verified, 'verified play')
    const more = sentences.length - LISTED_DROPS
    const ending = more > 0 ? [`${pluralize(more, 'more day')} in the History of the program.`] : []
    await notify(db, context, {
      kind: 'playsDropped',
      key: `${type} ${programUid} ${causeId || uid}`,
      subject: `${program} lost ${lost}`,
      text: [...sentences.slice(0, LISTED_DROPS), ...ending].join('\n'),
      path: shiftUid
        ? `/schedule/program-schedule?open=${shiftUid}`
        : `/client-programs?open=${programUid}&tab=history`,
      object,
      programUid,
      shiftUid,
    })
  },
}
