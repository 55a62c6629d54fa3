import { MAX_SCREEN_PICTURE_BYTES } from '@roadshow/contract/live/device-events'
import type { Picture } from './picture.ts'

const MAX_SIDE = 1920
const QUALITIES = [0.85, 0.7, 0.5, 0.3]

/** What the screen shows as a JPEG in base64, small enough for one message. */
export async function screenPicture(picture: Picture): Promise<string> {
  const { size } = picture
  const scale = Math.min(1, MAX_SIDE / Math.max(size.width, size.height))
  let [width, height] = [Math.max(1, Math.round(size.width * scale)), Math.max(1, Math.round(size.height * scale))]
  for (;;) {
    const copy = picture.copy(width, height)
    for (const quality of QUALITIES) {
      const file = await copy.convertToBlob({ type: 'image/jpeg', quality })
      if (file.size <= MAX_SCREEN_PICTURE_BYTES) return base64Of(file)
    }
    width = Math.ceil(width / 2)
    height = Math.ceil(height / 2)
  }
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}
