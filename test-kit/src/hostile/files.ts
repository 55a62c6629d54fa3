import { hostilePictures } from './pictures.ts'
import { hostileTables } from './tables.ts'
import { filesOfOtherKinds } from './other-kinds.ts'
import { hostileVideos } from './videos.ts'

/** How a file reaches the server: as artwork, as a logo (encoded again), as a photo of a program, as a table. */
export type Way = 'artwork' | 'logo' | 'photo' | 'table'

export interface HostileFile {
  /** What it is, for a failing test. */
  what: string
  way: Way
  name: string
  contentType: string
  content: Buffer
  /** What becomes of it; undefined where either is right, as long as the server says so. */
  outcome?: 'stored' | 'refused'
}

/** Files as attackers, broken programs and odd cameras send them; the same ones each time. */
export const hostileFiles = async (): Promise<HostileFile[]> => [
  ...(await hostilePictures()),
  ...hostileVideos(),
  ...hostileTables(),
  ...(await filesOfOtherKinds()),
]
