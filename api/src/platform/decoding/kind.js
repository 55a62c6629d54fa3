import { fileTypeFromBuffer } from 'file-type'
import { Refusal } from './refusal.js'

/** @typedef {import('./task-file.ts').TaskFile} TaskFile */

/** How many leading bytes identify the kind of a file. */
const SIGNATURE_BYTES = 4100

/**
 * The kind of a file by its content, whatever its name says.
 * @param {TaskFile} file
 * @returns {Promise<{ mime: string, ext: string } | undefined>}
 */
export const kindOf = async (file) => fileTypeFromBuffer(await file.read(0, SIGNATURE_BYTES)).catch(() => undefined)

/** @type {Record<string, string>} */
const words = {
  'image/jpeg': 'a JPEG',
  'image/png': 'a PNG',
  'image/webp': 'a WebP',
  'video/mp4': 'an MP4',
  'video/webm': 'a WebM',
}

const withArticle = (/** @type {string} */ kind) => `${/^[AEIMX]/.test(kind) ? 'an' : 'a'} ${kind}`

/**
 * Refuses content whose kind differs from the announced one.
 * @param {TaskFile} file
 * @param {string} announced
 */
export async function checkKind(file, announced) {
  const found = await kindOf(file)
  const mime = found?.mime === 'video/x-m4v' ? 'video/mp4' : found?.mime
  if (mime === announced) return
  const actual = found ? `It is ${withArticle(found.ext.toUpperCase())} file` : 'Its kind is not accepted'
  throw new Refusal(`This is not ${words[announced]} file. ${actual}, whatever its name says.`)
}
