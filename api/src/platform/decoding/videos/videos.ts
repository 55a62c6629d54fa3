import { decoderTasks } from '../decoder.ts'
import type * as tasks from './video-tasks.js'

/** Runs a task of videos in a decoder: short work, as only headers are read. */
export const videoTask = decoderTasks<typeof tasks>(new URL('./video-tasks.js', import.meta.url), {
  goesFirst: true,
})
