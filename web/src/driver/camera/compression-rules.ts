/** The longest side of a picture that is sent; the server shows at most 2,400 pixels. */
const LONG_EDGE = 2560
/** A picture that is no larger is sent as the phone made it. */
export const KEEP_BYTES = 1_500_000
/** The server takes no larger file. */
export const MAX_BYTES = 30 * 1024 * 1024

/** Types that the server takes. */
const SENT_AS_THEY_ARE = ['image/jpeg', 'image/png', 'image/webp']

export interface PictureFacts {
  type: string
  bytes: number
  width: number
  height: number
}

export interface PictureSize {
  width: number
  height: number
}

/** The size at which a picture is drawn again; undefined where its own bytes are sent. */
export function compressedSize({ type, bytes, width, height }: PictureFacts): PictureSize | undefined {
  if (SENT_AS_THEY_ARE.includes(type) && bytes <= KEEP_BYTES) return undefined
  const scale = Math.min(1, LONG_EDGE / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Whether a picture that was drawn again is worth sending instead of its own bytes. */
export const isBetter = (made: { bytes: number }, original: PictureFacts): boolean =>
  made.bytes < original.bytes || original.bytes > MAX_BYTES || !SENT_AS_THEY_ARE.includes(original.type)
