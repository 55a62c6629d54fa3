import { checkKind } from '../kind.js'
import { readMp4 } from './mp4.js'
import { windowOf } from './video-header.js'
import { readWebm } from './webm.js'

/**
 * Facts in the header of a video. Nothing of its pictures and sound is read.
 * @param {{ type: string }} input
 * @param {import('../task-file.ts').TaskFile} file
 */
export async function inspectVideo({ type }, file) {
  await checkKind(file, type)
  return (type === 'video/webm' ? readWebm : readMp4)(windowOf(file), file.size)
}
