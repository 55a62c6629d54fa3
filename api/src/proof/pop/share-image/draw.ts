import { formatDays } from '@roadshow/contract'
import { decoderTasks } from '../../../platform/decoding/decoder.ts'
import { sourceOf } from '../../../platform/decoding/task-file.ts'
import { toPdfCharset } from '../../../platform/pdf/charset.ts'
import type { PopOpening } from '../publication/opening.ts'
import { listMarkets, mainFigures } from '../publication/words.ts'
import type * as tasks from './share-image-tasks.js'
import { SHARE_IMAGE } from './size.ts'

const task = decoderTasks<typeof tasks>(new URL('./share-image-tasks.js', import.meta.url))

/** The words of the picture: brand, client, program, dates with markets, figures. */
export interface ShareImageWords {
  brand: string
  client: string
  program: string
  when: string
  figures: { value: string; unit: string }[]
}

/** The words in letters that the typeface has. */
function wordsOf(opening: PopOpening): ShareImageWords {
  const { brand, client, program, startsOn, endsOn, chapters, figures, photos, verifiedPhotos } = opening
  return {
    brand: toPdfCharset(brand),
    client: toPdfCharset(client),
    program: toPdfCharset(program),
    when: toPdfCharset([formatDays(startsOn, endsOn), listMarkets(chapters)].filter(Boolean).join(' · ')),
    figures: mainFigures({ figures, photos, verifiedPhotos }).map(({ value, unit }) => ({
      value: toPdfCharset(value),
      unit: toPdfCharset(unit),
    })),
  }
}

/** The picture that chat programs and social networks show beside a link, as a JPEG. */
export const drawShareImage = (opening: PopOpening, photo: Buffer | null): Promise<Buffer> =>
  task('drawShareImage', { words: wordsOf(opening), ...SHARE_IMAGE }, sourceOf(photo ?? Buffer.alloc(0)))
