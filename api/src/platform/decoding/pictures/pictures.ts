import { decoderTasks } from '../decoder.ts'
import type { FileSource } from '../task-file.ts'
import type * as tasks from './picture-tasks.js'

type Tasks = typeof tasks

/** Runs a task of pictures in a decoder. */
export const pictureTask = decoderTasks<Tasks>(new URL('./picture-tasks.js', import.meta.url))

/** Makes a picture of another size or kind of a picture that is stored. */
export const convertPicture = (source: FileSource, options: Parameters<Tasks['convertPicture']>[0]) =>
  pictureTask('convertPicture', options, source)

/** Draws an SVG of the product's own making. */
export const drawSvg = (options: Parameters<Tasks['drawSvg']>[0]): Promise<Buffer> => pictureTask('drawSvg', options)
