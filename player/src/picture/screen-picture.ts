import { MAX_SCREEN_PICTURE_BYTES } from '@roadshow/contract/live/device-events'

const MAX_SIDE = 1920
const QUALITIES = [0.85, 0.7, 0.5, 0.3]

/** The canvas as a JPEG in base64, small enough for one message. */
export async function screenPicture(canvas: HTMLCanvasElement): Promise<string> {
  const scale = Math.min(1, MAX_SIDE / Math.max(canvas.width, canvas.height))
  let [width, height] = [Math.max(1, Math.round(canvas.width * scale)), Math.max(1, Math.round(canvas.height * scale))]
  for (;;) {
    const copy = new OffscreenCanvas(width, height)
    copy.getContext('2d', { alpha: false })?.drawImage(canvas, 0, 0, width, height)
    for (const quality of QUALITIES) {
      const picture = await copy.convertToBlob({ type: 'image/jpeg', quality })
      if (picture.size <= MAX_SCREEN_PICTURE_BYTES) return base64Of(picture)
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
